"""Asking servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

from ._arguments import Path
from ._attended import attended
from ._csv_settings import csv_settings
from ._fetching import AnyQuery, FetchOptions, Told, response_of, run, text_of
from ._ffi import Handle, call, closed, lib, produce, produce_bytes
from ._numbers import at_least_one
from .decoding import Limits
from .fetching import Cancellation, Source, Stop, source_of
from .geometry import Bounds
from .response import Response
from .server import Slots, take_slots
from .settings import Cache, Numbers, new_client, optional, seconds
from .table import Table, decode_csv
from .transport import Performing, Transport


class Client:
    """Sends queries to Overpass servers, the way their operators want it.

    It says who asks, sends one query at a time to a server (in the whole process), waits when it is
    told to, and repeats only what may help. Many threads may use it at once; each call blocks its
    thread. Connections are kept until the end of a ``with`` block, or until nothing refers to the
    client any more.

    Parameters
    ----------
    application
        Who asks, such as ``"my-app/1.0 (me@example.org)"``. Servers block programs that do not say.
    endpoints
        Names or URLs of servers, in the order in which they are asked: the next one only when the
        one before is overloaded, broken or out of reach.
    headers
        Sent with every request: credentials, for example.
    cache
        Where answers are kept; by default they are not.
    max_attempts
        How often a query is sent to one server at most; by default 5.
    busy_wait
        Seconds before the first repetition where a server was busy or out of reach, then twice as
        long; by default 15. What a server asks for, and half a minute after too many queries, is
        kept anyway.
    max_wait
        A server that wants a longer wait gets no second try; by default 900 seconds.
    connect_timeout
        By default 30 seconds.
    ca_file
        Certificates that are trusted, in PEM; by default those of libcurl.
    kill_on_cancel
        End a query at the server, too, when it is cancelled. That ends all queries of this address
        there, also those of other programs.
    transport
        What sends the requests, in place of libcurl: see `Transport`.

    Raises
    ------
    ClientError
        When the application has no name, or a server is neither known nor a URL.
    MisuseError
        For numbers and headers that make no sense.

    Examples
    --------
    A transport that has the answer at once:

    >>> def answer(request, reply):
    ...     reply.head(200, {"Content-Type": "application/json"})
    ...     reply.body(b'{"elements": [{"type": "node", "id": 1, "tags": {"amenity": "cafe"}}]}')
    >>> with Client("my-app/1.0 (me@example.org)", transport=answer) as client:
    ...     response = client.fetch("[out:json]; node(1); out;")
    >>> response.elements[0].tags, response.source.endpoint
    ({'amenity': 'cafe'}, 'https://overpass-api.de/api/interpreter')
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
    ) -> None:
        self._handle: Handle | None = None
        self._handle = new_client(
            application,
            [endpoints] if isinstance(endpoints, str) else list(endpoints),
            headers or {},
            cache,
            Numbers(
                max_attempts=at_least_one("max_attempts", max_attempts),
                busy_wait_s=seconds(busy_wait),
                max_wait_s=seconds(max_wait),
                connect_timeout_s=seconds(connect_timeout),
            ),
            ca_file,
            kill_on_cancel,
            transport,
        )

    @property
    def _open_handle(self) -> Handle:
        if self._handle is None:
            raise closed("client")
        return self._handle

    def fetch(
        self,
        query: AnyQuery,
        *,
        partial: bool = False,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Told | None = None,
        cancel: Cancellation | Stop | None = None,
        unchecked: bool = False,
        timeout: float | None = None,
    ) -> Response:
        """Runs a query and gives the answer, which is decoded while it comes.

        Parameters
        ----------
        query
            Text in Overpass QL or XML, or a query from `Query`.
        partial
            Take what a query that ran out of time or memory had found, or what came before the
            connection broke for good, instead of raising. The response is then not complete.
        strict, limits
            As for `load`.
        progress
            Called on this thread with a `FetchProgress`: when the phase changes, about once a
            second, and every half megabyte or so. What it raises cancels the query and comes out
            of here.
        cancel
            Ends the query from another thread: at once a `Cancellation`, within about a second an
            event like `threading.Event`. Ctrl-C ends it, too.
        unchecked
            Send the text as it is. Otherwise it is checked first, so that no server is asked what
            it would refuse.
        timeout
            How long the server may work on the query, in whole seconds: set in the query, or with
            `unchecked` what the text itself allows.

        Raises
        ------
        QueryError
            With the position of a mistake in the query; nothing was sent.
        ServerError
            When the server reports an error; see its classes. The `partial` of the exception is
            what came before, `messages` what the server said.
        TransportError
            When no server was reached, or the connection broke.
        DecodeError, LimitError
            As for `load`.
        ClientError
            For a query that prints no elements: see `fetch_csv` and `fetch_bytes`.
        CancelledError
            After `cancel`.
        """
        options = FetchOptions(
            partial=partial,
            strict=strict,
            limits=limits,
            progress=progress,
            cancel=cancel,
            unchecked=unchecked,
            timeout=timeout,
        )
        return self._response(query, options)

    def fetch_tiled(
        self,
        query: AnyQuery,
        bbox: Bounds | None = None,
        *,
        max_depth: int | None = None,
        max_tiles: int | None = None,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Told | None = None,
        cancel: Cancellation | Stop | None = None,
        timeout: float | None = None,
    ) -> Response:
        """Runs a query for a box that may be too large for the server.

        Where the server runs out of time or memory, the box is quartered, and the answers are
        united as by `merge`. The tiles are in the `source` of the response.

        Parameters
        ----------
        query
            It must not count, limit or compare, since tiles cannot be added up then.
        bbox
            The box that is to be divided, which the query names or gets in its settings; by default
            the only one that it names.
        max_depth
            How often a box may be quartered; by default 6.
        max_tiles
            How many tiles may be asked for; by default 200.
        strict, limits, progress, cancel, timeout
            As for `fetch`; limits are those of each tile.

        Raises
        ------
        ClientError
            For a query that cannot be divided.
        LimitError
            When more tiles are needed.
        ServerError, TransportError, DecodeError, CancelledError
            As for `fetch`. The `partial` of the exception are the tiles that were answered.

        Examples
        --------
        >>> def answer(request, reply):
        ...     reply.head(200, {"Content-Type": "application/json"})
        ...     reply.wait()
        ...     reply.body(b'{"elements": []}')
        >>> client = Client("my-app/1.0 (me@example.org)", transport=answer)
        >>> response = client.fetch_tiled("[out:json]; node[shop](60,24,61,25); out;", max_depth=2)
        >>> len(response.source.tiles)
        1
        >>> client.close()
        """
        options = FetchOptions(
            strict=strict,
            limits=limits,
            progress=progress,
            cancel=cancel,
            timeout=timeout,
            is_tiled=True,
            bbox=bbox,
            max_depth=max_depth,
            max_tiles=max_tiles,
        )
        return self._response(query, options)

    def fetch_bytes(
        self,
        query: AnyQuery,
        *,
        limits: Limits | None = None,
        progress: Told | None = None,
        cancel: Cancellation | Stop | None = None,
        unchecked: bool = False,
        timeout: float | None = None,
    ) -> bytes:
        """Runs a query and gives the body of the answer, decompressed, whatever it is.

        Parameters
        ----------
        query, limits, progress, cancel, unchecked, timeout
            As for `fetch`; of the limits only that of bytes counts.

        Raises
        ------
        QueryError, ServerError, TransportError, LimitError, CancelledError
            As `fetch` does.

        Examples
        --------
        >>> def answer(request, reply):
        ...     reply.head(200, {"Content-Type": "application/json"})
        ...     reply.body(b'{"elements": []}')
        >>> with Client("my-app/1.0 (me@example.org)", transport=answer) as client:
        ...     client.fetch_bytes("[out:json]; node(1); out;")
        b'{"elements": []}'
        """
        options = FetchOptions(
            limits=limits,
            progress=progress,
            cancel=cancel,
            unchecked=unchecked,
            timeout=timeout,
            is_bytes=True,
        )
        return self._body(query, options)[0]

    def fetch_csv(
        self,
        query: AnyQuery,
        *,
        strict: bool = False,
        limits: Limits | None = None,
        progress: Told | None = None,
        cancel: Cancellation | Stop | None = None,
        timeout: float | None = None,
    ) -> Table:
        """Runs a query with ``[out:csv(...)]`` and gives the table.

        Columns, head line and separator are those that the query asks for.

        Parameters
        ----------
        query, strict, limits, progress, cancel, timeout
            As for `fetch_bytes` and `decode_csv`.

        Raises
        ------
        ClientError
            For a query that prints no table.
        QueryError, ServerError, TransportError, DecodeError, LimitError, CancelledError
            As `fetch` does.

        Examples
        --------
        >>> def answer(request, reply):
        ...     reply.head(200, {"Content-Type": "text/csv"})
        ...     reply.body(b"1;Koti")
        >>> with Client("my-app/1.0 (me@example.org)", transport=answer) as client:
        ...     table = client.fetch_csv('[out:csv(::id, name; false; ";")]; node(1); out;')
        >>> table.headings, list(table)
        (['::id', 'name'], [(1, 'Koti')])
        """
        options = FetchOptions(timeout=timeout)
        text = text_of(query, options).decode("utf-8", "surrogatepass")
        settings = csv_settings(text)
        body = self.fetch_bytes(text, limits=limits, progress=progress, cancel=cancel)
        return decode_csv(body, strict=strict, **settings._asdict())

    def status(self, endpoint: str | None = None) -> Slots:
        """What a server says about the slots of this address.

        It is for people: before a query it would only double the load.

        Parameters
        ----------
        endpoint
            A name or URL; by default the client's first.

        Raises
        ------
        ServerError, TransportError, DecodeError
            As `fetch` does, at the first failure.
        ClientError
            When the server is neither known nor a URL.
        """
        found: list[Slots] = []
        handle, name = self._open_handle, optional(endpoint)
        self._attended(
            lambda: found.append(take_slots(produce(lib.opk_client_status, handle, name)))
        )
        return found[0]

    def kill_queries(self, endpoint: str | None = None) -> None:
        """Ends all queries of this address at a server, also those of other programs.

        Parameters
        ----------
        endpoint
            A name or URL; by default the client's first.

        Raises
        ------
        ServerError, TransportError, ClientError
            As `status` does.

        Examples
        --------
        >>> def answer(request, reply):
        ...     print(request.url)
        ...     reply.head(200, {"Content-Type": "text/html"})
        >>> with Client("my-app/1.0 (me@example.org)", transport=answer) as client:
        ...     client.kill_queries()
        https://overpass-api.de/api/kill_my_queries
        """
        handle, name = self._open_handle, optional(endpoint)
        self._attended(lambda: call(lib.opk_client_kill_queries, handle, name))

    @staticmethod
    def _attended(work: Callable[[], None]) -> None:
        # Nothing can end these calls; they last half a minute at most.
        attended(work, None, None)

    def _response(self, query: AnyQuery, options: FetchOptions) -> Response:
        fetch = run(self._open_handle, text_of(query, options), options)
        response = response_of(fetch)
        response._source = source_of(fetch)
        return response

    def _body(self, query: AnyQuery, options: FetchOptions) -> tuple[bytes, Source]:
        fetch = run(self._open_handle, text_of(query, options), options)
        return produce_bytes(lib.opk_fetch_body, fetch), source_of(fetch)

    # Its life

    def close(self) -> None:
        """Lets go of the client. Queries that are under way go on; new ones raise `MisuseError`."""
        self._handle = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
