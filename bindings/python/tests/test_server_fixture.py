"""The server of the end-to-end tests does what it is told, byte for byte."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import overpass_server
import pytest
import recorded
from overpass_server import AUTHORITY, INTERPRETER, KILL, STATUS, OverpassServer, Reply, Request

needs_cases = pytest.mark.skipif(not recorded.HAS_CASES, reason="no shared cases")


@pytest.fixture
def server() -> Iterator[OverpassServer]:
    with OverpassServer() as server:
        yield server


def raw(server: OverpassServer, request: bytes, *, count: int | None = None) -> bytes:
    """All bytes, or the first ones, that come back on a connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(request)
        received = b""
        while (count is None or len(received) < count) and (more := connection.recv(65536)):
            received += more
        return received


FORM = "application/x-www-form-urlencoded"
GET = b"GET /api/interpreter?data=node(1) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def client(server: OverpassServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)


def test_replies_come_in_order_and_by_path(server: OverpassServer) -> None:
    server.answers([Reply(429, {"Retry-After": "1"}), Reply.json('{"n":1}')])
    server.answers([Reply.text("Rate limit: 2\n")], STATUS)
    connection = client(server)
    seen = []
    for method, path in [("POST", INTERPRETER), ("GET", STATUS), ("POST", INTERPRETER)]:
        connection.request(method, path, body=b"data=x" if method == "POST" else None)
        response = connection.getresponse()
        seen.append((response.status, response.reason, response.read()))
    assert seen == [
        (429, "Too Many Requests", b""),
        (200, "OK", b"Rate limit: 2\n"),
        (200, "OK", b'{"n":1}'),
    ]
    assert server.unused_replies == 0
    assert server.connections == 1
    assert len(server.requests_to(INTERPRETER)) == 2
    connection.request("GET", KILL)
    assert connection.getresponse().status == 599
    connection.close()


def test_bytes_of_a_reply(server: OverpassServer) -> None:
    server.answers([Reply(418, {"X-A": "b"}, "ab", reason="Teapot", keep_alive=False)])
    assert raw(server, GET) == (
        b"HTTP/1.1 418 Teapot\r\nX-A: b\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab"
    )


def test_chunks_and_prefaces(server: OverpassServer) -> None:
    hints = "HTTP/1.1 103 Early Hints\r\n\r\n"
    server.answers([Reply(body=b"abcde", chunked=True, portion=3, preface=hints)])
    assert raw(server, GET) == (
        hints.encode() + b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    )


def test_bodies_until_close(server: OverpassServer) -> None:
    server.answers([Reply(body=b"all", until_close=True)])
    assert raw(server, GET) == b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall"


def test_gzip_only_for_those_who_ask(server: OverpassServer) -> None:
    server.answers([Reply(body=b"plain", gzip=True)] * 2)
    plain = urllib.request.urlopen(server.url, timeout=20)
    assert plain.read() == b"plain"
    assert plain.headers["Content-Encoding"] is None
    request = urllib.request.Request(server.url, headers={"Accept-Encoding": "gzip"})
    packed = urllib.request.urlopen(request, timeout=20)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.read()) == b"plain"


def test_cuts_and_wrong_lengths(server: OverpassServer) -> None:
    server.answers([Reply(body=b"12345", cut_after=2), Reply(body=b"1", declared_length=2**32)])
    assert raw(server, GET).endswith(b"Content-Length: 5\r\n\r\n12")
    assert raw(server, GET).endswith(b"Content-Length: 4294967296\r\n\r\n1")


@pytest.mark.parametrize("reply", [Reply(body=b"12345", reset_after=2), Reply(refuse=True)])
def test_resets(server: OverpassServer, reply: Reply) -> None:
    server.answers([reply])
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(GET)
        with pytest.raises(ConnectionResetError):
            while connection.recv(65536):
                pass


def test_delays(server: OverpassServer) -> None:
    server.answers([Reply(body=b"abcd", delay=0.1, portion=1, portion_delay=0.05)])
    start = time.monotonic()
    assert raw(server, GET).endswith(b"abcd")
    assert time.monotonic() - start >= 0.3


@pytest.mark.parametrize(
    ("reply", "body"),
    [(Reply(hang=True), b""), (Reply(body=b"ab", declared_length=9, stall=True), b"ab")],
)
def test_silence_ends_with_the_client(server: OverpassServer, reply: Reply, body: bytes) -> None:
    server.answers([reply])
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(GET)
        assert server.wait_for_requests(1)
        received = b""
        while not received.endswith(body):
            received += connection.recv(65536)
        connection.settimeout(0.1)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        assert server.requests[0].end is None


