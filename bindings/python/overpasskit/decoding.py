"""Decoding an answer: at once, from a file, or in portions as it comes."""

from __future__ import annotations

import os
from collections.abc import Callable
from ctypes import byref
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, NamedTuple, TypeAlias

from . import _abi
from ._abi import opk_decode_options, opk_decode_progress, opk_decode_progress_fn
from ._ffi import Handle, call, closed, lib, produce
from .elements import ResponseData
from .errors import CancelledError
from .response import Response

Path: TypeAlias = "str | bytes | os.PathLike[str] | os.PathLike[bytes]"

_PORTION = 1 << 18


class Progress(NamedTuple):
    """How far decoding has come.

    Attributes
    ----------
    bytes : int
        Bytes of the input that are done with; compressed ones where it is compressed.
    total : int or None
        The size of the input; None where it is not known, as with a pipe.
    elements : int
        The elements decoded so far.
    """

    bytes: int
    total: int | None
    elements: int


@dataclass(frozen=True)
class Limits:
    """How much an answer may hold; None means the default, which is generous.

    Parameters
    ----------
    bytes
        Of the decompressed answer; by default 2**40.
    depth
        Of nested JSON values; by default 64.
    elements
        By default 2**32.
    text_bytes
        Keys, values, roles and names of users, each distinct text once; by default 2**32.

    Examples
    --------
    >>> loads('{"elements": [{"type": "node", "id": 1}]}', limits=Limits(bytes=10))
    Traceback (most recent call last):
        ...
    overpasskit.errors.LimitError: ...
    """

    bytes: int | None = None
    depth: int | None = None
    elements: int | None = None
    text_bytes: int | None = None


class _Call:
    """The options of one call, with a function that is told of progress."""

    def __init__(
        self,
        partial: bool,
        limits: Limits | None,
        threads: int,
        progress: Callable[[Progress], object] | None,
    ) -> None:
        limits = limits or Limits()
        self.options = opk_decode_options(
            flags=_abi.OPK_DECODE_ALLOW_TRUNCATED if partial else 0,
            max_bytes=limits.bytes or 0,
            max_depth=limits.depth or 0,
            max_threads=threads,
            max_elements=limits.elements or 0,
            max_text_bytes=limits.text_bytes or 0,
        )
        self._progress = progress
        self._raised: BaseException | None = None
        if progress is not None:
            # The object must live as long as the options.
            self.options.progress = opk_decode_progress_fn(self._tell)

    def _tell(self, _context: int | None, told: Any) -> int:
        progress: opk_decode_progress = told.contents
        try:
            self.report(progress.bytes, progress.total_bytes or None, progress.elements)
        except BaseException as error:
            # Nothing may be raised through C; `run` raises it.
            self._raised = error
            return 1
        return 0

    def report(self, bytes: int, total: int | None, elements: int) -> None:
        if self._progress is not None:
            self._progress(Progress(bytes, total, elements))

    def run(self, function: Any, *arguments: Any) -> Response:
        try:
            pointer = produce(function, *arguments, byref(self.options))
        except CancelledError:
            if self._raised is not None:
                raise self._raised from None
            raise
        return _adopt(pointer)


def load(
    source: Path | IO[bytes] | IO[str],
    *,
    partial: bool = False,
    limits: Limits | None = None,
    threads: int = 0,
    progress: Callable[[Progress], object] | None = None,
) -> Response:
    """Decodes an answer in a file: JSON or XML, plain or compressed with gzip or bzip2.

    Parameters
    ----------
    source
        A path, or a file that is open for reading. What is no file on disk (pipes, sockets,
        standard input) is decoded as it comes.
    partial
        Keep what came before the end of a truncated answer, instead of raising `TruncatedError`.
        The response is then not complete.
    limits
        How much the answer may hold.
    threads
        On how many threads a large answer may be decoded; 0 for as many as there are processors.
    progress
        Called now and then with a `Progress`. What it raises stops decoding and comes out of here.

    Raises
    ------
    DecodeError
        With the line, column and byte at fault.
    ServerError
        When it is a page with the server's error in place of an answer.
    FileError
        When the file cannot be opened or read.
    LimitError
        When the answer holds more than `limits` allows.
    """
    call_ = _Call(partial, limits, threads, progress)
    if isinstance(source, (str, bytes, os.PathLike)):
        return call_.run(lib.opk_response_decode_file, os.fsencode(source))
    with Decoder._of(call_.options) as decoder:
        while portion := source.read(_PORTION):
            decoder.push(portion)
            call_.report(decoder.byte_count, None, decoder.element_count)
        return decoder.finish()


