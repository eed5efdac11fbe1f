"""Areas from random patches of a grid, cut into ways at random.

Whatever the ways, their order and direction: the area is the patch, and it is valid. Patches touch
themselves at corners and have holes with islands, as real multipolygons do. No way is said to be
inner, although some are: a ring of inner ways with no outer one around it would be left out.
"""

from __future__ import annotations

import json
import random

import pytest
import shapely
import shapely.geometry
from overpasskit import Response, loads

from build import Element, line, member, node, relation, way

SIZE = 7
Corner = tuple[int, int]
Edge = tuple[Corner, Corner]


def patch(chance: random.Random) -> set[Corner]:
    """Some cells of the grid, named by their lower left corner."""
    density = chance.choice((0.3, 0.5, 0.8))
    cells = {(x, y) for x in range(SIZE) for y in range(SIZE) if chance.random() < density}
    return cells or {(0, 0)}


def border(cells: set[Corner]) -> list[Edge]:
    """The edges between cells that are in the patch and cells that are not."""
    edges = []
    for x in range(SIZE + 1):
        for y in range(SIZE + 1):
            if ((x, y) in cells) != ((x, y - 1) in cells):
                edges.append(((x, y), (x + 1, y)))
            if ((x, y) in cells) != ((x - 1, y) in cells):
                edges.append(((x, y), (x, y + 1)))
    return edges


def cut(edges: list[Edge], chance: random.Random) -> list[list[Corner]]:
    """Ways of random length that have each edge once."""
    left, ways = set(edges), []
    while left:
        walk = list(chance.choice(sorted(left)))
        left.remove((walk[0], walk[1]))
        for _ in range(chance.randrange(12)):
            steps = [edge for edge in sorted(left) if walk[-1] in edge]
            if not steps or walk[-1] == walk[0]:
                break
            edge = chance.choice(steps)
            left.remove(edge)
            walk.append(edge[1] if edge[0] == walk[-1] else edge[0])
        ways.append(walk if chance.random() < 0.5 else walk[::-1])
    chance.shuffle(ways)
    return ways


def answer(ways: list[list[Corner]], chance: random.Random, *, with_nodes: bool) -> Response:
    """The ways as members of a multipolygon: with nodes, or as ``out geom`` prints them."""
    elements: list[Element] = []
    members = []
    for number, corners in enumerate(ways, 1):
        role = chance.choice(("outer", ""))
        if with_nodes:
            elements.append(way(number, [1 + x + 100 * y for x, y in corners]))
            members.append(member("way", number, role))
        else:
            members.append(member("way", number, role, geometry=line(*corners)))
    if with_nodes:
        corners_used = {corner for corners in ways for corner in corners}
        elements += [node(1 + x + 100 * y, x, y) for x, y in sorted(corners_used)]
    elements.append(relation(1, members, {"type": "multipolygon", "natural": "water"}))
    chance.shuffle(elements)
    return loads(json.dumps({"elements": elements}))


@pytest.mark.parametrize("with_nodes", [True, False], ids=["nodes", "out geom"])
def test_patches(with_nodes: bool) -> None:
    for seed in range(300):
        chance = random.Random(seed)
        cells = patch(chance)
        response = answer(cut(border(cells), chance), chance, with_nodes=with_nodes)
        (area,) = [each for each in response.features() if each.id == "relation/1"]
        shape = shapely.geometry.shape(area.geometry)
        expected = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in cells])
        assert shape.is_valid, (seed, shapely.is_valid_reason(shape))
        assert shape.equals(expected), seed
        assert not area.is_tainted, seed
        for polygon in getattr(shape, "geoms", [shape]):
            assert polygon.exterior.is_ccw, seed
            assert not any(hole.is_ccw for hole in polygon.interiors), seed
