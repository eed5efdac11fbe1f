"""The command ``overpasskit run``: a query, its answer in a file."""

from __future__ import annotations

import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any

import click

from ._answers import warn
from ._console import EXIT_CANCELLED, EXIT_FAILED, EXIT_PARTIAL, name_of, say
from ._csv_settings import csv_settings
from ._fetch_bar import shown, size_of
from ._fetching import FetchOptions
from ._saving import format_by_name, hint_of, known_format, put, save
from .cli_query import _Box, _read_text
from .cli_servers import asking
from .client import Client
from .documents import FORMATS
from .errors import ClientError, OverpassKitError, QueryError, ServerError
from .fetching import Source
from .formats import FEATURE_FORMATS
from .geometry import Bounds
from .macros import expand_macros
from .response import Response
from .settings import Cache

_BBOX = re.compile(r"\{\{\s*bbox\s*\}\}")
# In a text that is not checked.
_TABLE = re.compile(r"\[\s*out\s*:\s*csv\b")


@click.command(short_help="Ask a server, and write the answer to a file.")
@click.argument("text", metavar="[QUERY]", required=False)
@click.option("-f", "--file", help="A file in place of QUERY; - for standard input.")
@click.option("-o", "--output", required=True, help="The file to write; - for standard output.")
@click.option(
    "--to",
    "wanted",
    type=click.Choice([*FEATURE_FORMATS, *FORMATS]),
    help="The format; by default what OUTPUT ends in, geojson where it has no ending.",
)
@asking
@click.option("--bbox", type=_Box(), help="What {{bbox}} stands for, and what --tiles divides.")
@click.option("--tiles", is_flag=True, help="Divide the box where the server cannot cope with it.")
@click.option("--max-tiles", type=click.IntRange(1), help="Tiles at most; 200 by default.")
@click.option("--max-depth", type=click.IntRange(1), help="How often to quarter; 6 by default.")
@click.option(
    "--timeout",
    type=click.IntRange(1),
    metavar="S",
    help="How long the server may work; by default what the query says.",
)
@click.option("--cache", metavar="DIR", help="A folder in which answers are kept.")
@click.option(
    "--max-age",
    type=click.FloatRange(min=0, min_open=True),
    default=3600,
    show_default=True,
    metavar="S",
    help="How old an answer from --cache may be.",
)
@click.option("--partial", is_flag=True, help="Also take what a query that failed had found.")
@click.option("--unchecked", is_flag=True, help="Send the query as it is.")
@click.option("--lossy", is_flag=True, help="Leave out what json, osm or osc have no words for.")
@click.option("--raw", is_flag=True, help="Write the answer as the server sent it.")
@click.option("-q", "--quiet", is_flag=True, help="No bar and no summary.")
def run(
    text: str | None,
    file: str | None,
    output: str,
    wanted: str | None,
    app: str,
    endpoints: tuple[str, ...],
    bbox: Bounds | None,
    tiles: bool,
    max_tiles: int | None,
    max_depth: int | None,
    timeout: int | None,
    cache: str | None,
    max_age: float,
    partial: bool,
    unchecked: bool,
    lossy: bool,
    raw: bool,
    quiet: bool,
) -> None:
    """Ask a server QUERY, and write the answer to a file, in the formats of convert.

    QUERY is text in Overpass QL or XML, @FILE, or - for standard input. The table that a query with
    [out:csv(...)] prints is written as the server sent it.

    Servers want to know who asks: --app, or the variable OVERPASSKIT_APP, such as "my-app/1.0
    (me@example.org)". One that is busy is asked again later, the next --endpoint before that.

    \b
    Exit codes:
      0    done
      1    failed
      2    wrong usage
      3    done, but the answer is not whole
      130  cancelled by Ctrl-C
    """
    if (text is None) == (file is None):
        raise click.UsageError("give either QUERY or --file")
    if not tiles and (max_tiles or max_depth):
        raise click.UsageError("--max-tiles and --max-depth go with --tiles")
    for other in ("raw", "unchecked", "partial"):
        if tiles and {"raw": raw, "unchecked": unchecked, "partial": partial}[other]:
            raise click.UsageError(f"either --tiles or --{other}")
    if text is not None and (text == "-" or text.startswith("@")):
        file, text = text.removeprefix("@"), None
    subject = "query" if file is None else name_of(file)
    try:
        query = text if text is not None else _read_text(str(file))
        if _BBOX.search(query) and bbox is not None:
            query = expand_macros(query, bbox=bbox, now=datetime.now(timezone.utc))
        elif bbox is not None and not tiles:
            raise click.UsageError("--bbox is for {{bbox}} in the query, or for --tiles")
        is_raw = raw or _prints_table(query, unchecked)
        format = _format(output, wanted, raw, is_raw)
        kept = None if cache is None else Cache(cache, max_age)
        options = FetchOptions(
            partial=partial,
            unchecked=unchecked,
            timeout=timeout,
            is_bytes=is_raw,
            is_tiled=tiles,
            bbox=bbox if tiles else None,
            max_depth=max_depth,
            max_tiles=max_tiles,
        )
        with Client(app, endpoints=endpoints or "main", cache=kept) as client:
            if is_raw:
                _run_raw(client, query, options, output, quiet)
                return
            is_complete = _run(client, query, options, output, format, lossy, quiet)
    except KeyboardInterrupt:
        say("error", "red", subject, "cancelled")
        sys.exit(EXIT_CANCELLED)
    except (OverpassKitError, OSError) as error:
        say("error", "red", _place(subject, error), f"{_message(error)}{hint_of(error)}")
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _run(
    client: Client,
    query: str,
    options: FetchOptions,
    output: str,
    format: str,
    lossy: bool,
    quiet: bool,
) -> bool:
    """Writes the answer; gives whether it is whole."""
    with shown(quiet) as tell:
        response = client._response(query, options.told(tell))
    with response:
        source = response.source
        warn((source and source.endpoint) or "answer", response)
        save(response, output, format, lossy=lossy)
        if not quiet:
            _sum_up(output, _contents(response), source)
        return response.is_complete is True


