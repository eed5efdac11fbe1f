"""What servers say: messages in remarks and error pages, and what a reply means."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._abi import opk_server_message
from ._ffi import check, lib, produce, text


class ServerMessage(NamedTuple):
    """One message of a server.

    Attributes
    ----------
    category : str
        Such as ``"query_timeout"``, ``"out_of_memory"`` or ``"runtime_remark"``.
    text : str
        In the server's words.
    line : int or None
        Of the query, from 1.
    statement : str or None
        What was at work, such as ``"recurse"``.
    seconds : int or None
        How long the query had run.
    megabytes : int or None
        How much memory it used or needed.
    """

    category: str
    text: str
    line: int | None = None
    statement: str | None = None
    seconds: int | None = None
    megabytes: int | None = None


@dataclass(frozen=True)
class Reply:
    """What an HTTP reply of a server means. Made by `classify`.

    Attributes
    ----------
    category : str or None
        Such as ``"rate_limited"``; None for a good answer without remarks.
    is_retryable : bool
        Whether the same query may well succeed a little later.
    messages : tuple of ServerMessage
        What the server says.
    """

    category: str | None
    is_retryable: bool
    messages: tuple[ServerMessage, ...]


def classify(body: bytes, *, status: int | None = None, content_type: str | None = None) -> Reply:
    """Tells what a reply of a server means: an answer, an error page, or neither.

    Parameters
    ----------
    body
        The reply's body.
    status
        The HTTP status, such as 429, if known.
    content_type
        The reply's ``Content-Type``, if known.

    Examples
    --------
    >>> classify(b'{"elements": []}', status=200).category is None
    True
    >>> classify(b"", status=429).is_retryable
    True
    """
    kind = None if content_type is None else content_type.encode()
    pointer = produce(lib.opk_reply_classify, status or 0, kind, body, len(body))
    try:
        return Reply(
            category=text(lib.opk_reply_category(pointer)),
            is_retryable=lib.opk_reply_is_retryable(pointer) == 1,
            messages=tuple(
                read_messages(lib.opk_reply_message_count, lib.opk_reply_message, pointer)
            ),
        )
    finally:
        lib.opk_reply_free(pointer)


def read_messages(count: Any, get: Any, handle: Any) -> Iterator[ServerMessage]:
    """The messages of a reply or a response."""
    for index in range(count(handle)):
        c = opk_server_message()
        check(get(handle, index, byref(c)))
        yield ServerMessage(
            category=text(c.category) or "",
            text=text(c.text) or "",
            line=c.line or None,
            statement=text(c.statement),
            seconds=c.seconds if c.seconds >= 0 else None,
            megabytes=c.megabytes if c.megabytes >= 0 else None,
        )
