"""What the test server sends and gets."""

from __future__ import annotations

import base64
import socket
import time
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import parse_qs, urlsplit

REASONS = {
    200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
    403: "Forbidden", 404: "Not Found", 406: "Not Acceptable", 413: "Content Too Large",
    414: "URI Too Long", 429: "Too Many Requests", 500: "Internal Server Error",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
}  # fmt: skip
EMPTY_ANSWER = b'{"version":0.6,"generator":"test","osm3s":{},"elements":[]}\n'


@dataclass
class Reply:
    """What is sent on one request. Delays are in seconds."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | str = b""
    reason: str | None = None
    #: Sent with `Content-Encoding: gzip` to clients that ask for it.
    gzip: bool = False
    chunked: bool = False
    #: Before the head, and before each portion of the body.
    delay: float = 0
    portion_delay: float = 0
    #: How many bytes a portion has; 0: all of them.
    portion: int = 0
    #: Ends the connection after so many bytes of the body: in good order, or by a reset.
    cut_after: int | None = None
    reset_after: int | None = None
    #: What Content-Length says instead of the truth.
    declared_length: int | None = None
    #: The body ends with the connection: there is no Content-Length.
    until_close: bool = False
    #: Says nothing, until the client closes the connection.
    hang: bool = False
    #: Breaks the connection instead of saying anything: what a port that refuses comes closest to.
    refuse: bool = False
    #: Sends the body, then nothing more, without an end.
    stall: bool = False
    keep_alive: bool = True
    #: Sent as it is before the head: interim replies, or bytes that are no HTTP.
    preface: bytes | str = b""

    @property
    def sent_body(self) -> bytes:
        return self.body.encode("utf-8") if isinstance(self.body, str) else self.body

    @staticmethod
    def redirect(location: str, status: int = 307) -> Reply:
        return Reply(status, {"Location": location})

    @staticmethod
    def json(body: bytes | str = EMPTY_ANSWER, **rest: Any) -> Reply:
        return Reply(200, {"Content-Type": "application/json"}, body, **rest)

    @staticmethod
    def html(status: int, body: bytes | str, **rest: Any) -> Reply:
        return Reply(status, {"Content-Type": "text/html; charset=utf-8"}, body, **rest)

    @staticmethod
    def text(body: bytes | str, **rest: Any) -> Reply:
        return Reply(200, {"Content-Type": "text/plain; charset=utf-8"}, body, **rest)

    @staticmethod
    def from_object(value: dict[str, Any]) -> Reply:
        value = dict(value)
        if "body64" in value:
            value["body"] = base64.b64decode(value.pop("body64"), validate=True)
        unknown = value.keys() - {f.name for f in fields(Reply)}
        if unknown:
            raise ValueError(f"a reply has no {', '.join(sorted(unknown))}")
        return Reply(**value)


@dataclass
class Request:
    """What came. Times are seconds of a clock that nobody sets."""

    time: float
    connection: int
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    #: The `data` of the form or the URL, or the body where it is no form; None without.
    data: str | None
    #: How many requests were being answered, with this one.
    concurrent: int
    #: When the answer was at its end; None while it is not.
    end: float | None = None


def read_request(connection: socket.socket, unread: bytearray, number: int) -> Request | None:
    """The next request of a connection; None at its end."""
    while (end := unread.find(b"\r\n\r\n")) < 0:
        if not (more := connection.recv(65536)):
            return None
        unread += more
    lines = unread[:end].decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    start, length = end + 4, int(headers.get("content-length", "0"))
    while len(unread) < start + length:
        if not (more := connection.recv(65536)):
            return None
        unread += more
    body = bytes(unread[start : start + length])
    del unread[: start + length]
    url = urlsplit(target)
    return Request(
        time=time.monotonic(), connection=number, method=method, path=url.path, query=url.query,
        headers=headers, body=body, data=_data(url.query, headers, body), concurrent=0,
    )  # fmt: skip


def _data(query: str, headers: dict[str, str], body: bytes) -> str | None:
    """The query of an Overpass request, as the server finds it."""
    form = parse_qs(query, keep_blank_values=True)
    text = body.decode("utf-8", "replace")
    if text.startswith("data=") or "urlencoded" in headers.get("content-type", ""):
        form |= parse_qs(text, keep_blank_values=True)
    elif text:
        return text
    return form["data"][0] if "data" in form else None
