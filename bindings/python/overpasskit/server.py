"""What servers say: messages in remarks and error pages, and what a reply means."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_int64
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._abi import opk_server_message, opk_slots_info, opk_str
from ._ffi import check, lib, produce, text
from ._summaries import rich_table, table_html


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


class Slot(NamedTuple):
    """A slot in use.

    Attributes
    ----------
    time : str
        When it is free again, as the server prints it.
    seconds : int
        How long that is from now.
    """

    time: str
    seconds: int


@dataclass(frozen=True)
class Slots:
    """When an address may send its next query. Made by `read_slots` and `Client.status`.

    Attributes
    ----------
    rate_limit, free : int or None
        How many queries may run at once, and how many more may be sent now; None without limit.
    wait_seconds : int or None
        Until a slot is free; None when nobody knows.
    waiting : tuple of Slot
        Slots that become free at a known time.
    running : tuple of str
        When the queries at work were started, as the server prints it.
    announced_endpoint : str or None
        The machine to ask behind a load balancer.
    """

    rate_limit: int | None
    free: int | None
    wait_seconds: int | None
    waiting: tuple[Slot, ...]
    running: tuple[str, ...]
    announced_endpoint: str | None

    @property
    def _facts(self) -> list[tuple[str, object]]:
        facts: list[tuple[str, object]] = [
            ("queries at once", "no limit" if self.rate_limit is None else self.rate_limit),
            ("free now", "no limit" if self.free is None else self.free),
            ("seconds to wait", "not known" if self.wait_seconds is None else self.wait_seconds),
        ]
        facts += [(f"free in {each.seconds} s", each.time) for each in self.waiting]
        facts += [("running since", each) for each in self.running]
        if self.announced_endpoint is not None:
            facts.append(("endpoint", self.announced_endpoint))
        return facts

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        return table_html("Slots", self._facts)

    def __rich__(self) -> object:
        """A table, where rich prints."""
        return rich_table("Slots", self._facts)


def read_slots(page: str) -> Slots:
    """Reads a server's status page, ``/api/status``, whatever the order of its lines.

    Examples
    --------
    >>> read_slots("Rate limit: 2\\n1 slots available now.").free
    1
    """
    encoded = page.encode("utf-8", "replace")
    return take_slots(produce(lib.opk_slots_parse, encoded, len(encoded)))


def take_slots(pointer: int | None) -> Slots:
    """What an `opk_slots` holds, which is freed."""
    try:
        c = opk_slots_info()
        check(lib.opk_slots_get(pointer, byref(c)))
        return Slots(
            rate_limit=c.rate_limit if c.rate_limit >= 0 else None,
            free=c.free_slots if c.free_slots >= 0 else None,
            wait_seconds=c.wait_seconds if c.wait_seconds >= 0 else None,
            waiting=tuple(_waiting(pointer, index) for index in range(c.waiting_count)),
            running=tuple(_running(pointer, index) for index in range(c.running_count)),
            announced_endpoint=text(c.announced_endpoint),
        )
    finally:
        lib.opk_slots_free(pointer)


def _waiting(slots: int | None, index: int) -> Slot:
    time, seconds = opk_str(), c_int64()
    check(lib.opk_slots_waiting(slots, index, byref(time), byref(seconds)))
    return Slot(text(time) or "", seconds.value)


def _running(slots: int | None, index: int) -> str:
    start = opk_str()
    check(lib.opk_slots_running(slots, index, byref(start)))
    return text(start) or ""


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
