"""Short ways to write elements of Overpass JSON in tests."""

from __future__ import annotations

from typing import Any

Tags = dict[str, str]
Element = dict[str, Any]


def node(id: int, lon: float, lat: float, tags: Tags | None = None, **more: Any) -> Element:
    return {"type": "node", "id": id, "lat": lat, "lon": lon, **_tags(tags), **more}


def nodes(**positions: tuple[float, float]) -> list[Element]:
    """``nodes(n1=(lon, lat), ...)``."""
    return [node(int(name[1:]), *position) for name, position in positions.items()]


def way(id: int, refs: list[int] | None, tags: Tags | None = None, **more: Any) -> Element:
    return {"type": "way", "id": id, **({"nodes": refs} if refs else {}), **_tags(tags), **more}


def relation(id: int, members: list[Element], tags: Tags | None = None, **more: Any) -> Element:
    return {"type": "relation", "id": id, "members": members, **_tags(tags), **more}


def member(type: str, ref: int, role: str = "", **more: Any) -> Element:
    return {"type": type, "ref": ref, "role": role, **more}


def outer(*refs: int) -> list[Element]:
    return [member("way", ref, "outer") for ref in refs]


def inner(*refs: int) -> list[Element]:
    return [member("way", ref, "inner") for ref in refs]


def line(*positions: tuple[float, float] | None) -> list[dict[str, float] | None]:
    """Positions as ``out geom`` prints them, from (lon, lat)."""
    return [each and {"lat": each[1], "lon": each[0]} for each in positions]


def _tags(tags: Tags | None) -> dict[str, Tags]:
    return {"tags": tags} if tags else {}


# Nodes 1-4: a square of 10 degrees; 5-8: one of 2 degrees within it.
SQUARE = nodes(n1=(0, 0), n2=(10, 0), n3=(10, 10), n4=(0, 10))
HOLE = nodes(n5=(4, 4), n6=(6, 4), n7=(6, 6), n8=(4, 6))
OUTSIDE, INSIDE = [1, 2, 3, 4, 1], [5, 6, 7, 8, 5]
WITH_HOLE = "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 4 6, 6 6, 6 4, 4 4))"
FILLED = "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))"
AROUND = "LINESTRING (0 0, 10 0, 10 10, 0 10, 0 0)"
