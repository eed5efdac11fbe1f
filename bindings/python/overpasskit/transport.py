"""A program's own way to send requests, in place of libcurl."""

from __future__ import annotations

import itertools
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from ctypes import addressof, c_char_p, c_void_p, cast, string_at
from typing import Any, NamedTuple, Protocol, TypeAlias

from . import _abi
from ._abi import (
    opk_error,
    opk_http_header,
    opk_http_request,
    opk_str,
    opk_transport,
    opk_transport_interrupt_fn,
    opk_transport_perform_fn,
    opk_transport_release_fn,
)
from ._abi_base import OPK_ERROR_MESSAGE_SIZE
from ._ffi import lib, text
from .errors import MisuseError, TransportError

Headers: TypeAlias = "Mapping[str, str] | Iterable[tuple[str, str]]"


class HTTPRequest(NamedTuple):
    """What a transport is to send.

    Attributes
    ----------
    number : int
        Tells apart requests that are under way at the same time.
    method : str
        ``"GET"`` or ``"POST"``.
    url : str
        Where to. Redirects are not to be followed: the client does so itself.
    headers : tuple of (str, str)
        All of them, also User-Agent and Accept-Encoding.
    body : bytes
        Empty for ``"GET"``.
    connect_timeout, idle_timeout : float
        Seconds for making the connection, and seconds for which nothing may come.
    """

    number: int
    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    connect_timeout: float
    idle_timeout: float


class HTTPReply:
    """Takes the reply to a request, for as long as the transport's `perform` runs.

    Each method tells whether to go on: after False, the request is to end. It belongs to one thread
    at a time.
    """

    def __init__(self, pointer: int) -> None:
        self._pointer: int | None = pointer
        self._lock = threading.Lock()

    def head(self, status: int, headers: Headers = ()) -> bool:
        """Hands over the status and the headers, once."""
        lines, count, _kept = header_lines(headers)
        return self._take(lib.opk_http_reply_head, status, lines, count)

    def body(self, portion: bytes | bytearray | memoryview) -> bool:
        """Hands over the next `portion` of the body, as it came or decompressed."""
        content = bytes(portion)
        return self._take(lib.opk_http_reply_body, content, len(content))

    def wait(self) -> bool:
        """To be called about once a second while nothing comes."""
        return self._take(lib.opk_http_reply_wait)

    def _take(self, function: Any, *arguments: Any) -> bool:
        with self._lock:
            if self._pointer is None:
                raise MisuseError("the request is over: its transport has returned")
            return bool(function(self._pointer, *arguments) == 0)

    def _end(self) -> None:
        with self._lock:
            self._pointer = None


class Transport(Protocol):
    """What sends requests, called by several threads at once.

    A function like `perform` does as well. An object may also have a method ``interrupt(number)``,
    which is called by another thread to end a request that blocks, or is just over; without it, a
    request ends when a method of `HTTPReply` returns False.

    Examples
    --------
    >>> from overpasskit import Client
    >>> class Recorded:
    ...     def perform(self, request, reply):
    ...         reply.head(200, {"Content-Type": "application/json"})
    ...         reply.body(b'{"elements": []}')
    >>> Recorded().perform.__name__
    'perform'
    >>> with Client("my-app/1.0 (me@example.org)", transport=Recorded()) as client:
    ...     len(client.fetch("[out:json]; node(1); out;"))
    0
    """

    def perform(self, request: HTTPRequest, reply: HTTPReply) -> object:
        """Sends a request, hands over the reply as it comes, and returns at its end.

        What it raises tells what went wrong: `TimeoutError`, `ConnectionError`, `socket.gaierror`
        (the host is unknown) and `TransportError` are worth another try; `ssl.SSLError` and all
        others are not, and become the cause of the `TransportError` that the query raises.
        """


Performing: TypeAlias = "Callable[[HTTPRequest, HTTPReply], object]"

# Who performs and interrupts, by the number that the library gets as context.
_hosts: dict[int, tuple[Performing, Callable[[int], object] | None]] = {}
_numbers = itertools.count(1)
_here = threading.local()


