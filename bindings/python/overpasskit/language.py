"""Queries and text: printing them as Overpass QL or XML, reading them, checking them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from ctypes import byref
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, SupportsIndex

from ._abi import OPK_RENDER_PRETTY, opk_diagnostic
from ._arguments import int64
from ._ffi import call, check, lib, produce, produce_text, text
from ._summaries import code_html, rich_code
from .errors import QueryError


class Diagnostic(NamedTuple):
    """Something that is wrong or suspicious in a query.

    Attributes
    ----------
    is_error : bool
        Whether the server would refuse the query for it.
    message : str
        What it is.
    line, column : int
        Where it is, both from 1; columns count bytes. 0 in a query that comes from no text.
    offset, length : int
        The same as bytes from the start of the text, and how many. -1 in a query that comes from
        no text.
    found : str or None
        What stands there.
    expected : tuple of str
        What could stand there.
    suggestion : str or None
        What was probably meant.
    code : int
        A stable number for the kind.
    """

    is_error: bool
    message: str
    line: int
    column: int
    offset: int
    length: int
    found: str | None
    expected: tuple[str, ...]
    suggestion: str | None
    code: int


def check_query(query: str) -> list[Diagnostic]:
    """Finds what a server would refuse in a query, and what is probably not meant.

    Parameters
    ----------
    query
        Text in Overpass QL or XML.

    Examples
    --------
    >>> check_query("node[amenity=cafe](50.7,7.0,50.8,7.2);out;")
    []
    >>> mistake, *_ = check_query("nod[amenity=cafe](50.7,7.0,50.8,7.2);out;")
    >>> mistake.is_error, mistake.line, mistake.column
    (True, 1, 1)
    """
    encoded = query.encode("utf-8", "surrogatepass")
    return read_diagnostics(produce(lib.opk_query_check_text, encoded, len(encoded)))


def read_diagnostics(pointer: int | None) -> list[Diagnostic]:
    """Takes over what the library found."""
    try:
        found = []
        for index in range(lib.opk_diagnostics_count(pointer)):
            c = opk_diagnostic()
            check(lib.opk_diagnostics_get(pointer, index, byref(c)))
            found.append(_diagnostic(c))
        return found
    finally:
        lib.opk_diagnostics_free(pointer)


def _diagnostic(c: opk_diagnostic) -> Diagnostic:
    return Diagnostic(
        is_error=bool(c.is_error),
        message=text(c.message) or "",
        line=c.line,
        column=c.column,
        offset=c.byte_offset,
        length=c.length,
        found=text(c.found),
        expected=tuple((text(c.expected) or "").splitlines()),
        suggestion=text(c.suggestion),
        code=c.code,
    )


def format_query(query: str, form: Literal["ql", "xml"] = "ql", *, pretty: bool = True) -> str:
    """Prints the text of a query anew.

    Parameters
    ----------
    query
        Text in Overpass QL or XML.
    form
        The language to print.
    pretty
        A statement a line, indented.

    Raises
    ------
    QueryError
        With the position of the first mistake.

    Examples
    --------
    >>> format_query("node [ amenity = cafe ] (50.7,7.0,50.8,7.2) ; out ;", pretty=False)
    'node["amenity"="cafe"](50.7,7,50.8,7.2);out;'
    """
    encoded = query.encode("utf-8", "surrogatepass")
    pointer = produce(lib.opk_query_parse, encoded, len(encoded))
    try:
        render = lib.opk_query_render_xml if form == "xml" else lib.opk_query_render_ql
        return produce_text(render, pointer, OPK_RENDER_PRETTY if pretty else 0)
    finally:
        lib.opk_query_free(pointer)


class PrintableQuery:
    """What all queries can: be printed and checked."""

    __slots__ = ()

    def _native(self) -> AbstractContextManager[int]:
        """The library's form of the query, for the time of a call or two."""
        raise NotImplementedError

    def ql(self, *, pretty: bool = False) -> str:
        """The query as Overpass QL. Equal queries give equal text.

        Parameters
        ----------
        pretty
            A statement a line, indented.

        Raises
        ------
        QueryError
            When no element type was chosen, neither a filter nor a place limits it, or nothing is
            printed.
        """
        return self._printed(lib.opk_query_render_ql, pretty)

    def xml(self, *, pretty: bool = False) -> str:
        """The query in Overpass's XML form; `pretty` and what is raised are as for `ql`."""
        return self._printed(lib.opk_query_render_xml, pretty)

    def _printed(self, function: Any, pretty: bool) -> str:
        with self._native() as query:
            return produce_text(function, query, OPK_RENDER_PRETTY if pretty else 0)

    def check(self) -> list[Diagnostic]:
        """Finds what a server would refuse in the query, and what is probably not meant."""
        with self._native() as query:
            return read_diagnostics(produce(lib.opk_query_check, query))

    def _shown(self) -> str:
        try:
            return self.ql(pretty=True)
        except QueryError:  # it asks for nothing yet
            return repr(self)

    def _repr_html_(self) -> str:
        """The query, a statement a line, for notebooks."""
        return code_html(self._shown())

    def __rich__(self) -> object:
        """The query, a statement a line, where rich prints."""
        return rich_code(self._shown())


@dataclass(frozen=True)
class ParsedQuery(PrintableQuery):
    """A query that was read from text, by `Query.parse`. Never changes.

    Attributes
    ----------
    text : str
        What it was read from, in Overpass QL or XML.

    Examples
    --------
    >>> from overpasskit import Query
    >>> query = Query.parse("node(1); out;")
    >>> query.timeout(60).maxsize(2**30).ql()
    '[timeout:60][maxsize:1073741824];node(1);out;'
    >>> query.check()
    []
    """

    text: str
    _timeout: int | None = None
    _maxsize: int | None = None

    def __post_init__(self) -> None:
        with self._native():
            pass

    def timeout(self, seconds: SupportsIndex) -> ParsedQuery:
        """Sets how long the server may work on the query: whole `seconds`, at least 1."""
        return replace(self, _timeout=int64(seconds, "timeout"))

    def maxsize(self, size: SupportsIndex) -> ParsedQuery:
        """Sets how much memory the server may use for the query: `size` bytes, at least 1."""
        return replace(self, _maxsize=int64(size, "maxsize"))

    def check(self) -> list[Diagnostic]:
        """Finds what a server would refuse in `text`, and what is probably not meant."""
        return check_query(self.text)

    @contextmanager
    def _native(self) -> Iterator[int]:
        encoded = self.text.encode("utf-8", "surrogatepass")
        query: int = produce(lib.opk_query_parse, encoded, len(encoded)) or 0
        try:
            if self._timeout is not None:
                call(lib.opk_query_set_timeout, query, self._timeout)
            if self._maxsize is not None:
                call(lib.opk_query_set_maxsize, query, self._maxsize)
            yield query
        finally:
            lib.opk_query_free(query)
