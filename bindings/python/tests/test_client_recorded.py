"""Clients meet what servers were seen to send: bug reports, and the answers of a genuine server."""

from __future__ import annotations

from collections.abc import Callable

import overpasskit
import pytest
import recorded
from asking import NODE, client_of, ids
from overpass_server import STATUS, OverpassServer, Reply
from overpasskit import Client, Response

pytestmark = pytest.mark.skipif(not recorded.HAS_CASES, reason="no shared cases")

Told = Callable[[Client, OverpassServer], None]


def answers_late(client: Client, server: OverpassServer) -> None:
    with pytest.raises(overpasskit.ServerBusyError, match="too busy") as caught:
        client.fetch(NODE)
    assert len(caught.value.attempts) == len(server.requests) == 1


def limits(client: Client, server: OverpassServer) -> None:
    with pytest.raises(overpasskit.RateLimitError) as caught:
        client.fetch(NODE)
    assert caught.value.messages[0].category == "rate_limited"


def has_slots(client: Client, server: OverpassServer) -> None:
    slots = client.status()
    assert (slots.rate_limit, slots.free, len(slots.running)) == (2, 1, 1)
    assert slots.waiting[0].seconds == 40


def has_no_limit(client: Client, server: OverpassServer) -> None:
    slots = client.status()
    assert (slots.rate_limit, slots.free, slots.running) == (None, None, ())


def hides_its_status(client: Client, server: OverpassServer) -> None:
    assert ids(client.fetch(NODE)) == []
    assert server.requests_to(STATUS) == []
    with pytest.raises(overpasskit.TransportError):
        client.status()


def refuses_agents(client: Client, server: OverpassServer) -> None:
    assert ids(client.fetch(NODE)) == []
    with pytest.raises(overpasskit.ClientError):
        Client("CFNetwork/1.0", endpoints=server.url)


def stops_in_the_middle(client: Client, server: OverpassServer) -> None:
    with pytest.raises(overpasskit.TruncatedError) as caught:
        client.fetch(NODE)
    assert caught.value.partial is not None
    assert ids(caught.value.partial) == [1]
    recorded.play_bug("B041", server)
    response = client.fetch(NODE, partial=True)
    assert (ids(response), response.is_complete) == ([1], False)


def has_bad_bytes(client: Client, server: OverpassServer) -> None:
    response = client.fetch(NODE)
    assert len(response.diagnostics) == 1
    assert response.elements[0].tags == {"tunnel": "\ufffd"}
    recorded.play_bug("B056", server)
    with pytest.raises(overpasskit.TextError):
        client.fetch(NODE, strict=True)


def has_a_comma_too_many(client: Client, server: OverpassServer) -> None:
    with pytest.raises(overpasskit.DecodeError) as caught:
        client.fetch(NODE)
    assert (caught.value.line, caught.value.column, caught.value.offset) == (2, 1, 14)


REPORTS: dict[str, Told] = {
    "B024": answers_late,
    "B030": limits,
    "B032": has_slots,
    "B033": has_no_limit,
    "B035": hides_its_status,
    "B037": refuses_agents,
    "B041": stops_in_the_middle,
    "B056": has_bad_bytes,
    "B069": has_a_comma_too_many,
}


@pytest.mark.parametrize("number", sorted(REPORTS))
def test_bug_report(number: str) -> None:
    with OverpassServer() as server:
        recorded.play_bug(number, server)
        with client_of(server, max_attempts=1) as client:
            REPORTS[number](client, server)


def test_a_mirror_works() -> None:
    with OverpassServer() as first, OverpassServer() as second:
        recorded.play_bug("B038", first, second)
        with client_of(first, second) as client:
            response = client.fetch(NODE)
        assert response.source is not None
        assert [each.error is None for each in response.source.attempts] == [False, True]


def test_all_bug_reports_have_a_test() -> None:
    numbers = {each.number for each in recorded.bug_blocks()} | set(recorded.SITUATIONS)
    assert numbers == {*REPORTS, "B038"}


# The genuine server


def contents(response: Response) -> tuple[object, ...]:
    return (
        response.to_overpass_json(lossy=True),
        response.to_geojson(),
        response.remarks,
        response.diagnostics,
        response.is_complete,
        response.timestamp,
    )


def type_of(reply: Reply) -> str:
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return headers["content-type"]


def compare(client: Client, case: recorded.Recorded) -> None:
    """Fetching gives what decoding the file gives."""
    body, type = case.reply.sent_body, type_of(case.reply)
    if case.reply.status != 200:
        with pytest.raises(overpasskit.BadRequestError) as refused:
            client.fetch(case.query, unchecked=True)
        reply = overpasskit.classify(body, status=case.reply.status, content_type=type)
        assert refused.value.messages == reply.messages
    elif type == "text/csv":
        assert client.fetch_bytes(case.query) == body
    else:
        expected = overpasskit.loads(body)
        if expected.is_complete is not False:
            assert contents(client.fetch(case.query)) == contents(expected)
            return
        with pytest.raises(overpasskit.ServerError) as failed:
            client.fetch(case.query)
        assert failed.value.partial is not None
        assert contents(failed.value.partial) == contents(expected)
        assert list(failed.value.messages) == expected.messages


def test_all_answers_of_a_genuine_server() -> None:
    cases = recorded.oracle_answers()
    assert len(cases) > 200
    with OverpassServer() as server, client_of(server, max_attempts=1) as client:
        for case in cases:
            server.answers([case.reply])
            try:
                compare(client, case)
            except Exception as error:
                raise AssertionError(case.name) from error
        assert server.unused_replies == 0
        assert [request.data or "" for request in server.requests] == [case.query for case in cases]
        assert server.connections == 1


def test_tables_of_a_genuine_server() -> None:
    with OverpassServer() as server, client_of(server) as client:
        for case in recorded.oracle_answers():
            if type_of(case.reply) != "text/csv":
                continue
            server.answers([case.reply])
            table = client.fetch_csv(case.query)
            lines = case.reply.sent_body.decode().splitlines()
            assert len(table) in (len(lines), len(lines) - 1), case.name
            assert len(table.headings) == len(lines[0].split("\t")) or "csv" in case.name
        assert len(server.requests) >= 5


def test_pages_of_a_genuine_server() -> None:
    exchanges = {each.name: each.reply for each in recorded.oracle_exchanges()}
    with OverpassServer() as server, client_of(server) as client:
        server.answers([exchanges["status"]], STATUS)
        assert client.status().rate_limit is None
        for name in ("post-data", "post-raw-xml", "get-xml-out", "get-jsonp"):
            server.answers([exchanges[name]])
            response = client.fetch(NODE)
            assert contents(response) == contents(overpasskit.loads(exchanges[name].sent_body))
        for name in ("post-empty", "get-parse-error"):
            server.answers([exchanges[name]])
            with pytest.raises(overpasskit.BadRequestError):
                client.fetch(NODE)
        server.answers([exchanges["get-csv-out"]])
        table = client.fetch_csv("[out:csv(::id)];node(21911863);out;")
        assert list(table) == [(21911863,)]
        # What is no answer is none, whatever its status.
        for name in ("timestamp", "head", "options"):
            server.answers([exchanges[name]])
            with pytest.raises(overpasskit.OverpassKitError):
                client.fetch(NODE)
