"""Where MapLibre GL JS is: pages with maps contain it, the library does not.

A folder holds ``maplibre-gl.js``, ``maplibre-gl.css`` and ``LICENSE.txt``. The first of these that
has them wins: the environment, the package, the build folder, the prefix the library is in, the
system.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from . import _abi
from ._finder import candidates, source_tree
from .errors import FileError

VARIABLE = "OVERPASSKIT_MAPLIBRE"
FOLDER = "maplibre-gl"
FILES = ("maplibre-gl.js", "maplibre-gl.css", "LICENSE.txt")


class MapLibre(NamedTuple):
    """The contents of the files."""

    script: bytes
    css: bytes
    licence: bytes


def folders(environment: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Where to look, best first. ``OVERPASSKIT_MAPLIBRE`` is the only place when it is set."""
    environment = os.environ if environment is None else environment
    named = environment.get(VARIABLE)
    if named:
        yield Path(named)
        return
    package = Path(__file__).resolve().parent
    yield package / FOLDER
    shared = Path("share", "overpasskit", FOLDER)
    tree = source_tree(package)
    if tree is not None:
        yield tree / "build" / shared
    for candidate in candidates(environment):
        if os.sep in candidate:
            yield Path(candidate).resolve().parents[1] / shared
    for prefix in dict.fromkeys((sys.prefix, "/usr/local", "/usr")):
        yield Path(prefix) / shared


def maplibre() -> MapLibre:
    """MapLibre GL JS.

    Raises
    ------
    FileError
        When it is nowhere.
    """
    for folder in folders():
        if all((folder / name).is_file() for name in FILES):
            return _read(folder)
    raise FileError(
        "MapLibre GL JS was not found, which a page with a map contains; "
        f"set {VARIABLE} to a folder with {', '.join(FILES)}",
        status=_abi.OPK_ERR_FILE_OPEN,
        status_name="OPK_ERR_FILE_OPEN",
    )


@cache
def _read(folder: Path) -> MapLibre:
    return MapLibre(*((folder / name).read_bytes() for name in FILES))
