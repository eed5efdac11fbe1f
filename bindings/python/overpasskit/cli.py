"""The command ``overpasskit``.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but the answer itself is not whole (a remark
of the server, or truncation). Standard output carries the document only.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from . import __version__
from .errors import OverpassKitError
from .features import POINTS, PROFILES, PROPERTIES, Points, Profile, Properties
from .response import Response, load, loads

EXIT_FAILED = 1
EXIT_PARTIAL = 3


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
        with _read(source) as response:
            _warn(source, response)
            features = response.features(profile, points)
            if output == "-":
                features.write_geojson(sys.stdout.buffer, properties)
                sys.stdout.buffer.flush()
            else:
                with _replaced(Path(output)) as target:
                    features.write_geojson(target, properties)
            is_complete = response.is_complete
    except (OverpassKitError, OSError) as error:
        _say("error", "red", _name(source), error)
        sys.exit(EXIT_FAILED)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _read(source: str) -> Response:
    if source == "-":
        return loads(sys.stdin.buffer.read(), partial=True)
    return load(source, partial=True)


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """A file to write that takes the place of `path` once it is whole.

    What is no plain file, such as a pipe, is written directly. A link stays one.
    """
    path = path.resolve()
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | (0o666 & ~_umask())
    if not stat.S_ISREG(mode):
        yield path
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _warn(source: str, response: Response) -> None:
    for remark in response.remarks:
        _say("warning", "yellow", _name(source), remark)
    if response.truncated_at is not None:
        message = (
            f"the answer is truncated at byte {response.truncated_at}; converted what came before"
        )
        _say("warning", "yellow", _name(source), message)
    for diagnostic in response.diagnostics:
        _say("note", "cyan", _name(source), diagnostic)


def _name(source: str) -> str:
    return "standard input" if source == "-" else source


def _say(kind: str, style: str, subject: str, message: object) -> None:
    """One line on standard error."""
    line = " ".join(str(message).split())
    console = Console(stderr=True, soft_wrap=True)
    console.print(Text.assemble((kind, style), f": {subject}: {line}"))
