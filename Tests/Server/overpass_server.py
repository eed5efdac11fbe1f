"""A server on the loopback interface that answers as a test tells it to, and counts what comes.

In pytest::

    with OverpassServer() as server:
        server.answers([Reply(429), Reply(200, body=answer)])
        ...server.url...
        assert [r.data for r in server.requests] == [...]

From other languages: `overpass_server.py [--tls] [--seconds N]` prints its port as its first line
and stops when its standard input is closed, or after N seconds. It is told what to answer by
`POST /control/script` (JSON: path to a list of replies, with the fields of `Reply`; `body64` for a
body that is no text) and tells what came by `GET /control/requests`; `POST /control/reset` forgets
both, `POST /control/stop` ends it.

It reads HTTP itself: what is to be tested are replies that no sound server would send.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import socket
import ssl
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from server_messages import REASONS, Reply, Request, read_request

__all__ = ["AUTHORITY", "INTERPRETER", "KILL", "STATUS", "OverpassServer", "Reply", "Request"]

INTERPRETER = "/api/interpreter"
STATUS = "/api/status"
KILL = "/api/kill_my_queries"

# Of the test authority and of the server; made by certificates.sh, valid until the year 2126.
CERTIFICATES = Path(__file__).resolve().parent / "certificates"
AUTHORITY = CERTIFICATES / "authority.pem"

# Nothing waits for longer, so that a broken test does not leave a server behind.
LONGEST_WAIT = 60.0


Answering = Callable[[Request], Reply]


class OverpassServer:
    """Listens on a free port of 127.0.0.1 from the start of a `with` until its end."""

    def __init__(self, *, tls: bool = False) -> None:
        self._context: ssl.SSLContext | None = None
        if tls:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(CERTIFICATES / "server.pem", CERTIFICATES / "server.key")
        self._lock = threading.Condition()
        self._queues: dict[str, deque[Reply]] = {}
        self._functions: dict[str, Answering] = {}
        self._requests: list[Request] = []
        self._open: dict[int, socket.socket] = {}
        self._threads: list[threading.Thread] = []
        self._connections = 0
        self._running = 0
        self._most_at_once = 0
        self._is_stopped = False
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._acceptor = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> OverpassServer:
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(128)
        self.port: int = self._listener.getsockname()[1]
        self._acceptor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._acceptor.join()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    # What tests tell

    def answers(self, replies: Iterable[Reply], path: str = INTERPRETER) -> None:
        """Adds to the replies of a path. After the last one, requests there get a 599."""
        with self._lock:
            self._queues.setdefault(path, deque()).extend(replies)

    def answers_by(self, function: Answering, path: str = INTERPRETER) -> None:
        """Has a function answer at a path, called on the thread of the connection."""
        with self._lock:
            self._functions[path] = function

    def reset(self) -> None:
        """Forgets replies and requests; connections stay."""
        with self._lock:
            self._queues.clear()
            self._functions.clear()
            self._requests.clear()
            self._most_at_once = self._running

    def stop(self) -> None:
        """Ends all connections and the server. Further calls do nothing."""
        with self._lock:
            if self._is_stopped:
                return
            self._is_stopped = True
            for connection in self._open.values():
                _shut_down(connection)
            self._lock.notify_all()
        _shut_down(self._listener)

    # What tests ask

    @property
    def origin(self) -> str:
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return self.origin + INTERPRETER

    @property
    def requests(self) -> list[Request]:
        """All that came, in order, without those to /control."""
        with self._lock:
            return list(self._requests)

    def requests_to(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    @property
    def connections(self) -> int:
        """How many were accepted."""
        with self._lock:
            return self._connections

    @property
    def most_at_once(self) -> int:
        """The largest number of requests that were being answered at one time."""
        with self._lock:
            return self._most_at_once

    @property
    def unused_replies(self) -> int:
        """How many replies nobody has asked for; 0 when a script was played to its end."""
        with self._lock:
            return sum(len(queue) for queue in self._queues.values())

    def wait_for_requests(self, count: int, seconds: float = 20) -> bool:
        """Waits until so many came; false when that takes too long."""
        with self._lock:
            return self._lock.wait_for(lambda: len(self._requests) >= count, seconds)

    def wait_until_stopped(self, seconds: float | None) -> None:
        with self._lock:
            self._lock.wait_for(lambda: self._is_stopped, seconds)

    # Connections

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if self._is_stopped:
                    connection.close()
                    return
                self._connections += 1
                number = self._connections
                self._open[number] = connection
                thread = threading.Thread(
                    target=self._speak, args=(number, connection), daemon=True
                )
                self._threads.append(thread)
            thread.start()

    def _speak(self, number: int, connection: socket.socket) -> None:
        try:
            connection.settimeout(LONGEST_WAIT)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # Without TLS comes who sends no handshake: the control channel.
            if self._context and connection.recv(1, socket.MSG_PEEK) == b"\x16":
                secured = self._context.wrap_socket(connection, server_side=True)
                with self._lock:
                    self._open[number] = connection = secured
                    if self._is_stopped:
                        _shut_down(connection)
            unread = bytearray()
            while (request := read_request(connection, unread, number)) is not None:
                if not self._respond(connection, request):
                    return
        except (OSError, ValueError):
            # The client is gone, does not like the certificate, or sends what is no HTTP.
            return
        finally:
            with self._lock:
                self._open.pop(number, None)
                connection.close()

    def _respond(self, connection: socket.socket, request: Request) -> bool:
        """Answers a request; false when the connection is at its end."""
        if request.path.startswith("/control/"):
            return self._send(connection, request, self._control(request), lambda: None)
        with self._lock:
            self._running += 1
            self._most_at_once = max(self._most_at_once, self._running)
            request.concurrent = self._running
            self._requests.append(request)
            self._lock.notify_all()
            queue = self._queues.get(request.path)
            function = self._functions.get(request.path)
            reply = queue.popleft() if queue else None
        is_running = True

        def leave() -> None:
            """Counts the request no more."""
            nonlocal is_running
            with self._lock:
                if is_running:
                    is_running = False
                    self._running -= 1

        try:
            if reply is None and function is not None:
                reply = function(request)
            if reply is None:
                reply = Reply(599, reason="No Reply Left", body=f"no reply for {request.path}\n")
            return self._send(connection, request, reply, leave)
        finally:
            leave()
            with self._lock:
                request.end = time.monotonic()
                self._lock.notify_all()

    def _pause(self, seconds: float) -> None:
        """Waits, unless the server is stopped."""
        if seconds > 0:
            with self._lock:
                self._lock.wait_for(lambda: self._is_stopped, min(seconds, LONGEST_WAIT))

    def _send(
        self, connection: socket.socket, request: Request, reply: Reply, leave: Callable[[], None]
    ) -> bool:
        """Sends a reply; `leave` is called before the last byte, which lets the client go on."""
        if reply.hang:
            return _wait_for_end(connection)
        self._pause(reply.delay)
        if reply.refuse:
            _reset(connection)
            return False
        body = reply.sent_body
        headers = dict(reply.headers)
        if reply.gzip and "gzip" in request.headers.get("accept-encoding", ""):
            body = gzip.compress(body, mtime=0)
            headers["Content-Encoding"] = "gzip"
        has_body = request.method != "HEAD" and reply.status not in (204, 304)
        if not has_body:
            body = b""
        elif reply.chunked:
            headers["Transfer-Encoding"] = "chunked"
        elif not reply.until_close:
            length = len(body) if reply.declared_length is None else reply.declared_length
            headers["Content-Length"] = str(length)
        keeps_alive = reply.keep_alive and not reply.until_close
        if not keeps_alive:
            headers["Connection"] = "close"
        reason = REASONS.get(reply.status, "Unknown") if reply.reason is None else reply.reason
        head = f"HTTP/1.1 {reply.status} {reason}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        if not body and not reply.chunked:
            leave()
        connection.sendall(_bytes(reply.preface) + head.encode("utf-8") + b"\r\n")

        ends = [end for end in (reply.cut_after, reply.reset_after) if end is not None]
        is_cut = bool(ends)
        body = body[: min(ends)] if is_cut else body
        step = reply.portion or max(len(body), 1)
        for start in range(0, len(body), step):
            self._pause(reply.portion_delay)
            portion = body[start : start + step]
            if reply.chunked:
                portion = b"%x\r\n%s\r\n" % (len(portion), portion)
            elif start + step >= len(body) and not reply.stall:
                leave()
            connection.sendall(portion)
        if reply.stall:
            return _wait_for_end(connection)
        if is_cut:
            if reply.reset_after is not None:
                _reset(connection)
            return False
        if reply.chunked and has_body:
            leave()
            connection.sendall(b"0\r\n\r\n")
        is_complete = reply.declared_length in (None, len(body)) or reply.chunked
        asks_to_close = request.headers.get("connection", "").lower() == "close"
        return is_complete and keeps_alive and not asks_to_close

    # The control channel

    def _control(self, request: Request) -> Reply:
        try:
            return Reply.json(json.dumps(self._do(request.method, request.path, request.body)))
        except LookupError:
            return Reply(404, body="no such control\n")
        except (ValueError, TypeError, AttributeError) as error:
            return Reply(400, body=f"{error}\n")

    def _do(self, method: str, path: str, body: bytes) -> object:
        if (method, path) == ("POST", "/control/script"):
            script = {
                path: [Reply.from_object(reply) for reply in replies]
                for path, replies in json.loads(body).items()
            }
            for path, replies in script.items():
                self.answers(replies, path)
            return {"unused_replies": self.unused_replies}
        if (method, path) == ("GET", "/control/requests"):
            return {
                "requests": [_as_object(request) for request in self.requests],
                "connections": self.connections,
                "most_at_once": self.most_at_once,
                "unused_replies": self.unused_replies,
            }
        if (method, path) == ("POST", "/control/reset"):
            self.reset()
            return {}
        if (method, path) == ("POST", "/control/stop"):
            # Not before the reply is out.
            threading.Timer(0.05, self.stop).start()
            return {}
        raise LookupError(path)


def _bytes(text: bytes | str) -> bytes:
    return text.encode("utf-8") if isinstance(text, str) else text


def _as_object(request: Request) -> dict[str, Any]:
    value = asdict(request)
    value["body"] = request.body.decode("utf-8", "replace")
    return value


def _shut_down(connection: socket.socket) -> None:
    """Wakes whoever reads or writes; the thread of the connection closes it."""
    try:
        # Of a connection with TLS, what is below.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        pass


def _reset(connection: socket.socket) -> None:
    """Has the close that follows break the connection."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _wait_for_end(connection: socket.socket) -> bool:
    while connection.recv(65536):
        pass
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tls", action="store_true", help="speak TLS")
    parser.add_argument("--seconds", type=float, default=300, help="stop after so long")
    arguments = parser.parse_args()
    with OverpassServer(tls=arguments.tls) as server:
        print(server.port, flush=True)

        def watch() -> None:
            # Not `sys.stdin`: nobody may be inside of it when the interpreter ends.
            while os.read(0, 65536):
                pass
            server.stop()

        threading.Thread(target=watch, daemon=True).start()
        server.wait_until_stopped(arguments.seconds)


if __name__ == "__main__":
    main()
