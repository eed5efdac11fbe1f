"""Tables: answers to ``[out:csv(...)]``."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Sequence
from ctypes import byref, c_char_p, c_int64, c_void_p, cast
from datetime import datetime, timedelta, timezone
from functools import cached_property
from itertools import islice
from typing import IO, NamedTuple, TypeAlias

from . import _abi
from ._abi import opk_column, opk_csv_options, opk_str, opk_table_problem
from ._arguments import Path, c_path, c_text, c_texts
from ._closing import Closing
from ._ffi import Handle, check, lib, produce, text
from ._summaries import SHOWN, counted, rich_table, table_html
from .decoding import decode_flags

Cell: TypeAlias = "str | int | float | datetime | None"

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_KINDS = {
    _abi.OPK_COLUMN_TEXT: "text",
    _abi.OPK_COLUMN_INTEGER: "integer",
    _abi.OPK_COLUMN_DEGREES: "degrees",
    _abi.OPK_COLUMN_TIMESTAMP: "timestamp",
}
_PROBLEMS = {
    _abi.OPK_TABLE_CELL_COUNT: "cell_count",
    _abi.OPK_TABLE_VALUE: "value",
    _abi.OPK_TABLE_TEXT: "text",
}


class Column(NamedTuple):
    """One column.

    Attributes
    ----------
    heading : str
        As in the query: a key, or a field such as ``"::id"``.
    kind : str
        ``"text"``, ``"integer"``, ``"degrees"`` or ``"timestamp"``.
    """

    heading: str
    kind: str


class TableProblem(NamedTuple):
    """Something in the text of a table that has no certain meaning.

    Attributes
    ----------
    kind : str
        ``"cell_count"``: the row has `number` cells, more or fewer than there are columns (the
        server does not quote for every separator); ``"value"``: the cell in column `number` is not
        of its column's kind and counts as empty; ``"text"``: it was not UTF-8, and U+FFFD stands
        in place of what was not.
    row : int
        From 0, without the head line.
    """

    kind: str
    row: int
    number: int


def decode_csv(
    data: bytes | bytearray | memoryview | str | IO[bytes] | IO[str],
    *,
    separator: str = "\t",
    header: bool = True,
    columns: Sequence[str] | None = None,
    partial: bool = False,
    strict: bool = False,
) -> Table:
    """Decodes a CSV answer, plain or compressed with gzip or bzip2.

    Parameters
    ----------
    data
        The answer's bytes, its text, or a file that is open for reading.
    separator
        As in the query, ``[out:csv(...; true; ",")]``.
    header
        Whether the answer has a head line.
    columns
        As in the query, such as ``["::id", "name"]``. Needed without a head line; otherwise they
        are taken in its place.
    partial
        Keep what came before the end of compressed data that is truncated, instead of raising
        `TruncatedError`. Plain text that is cut is no error; see `Table.is_complete`.
    strict
        Raise `TextError` for text that is not UTF-8, instead of noting a problem.

    Raises
    ------
    DecodeError
        With the line, column and byte at fault; also without a head line and `columns`.
    ServerError
        When it is a page with the server's error in place of a table.

    Examples
    --------
    >>> table = decode_csv("@id\\t@lat\\tname\\n1\\t50.25\\tKoti\\n2\\t\\t\\n")
    >>> table.headings
    ['::id', '::lat', 'name']
    >>> list(table)
    [(1, 50.25, 'Koti'), (2, None, None)]
    >>> table["::id"]
    [1, 2]
    """
    content = data if isinstance(data, (bytes, bytearray, memoryview, str)) else data.read()
    encoded = (
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)
    )
    options, _kept = _options(separator, header, columns, decode_flags(partial, strict))
    return Table(produce(lib.opk_table_decode_csv, encoded, len(encoded), byref(options)))


def load_csv(
    source: Path | IO[bytes] | IO[str],
    *,
    separator: str = "\t",
    header: bool = True,
    columns: Sequence[str] | None = None,
    partial: bool = False,
    strict: bool = False,
) -> Table:
    """Decodes a CSV answer in a file: a path, or a file that is open for reading.

    The other parameters are those of `decode_csv`.

    Parameters
    ----------
    source
        The path or the file.

    Raises
    ------
    DecodeError, ServerError
        As for `decode_csv`.
    FileError
        When the file cannot be opened or read.

    Examples
    --------
    >>> import io
    >>> list(load_csv(io.BytesIO(b"@id,name\\n1,Koti\\n"), separator=","))
    [(1, 'Koti')]
    """
    if not isinstance(source, (str, bytes, os.PathLike)):
        return decode_csv(
            source,
            separator=separator,
            header=header,
            columns=columns,
            partial=partial,
            strict=strict,
        )
    options, _kept = _options(separator, header, columns, decode_flags(partial, strict))
    return Table(produce(lib.opk_table_decode_csv_file, c_path(source), byref(options)))


def _options(
    separator: str, header: bool, columns: Sequence[str] | None, flags: int
) -> tuple[opk_csv_options, object]:
    """The options, and what must live as long as they."""
    mark = c_char_p(c_text(separator))
    options = opk_csv_options(
        flags=0 if header else _abi.OPK_CSV_NO_HEAD,
        separator=cast(mark, c_void_p),
        decode_flags=flags,
    )
    names = None
    if columns is not None:
        names, options.column_count = c_texts(columns)
        options.columns = cast(names, c_void_p).value
    return options, (mark, names)


class Table(Closing):
    """The rows of an answer to ``[out:csv(...)]``. Never changes; many threads may read it.

    The text carries neither remarks nor an end mark: when a query ran out of time or memory, the
    table just ends early. An absent key and an empty value are the same in CSV: None.

    Iterating gives the rows as tuples; a heading in brackets gives a column. Cells of ``::id`` and
    the like are int, ``::lat`` and ``::lon`` float in degrees, ``::timestamp`` datetime in UTC,
    all others str.

    Examples
    --------
    >>> with decode_csv("@id\\tname\\n1\\tKoti\\n") as table:
    ...     len(table), table.columns, list(table)
    (1, [Column(heading='::id', kind='integer'), Column(heading='name', kind='text')], [(1, 'Koti')])
    >>> table.close()  # once more does no harm
    """

    _what = "table"

    def __init__(self, pointer: int | None) -> None:
        self._open_handle = Handle(pointer or 0, lib.opk_table_free)
        self._columns: dict[int, list[Cell]] = {}

    @cached_property
    def columns(self) -> list[Column]:
        """What each column is."""
        found = []
        for index in range(lib.opk_table_column_count(self._handle)):
            c = opk_column()
            check(lib.opk_table_column(self._handle, index, byref(c)))
            mark = "::" if c.is_field else ""
            found.append(Column(mark + (text(c.name) or ""), _KINDS[c.kind]))
        return found

    @property
    def headings(self) -> list[str]:
        """The columns as in the query."""
        return [column.heading for column in self.columns]

    @property
    def is_complete(self) -> bool | None:
        """False when the last line or a cell in quotes is cut; None otherwise, because nothing tells a table's end."""
        return None if lib.opk_table_is_complete(self._handle) < 0 else False

    @cached_property
    def problems(self) -> list[TableProblem]:
        """What is not certain about the text; a thousand at most."""
        found = []
        for index in range(lib.opk_table_problem_count(self._handle)):
            c = opk_table_problem()
            check(lib.opk_table_get_problem(self._handle, index, byref(c)))
            found.append(TableProblem(_PROBLEMS[c.kind], c.row, c.number))
        return found

    def __len__(self) -> int:
        count: int = lib.opk_table_row_count(self._handle)
        return count

    def __getitem__(self, heading: str) -> list[Cell]:
        """The cells of a column, such as ``"::id"`` or ``"name"``."""
        if heading not in self.headings:
            raise KeyError(heading)
        return list(self._cells(self.headings.index(heading)))

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """The rows."""
        if not self.columns:
            return iter([()] * len(self))
        return zip(*map(self._cells, range(len(self.columns))), strict=True)

    def _cells(self, index: int) -> list[Cell]:
        cells = self._columns.get(index)
        if cells is None:
            cells = self._columns[index] = self._read(index)
        return cells

    def _read(self, index: int) -> list[Cell]:
        count, kind = len(self), self.columns[index].kind
        if kind == "text":
            texts = (opk_str * count)()
            lib.opk_table_texts(self._handle, index, texts, count)
            return [text(each) for each in texts]
        numbers = (c_int64 * count)()
        lib.opk_table_numbers(self._handle, index, numbers, count)
        return [None if each == _abi.OPK_NO_NUMBER else _number(each, kind) for each in numbers]

    def close(self) -> None:
        """Gives its memory back. Reading cells afterwards raises `MisuseError`."""
        super().close()
        self._columns = {}

    def __repr__(self) -> str:
        if self._open_handle is None:
            return "<Table, closed>"
        return f"<Table: {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        if self._open_handle is None:
            return html.escape(repr(self))
        return table_html(self._caption, islice(self, SHOWN), self.headings)

    def __rich__(self) -> object:
        """The first rows, where rich prints."""
        if self._open_handle is None:
            return rich_table(repr(self), ())
        return rich_table(self._caption, islice(self, SHOWN), self.headings)

    @property
    def _caption(self) -> str:
        caption = counted(len(self), "row")
        return caption if len(self) <= SHOWN else f"{caption}; the first {SHOWN} are shown"


def _number(value: int, kind: str) -> Cell:
    if kind == "degrees":
        return value / 1e7
    if kind == "timestamp":
        try:
            return _EPOCH + timedelta(seconds=value)
        except OverflowError:  # the year 0, which datetime does not have
            return None
    return value
