"""Asking servers from `asyncio`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from ._arguments import Path
from ._fetching import AnyQuery, Told
from ._ffi import closed
from .client import Client
from .decoding import Limits
from .fetching import Cancellation, FetchProgress
from .geometry import Bounds
from .response import Response
from .server import Slots
from .settings import Cache
from .table import Table
from .transport import Performing, Transport

Result = TypeVar("Result")


class AsyncClient:
    """Sends queries to Overpass servers as `Client` does, without blocking the event loop.

    Cancelling the task that waits for a query cancels the query, and waits for its end, which is
    prompt. Functions that are told of progress are called in the event loop, and may be a little
    behind.

    Parameters
    ----------
    application, endpoints, headers, cache, max_attempts, busy_wait, max_wait, connect_timeout
        As for `Client`.
    ca_file, kill_on_cancel, transport
        As for `Client`.
    max_threads
        How many queries may be under way, or wait for their turn, at the same time; further ones
        wait for one of these to end.

    Examples
    --------
    >>> def answer(request, reply):
    ...     reply.head(200, {"Content-Type": "application/json"})
    ...     reply.body(b'{"elements": []}')
    >>> async def count():
    ...     async with AsyncClient("my-app/1.0 (me@example.org)", transport=answer) as client:
    ...         response = await client.fetch("[out:json]; node(1); out;")
    ...         return len(response.elements)
    >>> asyncio.run(count())
    0
    """

    def __init__(
        self,
        application: str,
        *,
        endpoints: str | Sequence[str] = "main",
        headers: Mapping[str, str] | None = None,
        cache: Cache | None = None,
        max_attempts: int | None = None,
        busy_wait: float | None = None,
        max_wait: float | None = None,
        connect_timeout: float | None = None,
        ca_file: Path | None = None,
        kill_on_cancel: bool = False,
        transport: Transport | Performing | None = None,
        max_threads: int = 8,
    ) -> None:
        self._client = Client(
            application,
            endpoints=endpoints,
            headers=headers,
            cache=cache,
            max_attempts=max_attempts,
            busy_wait=busy_wait,
            max_wait=max_wait,
            connect_timeout=connect_timeout,
            ca_file=ca_file,
            kill_on_cancel=kill_on_cancel,
            transport=transport,
        )
        self._threads: ThreadPoolExecutor | None = ThreadPoolExecutor(
            max_threads, thread_name_prefix="overpasskit"
        )

    async def fetch(
        self,
        query: AnyQuery,
        *,
        partial: bool = False,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Told | None = None,
        unchecked: bool = False,
        timeout: float | None = None,
    ) -> Response:
        """Runs a query; see `Client.fetch`."""
        return await self._run(
            lambda progress, cancel: self._client.fetch(
                query,
                partial=partial,
                strict=strict,
                limits=limits,
                progress=progress,
                cancel=cancel,
                unchecked=unchecked,
                timeout=timeout,
            ),
            progress,
        )

    async def fetch_tiled(
        self,
        query: AnyQuery,
        bbox: Bounds | None = None,
        *,
        max_depth: int | None = None,
        max_tiles: int | None = None,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Told | None = None,
        timeout: float | None = None,
    ) -> Response:
        """Runs a query for a box that may be too large; see `Client.fetch_tiled`."""
        return await self._run(
            lambda progress, cancel: self._client.fetch_tiled(
                query,
                bbox,
                max_depth=max_depth,
                max_tiles=max_tiles,
                strict=strict,
                limits=limits,
                progress=progress,
                cancel=cancel,
                timeout=timeout,
            ),
            progress,
        )

    async def fetch_bytes(
        self,
        query: AnyQuery,
        *,
        limits: Limits | None = None,
        progress: Told | None = None,
        unchecked: bool = False,
        timeout: float | None = None,
    ) -> bytes:
        """Runs a query and gives the body of the answer; see `Client.fetch_bytes`."""
        return await self._run(
            lambda progress, cancel: self._client.fetch_bytes(
                query,
                limits=limits,
                progress=progress,
                cancel=cancel,
                unchecked=unchecked,
                timeout=timeout,
            ),
            progress,
        )

    async def fetch_csv(
        self,
        query: AnyQuery,
        *,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Told | None = None,
        timeout: float | None = None,
    ) -> Table:
        """Runs a query with ``[out:csv(...)]`` and gives the table; see `Client.fetch_csv`."""
        return await self._run(
            lambda progress, cancel: self._client.fetch_csv(
                query,
                strict=strict,
                limits=limits,
                progress=progress,
                cancel=cancel,
                timeout=timeout,
            ),
            progress,
        )

    async def status(self, endpoint: str | None = None) -> Slots:
        """What a server says about the slots of this address; see `Client.status`.

        Cancelling does not end the request, which takes half a minute at most.
        """
        return await asyncio.wrap_future(self._submit(self._client.status, endpoint))

    async def kill_queries(self, endpoint: str | None = None) -> None:
        """Ends all queries of this address at a server; see `Client.kill_queries`."""
        await asyncio.wrap_future(self._submit(self._client.kill_queries, endpoint))

    def _submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        if self._threads is None:
            raise closed("client")
        return self._threads.submit(function, *arguments)

    async def _run(
        self, function: Callable[[Told | None, Cancellation], Result], progress: Told | None
    ) -> Result:
        cancellation = Cancellation()
        teller = _Teller(progress, cancellation)
        told = None if progress is None else teller.tell
        future = self._submit(function, told, cancellation)
        waiting = asyncio.wrap_future(future)
        try:
            # The task may be cancelled, but the thread has to come to its end.
            await asyncio.wait([waiting])
        except asyncio.CancelledError:
            cancellation.cancel()
            future.cancel()
            await _end_of(waiting)
            raise
        if teller.raised is not None:
            raised, teller.raised = teller.raised, None
            await _end_of(waiting)
            try:
                raise raised
            finally:
                # It holds this frame, which must not hold it.
                del raised
        return await waiting

    # Its life

    async def close(self) -> None:
        """Waits for queries that are under way, and lets go of the client."""
        threads, self._threads = self._threads, None
        if threads is not None:
            # The event loop's own threads are for waits like this one.
            await asyncio.to_thread(threads.shutdown)
        self._client.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class _Teller:
    """Tells of progress in the event loop."""

    def __init__(self, progress: Told | None, cancellation: Cancellation) -> None:
        self._progress = progress
        self._cancellation = cancellation
        self._loop = asyncio.get_running_loop()
        self.raised: BaseException | None = None

    def tell(self, progress: FetchProgress) -> None:
        """Called on the thread of the query."""
        self._loop.call_soon_threadsafe(self._call, progress)

    def _call(self, progress: FetchProgress) -> None:
        if self._progress is None or self.raised is not None:
            return
        try:
            self._progress(progress)
        except BaseException as error:
            self.raised = error
            self._cancellation.cancel()


async def _end_of(waiting: asyncio.Future[Any]) -> None:
    """Waits for the end of a thread's work, also when the task is cancelled again."""
    while not waiting.done():
        try:
            await asyncio.wait([waiting])
        except asyncio.CancelledError:
            continue
    if not waiting.cancelled():
        # Somebody has looked at it.
        waiting.exception()