def loads(
    data: bytes | bytearray | memoryview | str,
    *,
    partial: bool = False,
    limits: Limits | None = None,
    threads: int = 0,
    progress: Callable[[Progress], object] | None = None,
) -> Response:
    """Decodes an answer in memory: JSON or XML, plain or compressed with gzip or bzip2.

    Parameters
    ----------
    data
        The answer's bytes, or its text.
    partial, limits, threads, progress
        As for `load`.

    Raises
    ------
    DecodeError
        With the line, column and byte at fault.
    ServerError
        When it is a page with the server's error in place of an answer.
    LimitError
        When the answer holds more than `limits` allows.

    Examples
    --------
    >>> response = loads('{"elements": []}')
    >>> len(response.elements), response.is_complete, response.to_geojson()[:28]
    (0, True, '{"type":"FeatureCollection",')
    >>> loads('{"elements": [')
    Traceback (most recent call last):
        ...
    overpasskit.errors.TruncatedError: ...
    """
    encoded = _encoded(data)
    call_ = _Call(partial, limits, threads, progress)
    return call_.run(lib.opk_response_decode, encoded, len(encoded))


class Decoder:
    """Decodes an answer in portions, as they come from a socket or a program.

    The response is that of decoding everything at once, whatever the portions are. To cancel, let
    go of the decoder. It belongs to one thread at a time.

    Parameters
    ----------
    partial, limits
        As for `load`.

    Examples
    --------
    >>> decoder = Decoder()
    >>> for portion in (b'{"elements": [{"type": "no', b'de", "id": 1}]}'):
    ...     decoder.push(portion)
    >>> decoder.byte_count
    41
    >>> len(decoder.finish().elements)
    1
    """

    def __init__(self, *, partial: bool = False, limits: Limits | None = None) -> None:
        self._handle: Handle | None = None
        self._open(_Call(partial, limits, 0, None).options)

    @classmethod
    def _of(cls, options: opk_decode_options) -> Decoder:
        decoder = cls.__new__(cls)
        decoder._open(options)
        return decoder

    def _open(self, options: opk_decode_options) -> None:
        pointer = produce(lib.opk_decoder_new, byref(options))
        self._handle = Handle(pointer or 0, lib.opk_decoder_free)

    @property
    def _open_handle(self) -> Handle:
        if self._handle is None:
            raise closed("decoder")
        return self._handle

    def push(self, portion: bytes | bytearray | memoryview | str) -> None:
        """Decodes the next bytes, or the next part of the text.

        Raises
        ------
        DecodeError, ServerError, LimitError
            As `load` does; the same again in all later calls.
        MisuseError
            After `finish` or `close`.
        """
        encoded = _encoded(portion)
        call(lib.opk_decoder_push, self._open_handle, encoded, len(encoded))

    def finish(self) -> Response:
        """Tells that there are no more bytes, and gives the response.

        Raises
        ------
        DecodeError, ServerError, LimitError
            As `load` does.
        MisuseError
            After `finish` or `close`.
        """
        return _adopt(produce(lib.opk_decoder_finish, self._open_handle))

    @property
    def byte_count(self) -> int:
        """The bytes pushed so far."""
        return int(lib.opk_decoder_byte_count(self._open_handle))

    @property
    def element_count(self) -> int:
        """The elements decoded so far; some more may be waiting for the rest of a portion."""
        return int(lib.opk_decoder_element_count(self._open_handle))

    def close(self) -> None:
        """Frees what was decoded so far."""
        self._handle = None

    def __enter__(self) -> Decoder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _encoded(data: bytes | bytearray | memoryview | str) -> bytes:
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)


def _adopt(pointer: int | None) -> Response:
    return Response(ResponseData(Handle(pointer or 0, lib.opk_response_free)))
