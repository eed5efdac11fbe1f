"""What servers say, and what replies mean."""

import pytest
from conftest import ANSWERS
from overpasskit import BadRequestError, ServerError, classify, load, loads

PAGE = b"""<?xml version="1.0" encoding="UTF-8"?><html><body>
<p><strong style="color:#FF0000">Error</strong>: line 1: parse error: Unknown type "nod" </p>
</body></html>"""


def test_messages_of_a_remark() -> None:
    (message,) = load(ANSWERS / "remark.json").messages
    assert message.category == "query_timeout"
    assert (message.statement, message.line, message.seconds) == ("query", 1, 26)
    assert message.megabytes is None
    assert "timed out" in message.text


def test_error_page_in_place_of_an_answer() -> None:
    with pytest.raises(BadRequestError, match="Unknown type") as caught:
        loads(PAGE)
    assert isinstance(caught.value, ServerError)


def test_good_reply() -> None:
    reply = classify(b'{"elements": []}', status=200, content_type="application/json")
    assert (reply.category, reply.is_retryable, reply.messages) == (None, False, ())


def test_refused_query() -> None:
    reply = classify(PAGE, status=400, content_type="text/html")
    assert (reply.category, reply.is_retryable) == ("bad_request", False)
    assert [message.line for message in reply.messages] == [1]


@pytest.mark.parametrize(("status", "category"), [(429, "rate_limited"), (504, "too_busy")])
def test_come_back_later(status: int, category: str) -> None:
    reply = classify(b"<html><body>sorry</body></html>", status=status)
    assert (reply.category, reply.is_retryable) == (category, True)
