"""The command ``overpasskit convert``: answers in other formats."""

from __future__ import annotations

import sys

import click

from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, say
from ._saving import format_by_name, hint_of, save
from .cli_merge import Choice, choosing
from .documents import FORMATS
from .errors import OverpassKitError
from .formats import FEATURE_FORMATS, FIELDS, PROPERTIES, Properties
from .rules import POINTS, PROFILES, Points, Profile

_TABLES = ("csv", "tsv")


class _Names(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """Names with commas between them."""

    name = "NAME,..."

    def convert(
        self, value: object, param: click.Parameter | None, context: click.Context | None
    ) -> tuple[str, ...]:
        names = tuple(name.strip() for name in str(value).split(","))
        if not all(names):
            self.fail(f"{value!r} has a name that is empty", param, context)
        return names


@click.command(short_help="Convert an answer of Overpass to one of many formats.")
@click.argument("source", metavar="INPUT")
@click.option("-o", "--output", required=True, help="The file to write; - for standard output.")
@click.option(
    "--to",
    "--format",
    "wanted",
    type=click.Choice([*FEATURE_FORMATS, *FORMATS]),
    help="The format; by default what OUTPUT ends in, geojson where it has no ending.",
)
@click.option("--columns", type=_Names(), help="csv, tsv: the columns; see below.")
@click.option("--tags", type=_Names(), help="csv, tsv: type, id, position and these keys.")
@click.option(
    "--types",
    "with_types",
    is_flag=True,
    help="csv, tsv: write .csvt and .prj files beside OUTPUT.",
)
@click.option("--keep-formulas", is_flag=True, help="csv, tsv: trust the texts; see below.")
@click.option("--routes", is_flag=True, help="gpx: lines as routes in place of tracks.")
@click.option("--lossy", is_flag=True, help="Leave out what json, osm or osc have no words for.")
@click.option("--compact", is_flag=True, help="json without line breaks and blanks.")
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
    help="geojson: the layout of properties.",
)
@click.option(
    "--points",
    type=click.Choice(list(POINTS)),
    default="auto",
    show_default=True,
    help="Which nodes are features.",
)
@choosing
def convert(
    source: str,
    output: str,
    wanted: str | None,
    columns: tuple[str, ...] | None,
    tags: tuple[str, ...] | None,
    with_types: bool,
    keep_formulas: bool,
    routes: bool,
    lossy: bool,
    compact: bool,
    profile: Profile,
    properties: Properties,
    points: Points,
    choice: Choice,
) -> None:
    """Convert INPUT, an answer of Overpass or an OSM file in JSON or XML.

    To features: GeoJSON (.geojson, a sequence .geojsons, a feature a line .geojsonl or .ndjson),
    GPX, KML, tables (.csv, .tsv), geometries alone (.wkt, .ewkt, .wkb, .ewkb). Or back to Overpass
    JSON (.json), OSM XML (.osm, .xml) or OsmChange (.osc). Where one of these last has no words for
    something, the command fails and names it, unless --lossy. OsmChange holds nothing but changes,
    so an answer that tells of none cannot be converted to it.

    Columns of tables are keys of tags and the fields osm_type, osm_id, osm_version, osm_timestamp,
    osm_changeset, osm_uid, osm_user, lon, lat, wkt, osm_tags and osm_attribution; tag:lon is the
    key lon. Texts that a spreadsheet would take for formulas get an apostrophe in front, unless
    --keep-formulas.

    INPUT is a file, or - for standard input; either may be compressed, OUTPUT may not. What came
    before the end of a truncated answer is converted.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but the answer is not whole
    """
    format = wanted or format_by_name(output)
    if format not in _TABLES:
        for name, is_given in (("columns", columns), ("tags", tags), ("types", with_types)):
            if is_given:
                raise click.UsageError(f"--{name} is for csv and tsv, not for {format}")
    if columns and tags:
        raise click.UsageError("either --columns or --tags")
    if with_types and output == "-":
        raise click.UsageError("--types needs a file as output")
    chosen = columns or (_columns(tags) if tags else None)
    options = {
        "properties": properties,
        "columns": chosen,
        "routes": routes,
        "keep_formulas": keep_formulas,
    }
    try:
        with read(source) as whole, choice.of(whole) as response:
            warn(source, response)
            save(
                response,
                output,
                format,
                profile,
                points,
                compact=compact,
                lossy=lossy,
                options=options,
            )
            if with_types:
                response.features(profile, points).write_types(output, columns=chosen)
            is_complete = response.is_complete
    except BrokenPipeError:
        raise  # who reads has enough; click ends the program without a word
    except (OverpassKitError, OSError) as error:
        say("error", "red", name_of(source), f"{error}{hint_of(error)}")
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _columns(keys: tuple[str, ...]) -> list[str]:
    """The usual fields, and columns for keys whatever they are called."""
    is_ambiguous = [key in FIELDS or key.startswith("tag:") for key in keys]
    names = [f"tag:{key}" if yes else key for key, yes in zip(keys, is_ambiguous, strict=True)]
    return ["osm_type", "osm_id", "lon", "lat", *names]
