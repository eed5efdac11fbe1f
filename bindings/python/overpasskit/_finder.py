"""Where the shared library is: the environment, the package, the build folder, the system.

The first place that has the library wins. ``OVERPASSKIT_LIBRARY`` (a file, or the folder that
holds it) is the exception: when it is set, nothing else is tried, so that a wrong setting shows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from ctypes.util import find_library
from pathlib import Path

from ._abi import OPK_ABI_VERSION

VARIABLE = "OVERPASSKIT_LIBRARY"


def library_names(platform: str = sys.platform) -> tuple[str, ...]:
    """Names of the library's file, the one for this package's ABI first.

    >>> library_names("linux")
    ('liboverpasskit.so.0', 'liboverpasskit.so')
    """
    if platform == "darwin":
        return (f"liboverpasskit.{OPK_ABI_VERSION}.dylib", "liboverpasskit.dylib")
    if platform == "win32":
        return ("overpasskit.dll",)
    return (f"liboverpasskit.so.{OPK_ABI_VERSION}", "liboverpasskit.so")


def candidates(
    environment: Mapping[str, str] | None = None, package: Path | None = None
) -> Iterator[str]:
    """What to hand to the loader, best first: paths of files that exist, then bare names.

    Parameters
    ----------
    environment
        Variables to look at; those of the process by default.
    package
        Folder of this package; its own by default.
    """
    environment = os.environ if environment is None else environment
    package = Path(__file__).resolve().parent if package is None else package
    named = environment.get(VARIABLE)
    if named:
        path = Path(named)
        yield from _files_in(path) if path.is_dir() else (named,)
        return
    yield from _files_in(package)
    tree = source_tree(package)
    if tree is not None:
        yield from _files_in(tree / "build" / "lib")
    found = find_library("overpasskit")
    if found is not None:
        yield found
    yield from library_names()


def _files_in(folder: Path) -> Iterator[str]:
    for name in library_names():
        path = folder / name
        if path.is_file():
            yield str(path)


def source_tree(package: Path) -> Path | None:
    """The root of the source tree, if ``package`` is ``bindings/python/overpasskit`` there."""
    if len(package.parents) < 3:
        return None
    root = package.parents[2]
    return root if (root / "include" / "overpasskit.h").is_file() else None
