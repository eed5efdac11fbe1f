"""Decoding an answer: at once, from a file, or in portions as it comes."""

from __future__ import annotations

import io
import operator
import os
import stat
from collections.abc import Callable
from ctypes import byref
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, NamedTuple

from . import _abi
from ._abi import opk_decode_options, opk_decode_progress, opk_decode_progress_fn
from ._arguments import Path, c_path
from ._declaration import encoded, may_go_on, utf8
from ._ffi import Handle, call, closed, lib, produce
from .elements import ResponseData
from .errors import CancelledError, MisuseError
from .response import Response

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
    """How much an answer may hold, at least 1 each; None means the default, which is generous.

    Parameters
    ----------
    bytes
        Of the decompressed answer; by default 2**40.
    depth
        Of nested JSON values, the answer's own braces counted, or of nested XML elements, the
        root counted; by default 64.
    elements
        By default 2**32.
    text_bytes
        Keys, values, roles and names of users, each distinct text once; by default 2**32.

    Raises
    ------
    MisuseError
        For a number that is too small, or larger than the library can count.

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

    def __post_init__(self) -> None:
        for name, number, bits in (
            ("bytes", self.bytes, 64),
            ("depth", self.depth, 32),
            ("elements", self.elements, 64),
            ("text_bytes", self.text_bytes, 64),
        ):
            if number is not None:
                _count(f"the limit of {name}", number, 1, bits)


def _count(name: str, number: int, least: int, bits: int) -> int:
    """A number that C can take; ctypes would cut off what is beyond."""
    if not least <= operator.index(number) < 1 << bits:
        raise MisuseError(f"{name} is from {least} to 2**{bits} - 1, not {number}")
    return number


def decode_flags(partial: bool, strict: bool) -> int:
    """What the library calls these two."""
    return (_abi.OPK_DECODE_ALLOW_TRUNCATED if partial else 0) | (
        _abi.OPK_DECODE_STRICT_TEXT if strict else 0
    )


class _Call:
    """The options of one call, with a function that is told of progress."""

    def __init__(
        self,
        partial: bool,
        strict: bool,
        limits: Limits | None,
        threads: int,
        progress: Callable[[Progress], object] | None,
    ) -> None:
        limits = limits or Limits()
        self.options = opk_decode_options(
            flags=decode_flags(partial, strict),
            max_bytes=limits.bytes or 0,
            max_depth=limits.depth or 0,
            max_threads=_count("threads", threads, 0, 32),
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
    strict: bool = False,
    limits: Limits | None = None,
    threads: int = 0,
    progress: Callable[[Progress], object] | None = None,
) -> Response:
    """Decodes an answer in a file: JSON or XML, plain or compressed with gzip or bzip2.

    Parameters
    ----------
    source
        A path, or a file that is open for reading. What is no file on disk (pipes, sockets,
        standard input) is decoded as it comes; a file must not shrink meanwhile. In XML from a file
        of text, the encoding that is declared does not count.
    partial
        Keep what came before the end of a truncated answer, instead of raising `TruncatedError`.
        The response is then not complete.
    strict
        Raise `TextError` for text that is not UTF-8, instead of putting U+FFFD in place of what is
        not and adding a diagnostic.
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

    Examples
    --------
    >>> import gzip, io
    >>> answer = gzip.compress(b'{"elements": [{"type": "node", "id": 1}]}')
    >>> list(load(io.BytesIO(answer)))
    [<Element node/1>]
    """
    call_ = _Call(partial, strict, limits, threads, progress)
    if isinstance(source, (str, bytes, os.PathLike)):
        return call_.run(lib.opk_response_decode_file, c_path(source))
    descriptor = _untouched_file(source)
    if descriptor is not None:
        try:
            return call_.run(lib.opk_response_decode_fd, descriptor)
        finally:
            source.seek(0, os.SEEK_END)
    with Decoder._of(call_.options) as decoder:
        while portion := source.read(_PORTION):
            decoder.push(portion)
            call_.report(decoder.byte_count, None, decoder.element_count)
        return decoder.finish()


def _untouched_file(source: IO[bytes] | IO[str]) -> int | None:
    """The descriptor of a plain file that nothing was read from yet; it can be mapped."""
    raw: object = source.raw if type(source) is io.BufferedReader else source
    if type(raw) is not io.FileIO or not raw.readable():
        return None
    state = os.fstat(raw.fileno())
    # Files of the kernel that make up their contents have no size.
    if not stat.S_ISREG(state.st_mode) or state.st_size == 0:
        return None
    is_at_start = source.tell() == 0 and os.lseek(raw.fileno(), 0, os.SEEK_CUR) == 0
    return raw.fileno() if is_at_start else None


def loads(
    data: bytes | bytearray | memoryview | str,
    *,
    partial: bool = False,
    strict: bool = False,
    limits: Limits | None = None,
    threads: int = 0,
    progress: Callable[[Progress], object] | None = None,
) -> Response:
    """Decodes an answer in memory: JSON or XML, plain or compressed with gzip or bzip2.

    Parameters
    ----------
    data
        The answer's bytes, or its text. In text that is XML, the encoding that is declared does
        not count.
    partial, strict, limits, threads, progress
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
    content = utf8(data) if isinstance(data, str) else bytes(data)
    call_ = _Call(partial, strict, limits, threads, progress)
    return call_.run(lib.opk_response_decode, content, len(content))


