"""The command ``overpasskit``.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but the answer itself is not whole (a remark
of the server, or truncation). Standard output carries the document only.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Literal

import click

from . import __version__, _abi
from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, replaced, say
from .cli_map import map_
from .cli_merge import Choice, apply, choosing, merge_
from .cli_places import places
from .cli_query import check, fmt, query
from .documents import FORMATS, DocumentFormat, format_of
from .errors import OverpassKitError, WriteError
from .features import PROPERTIES, Properties
from .response import Response
from .rules import POINTS, PROFILES, Points, Profile

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")
_NO_CHANGES = "OsmChange (.osc) holds changes of elements, and this answer tells of none"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """From a question about OpenStreetMap to features."""


@main.command(short_help="Convert an answer of Overpass to GeoJSON, JSON, OSM XML or OsmChange.")
@click.argument("source", metavar="INPUT")
@click.option("-o", "--output", required=True, help="The file to write; - for standard output.")
@click.option(
    "--to",
    "wanted",
    type=click.Choice(["geojson", *FORMATS]),
    help="The format; by default what OUTPUT ends in: .json, .osm, .xml, .osc, else geojson.",
)
@click.option("--lossy", is_flag=True, help="Leave out what json, osm or osc have no words for.")
@click.option("--compact", is_flag=True, help="json without line breaks and blanks.")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="default",
    show_default=True,
    help="GeoJSON: the rules by which elements become features.",
)
@click.option(
    "--properties",
    type=click.Choice(list(PROPERTIES)),
    default="flat",
    show_default=True,
    help="GeoJSON: the layout of properties.",
)
@click.option(
    "--points",
    type=click.Choice(list(POINTS)),
    default="auto",
    show_default=True,
    help="GeoJSON: which nodes are features.",
)
@choosing
def convert(
    source: str,
    output: str,
    wanted: DocumentFormat | Literal["geojson"] | None,
    lossy: bool,
    compact: bool,
    profile: Profile,
    properties: Properties,
    points: Points,
    choice: Choice,
) -> None:
    """Convert INPUT, an answer of Overpass or an OSM file in JSON or XML.

    To GeoJSON, or back to Overpass JSON, OSM XML or OsmChange (.osc). Where one of these has no
    words for something, the command fails and names it, unless --lossy. OsmChange holds nothing but
    changes, so an answer that tells of none cannot be converted to it.

    INPUT is a file, or - for standard input; either may be compressed, OUTPUT may not. What came before the end
    of a truncated answer is converted.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but the answer is not whole
    """
    if Path(output).suffix.lower() in _COMPRESSED:
        raise click.UsageError(f"compressed output is not supported: {output}")
    format = wanted or format_of(output)
    try:
        with read(source) as whole, choice.of(whole) as response:
            warn(source, response)
            if format == "osc" and not _has_changes(response) and response.elements:
                raise WriteError(_NO_CHANGES)

            def write(target: Path | IO[bytes]) -> None:
                if format is None or format == "geojson":
                    response.features(profile, points).write_geojson(target, properties)
                else:
                    response.write(target, format, compact=compact, lossy=lossy)

            if output == "-":
                write(sys.stdout.buffer)
                sys.stdout.buffer.flush()
            else:
                with replaced(Path(output)) as path:
                    write(path)
            is_complete = response.is_complete
    except (OverpassKitError, OSError) as error:
        is_loss = isinstance(error, WriteError) and error.status == _abi.OPK_ERR_WRITE_LOSS
        hint = "; --lossy leaves it out" if is_loss else ""
        say("error", "red", name_of(source), f"{error}{hint}")
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _has_changes(response: Response) -> bool:
    """Whether there is anything that a change file can say."""
    return any(
        action.new is not None and action.kind in ("create", "modify", "delete")
        for action in response.actions
    )


for command in (query, check, fmt, map_, places, merge_, apply):
    main.add_command(command)