def _run_raw(client: Client, query: str, options: FetchOptions, output: str, quiet: bool) -> None:
    """Writes the body of the answer."""
    with shown(quiet) as tell:
        body, source = client._body(query, options.told(tell))

    def write(target: Path | IO[bytes]) -> None:
        if isinstance(target, Path):
            target.write_bytes(body)
        else:
            target.write(body)

    put(output, write)
    if not quiet:
        _sum_up(output, size_of(len(body)), source)


def _prints_table(query: str, unchecked: bool) -> bool:
    if unchecked:
        return _TABLE.search(query) is not None
    try:
        csv_settings(query)
    except ClientError:
        return False
    return True


def _format(output: str, wanted: str | None, raw: bool, is_raw: bool) -> str:
    """The format to write, which a table has already."""
    if not is_raw:
        return wanted or format_by_name(output)
    if raw:
        if wanted is not None:
            raise click.UsageError("either --raw or --to")
        return "raw"
    named = wanted or known_format(output)
    if named not in (None, "csv", "tsv"):
        raise click.UsageError(f"the query prints a table, which cannot be written as {named}")
    return "raw"


def _contents(response: Response) -> str:
    count = len(response.elements)
    words = f"{count:,} element{'' if count == 1 else 's'}"
    if response.timestamp is not None:
        words += f" of {response.timestamp:%Y-%m-%d %H:%M} UTC"
    return words


def _sum_up(output: str, contents: str, source: Source | None) -> None:
    """One line about what was done."""
    words = contents
    if source is not None and source.endpoint is not None:
        words += f" from {source.endpoint}"
    if source is not None and source.tiles:
        words += f", in {sum(each.is_answered for each in source.tiles)} tiles"
    if source is not None and source.from_cache:
        words += ", kept from an earlier time"
    say("done", "green", "standard output" if output == "-" else output, words)


def _place(subject: str, error: Exception) -> str:
    """What a message is about: a line of the query, a server, or the query."""
    if isinstance(error, QueryError) and error.line:
        return f"{subject}:{error.line}:{error.column}"
    if isinstance(error, ServerError) and error.messages and error.messages[0].line:
        return f"{subject}:{error.messages[0].line}"
    attempts: Any = getattr(error, "attempts", ())
    return str(attempts[-1].endpoint) if attempts else subject


def _message(error: Exception) -> object:
    return error.message if isinstance(error, QueryError) else error