def test_stop_ends_whatever_waits() -> None:
    with OverpassServer() as server:
        slow = Reply(body="ab", portion=1, portion_delay=50)
        server.answers([Reply(hang=True), Reply(delay=50), slow])
        connections = []
        for count in (1, 2, 3):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            connection.sendall(GET)
            connections.append(connection)
            assert server.wait_for_requests(count)
        start = time.monotonic()
    assert time.monotonic() - start < 20
    for connection in connections:
        while connection.recv(65536):
            pass
        connection.close()


def test_redirects(server: OverpassServer) -> None:
    with OverpassServer() as other:
        server.answers([Reply.redirect(other.origin + "/moved", 302)])
        other.answers([Reply(body=b"there")], "/moved")
        assert urllib.request.urlopen(server.url, timeout=20).read() == b"there"
        assert [r.path for r in other.requests] == ["/moved"]


@pytest.mark.parametrize(
    ("path", "kind", "body", "data"),
    [
        (INTERPRETER, FORM, b"data=%5Bout%3Ajson%5D%3B+x", "[out:json]; x"),
        (INTERPRETER, "", b"data=a%26b", "a&b"),
        (INTERPRETER, "text/plain", "node(1);ä".encode(), "node(1);ä"),
        (INTERPRETER + "?data=node(1)%3B", "", b"", "node(1);"),
        (INTERPRETER, "", b"", None),
        (INTERPRETER, FORM, b"", None),
    ],
)
def test_data_of_requests(
    server: OverpassServer, path: str, kind: str, body: bytes, data: str | None
) -> None:
    server.answers([Reply()])
    connection = client(server)
    connection.request("POST", path, body, {"Content-Type": kind} if kind else {})
    connection.getresponse().read()
    connection.close()
    (request,) = server.requests
    assert (request.method, request.path, request.body, request.data) == (
        "POST", INTERPRETER, body, data,
    )  # fmt: skip
    assert request.headers["host"] == f"127.0.0.1:{server.port}"


