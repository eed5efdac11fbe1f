"""The commands about queries: ``overpasskit query``, ``check`` and ``fmt``."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

import click

from ._console import EXIT_FAILED, name_of, replaced, say
from .errors import OverpassKitError, QueryError
from .geometry import Bounds
from .language import check_query, format_query
from .macros import expand_macros, wizard


class _Box(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Four numbers: south,west,north,east, as Overpass QL orders them."""

    name = "S,W,N,E"

    def convert(
        self, value: object, param: click.Parameter | None, context: click.Context | None
    ) -> Bounds:
        try:
            south, west, north, east = (float(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not four numbers: south,west,north,east", param, context)
        return Bounds(west=west, south=south, east=east, north=north)


_form = click.option(
    "--ql/--xml", "is_ql", default=None, help="The language to print; that of the input if omitted."
)
_compact = click.option("--compact", is_flag=True, help="As few bytes as can be.")
_output = click.option(
    "-o", "--output", default="-", help="The file to write; - (the default) for standard output."
)


@click.command(short_help="Write a query for a search, or from a file with macros.")
@click.argument("search", required=False)
@click.option("-f", "--file", help="A query in place of SEARCH; - for standard input.")
@click.option("--bbox", type=_Box(), help="What {{bbox}} stands for.")
@_form
@_compact
@_output
def query(
    search: str | None,
    file: str | None,
    bbox: Bounds | None,
    is_ql: bool | None,
    compact: bool,
    output: str,
) -> None:
    """Write the query for SEARCH, such as "amenity=cafe in Berlin".

    Macros stay in the text, unless --bbox gives {{bbox}} and {{center}} a value; then {{date}} is
    taken from the clock. A text with macros left in it cannot be printed as XML.
    """
    if (search is None) == (file is None):
        raise click.UsageError("give either SEARCH or --file")
    subject = name_of(file) if file is not None else "search"
    try:
        text = wizard(search) if search is not None else _read_text(str(file))
        if bbox is not None:
            text = expand_macros(text, bbox=bbox, now=datetime.now(timezone.utc))
        if compact or is_ql is not None:
            text = format_query(text, _form_of(text, is_ql), pretty=not compact)
        _write(text, output)
    except (OverpassKitError, OSError) as error:
        _fail(subject, error)


@click.command(short_help="Check queries for mistakes.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def check(files: tuple[str, ...]) -> None:
    """Check queries, in Overpass QL or XML; - is standard input.

    Prints a line for each thing found: file:line:column: error or warning: what. Exits with 1 when
    a server would refuse one of the queries, otherwise with 0.
    """
    refused = False
    for file in files:
        try:
            text = _read_text(file)
        except OSError as error:
            _fail(name_of(file), error)
        for found in check_query(text):
            refused = refused or found.is_error
            kind = "error" if found.is_error else "warning"
            hint = f"; did you mean {found.suggestion}?" if found.suggestion else ""
            place = f"{name_of(file)}:{found.line}:{found.column}"
            click.echo(f"{place}: {kind}: {found.message}{hint}")
    if refused:
        sys.exit(EXIT_FAILED)


@click.command(short_help="Print a query anew, in Overpass QL or XML.")
@click.argument("file")
@_form
@_compact
@_output
def fmt(file: str, is_ql: bool | None, compact: bool, output: str) -> None:
    """Print the query in FILE anew, a statement a line; - is standard input."""
    try:
        text = _read_text(file)
        _write(format_query(text, _form_of(text, is_ql), pretty=not compact), output)
    except (OverpassKitError, OSError) as error:
        _fail(name_of(file), error)


def _form_of(text: str, is_ql: bool | None) -> Literal["ql", "xml"]:
    if is_ql is None:
        is_ql = not text.lstrip().startswith("<")
    return "ql" if is_ql else "xml"


def _read_text(file: str) -> str:
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise OSError(f"not UTF-8 at byte {error.start}") from None


def _write(text: str, output: str) -> None:
    data = text.encode("utf-8")
    if not data.endswith(b"\n"):
        data += b"\n"
    if output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        with replaced(Path(output)) as target:
            target.write_bytes(data)


def _fail(subject: str, error: Exception) -> None:
    if isinstance(error, QueryError) and error.line:
        subject = f"{subject}:{error.line}:{error.column}"
    say("error", "red", subject, getattr(error, "message", error))
    sys.exit(EXIT_FAILED)
