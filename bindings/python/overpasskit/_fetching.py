"""Running a query: options for the library, progress, and the end that others may wish for."""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Callable, Iterator
from ctypes import addressof, byref
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from . import _abi
from ._abi import opk_decode_options, opk_fetch_options, opk_fetch_progress, opk_fetch_progress_fn
from ._attended import attended
from ._ffi import Handle, call, lib, produce
from ._numbers import at_least_one
from .decoding import Limits, decode_flags
from .elements import ResponseData
from .errors import CancelledError, MisuseError, OverpassKitError, ServerError
from .fetching import Cancellation, FetchProgress, Stop, attempts_of
from .geometry import Bounds
from .language import ParsedQuery, PrintableQuery
from .response import Response
from .server import read_messages
from .transport import raised_here

AnyQuery: TypeAlias = "str | PrintableQuery"
Told: TypeAlias = "Callable[[FetchProgress], object]"

# Queries on their way. The end of the program does not wait for threads that it may not wait for,
# and these would call into an interpreter that is gone.
_running: dict[int, Handle] = {}
_changed = threading.Condition()
_EXIT_SECONDS = 10.0


@dataclass(frozen=True)
class FetchOptions:
    """How to run one query; the attributes are those of `Client.fetch` and `fetch_tiled`."""

    partial: bool = False
    strict: bool = False
    limits: Limits | None = None
    progress: Told | None = None
    cancel: Cancellation | Stop | None = None
    unchecked: bool = False
    timeout: float | None = None
    is_bytes: bool = False
    is_tiled: bool = False
    bbox: Bounds | None = None
    max_depth: int | None = None
    max_tiles: int | None = None

    def told(self, progress: Told) -> FetchOptions:
        """The same, with a function that is told of progress."""
        return replace(self, progress=progress)

    def flags(self) -> int:
        return (
            (_abi.OPK_FETCH_UNCHECKED if self.unchecked else 0)
            | (_abi.OPK_FETCH_BYTES if self.is_bytes else 0)
            | (_abi.OPK_FETCH_TILED if self.is_tiled else 0)
        )

    def decoding(self) -> opk_decode_options:
        limits = self.limits or Limits()
        return opk_decode_options(
            flags=decode_flags(self.partial, self.strict),
            max_bytes=limits.bytes or 0,
            max_depth=limits.depth or 0,
            max_elements=limits.elements or 0,
            max_text_bytes=limits.text_bytes or 0,
        )


def text_of(query: AnyQuery, options: FetchOptions) -> bytes:
    """The text that is to be sent."""
    if isinstance(query, str):
        if options.timeout is not None and not options.unchecked:
            query = ParsedQuery(query)
        else:
            return query.encode("utf-8", "surrogatepass")
    if not isinstance(query, PrintableQuery):
        hint = "; say what it prints: .out()" if hasattr(query, "out") else ""
        raise MisuseError(f"a query is a text, a Query or a SetQuery, not {query!r}{hint}")
    if options.timeout is not None and not options.unchecked:
        query = _with_timeout(query, options.timeout)
    return query.ql().encode("utf-8", "surrogatepass")


def _with_timeout(query: Any, seconds: float) -> PrintableQuery:
    if seconds != int(seconds):
        raise MisuseError(f"the timeout of a query is whole seconds, not {seconds}")
    changed: PrintableQuery = query.timeout(int(seconds))
    return changed


