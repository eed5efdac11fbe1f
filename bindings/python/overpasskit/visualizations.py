"""What a map shows of each element: a pin, lines or areas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ctypes import byref
from typing import Any, Literal, NamedTuple, TypeAlias

from . import _abi
from ._abi import opk_visualization
from ._arguments import c_texts
from ._ffi import TYPE_CODES, TYPE_NAMES, check, lib, produce, text
from .errors import MisuseError
from .geometry import Geometry, Position, position, read_geometry

Languages: TypeAlias = "str | Iterable[str]"
Shape: TypeAlias = Literal[
    "annotation",
    "polyline",
    "polylines",
    "polygon",
    "polygons",
    "annotations",
    "collection",
]

_SHAPES: dict[int, Shape] = {
    _abi.OPK_SHAPE_ANNOTATION: "annotation",
    _abi.OPK_SHAPE_POLYLINE: "polyline",
    _abi.OPK_SHAPE_POLYLINES: "polylines",
    _abi.OPK_SHAPE_POLYGON: "polygon",
    _abi.OPK_SHAPE_POLYGONS: "polygons",
    _abi.OPK_SHAPE_ANNOTATIONS: "annotations",
    _abi.OPK_SHAPE_COLLECTION: "collection",
}


class Visualization(NamedTuple):
    """One element as a map shows it.

    Attributes
    ----------
    type : str
        ``"node"``, ``"way"`` or ``"relation"``.
    number : int
        The id without the type.
    shape : str
        What is drawn: ``"annotation"``, ``"polyline"``, ``"polylines"``, ``"polygon"`` (its first
        ring is the exterior, others are holes), ``"polygons"``, or, of what a query asked for as
        such, ``"annotations"`` and ``"collection"``.
    title : str or None
        The name in a language asked for, otherwise as it is.
    position : Position or None
        Where the pin of an annotation stands.
    geometry : Geometry
        All positions.
    is_tainted : bool
        Whether parts were missing in the answer.
    is_placeholder : bool
        Whether this only stands in for the real geometry: a centre, or a bounding box.
    """

    type: str
    number: int
    shape: Shape
    title: str | None
    position: Position | None
    geometry: Geometry
    is_tainted: bool
    is_placeholder: bool

    @property
    def id(self) -> str:
        """Type and number, such as ``"way/123"``."""
        return f"{self.type}/{self.number}"


def language_codes(language: Languages) -> list[str]:
    """Codes of languages, also from a single one."""
    return [language] if isinstance(language, str) else list(language)


def build(features: Any, language: Languages) -> dict[tuple[str, int], Visualization]:
    """What a map shows of all elements of an `opk_features`."""
    codes = c_texts(language_codes(language))
    return {
        (each.type, each.number): each
        for each in _read(produce(lib.opk_visualizations_build, features, *codes))
    }


def build_one(features: Any, type: str, number: int, language: Languages) -> Visualization | None:
    """What a map shows of one element of an `opk_features`."""
    if type not in ("node", "way", "relation"):
        raise MisuseError(f"{type!r} is none of 'node', 'way', 'relation'")
    if not -(2**63) <= number < 2**63:
        return None
    codes = c_texts(language_codes(language))
    handle = produce(lib.opk_visualizations_build_one, features, TYPE_CODES[type], number, *codes)
    return next(_read(handle), None)


def _read(handle: int | None) -> Iterator[Visualization]:
    """All that have an identity, which what a query made has not; frees the handle."""
    try:
        found = []
        for index in range(lib.opk_visualizations_count(handle)):
            c = opk_visualization()
            check(lib.opk_visualizations_get(handle, index, byref(c)))
            geometry = read_geometry(c.geometry)
            # OSM has no number 0: it stands for none.
            if c.type == _abi.OPK_DERIVED or c.id == 0 or geometry is None:
                continue
            found.append(
                Visualization(
                    type=TYPE_NAMES[c.type],
                    number=c.id,
                    shape=_SHAPES[c.shape],
                    title=text(c.title),
                    position=position(c.position),
                    geometry=geometry,
                    is_tainted=bool(c.is_tainted),
                    is_placeholder=c.origin != _abi.OPK_ORIGIN_ELEMENT,
                )
            )
        return iter(found)
    finally:
        lib.opk_visualizations_free(handle)
