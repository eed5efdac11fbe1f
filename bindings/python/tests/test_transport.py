"""A program's own transport: what it is given, what it hands over, how its failures come out."""

from __future__ import annotations

import gc
import http.client
import socket
import ssl
import threading
import weakref
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import overpasskit
import pytest
from asking import APP, LONG, NODE, Story, ids, in_thread, node, node_text
from overpass_server import OverpassServer, Reply
from overpasskit import Cancellation, Client, HTTPReply, HTTPRequest, transport


def answer(request: HTTPRequest, reply: HTTPReply) -> None:
    reply.head(200, {"Content-Type": "application/json"})
    reply.body(node_text(1).encode())


class PlainTransport:
    """Python's own HTTP, as a program might use it."""

    def __init__(self) -> None:
        self.requests: list[HTTPRequest] = []

    def perform(self, request: HTTPRequest, reply: HTTPReply) -> None:
        self.requests.append(request)
        url = urlsplit(request.url)
        connection = http.client.HTTPConnection(url.netloc, timeout=request.idle_timeout)
        try:
            connection.request(request.method, url.path, request.body, dict(request.headers))
            response = connection.getresponse()
            if not reply.head(response.status, response.getheaders()):
                return
            while portion := response.read(7):
                if not reply.body(portion):
                    return
        finally:
            connection.close()


@pytest.fixture
def server() -> Iterator[OverpassServer]:
    with OverpassServer() as server:
        yield server


def test_a_transport_that_works(server: OverpassServer) -> None:
    server.answers([Reply(504), node(cut_after=60), Reply.redirect("/x"), Reply(599)])
    server.answers([node(gzip=True)], "/x")
    own = PlainTransport()
    with Client(APP, endpoints=server.url, transport=own, busy_wait=0.01) as client:
        response = client.fetch(NODE)
    assert ids(response) == [1]
    assert response.source is not None
    assert [each.status_name for each in response.source.attempts] == [
        "OPK_ERR_SERVER_BUSY", "OPK_ERR_DECODE_TRUNCATED", "OPK_OK",
    ]  # fmt: skip
    first = own.requests[0]
    assert (first.method, first.url, first.body) == (
        "POST", server.url, b"data=%5Bout%3Ajson%5D%3Bnode%281%29%3Bout%3B",
    )  # fmt: skip
    assert dict(first.headers)["User-Agent"].startswith(APP)
    assert dict(first.headers)["Accept-Encoding"] == "gzip"
    assert first.connect_timeout == 30 and first.idle_timeout > 180
    assert len({each.number for each in own.requests}) == 4


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        (TimeoutError("slow"), "OPK_ERR_TRANSPORT_TIMEOUT"),
        (overpasskit.TransportTimeoutError("slow"), "OPK_ERR_TRANSPORT_TIMEOUT"),
        (socket.gaierror("unknown"), "OPK_ERR_TRANSPORT_RESOLVE"),
        (ConnectionRefusedError("closed"), "OPK_ERR_TRANSPORT_CONNECT"),
        (ConnectionResetError("broken"), "OPK_ERR_TRANSPORT_INTERRUPTED"),
        (overpasskit.TransportError("broken"), "OPK_ERR_TRANSPORT_INTERRUPTED"),
        (overpasskit.TransportError("odd", status=511), "OPK_ERR_TRANSPORT_UNAVAILABLE"),
        (ssl.SSLError("unsafe"), "OPK_ERR_TRANSPORT_TLS"),
        (LookupError("a mistake"), "OPK_ERR_TRANSPORT_OTHER"),
        (LookupError(), "OPK_ERR_TRANSPORT_OTHER"),
        (ValueError("ä" * 500 + "\0"), "OPK_ERR_TRANSPORT_OTHER"),
    ],
)
@pytest.mark.parametrize("is_main", [True, False])
def test_failures(raised: Exception, status: str, is_main: bool) -> None:
    def fail(request: HTTPRequest, reply: HTTPReply) -> None:
        raise raised

    def ask() -> None:
        with Client(APP, transport=fail, max_attempts=1) as client:
            with pytest.raises(overpasskit.TransportError) as caught:
                client.fetch(NODE)
        error = caught.value
        assert error.status_name == status
        words = str(raised)[:50] or "LookupError"
        assert words in error.message
        if status == "OPK_ERR_TRANSPORT_OTHER":
            assert error.__cause__ is raised

    if is_main:
        ask()
    else:
        with in_thread(ask) as outcome:
            pass
        assert outcome == [None]
    raised.__traceback__ = None


