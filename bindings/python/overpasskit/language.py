"""Text of queries: checking it, and printing it anew as Overpass QL or XML."""

from __future__ import annotations

from ctypes import byref
from typing import Literal, NamedTuple

from ._abi import OPK_RENDER_PRETTY, opk_diagnostic
from ._ffi import check, lib, produce, produce_text, text


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
