"""What there is to know of a query on its way: progress, requests, sources, and cancelling it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref
from typing import Any, NamedTuple, Protocol

from . import _abi
from ._abi import opk_fetch_attempt, opk_fetch_progress, opk_fetch_tile
from ._ffi import Handle, check, lib, status_name, text
from .geometry import Bounds

_PHASES = {
    _abi.OPK_PHASE_WAITING: "waiting",
    _abi.OPK_PHASE_RUNNING: "running",
    _abi.OPK_PHASE_DOWNLOADING: "downloading",
    _abi.OPK_PHASE_DECODING: "decoding",
}
_REASONS = {
    _abi.OPK_WAIT_TURN: "turn",
    _abi.OPK_WAIT_RATE_LIMIT: "rate_limit",
    _abi.OPK_WAIT_SERVER_BUSY: "server_busy",
    _abi.OPK_WAIT_CONNECTION: "connection",
    _abi.OPK_WAIT_SAME_QUERY: "same_query",
}


class FetchProgress(NamedTuple):
    """How far a query has come.

    Attributes
    ----------
    phase : str
        ``"waiting"`` (nothing is sent for a while), ``"running"`` (at the server; nothing came
        yet), ``"downloading"`` (the answer comes and is decoded meanwhile) or ``"decoding"`` (the
        rest of it).
    wait_reason : str or None
        Why it waits: ``"turn"`` (another query of this process is at the server), ``"rate_limit"``
        (the server had too many queries from this address), ``"server_busy"``, ``"connection"``
        (the server was out of reach) or ``"same_query"`` (which is being answered already).
    wait_seconds : float
        How much longer; infinite when nobody knows, 0 when it does not wait.
    attempt : int
        The number of the request, from 1.
    endpoint : str
        The server's name or host.
    last_error : str or None
        Why the last request failed.
    bytes : int
        Of the answer, as they came: compressed ones where it is compressed.
    total : int or None
        How many there will be, where the server tells.
    elements : int
        Decoded so far.
    tiles_done, tiles_left : int
        Of a box that is divided; of what is left, as far as it is known.
    """

    phase: str
    wait_reason: str | None
    wait_seconds: float
    attempt: int
    endpoint: str
    last_error: str | None
    bytes: int
    total: int | None
    elements: int
    tiles_done: int
    tiles_left: int

    @classmethod
    def _of(cls, c: opk_fetch_progress) -> FetchProgress:
        return cls(
            phase=_PHASES.get(c.phase, "running"),
            wait_reason=_REASONS.get(c.wait_reason),
            wait_seconds=c.wait_seconds,
            attempt=c.attempt,
            endpoint=text(c.endpoint) or "",
            last_error=text(c.last_error),
            bytes=c.bytes,
            total=c.total_bytes or None,
            elements=c.elements,
            tiles_done=c.tiles_done,
            tiles_left=c.tiles_left,
        )


class Attempt(NamedTuple):
    """One request for a query, and what became of it.

    Attributes
    ----------
    endpoint : str
        The server's name or host.
    url : str
        Where it went, which redirects may have changed.
    seconds : float
        From sending it to the last byte.
    error : str or None
        Why it failed; None when it did not.
    status_name : str
        The same as the C header names it; ``"OPK_OK"`` when it did not fail.
    """

    endpoint: str
    url: str
    seconds: float
    error: str | None
    status_name: str


class Tile(NamedTuple):
    """One part of a box that was divided.

    Attributes
    ----------
    bounds : Bounds
        Where it is.
    depth : int
        How often the box was quartered.
    is_answered : bool
        False for one that was too large, and was divided further.
    """

    bounds: Bounds
    depth: int
    is_answered: bool


class Source(NamedTuple):
    """Where an answer was fetched from.

    Attributes
    ----------
    endpoint : str or None
        The URL of the server that answered; None for tiles that were all kept.
    attempts : tuple of Attempt
        The requests that were sent; none for an answer that was kept, or that another call got.
    from_cache : bool
        Whether it was kept from an earlier time.
    tiles : tuple of Tile
        Of a box that was divided, in the order in which they were asked for.
    """

    endpoint: str | None
    attempts: tuple[Attempt, ...] = ()
    from_cache: bool = False
    tiles: tuple[Tile, ...] = ()


class Stop(Protocol):
    """What tells that a query is wanted no more, such as `threading.Event`.

    It is looked at about once a second; a `Cancellation` acts at once.
    """

    def is_set(self) -> bool: ...


class Cancellation:
    """A wish to stop, which any thread may express. It cannot be taken back.

    One cancellation may be given to several queries.

    Examples
    --------
    >>> cancellation = Cancellation()
    >>> cancellation.cancel()
    >>> cancellation.is_set()
    True
    """

    def __init__(self) -> None:
        # A signal's handler may cancel, whatever its thread is at.
        self._lock = threading.RLock()
        self._is_set = False
        self._running: list[Handle] = []

    def cancel(self) -> None:
        """Ends the queries it was given to, and those it will be given to."""
        with self._lock:
            self._is_set = True
            running = list(self._running)
        for each in running:
            lib.opk_fetch_cancel(each)

    def is_set(self) -> bool:
        """Whether `cancel` was called."""
        return self._is_set

    @contextmanager
    def _watching(self, fetch: Handle) -> Iterator[None]:
        with self._lock:
            self._running.append(fetch)
            is_set = self._is_set
        if is_set:
            lib.opk_fetch_cancel(fetch)
        try:
            yield
        finally:
            with self._lock:
                self._running.remove(fetch)


def source_of(fetch: Handle) -> Source:
    """Where a query that was run got its answer from."""
    return Source(
        endpoint=text(lib.opk_fetch_endpoint(fetch)),
        attempts=attempts_of(fetch),
        from_cache=lib.opk_fetch_is_from_cache(fetch) == 1,
        tiles=tuple(_tile(fetch, each) for each in range(lib.opk_fetch_tile_count(fetch))),
    )


def attempts_of(fetch: Handle) -> tuple[Attempt, ...]:
    """The requests of a query that was run."""
    return tuple(_attempt(fetch, each) for each in range(lib.opk_fetch_attempt_count(fetch)))


def _attempt(fetch: Any, index: int) -> Attempt:
    c = opk_fetch_attempt()
    check(lib.opk_fetch_get_attempt(fetch, index, byref(c)))
    return Attempt(
        endpoint=text(c.endpoint) or "",
        url=text(c.url) or "",
        seconds=c.seconds,
        error=text(c.message),
        status_name=status_name(c.status),
    )


def _tile(fetch: Any, index: int) -> Tile:
    c = opk_fetch_tile()
    check(lib.opk_fetch_get_tile(fetch, index, byref(c)))
    bounds = Bounds(west=c.west, south=c.south, east=c.east, north=c.north)
    return Tile(bounds, c.depth, c.is_answered == 1)
