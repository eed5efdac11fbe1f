"""The command ``overpasskit map``: an answer as a page with a map, or as a picture."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, replaced, say
from .errors import OverpassKitError
from .maps import Appearance, Basemap
from .rules import POINTS, PROFILES, Points, Profile


@click.command("map", short_help="Draw an answer of Overpass as a map.")
@click.argument("source", metavar="INPUT")
@click.option(
    "-o",
    "--output",
    required=True,
    help="The file to write: .html, .htm or .svg; - for HTML on standard output.",
)
@click.option("--title", help="What the page is called; INPUT's name by default. Not for .svg.")
@click.option("--color-by", metavar="KEY", help="A tag whose values choose the colours.")
@click.option(
    "--label",
    "labels",
    metavar="KEY",
    multiple=True,
    default=("name",),
    show_default=True,
    help="A tag to take labels from; may be given again, best first.",
)
@click.option("--no-labels", is_flag=True, help="No labels.")
@click.option(
    "--basemap",
    metavar="URL",
    help="Tiles below the features, with {z}, {x} and {y}; none by default. They need a network. "
    "Not for .svg.",
)
@click.option("--attribution", help="Who made the basemap.")
@click.option("--attribution-link", metavar="URL", help="More about it.")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="default",
    show_default=True,
    help="The rules by which elements become features.",
)
@click.option(
    "--points",
    type=click.Choice(list(POINTS)),
    default="auto",
    show_default=True,
    help="Which nodes are features.",
)
def map_(
    source: str,
    output: str,
    title: str | None,
    color_by: str | None,
    labels: tuple[str, ...],
    no_labels: bool,
    basemap: str | None,
    attribution: str | None,
    attribution_link: str | None,
    profile: Profile,
    points: Points,
) -> None:
    """Draw INPUT, an answer of Overpass in JSON or XML, as a map.

    INPUT is a file, or - for standard input; either may be compressed. The map is one HTML file
    that opens without a network, or a picture in SVG when OUTPUT ends in .svg.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but the answer is not whole
    """
    is_picture = _is_picture(output)
    if is_picture and (title is not None or basemap is not None):
        raise click.UsageError("a picture (.svg) has neither a title nor a basemap")
    if basemap is None and (attribution or attribution_link):
        raise click.UsageError("an attribution belongs to a basemap")
    appearance = Appearance(color_by=color_by, labels=() if no_labels else labels)
    tiles = None
    if basemap is not None:
        tiles = Basemap("Basemap", basemap, attribution, attribution_link)
    try:
        with read(source) as response:
            warn(source, response)
            features = response.features(profile, points)
            if is_picture:
                picture = features.to_svg(width=960, height=640, appearance=appearance)
                with replaced(Path(output)) as target:
                    target.write_text(picture, encoding="utf-8")
            else:
                heading = Path(source).name.partition(".")[0] if title is None else title
                page = features.to_html(
                    heading if heading.strip("-") else "Map", basemap=tiles, appearance=appearance
                )
                if output == "-":
                    sys.stdout.buffer.write(page.encode())
                    sys.stdout.buffer.flush()
                else:
                    with replaced(Path(output)) as target:
                        target.write_text(page, encoding="utf-8")
            is_complete = response.is_complete
    except (OverpassKitError, OSError) as error:
        say("error", "red", name_of(source), error)
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _is_picture(output: str) -> bool:
    """Whether the file's name stands for a picture, and not for a page."""
    path = Path(output)
    suffix = path.suffix.lower()
    is_device = path.exists() and not path.is_file()
    if output != "-" and not is_device and suffix not in (".html", ".htm", ".svg"):
        raise click.UsageError(f"a map is written as .html, .htm or .svg, not as {path.name!r}")
    return suffix == ".svg"
