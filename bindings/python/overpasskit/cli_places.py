"""The command ``overpasskit places``."""

from __future__ import annotations

import json
import sys

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, plain, say
from .errors import OverpassKitError
from .geometry import Position
from .places import NearbyPlace

_POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
# For files and pipes, whose readers have no width.
_WIDE = 1000


class _Position(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Two numbers: latitude,longitude, as map sites show them."""

    name = "LAT,LON"

    def convert(
        self, value: object, param: click.Parameter | None, context: click.Context | None
    ) -> Position:
        try:
            lat, lon = (float(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not two numbers: latitude,longitude", param, context)
        if not (-90 <= lat <= 90 and -180 <= lon <= 180):
            self.fail(f"{value!r} is no latitude and longitude in degrees", param, context)
        return Position(lon=lon, lat=lat)


@click.command(short_help="List the amenities, shops and sights near a position.")
@click.argument("source", metavar="INPUT")
@click.option("--near", type=_Position(), required=True, help="Where from, in degrees.")
@click.option(
    "--language",
    "languages",
    metavar="CODE",
    multiple=True,
    help="For names and descriptions, such as fi; may be given again, the preferred one first.",
)
@click.option("--radius", type=click.FloatRange(min=0), metavar="M", help="So many metres at most.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON in place of a table.")
def places(
    source: str, near: Position, languages: tuple[str, ...], radius: float | None, is_json: bool
) -> None:
    """List the amenities, shops and sights in INPUT, the nearest first.

    INPUT is an answer of Overpass in JSON or XML, or - for standard input; either may be
    compressed. A dash in the table means that the tags do not tell.

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
            found = response.places(lat=near.lat, lon=near.lon, language=languages, radius=radius)
            is_complete = response.is_complete
    except (OverpassKitError, OSError) as error:
        say("error", "red", name_of(source), error)
        sys.exit(EXIT_FAILED)
    if is_json:
        values = [place.to_dict() for place in found]
        document = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
        sys.stdout.buffer.write(document.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    else:
        _print(found)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _print(found: list[NearbyPlace]) -> None:
    console = Console() if sys.stdout.isatty() else Console(width=_WIDE)
    if not found:
        console.print("no places")
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("metres", "", "title", "kind", "fee", "wheelchair", "open", "element"):
        table.add_column(
            heading,
            justify="right" if heading == "metres" else "left",
            no_wrap=heading in ("metres", "", "wheelchair", "element"),
            overflow="fold",
        )
    for place in found:
        table.add_row(*(plain(each) for each in _row(place)))
    console.print(table)


def _row(place: NearbyPlace) -> tuple[str | None, ...]:
    fee = [None if place.fee == "unknown" else place.fee, place.charge, place.fee_text]
    return (
        f"{place.distance:.0f}",
        _compass(place.bearing),
        place.title,
        place.kind_title if place.is_named else None,
        ", ".join(each for each in fee if each) or None,
        None if place.wheelchair == "unknown" else place.wheelchair,
        place.opening_hours,
        place.id,
    )


def _compass(bearing: float | None) -> str:
    return "" if bearing is None else _POINTS[round(bearing / 45) % 8]
