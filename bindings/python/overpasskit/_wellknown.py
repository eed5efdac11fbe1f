"""Well-known text and binary of geometry values, the same as the library writes of features."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .geometry import Geometry

SRID = 4326
_CODES = {
    "Point": 1,
    "LineString": 2,
    "Polygon": 3,
    "MultiPoint": 4,
    "MultiLineString": 5,
    "MultiPolygon": 6,
    "GeometryCollection": 7,
}
_HAS_SRID = 0x20000000


def wkt(geometry: Geometry) -> str:
    """OGC 06-103r4, 7."""
    name = geometry.type.upper()
    if geometry.type == "GeometryCollection":
        return f"{name} {_brackets(geometry.geometries, wkt)}"
    if geometry.type == "Point":
        return f"{name} {_brackets([geometry.coordinates] if geometry.coordinates else [], _pair)}"
    depth = {"LineString": 1, "Polygon": 2, "MultiPoint": 2, "MultiLineString": 2}
    items: Any = geometry.coordinates
    if geometry.type == "MultiPoint":
        items = [[each] for each in items]
    return f"{name} {_nested(items, depth.get(geometry.type, 3))}"


def _nested(items: Any, depth: int) -> str:
    if depth == 1:
        return _brackets(items, _pair)
    return _brackets(items, lambda each: _nested(each, depth - 1))


def _brackets(items: Iterable[Any], text: Callable[[Any], str]) -> str:
    inside = ", ".join(text(each) for each in items)
    return f"({inside})" if inside else "EMPTY"


def _pair(position: Any) -> str:
    return f"{_degrees(position[0])} {_degrees(position[1])}"


def _degrees(value: float) -> str:
    text = f"{value:.7f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def wkb(geometry: Geometry) -> bytes:
    """OGC 06-103r4, 8.2, little-endian."""
    head = struct.pack("<BI", 1, _CODES[geometry.type])
    coordinates: Any = geometry.coordinates
    if geometry.type == "GeometryCollection":
        return head + _count(geometry.geometries) + b"".join(map(wkb, geometry.geometries))
    if geometry.type == "Point":
        return head + _positions([coordinates])
    if geometry.type == "LineString":
        return head + _count(coordinates) + _positions(coordinates)
    if geometry.type == "Polygon":
        rings = (_count(ring) + _positions(ring) for ring in coordinates)
        return head + _count(coordinates) + b"".join(rings)
    # The others hold geometries of the type without "Multi".
    single = type(geometry)
    parts = (wkb(single(geometry.type[len("Multi") :], each)) for each in coordinates)
    return head + _count(coordinates) + b"".join(parts)


def ewkb(geometry: Geometry) -> bytes:
    """WKB with the reference system, as PostGIS has it."""
    plain = wkb(geometry)
    return struct.pack("<BII", 1, _CODES[geometry.type] | _HAS_SRID, SRID) + plain[5:]


def _count(items: Any) -> bytes:
    return struct.pack("<I", len(items))


def _positions(positions: Iterable[Any]) -> bytes:
    return b"".join(struct.pack("<dd", lon, lat) for lon, lat in positions)
