"""Geometry: positions and shapes as Python values.

Positions are WGS84 degrees, longitude first, with OSM's own seven decimals.
"""

from __future__ import annotations

from ctypes import byref, c_int32, c_size_t
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import _abi, _wellknown
from ._abi import OPK_POSITION_UNDEFINED, opk_position
from ._ffi import lib
from ._packages import package


class Position(NamedTuple):
    """A position.

    Attributes
    ----------
    lon, lat : float
        In degrees.
    """

    lon: float
    lat: float


class Bounds(NamedTuple):
    """A box; ``west > east`` crosses the antimeridian.

    Attributes
    ----------
    west, south, east, north : float
        In degrees.
    """

    west: float
    south: float
    east: float
    north: float


GEOMETRY_TYPES: dict[int, str] = {
    _abi.OPK_GEOMETRY_POINT: "Point",
    _abi.OPK_GEOMETRY_LINESTRING: "LineString",
    _abi.OPK_GEOMETRY_POLYGON: "Polygon",
    _abi.OPK_GEOMETRY_MULTIPOINT: "MultiPoint",
    _abi.OPK_GEOMETRY_MULTILINESTRING: "MultiLineString",
    _abi.OPK_GEOMETRY_MULTIPOLYGON: "MultiPolygon",
    _abi.OPK_GEOMETRY_COLLECTION: "GeometryCollection",
}


@dataclass(frozen=True)
class Geometry:
    """A shape, laid out as GeoJSON does.

    Attributes
    ----------
    type : str
        ``"Point"``, ``"LineString"``, ``"Polygon"``, ``"MultiPoint"``, ``"MultiLineString"``,
        ``"MultiPolygon"`` or ``"GeometryCollection"``.
    coordinates : tuple
        Nested as RFC 7946 has it; ``()`` for a collection.
    geometries : tuple of Geometry
        The members of a collection.

    Examples
    --------
    >>> Geometry("Point", Position(13.4, 52.5)).__geo_interface__
    {'type': 'Point', 'coordinates': Position(lon=13.4, lat=52.5)}
    >>> shape = Geometry("LineString", (Position(0.5, 1), Position(2, 3)))
    >>> shape.wkt, shape.ewkt
    ('LINESTRING (0.5 1, 2 3)', 'SRID=4326;LINESTRING (0.5 1, 2 3)')
    >>> shape.wkb[:9].hex(), shape.ewkb[:13].hex()
    ('010200000002000000', '0102000020e610000002000000')
    """

    type: str
    coordinates: tuple[Any, ...]
    geometries: tuple[Geometry, ...] = ()

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The shape as a GeoJSON geometry, for shapely and others."""
        if self.type == "GeometryCollection":
            members = [each.__geo_interface__ for each in self.geometries]
            return {"type": self.type, "geometries": members}
        return {"type": self.type, "coordinates": self.coordinates}

    @property
    def wkt(self) -> str:
        """The shape as OGC well-known text, with seven decimals at most.

        >>> Geometry("Point", Position(13.4, 52.5)).wkt
        'POINT (13.4 52.5)'
        """
        return _wellknown.wkt(self)

    @property
    def ewkt(self) -> str:
        """Well-known text with the reference system, as PostGIS has it: ``SRID=4326;POINT ...``."""
        return f"SRID={_wellknown.SRID};{self.wkt}"

    @property
    def wkb(self) -> bytes:
        """The shape as OGC well-known binary, little-endian."""
        return _wellknown.wkb(self)

    @property
    def ewkb(self) -> bytes:
        """Well-known binary with the reference system, SRID 4326, as PostGIS has it."""
        return _wellknown.ewkb(self)

    def to_shapely(self) -> Any:
        """The shape as one of shapely's.

        >>> Geometry("Point", Position(13.4, 52.5)).to_shapely()
        <POINT (13.4 52.5)>
        """
        return package("shapely", "to_shapely()").geometry.shape(self)


def position(c_position: opk_position) -> Position | None:
    """A position from the library; None where it is unknown."""
    if c_position.lon_e7 == OPK_POSITION_UNDEFINED or c_position.lat_e7 == OPK_POSITION_UNDEFINED:
        return None
    return Position(c_position.lon_e7 / 1e7, c_position.lat_e7 / 1e7)


def positions(address: int | None, count: int) -> tuple[Position | None, ...]:
    """An array of positions from the library; None where one is unknown or was clipped away."""
    if not address:
        return ()
    numbers = (c_int32 * (2 * count)).from_address(address)[:]
    return tuple(
        [
            None if lon == OPK_POSITION_UNDEFINED else Position(lon / 1e7, lat / 1e7)
            for lon, lat in zip(numbers[::2], numbers[1::2], strict=True)
        ]
    )


def read_geometry(handle: Any) -> Geometry | None:
    """An `opk_geometry` as a value; None where there is no geometry."""
    kind: int = lib.opk_geometry_kind(handle)
    name = GEOMETRY_TYPES.get(kind)
    if name is None:
        return None
    if kind == _abi.OPK_GEOMETRY_COLLECTION:
        members = (
            read_geometry(lib.opk_geometry_member(handle, index))
            for index in range(lib.opk_geometry_member_count(handle))
        )
        return Geometry(name, (), tuple(each for each in members if each is not None))
    count = c_size_t()
    address = lib.opk_geometry_positions(handle, byref(count))
    points = positions(address, count.value)
    if kind == _abi.OPK_GEOMETRY_POINT:
        return Geometry(name, points[0] or ()) if points else None
    if kind == _abi.OPK_GEOMETRY_MULTIPOINT:
        return Geometry(name, points)
    lines = _split(points, _ends(lib.opk_geometry_part_ends, handle))
    if kind == _abi.OPK_GEOMETRY_LINESTRING:
        return Geometry(name, lines[0] if lines else ())
    if kind == _abi.OPK_GEOMETRY_MULTILINESTRING:
        return Geometry(name, lines)
    polygons = _split(lines, _ends(lib.opk_geometry_polygon_ends, handle))
    if kind == _abi.OPK_GEOMETRY_POLYGON:
        return Geometry(name, polygons[0] if polygons else ())
    return Geometry(name, polygons)


def _ends(function: Any, handle: Any) -> list[int]:
    count = c_size_t()
    address = function(handle, byref(count))
    return list((c_size_t * count.value).from_address(address)) if address else []


def _split(items: tuple[Any, ...], ends: list[int]) -> tuple[tuple[Any, ...], ...]:
    return tuple(items[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True))
