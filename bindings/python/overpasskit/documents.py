"""Responses written back in the formats of answers."""

from __future__ import annotations

import os
from ctypes import byref
from pathlib import PurePath
from typing import IO, Literal, TypeAlias

from . import _abi
from ._abi import opk_write_options
from ._arguments import c_path
from ._ffi import Handle, call, lib, produce_bytes, produce_text
from .errors import MisuseError

DocumentFormat: TypeAlias = Literal["json", "osm", "osc"]

FORMATS: dict[str, int] = {
    "json": _abi.OPK_FORMAT_OVERPASS_JSON,
    "osm": _abi.OPK_FORMAT_OSM_XML,
    "osc": _abi.OPK_FORMAT_OSM_CHANGE,
}
_BY_EXTENSION: dict[str, DocumentFormat] = {
    ".json": "json",
    ".osm": "osm",
    ".xml": "osm",
    ".osc": "osc",
}


def format_of(path: str | os.PathLike[str]) -> DocumentFormat | None:
    """The format that a file's name stands for.

    >>> format_of("answer.osm"), format_of("answer.geojson")
    ('osm', None)
    """
    return _BY_EXTENSION.get(PurePath(path).suffix.lower())


def document_text(response: Handle, format: str, compact: bool, lossy: bool) -> str:
    """A response as text."""
    options = _options(format, compact, lossy)
    return produce_text(lib.opk_response_write, response, byref(options))


def write_document(
    response: Handle,
    target: str | os.PathLike[str] | IO[bytes],
    format: str | None,
    compact: bool,
    lossy: bool,
) -> None:
    """Writes a response to a path or into a binary file."""
    if isinstance(target, (str, os.PathLike)):
        options = _options(format or format_of(target), compact, lossy)
        call(lib.opk_response_write_file, response, byref(options), c_path(target))
    else:
        options = _options(format, compact, lossy)
        target.write(produce_bytes(lib.opk_response_write, response, byref(options)))


def _options(format: str | None, compact: bool, lossy: bool) -> opk_write_options:
    if format is None or format not in FORMATS:
        raise MisuseError(f"format is one of {', '.join(map(repr, FORMATS))}, not {format!r}")
    flags = (_abi.OPK_WRITE_COMPACT if compact else 0) | (_abi.OPK_WRITE_ALLOW_LOSS if lossy else 0)
    return opk_write_options(format=FORMATS[format], flags=flags)
