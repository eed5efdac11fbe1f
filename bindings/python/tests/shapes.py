"""Geometries of shapely, taken apart."""

from __future__ import annotations

from typing import Any

import shapely


def leaves(shape: Any) -> list[Any]:
    """The points, lines and polygons that a geometry consists of."""
    parts = getattr(shape, "geoms", None)
    return [shape] if parts is None else [leaf for part in parts for leaf in leaves(part)]


def lines_of(shape: Any) -> list[Any]:
    """The lines of a geometry, and the rings of its polygons."""
    found = []
    for leaf in leaves(shape):
        if leaf.geom_type == "Polygon":
            found += [shapely.LineString(ring.coords) for ring in (leaf.exterior, *leaf.interiors)]
        elif leaf.geom_type == "LineString":
            found.append(leaf)
    return found