def run(client: Handle, query: bytes, options: FetchOptions) -> Handle:
    """Runs a query to its end and gives what C keeps of it.

    Raises
    ------
    OverpassKitError
        With its attempts, what came until then, and what the server said.
    BaseException
        What the function that is told of progress raised.
    """
    teller = _Teller(options.progress, options.cancel)
    # These must live as long as the query.
    told = opk_fetch_progress_fn(teller.tell)
    decoding = options.decoding()
    box = options.bbox
    fetch = Handle(
        produce(
            lib.opk_fetch_new,
            client,
            query,
            len(query),
            byref(
                opk_fetch_options(
                    flags=options.flags(),
                    decode=addressof(decoding),
                    progress=told,
                    timeout_s=_seconds(options),
                    south=box.south if box else _NOTHING,
                    west=box.west if box else _NOTHING,
                    north=box.north if box else _NOTHING,
                    east=box.east if box else _NOTHING,
                    max_tile_depth=at_least_one("max_depth", options.max_depth),
                    max_tiles=at_least_one("max_tiles", options.max_tiles),
                )
            ),
        )
        or 0,
        lib.opk_fetch_free,
    )
    with _watching(fetch, options.cancel):
        try:
            attended(lambda: _run_here(fetch), teller, lambda: lib.opk_fetch_cancel(fetch))
        except OverpassKitError as error:
            raised, teller.raised = teller.raised, None
            if isinstance(error, CancelledError) and raised is not None:
                try:
                    raise raised from None
                finally:
                    # It holds this frame, which must not hold it.
                    del raised
            _complete(error, fetch)
            raise
        finally:
            teller.raised = None
    return fetch


_NOTHING = float("nan")


def _run_here(fetch: Handle) -> None:
    raised_here()
    try:
        call(lib.opk_fetch_run, fetch)
    except OverpassKitError as error:
        if error.status == _abi.OPK_ERR_TRANSPORT_OTHER:
            raise error from raised_here()
        raise
    finally:
        raised_here()


def _complete(error: OverpassKitError, fetch: Handle) -> None:
    """Adds to an error what else there is to know."""
    error.attempts = attempts_of(fetch)
    with contextlib.suppress(MisuseError):
        error.partial = response_of(fetch)
    if isinstance(error, ServerError):
        with contextlib.suppress(MisuseError):
            reply = produce(lib.opk_fetch_reply, fetch)
            try:
                error.messages = tuple(
                    read_messages(lib.opk_reply_message_count, lib.opk_reply_message, reply)
                )
            finally:
                lib.opk_reply_free(reply)


def response_of(fetch: Handle) -> Response:
    """The response of a query that was run.

    Raises
    ------
    MisuseError
        When there is none.
    """
    pointer = produce(lib.opk_fetch_response, fetch)
    return Response(ResponseData(Handle(pointer or 0, lib.opk_response_free)))


class _Teller:
    """Tells of progress, as the thread that asked for the query wants it."""

    def __init__(self, progress: Told | None, cancel: Cancellation | Stop | None) -> None:
        self._progress = progress
        self._cancel = cancel
        self.raised: BaseException | None = None
        # Puts the question to the thread that called.
        self.ask: Callable[[FetchProgress], bool] = self.answer

    def tell(self, _context: int | None, told: Any) -> int:
        """Called by the library."""
        try:
            if self._cancel is not None and self._cancel.is_set():
                return 1
            if self._progress is None:
                return 0
            progress: opk_fetch_progress = told.contents
            return 0 if self.ask(FetchProgress._of(progress)) else 1
        except BaseException as error:
            # Nothing may be raised through C; `run` raises it.
            self.raised = error
            return 1

    def answer(self, progress: FetchProgress) -> bool:
        """Whether to go on; called on the thread that asked for the query."""
        try:
            if self._progress is not None:
                self._progress(progress)
        except BaseException as error:
            self.raised = error
            return False
        return True


@contextlib.contextmanager
def _watching(fetch: Handle, cancel: Cancellation | Stop | None) -> Iterator[None]:
    """Keeps a query in reach of those who may end it."""
    with _changed:
        _running[id(fetch)] = fetch
    try:
        if isinstance(cancel, Cancellation):
            with cancel._watching(fetch):
                yield
        else:
            yield
    finally:
        with _changed:
            del _running[id(fetch)]
            _changed.notify_all()


@atexit.register
def _end_all() -> None:
    with _changed:
        running = list(_running.values())
    for each in running:
        lib.opk_fetch_cancel(each)
    with _changed:
        _changed.wait_for(lambda: not _running, _EXIT_SECONDS if running else 0)


def _seconds(options: FetchOptions) -> float:
    if options.timeout is None:
        return 0
    if not options.timeout > 0:
        raise MisuseError(f"the timeout is more than 0 seconds, not {options.timeout}")
    return options.timeout
