"""Exceptions: one class per meaning, all under :class:`OverpassKitError`.

Statuses come in families (``include/overpasskit.h``, "status and errors"); a status that this
package does not know yet gets the class of its family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _abi

if TYPE_CHECKING:
    from .fetching import Attempt
    from .response import Response
    from .server import ServerMessage


class OverpassKitError(Exception):
    """Something went wrong in OverpassKit.

    Attributes
    ----------
    message : str
        What went wrong, without the position.
    status : int
        The library's number for it; 0 when the library was not reached.
    status_name : str
        The status as the C header names it, such as ``"OPK_ERR_DECODE_SYNTAX"``.
    offset : int or None
        The byte at fault, in the decompressed input, from 0.
    line, column : int or None
        The same as line and column, both from 1; columns count bytes.
    element : str or None
        The element concerned, such as ``"way/123"``.
    attempts : tuple of Attempt
        The requests that were sent for a query, and what became of each.
    partial : Response or None
        What a query that failed had given until then.
    """

    attempts: tuple[Attempt, ...] = ()
    partial: Response | None = None

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        status_name: str = "",
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        element: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.status_name = status_name
        self.offset = offset
        self.line = line
        self.column = column
        self.element = element

    def __str__(self) -> str:
        """One line: the message, and where.

        >>> str(DecodeError("expected ':'", offset=17, line=2, column=5))
        "expected ':' (line 2, column 5, byte 17)"
        """
        places = [
            f"{name} {value}"
            for name, value in (("line", self.line), ("column", self.column), ("byte", self.offset))
            if value is not None
        ]
        return f"{self.message} ({', '.join(places)})" if places else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # Responses do not leave their process.
        attributes = {name: each for name, each in self.__dict__.items() if name != "partial"}
        return (_restore, (type(self), self.message, attributes))


class LibraryNotFoundError(OverpassKitError, ImportError):
    """The shared library was not found, or it is of another ABI."""


class MissingPackageError(OverpassKitError, ImportError):
    """A package that only some functions need is not installed, such as geopandas."""


class QueryError(OverpassKitError, ValueError):
    """A query that cannot be: no element type, no filter, a position out of range, ..."""


class DecodeError(OverpassKitError, ValueError):
    """Bytes that are not an answer of Overpass."""


class TruncatedError(DecodeError):
    """An answer that stops in the middle; ``partial=True`` keeps what came before."""


class NotOverpassError(DecodeError):
    """Well-formed, but no answer of Overpass."""


class FormatError(DecodeError):
    """Another format than asked for, such as HTML instead of JSON."""


class CompressionError(DecodeError):
    """Compressed data that is damaged."""


class TextError(DecodeError):
    """Text that is not UTF-8."""


class GeometryError(OverpassKitError):
    """A geometry that cannot be handled."""


class ServerError(OverpassKitError):
    """A server that reported an error in place of an answer; the message is its own.

    Attributes
    ----------
    messages : tuple of ServerMessage
        What the server said, in its parts; empty for what was not fetched but decoded.
    """

    messages: tuple[ServerMessage, ...] = ()


class BadRequestError(ServerError):
    """The server refused the query."""


class RateLimitError(ServerError):
    """Too many queries from this address; try again later."""


class ServerBusyError(ServerError):
    """Too many queries from everybody; try again later."""


class QueryTimeoutError(ServerError, TimeoutError):
    """The query ran out of its time."""


class OutOfMemoryError(ServerError):
    """The query ran out of its memory."""


class RefusedError(ServerError, PermissionError):
    """The server refuses this client: it blocks programs that do not say who they are."""


class ClientError(OverpassKitError, ValueError):
    """A client that cannot be, or a query that it cannot run: no application, no such server, ..."""


class TransportError(OverpassKitError, ConnectionError):
    """A server that was not reached, or a connection that broke."""


class TransportTimeoutError(TransportError, TimeoutError):
    """Nothing came from the server for too long."""


class FileError(OverpassKitError, OSError):
    """A file that cannot be opened, read or written."""


class WriteError(OverpassKitError):
    """A format that cannot carry the data."""


class MapStyleError(WriteError, ValueError):
    """A map that cannot be: a bad tile URL, colour or zoom, a name that is taken, ..."""


class EngineError(OverpassKitError):
    """A query that could not be run on a local file."""


class LimitError(OverpassKitError):
    """A limit was reached; the message names it."""


class CancelledError(OverpassKitError):
    """Work that was stopped on demand."""


class MisuseError(OverpassKitError):
    """A call that makes no sense, such as one on a closed response."""


_BY_STATUS: dict[int, type[OverpassKitError]] = {
    _abi.OPK_ERR_DECODE_TRUNCATED: TruncatedError,
    _abi.OPK_ERR_DECODE_NOT_OVERPASS: NotOverpassError,
    _abi.OPK_ERR_DECODE_FORMAT: FormatError,
    _abi.OPK_ERR_DECODE_COMPRESSION: CompressionError,
    _abi.OPK_ERR_DECODE_TEXT: TextError,
    _abi.OPK_ERR_SERVER_BAD_REQUEST: BadRequestError,
    _abi.OPK_ERR_SERVER_RATE_LIMITED: RateLimitError,
    _abi.OPK_ERR_SERVER_BUSY: ServerBusyError,
    _abi.OPK_ERR_SERVER_TIMEOUT: QueryTimeoutError,
    _abi.OPK_ERR_SERVER_MEMORY: OutOfMemoryError,
    _abi.OPK_ERR_SERVER_REFUSED: RefusedError,
    _abi.OPK_ERR_TRANSPORT_UNAVAILABLE: TransportError,
    _abi.OPK_ERR_TRANSPORT_RESOLVE: TransportError,
    _abi.OPK_ERR_TRANSPORT_CONNECT: TransportError,
    _abi.OPK_ERR_TRANSPORT_TLS: TransportError,
    _abi.OPK_ERR_TRANSPORT_TIMEOUT: TransportTimeoutError,
    _abi.OPK_ERR_TRANSPORT_INTERRUPTED: TransportError,
    _abi.OPK_ERR_TRANSPORT_OTHER: TransportError,
    _abi.OPK_ERR_CLIENT_APPLICATION: ClientError,
    _abi.OPK_ERR_CLIENT_ENDPOINT: ClientError,
    _abi.OPK_ERR_CLIENT_QUERY: ClientError,
    _abi.OPK_ERR_CANCELLED: CancelledError,
    _abi.OPK_ERR_MAP_NAME: MapStyleError,
    _abi.OPK_ERR_MAP_DUPLICATE: MapStyleError,
    _abi.OPK_ERR_MAP_TILES: MapStyleError,
    _abi.OPK_ERR_MAP_ZOOM: MapStyleError,
    _abi.OPK_ERR_MAP_COLOR: MapStyleError,
    _abi.OPK_ERR_MAP_URL: MapStyleError,
    _abi.OPK_ERR_MAP_VALUE: MapStyleError,
}

_BY_FAMILY: dict[int, type[OverpassKitError]] = {
    1: QueryError,
    2: DecodeError,
    3: GeometryError,
    4: ServerError,
    5: FileError,
    6: WriteError,
    7: EngineError,
    8: LimitError,
    9: MisuseError,
}


def class_for(status: int) -> type[OverpassKitError]:
    """The exception for a status of the library.

    >>> class_for(202).__name__, class_for(299).__name__
    ('TruncatedError', 'DecodeError')
    """
    return _BY_STATUS.get(status) or _BY_FAMILY.get(status // 100, OverpassKitError)


def _restore(
    kind: type[OverpassKitError], message: str, attributes: dict[str, object]
) -> OverpassKitError:
    error = kind(message)
    error.__dict__.update(attributes)
    return error
