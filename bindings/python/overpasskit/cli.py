"""The command ``overpasskit``.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but the answer itself is not whole (a remark
of the server, or truncation). Standard output carries the document only.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from . import __version__
from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, replaced, say
from .cli_map import map_
from .cli_query import check, fmt, query
from .errors import OverpassKitError
from .features import POINTS, PROFILES, PROPERTIES, Points, Profile, Properties


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """From a question about OpenStreetMap to features."""


@main.command(short_help="Convert an answer of Overpass to GeoJSON.")
@click.argument("source", metavar="INPUT")
@click.option("-o", "--output", required=True, help="The file to write; - for standard output.")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="default",
    show_default=True,
    help="The rules by which elements become features.",
)
@click.option(
    "--properties",
    type=click.Choice(list(PROPERTIES)),
    default="flat",
    show_default=True,
    help="The layout of properties.",
)
@click.option(
    "--points",
    type=click.Choice(list(POINTS)),
    default="auto",
    show_default=True,
    help="Which nodes are features.",
)
def convert(
    source: str, output: str, profile: Profile, properties: Properties, points: Points
) -> None:
    """Convert INPUT, an answer of Overpass in JSON or XML, to GeoJSON.

    INPUT is a file, or - for standard input; either may be compressed. What came before the end
    of a truncated answer is converted.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but the answer is not whole
    """
    try:
        with read(source) as response:
            warn(source, response)
            features = response.features(profile, points)
            if output == "-":
                features.write_geojson(sys.stdout.buffer, properties)
                sys.stdout.buffer.flush()
            else:
                with replaced(Path(output)) as target:
                    features.write_geojson(target, properties)
            is_complete = response.is_complete
    except (OverpassKitError, OSError) as error:
        say("error", "red", name_of(source), error)
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


for command in (query, check, fmt, map_):
    main.add_command(command)
