"""What servers say, and what replies mean."""

import dataclasses

import pytest
from conftest import ANSWERS
from overpasskit import (
    BadRequestError,
    NotOverpassError,
    ServerError,
    Slot,
    classify,
    load,
    loads,
    read_slots,
)

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


STATUS = """Connected as: 123
Current time: 2024-05-01T10:00:00Z
Announced endpoint: none
Rate limit: 2
1 slots available now.
Slot available after: 2024-05-01T10:00:40Z, in 40 seconds.
Currently running queries (pid, space limit, time limit, start time):
4711\t536870912\t180\t2024-05-01T09:59:00Z
"""


def test_status_page() -> None:
    slots = read_slots(STATUS)
    assert (slots.rate_limit, slots.free, slots.wait_seconds) == (2, 1, 0)
    assert slots.waiting == (Slot("2024-05-01T10:00:40Z", 40),)
    assert slots.running == ("2024-05-01T09:59:00Z",)
    assert slots.announced_endpoint is None
    shuffled = "\n".join(reversed(STATUS.splitlines())).replace("none", "gall.example")
    assert read_slots(shuffled) == dataclasses.replace(slots, announced_endpoint="gall.example")


def test_status_page_without_limit() -> None:
    slots = read_slots("Connected as: 1\nRate limit: 0\n")
    assert (slots.rate_limit, slots.free, slots.wait_seconds) == (None, None, 0)
    full = read_slots(STATUS.replace("1 slots", "0 slots"))
    assert full.wait_seconds == 40


def test_what_is_no_status_page() -> None:
    with pytest.raises(NotOverpassError):
        read_slots("<html>")
