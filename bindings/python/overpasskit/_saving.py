"""How commands write an answer: in the format that a name stands for, whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

import click

from . import _abi
from ._console import replaced
from ._progress import CountedFile, bar
from .documents import FORMATS, DocumentFormat, format_of
from .errors import WriteError
from .formats import FeatureFormat, feature_format_of
from .response import Response
from .rules import Points, Profile

Target: TypeAlias = "Path | IO[bytes]"

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")
_NO_CHANGES = "OsmChange (.osc) holds changes of elements, and this answer tells of none"


def format_by_name(output: str) -> str:
    """The format that a file's name stands for; ``geojson`` for one without an ending."""
    format = known_format(output)
    suffix = Path(output).suffix.lower()
    if format is None and suffix:
        raise click.UsageError(f"no format is known by the name {suffix}; --to tells it")
    return format or "geojson"


def known_format(output: str) -> str | None:
    """The format that a file's name stands for; None where no format is known by it."""
    if Path(output).suffix.lower() in _COMPRESSED:
        raise click.UsageError(f"compressed output is not supported: {output}")
    return feature_format_of(output) or format_of(output)


def save(
    response: Response,
    output: str,
    format: str,
    profile: Profile = "default",
    points: Points = "auto",
    *,
    compact: bool = False,
    lossy: bool = False,
    options: dict[str, Any] | None = None,
) -> None:
    """Writes an answer to a file, or to standard output for ``-``.

    Parameters
    ----------
    options
        Those of `Features.write`.
    """
    if format == "osc" and not _has_changes(response) and response.elements:
        raise WriteError(_NO_CHANGES)

    def write(target: Target) -> None:
        if format in FORMATS:
            document = cast(DocumentFormat, format)
            response.write(target, document, compact=compact, lossy=lossy)
        else:
            kind = cast(FeatureFormat, format)
            _write_features(response, target, kind, profile, points, options or {})

    put(output, write)


def put(output: str, write: Callable[[Target], None]) -> None:
    """Has something written to a file that is replaced, or to standard output for ``-``."""
    if output == "-":
        write(sys.stdout.buffer)
        sys.stdout.buffer.flush()
    else:
        with replaced(Path(output)) as path:
            write(path)


def hint_of(error: Exception) -> str:
    """What helps after an error of writing."""
    is_loss = isinstance(error, WriteError) and error.status == _abi.OPK_ERR_WRITE_LOSS
    return "; --lossy leaves it out" if is_loss else ""


def _write_features(
    response: Response,
    target: Target,
    format: FeatureFormat,
    profile: Profile,
    points: Points,
    options: dict[str, Any],
) -> None:
    features = response.features(profile, points)
    with bar("writing") as tell:
        if tell is None:
            features.write(target, format, **options)
        elif isinstance(target, Path):
            with target.open("wb") as file:
                features.write(cast(IO[bytes], CountedFile(file, tell)), format, **options)
        else:
            features.write(cast(IO[bytes], CountedFile(target, tell)), format, **options)


def _has_changes(response: Response) -> bool:
    """Whether there is anything that a change file can say."""
    return any(
        action.new is not None and action.kind in ("create", "modify", "delete")
        for action in response.actions
    )