def test_counts_what_happens_at_once(server: OverpassServer) -> None:
    gate = threading.Event()

    def answer(request: Request) -> Reply:
        if request.concurrent == 3:
            gate.set()
        gate.wait(20)
        return Reply(body=str(request.concurrent))

    server.answers_by(answer)
    threads = [threading.Thread(target=raw, args=(server, GET)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.most_at_once == 3
    assert sorted(r.concurrent for r in server.requests) == [1, 2, 3]
    assert len({r.connection for r in server.requests}) == 3
    assert all(r.end is not None and r.end >= r.time for r in server.requests)
    server.reset()
    assert (server.requests, server.most_at_once) == ([], 0)


def test_requests_in_pieces_and_pipelines(server: OverpassServer) -> None:
    server.answers([Reply(body=b"1"), Reply(body=b"2")])
    message = b"POST /api/interpreter HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\ndata=a"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        for start in range(0, len(message), 7):
            connection.sendall(message[start : start + 7])
        connection.sendall(GET)
        received = b""
        while more := connection.recv(65536):
            received += more
    assert received.count(b"HTTP/1.1 200 OK") == 2
    assert [r.data for r in server.requests] == ["a", "node(1)"]


def test_nonsense_ends_a_connection(server: OverpassServer) -> None:
    assert raw(server, b"no http\r\n\r\n") == b""
    assert server.requests == []


def test_tls() -> None:
    with OverpassServer(tls=True) as server:
        server.answers([Reply(body=b"safe")] * 2)
        context = ssl.create_default_context(cafile=AUTHORITY)
        assert server.url.startswith("https://127.0.0.1:")
        for url in (server.url, server.url.replace("127.0.0.1", "localhost")):
            assert urllib.request.urlopen(url, timeout=20, context=context).read() == b"safe"
        with pytest.raises(OSError, match="certificate verify failed"):
            urllib.request.urlopen(server.url, timeout=20)
        assert len(server.requests) == 2


# As a program


@pytest.fixture
def program() -> Iterator[subprocess.Popen[bytes]]:
    path = Path(overpass_server.__file__)
    with subprocess.Popen(
        [sys.executable, str(path), "--seconds", "60"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        yield process
        process.kill()


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body)
    response = connection.getresponse()
    result = response.status, response.read()
    connection.close()
    return result


def test_program_is_told_by_http(program: subprocess.Popen[bytes]) -> None:
    assert program.stdout is not None
    port = int(program.stdout.readline())
    script = {INTERPRETER: [{"status": 504, "body": "busy"}, {"body64": "/wA="}]}
    assert ask(port, "POST", "/control/script", json.dumps(script).encode())[0] == 200
    assert ask(port, "POST", INTERPRETER, b"data=a") == (504, b"busy")
    assert ask(port, "POST", INTERPRETER, b"data=b") == (200, b"\xff\0")
    seen = json.loads(ask(port, "GET", "/control/requests")[1])
    assert [r["data"] for r in seen["requests"]] == ["a", "b"]
    assert (seen["most_at_once"], seen["unused_replies"]) == (1, 0)
    assert ask(port, "POST", "/control/reset") == (200, b"{}")
    assert json.loads(ask(port, "GET", "/control/requests")[1])["requests"] == []
    assert ask(port, "POST", "/control/stop") == (200, b"{}")
    assert program.wait(20) == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", b"line 1"),
        (b'{"/x":[{"stauts":200}]}', b"a reply has no stauts"),
        (b"[]", b"items"),
        (b'{"/x":[{"body64":"?"}]}', b"base64"),
    ],
)
def test_wrong_scripts_are_told(server: OverpassServer, body: bytes, words: bytes) -> None:
    status, text = ask(server.port, "POST", "/control/script", body)
    assert status == 400
    assert words in text
    assert server.unused_replies == 0
    assert ask(server.port, "GET", "/control/nothing")[0] == 404


def test_program_ends_with_its_input(program: subprocess.Popen[bytes]) -> None:
    assert program.stdout is not None
    assert program.stdin is not None
    assert int(program.stdout.readline()) > 0
    program.stdin.close()
    assert program.wait(20) == 0


def test_program_ends_after_a_while() -> None:
    path = Path(overpass_server.__file__)
    with subprocess.Popen(
        [sys.executable, str(path), "--seconds", "0.1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.wait(20) == 0


# Recorded replies


@needs_cases
def test_all_bug_reports_can_be_played() -> None:
    blocks = recorded.bug_blocks()
    assert {block.number for block in blocks} >= {"B024", "B030", "B032", "B035", "B038", "B056"}
    for block in blocks:
        with OverpassServer() as first, OverpassServer() as second:
            recorded.play_bug(block.number, first, second)
            if block.number not in recorded.SITUATIONS:
                assert first.unused_replies == 1
    with pytest.raises(LookupError, match="B002"), OverpassServer() as server:
        recorded.play_bug("B002", server)


@needs_cases
def test_bug_reports_as_they_come(server: OverpassServer) -> None:
    for number in ("B030", "B056", "B032"):
        recorded.play_bug(number, server)
    status, body = ask(server.port, "POST", INTERPRETER, b"data=x")
    assert status == 429
    assert b"rate_limited" in body
    assert b'"tunnel":"\xff"' in ask(server.port, "POST", INTERPRETER, b"data=x")[1]
    assert ask(server.port, "GET", STATUS)[1].startswith(b"Connected as: 123\n")


@needs_cases
def test_situations(server: OverpassServer) -> None:
    recorded.play_bug("B037", server)
    for agent, status in [("CFNetwork/1.0", 406), ("mine/1 (me@example.org)", 200)]:
        connection = client(server)
        connection.request("POST", INTERPRETER, b"data=x", {"User-Agent": agent})
        assert connection.getresponse().status == status
        connection.close()
    with OverpassServer() as mirror:
        server.reset()
        recorded.play_bug("B038", server, mirror)
        assert ask(server.port, "POST", INTERPRETER)[0] == 504
        assert ask(mirror.port, "POST", INTERPRETER)[0] == 200
    recorded.play_bug("B035", server)
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        ask(server.port, "GET", STATUS)
    assert ask(server.port, "POST", INTERPRETER)[0] == 200


@needs_cases
def test_replies_of_a_genuine_server(server: OverpassServer) -> None:
    answers = recorded.oracle_answers()
    exchanges = {exchange.name: exchange for exchange in recorded.oracle_exchanges()}
    assert len(answers) > 200
    assert {answer.reply.status for answer in answers} == {200, 400}
    server.answers([answer.reply for answer in answers])
    for answer in answers:
        status, body = ask(server.port, "POST", INTERPRETER, answer.query.encode())
        assert (status, body) == (answer.reply.status, answer.reply.body), answer.name
    assert [r.data or "" for r in server.requests] == [answer.query for answer in answers]
    assert exchanges["post-empty"].reply.status == 400
    assert b"Connected as: " in exchanges["status"].reply.sent_body
    assert exchanges["get-csv-out"].reply.headers["Content-type"] == "text/csv"