class Decoder:
    """Decodes an answer in portions, as they come from a socket or a program.

    The response is that of decoding everything at once, whatever the portions are. To cancel, let
    go of the decoder. It belongs to one thread at a time.

    Parameters
    ----------
    partial, strict, limits
        As for `load`.

    Examples
    --------
    >>> decoder = Decoder()
    >>> for portion in (b'{"elements": [{"type": "no', b'de", "id": 1}]}'):
    ...     decoder.push(portion)
    >>> decoder.byte_count, decoder.element_count
    (41, 0)
    >>> len(decoder.finish().elements)
    1
    >>> decoder.close()
    """

    def __init__(
        self, *, partial: bool = False, strict: bool = False, limits: Limits | None = None
    ) -> None:
        self._handle: Handle | None = None
        self._open(_Call(partial, strict, limits, 0, None).options)

    @classmethod
    def _of(cls, options: opk_decode_options) -> Decoder:
        decoder = cls.__new__(cls)
        decoder._open(options)
        return decoder

    def _open(self, options: opk_decode_options) -> None:
        pointer = produce(lib.opk_decoder_new, byref(options))
        self._handle = Handle(pointer or 0, lib.opk_decoder_free)
        # Text from the start on whose declaration may not have ended; None behind that.
        self._start: str | None = ""

    @property
    def _open_handle(self) -> Handle:
        if self._handle is None:
            raise closed("decoder")
        return self._handle

    def push(self, portion: bytes | bytearray | memoryview | str) -> None:
        """Decodes the next `portion`: bytes, or a part of the text.

        Raises
        ------
        DecodeError, ServerError, LimitError
            As `load` does; the same again in all later calls.
        MisuseError
            After `finish` or `close`.
        """
        if not isinstance(portion, str):
            self._push_start()
            self._push(bytes(portion))
        elif self._start is None:
            self._push(encoded(portion))
        else:
            self._start += portion
            if may_go_on(self._start):
                self._push(b"")
            else:
                self._push_start()

    def _push_start(self) -> None:
        start, self._start = self._start, None
        if start:
            self._push(utf8(start))

    def _push(self, portion: bytes) -> None:
        call(lib.opk_decoder_push, self._open_handle, portion, len(portion))

    def finish(self) -> Response:
        """Tells that there are no more bytes, and gives the response.

        Raises
        ------
        DecodeError, ServerError, LimitError
            As `load` does.
        MisuseError
            After `finish` or `close`.
        """
        self._push_start()
        return _adopt(produce(lib.opk_decoder_finish, self._open_handle))

    @property
    def byte_count(self) -> int:
        """The bytes pushed so far."""
        waiting = len(utf8(self._start or ""))
        return int(lib.opk_decoder_byte_count(self._open_handle)) + waiting

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


def _adopt(pointer: int | None) -> Response:
    return Response(ResponseData(Handle(pointer or 0, lib.opk_response_free)))