def test_replies_that_make_no_sense() -> None:
    def nothing(request: HTTPRequest, reply: HTTPReply) -> None:
        pass

    def no_head(request: HTTPRequest, reply: HTTPReply) -> None:
        assert not reply.body(b"{}")

    def two_heads(request: HTTPRequest, reply: HTTPReply) -> None:
        assert reply.head(200)
        assert not reply.head(200)

    def no_bytes(request: HTTPRequest, reply: HTTPReply) -> None:
        reply.head(200)
        reply.body("text")  # type: ignore[arg-type]

    for own, expected in (
        (nothing, overpasskit.TransportError),
        (no_head, overpasskit.TransportError),
        (two_heads, overpasskit.DecodeError),
        (no_bytes, overpasskit.TransportError),
    ):
        with Client(APP, transport=own, max_attempts=1) as client, pytest.raises(expected):
            client.fetch(NODE)


def test_replies_end_with_their_request() -> None:
    kept: list[HTTPReply] = []

    def keep(request: HTTPRequest, reply: HTTPReply) -> None:
        kept.append(reply)
        answer(request, reply)

    with Client(APP, transport=keep) as client:
        client.fetch(NODE)
    for call in (kept[0].wait, lambda: kept[0].body(b"x"), lambda: kept[0].head(200)):
        with pytest.raises(overpasskit.MisuseError, match="is over"):
            call()


def test_cancelling_by_what_methods_return() -> None:
    cancellation = Cancellation()
    waited: list[bool] = []

    def wait(request: HTTPRequest, reply: HTTPReply) -> None:
        waited.append(reply.wait())
        cancellation.cancel()
        waited.append(reply.wait())
        waited.append(reply.head(200))

    with Client(APP, transport=wait) as client, pytest.raises(overpasskit.CancelledError):
        client.fetch(NODE, cancel=cancellation)
    assert waited == [True, False, False]


def test_cancelling_by_an_interrupt() -> None:
    class Blocking:
        def __init__(self) -> None:
            self.ended: dict[int, threading.Event] = {}

        def perform(self, request: HTTPRequest, reply: HTTPReply) -> None:
            event = self.ended[request.number] = threading.Event()
            cancellation.cancel()
            assert event.wait(LONG)

        def interrupt(self, number: int) -> None:
            self.ended[number].set()

    cancellation = Cancellation()
    with Client(APP, transport=Blocking()) as client, pytest.raises(overpasskit.CancelledError):
        client.fetch(NODE, cancel=cancellation)


def test_progress_of_a_transport() -> None:
    story = Story()

    def slow(request: HTTPRequest, reply: HTTPReply) -> None:
        reply.wait()
        answer(request, reply)

    with Client(APP, transport=slow) as client:
        client.fetch(NODE, progress=story)
    assert [each.phase for each in story.told][:2] == ["running", "running"]


def test_status_and_kill() -> None:
    asked: list[str] = []

    def page(request: HTTPRequest, reply: HTTPReply) -> None:
        asked.append(f"{request.method} {urlsplit(request.url).path}")
        reply.head(200, [("Content-Type", "text/plain")])
        reply.body(b"Rate limit: 4\n2 slots available now.\n")

    with Client(APP, transport=page) as client:
        assert client.status().free == 2
        client.kill_queries()
    assert asked == ["GET /api/status", "GET /api/kill_my_queries"]


def test_transports_are_let_go() -> None:
    class Own:
        def perform(self, request: HTTPRequest, reply: HTTPReply) -> None:
            answer(request, reply)

    def forgotten(make: Callable[[Own], object]) -> bool:
        own = Own()
        watch = weakref.ref(own)
        make(own)
        del own
        gc.collect()
        return watch() is None

    def use(own: Own) -> None:
        with Client(APP, transport=own) as client:
            client.fetch(NODE)

    def fail(own: Own) -> None:
        with pytest.raises(overpasskit.ClientError):
            Client("", transport=own)

    before = len(transport._hosts)
    assert forgotten(use)
    assert forgotten(fail)
    assert len(transport._hosts) == before