def register(transport: Transport | Performing) -> opk_transport:
    """A transport for the library, which tells when it needs it no more.

    Raises
    ------
    MisuseError
        For what is neither a function nor has a method `perform`.
    """
    perform = getattr(transport, "perform", transport)
    if not callable(perform):
        raise MisuseError(f"a transport is a function or has a method perform, not {transport!r}")
    number = next(_numbers)
    _hosts[number] = (perform, getattr(transport, "interrupt", None))
    return opk_transport(context=number, perform=_PERFORM, interrupt=_INTERRUPT, release=_RELEASE)


def forget(transport: opk_transport) -> None:
    """Takes back a registration of which the library may not know."""
    _hosts.pop(transport.context or 0, None)


def raised_here() -> BaseException | None:
    """What a transport raised last on this thread since it was asked."""
    error: BaseException | None = getattr(_here, "error", None)
    _here.error = None
    return error


def _perform(context: int | None, request: Any, reply: int | None, error: Any) -> int:
    perform, _ = _hosts[context or 0]
    taker = HTTPReply(reply or 0)
    try:
        perform(_request(request.contents), taker)
    except BaseException as raised:
        # Nothing may be raised through C.
        _here.error = raised
        status = _status(raised)
        told: opk_error = error.contents
        told.status = status
        told.message = _message(raised)
        return status
    finally:
        taker._end()
    return _abi.OPK_OK


def _interrupt(context: int | None, number: int) -> None:
    _, interrupt = _hosts.get(context or 0, (None, None))
    if interrupt is not None:
        interrupt(number)


def _release(context: int | None) -> None:
    _hosts.pop(context or 0, None)


# These live for ever, so that the library may call them at any time.
_PERFORM = opk_transport_perform_fn(_perform)
_INTERRUPT = opk_transport_interrupt_fn(_interrupt)
_RELEASE = opk_transport_release_fn(_release)


def _request(c: opk_http_request) -> HTTPRequest:
    lines = (opk_http_header * c.header_count).from_address(c.headers) if c.headers else ()
    return HTTPRequest(
        number=c.number,
        method=string_at(c.method or 0).decode(),
        url=string_at(c.url or 0).decode(),
        headers=tuple((text(each.name) or "", text(each.value) or "") for each in lines),
        body=string_at(c.body, c.body_size) if c.body else b"",
        connect_timeout=c.connect_timeout_s,
        idle_timeout=c.idle_timeout_s,
    )


def _status(error: BaseException) -> int:
    """What the library calls a failure."""
    if isinstance(error, TransportError) and error.status:
        return error.status
    if isinstance(error, TimeoutError):
        return _abi.OPK_ERR_TRANSPORT_TIMEOUT
    if isinstance(error, socket.gaierror):
        return _abi.OPK_ERR_TRANSPORT_RESOLVE
    if isinstance(error, ConnectionRefusedError):
        return _abi.OPK_ERR_TRANSPORT_CONNECT
    if isinstance(error, ConnectionError):
        return _abi.OPK_ERR_TRANSPORT_INTERRUPTED
    # Who raises it has loaded the module.
    ssl = sys.modules.get("ssl")
    if ssl is not None and isinstance(error, ssl.SSLError):
        return _abi.OPK_ERR_TRANSPORT_TLS
    return _abi.OPK_ERR_TRANSPORT_OTHER


def _message(error: BaseException) -> bytes:
    """As much as fits, in whole characters."""
    message = str(error) or type(error).__name__
    cut = message.encode("utf-8", "replace")[: OPK_ERROR_MESSAGE_SIZE - 1]
    return cut.replace(b"\0", b" ").decode("utf-8", "ignore").encode()


def header_lines(headers: Headers) -> tuple[Any, int, object]:
    """Headers for C, how many they are, and what must live as long as they."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    kept = [(c_str(name), c_str(value)) for name, value in pairs]
    lines = (opk_http_header * len(kept))(
        *(opk_http_header(name, value) for (name, _), (value, _) in kept)
    )
    return lines, len(kept), kept


def c_str(value: str) -> tuple[opk_str, object]:
    """A text for C with its length, and what must live as long as it."""
    encoded = value.encode("utf-8", "surrogateescape")
    kept = c_char_p(encoded)
    return opk_str(cast(kept, c_void_p), len(encoded)), kept


def address_of(transport: opk_transport) -> int:
    """Where the struct is, for the time of a call."""
    return addressof(transport)
