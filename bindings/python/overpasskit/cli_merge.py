"""The commands ``overpasskit merge`` and ``apply``, and the options that choose elements."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import IO, Any, Literal

import click

from . import _abi
from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, replaced, say
from .cli_query import _Box
from .documents import DocumentFormat, format_of
from .errors import OverpassKitError, WriteError
from .geometry import Bounds
from .response import Response, merge

_output = click.option(
    "-o", "--output", required=True, help="The file to write; - for standard output."
)
_to = click.option(
    "--to",
    "wanted",
    type=click.Choice(["json", "osm", "geojson"]),
    help="The format; by default what OUTPUT ends in: .osm, .xml, .geojson, else json.",
)
_lossy = click.option("--lossy", is_flag=True, help="Leave out what json or osm have no words for.")
Target = Literal["geojson"]


@dataclass(frozen=True)
class Choice:
    """Which elements of an answer the options of a command choose."""

    types: tuple[str, ...]
    tags: dict[str, str | bool | list[str]]
    not_tags: dict[str, list[str]]
    bbox: Bounds | None
    keep_references: bool

    def of(self, response: Response) -> Response:
        """The chosen elements; without options the answer itself."""
        if not (self.types or self.tags or self.not_tags or self.bbox):
            if self.keep_references:
                raise click.UsageError("--keep-references goes with --type, --tag or --bbox")
            return response
        return response.filter(
            self.types or None,
            self.tags,
            self.bbox,
            not_tags=self.not_tags,
            keep_references=self.keep_references,
        )


def choosing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that choose elements to a command, which gets them as `choice`."""

    @click.option(
        "--type",
        "element_types",
        type=click.Choice(["node", "way", "relation", "area", "derived"]),
        multiple=True,
        help="Only elements of this type; may be given again.",
    )
    @click.option(
        "--tag",
        "conditions",
        metavar="TAG",
        multiple=True,
        help="Only elements with this tag: KEY=VALUE, KEY!=VALUE, KEY or !KEY. Given again with "
        "KEY=, one of the values is meant; otherwise all must hold.",
    )
    @click.option("--bbox", type=_Box(), help="Only elements of which a position lies in this box.")
    @click.option(
        "--keep-references",
        is_flag=True,
        help="Keep also the nodes of chosen ways and the members of chosen relations.",
    )
    @wraps(command)
    def run(
        *arguments: Any,
        element_types: tuple[str, ...],
        conditions: tuple[str, ...],
        bbox: Bounds | None,
        keep_references: bool,
        **options: Any,
    ) -> Any:
        tags, not_tags = _tags(conditions)
        choice = Choice(element_types, tags, not_tags, bbox, keep_references)
        return command(*arguments, choice=choice, **options)

    return run


def _tags(
    conditions: tuple[str, ...],
) -> tuple[dict[str, str | bool | list[str]], dict[str, list[str]]]:
    values: dict[str, list[str]] = {}
    not_tags: dict[str, list[str]] = {}
    there: dict[str, bool] = {}
    for condition in conditions:
        key, sign, value = condition.partition("=")
        if not sign:
            is_wanted = not key.startswith("!")
            key = key.removeprefix("!")
            if there.setdefault(key, is_wanted) != is_wanted:
                raise click.UsageError(f"--tag {key} and --tag !{key} exclude each other")
        elif key.endswith("!"):
            key = key[:-1]
            not_tags.setdefault(key, []).append(value)
        else:
            values.setdefault(key, []).append(value)
        if not key:
            raise click.UsageError(f"--tag {condition!r} names no key")
    for key, is_wanted in there.items():
        if not is_wanted and key in values:
            raise click.UsageError(f"--tag !{key} and --tag {key}=... exclude each other")
    return {**there, **values}, not_tags


@click.command("merge", short_help="Unite answers, such as those for the tiles of a large box.")
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@_output
@_to
@_lossy
def merge_(
    sources: tuple[str, ...],
    output: str,
    wanted: DocumentFormat | Target | None,
    lossy: bool,
) -> None:
    """Unite the elements of several answers by type and id.

    Of copies the highest version wins, and of copies of one version each part (tags, nodes,
    positions) is taken from the first that has it. The result tells the oldest state of the data.

    INPUT is a file, or - for standard input; all may be compressed. What came before the end of a
    truncated answer is taken.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but one of the answers is not whole
    """
    parts = _read_all(sources)
    _finish(lambda: merge(parts), parts, output, wanted, lossy)


@click.command(short_help="Apply change files to an answer.")
@click.argument("base", metavar="INPUT")
@click.argument("changes", metavar="CHANGES...", nargs=-1, required=True)
@_output
@_to
@_lossy
def apply(
    base: str,
    changes: tuple[str, ...],
    output: str,
    wanted: DocumentFormat | Target | None,
    lossy: bool,
) -> None:
    """Apply CHANGES, files of OsmChange (.osc) or augmented diffs, to INPUT in their order.

    A change of an older version than the one at hand is left out and told.

    INPUT and CHANGES are files, or - for standard input; all may be compressed. What came before
    the end of a truncated file is taken.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but one of the files is not whole
    """
    parts = _read_all((base, *changes))
    _finish(lambda: parts[0].apply(parts[1:]), parts, output, wanted, lossy)


def _read_all(sources: tuple[str, ...]) -> list[Response]:
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be read once")
    parts = []
    for source in sources:
        try:
            part = read(source)
        except (OverpassKitError, OSError) as error:
            say("error", "red", name_of(source), error)
            sys.exit(EXIT_FAILED)
        warn(source, part)
        parts.append(part)
    return parts


def _finish(
    make: Callable[[], Response],
    parts: list[Response],
    output: str,
    wanted: DocumentFormat | Target | None,
    lossy: bool,
) -> None:
    """Makes the result, tells what is new to tell of it, and writes it."""
    suffix = Path(output).suffix.lower()
    format = wanted or ("geojson" if suffix == ".geojson" else format_of(output) or "json")
    try:
        if format == "osc":
            raise click.UsageError("the result lists elements, which .osc cannot hold")
        with make() as result:
            told = {each for part in parts for each in part.diagnostics}
            for diagnostic in result.diagnostics:
                if diagnostic not in told:
                    say("note", "cyan", name_of(output), diagnostic)

            def write(target: Path | IO[bytes]) -> None:
                if format == "geojson":
                    result.write_geojson(target)
                else:
                    result.write(target, format, lossy=lossy)

            if output == "-":
                write(sys.stdout.buffer)
                sys.stdout.buffer.flush()
            else:
                with replaced(Path(output)) as path:
                    write(path)
            is_complete = result.is_complete
    except (OverpassKitError, OSError) as error:
        is_loss = isinstance(error, WriteError) and error.status == _abi.OPK_ERR_WRITE_LOSS
        say("error", "red", name_of(output), f"{error}{'; --lossy leaves it out' * is_loss}")
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)
