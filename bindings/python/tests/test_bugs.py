"""Public bug reports of OSM software, retold: decoding, identity, geometry, output.

Each case is a small answer and what must become of it. `features` maps ids to WKT, or to None
where there must be no geometry; geometry is compared normalised. Cases are written with
``build.py``; positions are (longitude, latitude).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
import shapely
import shapely.geometry
from overpasskit import Response, loads

from build import (
    AROUND,
    FILLED,
    HOLE,
    INSIDE,
    OUTSIDE,
    SQUARE,
    WITH_HOLE,
    Element,
    Tags,
    inner,
    line,
    member,
    node,
    nodes,
    outer,
    relation,
    way,
)


@dataclass
class Case:
    """What to decode, and what must come out."""

    name: str
    elements: list[Element]
    features: dict[str, str | None] = field(default_factory=dict)
    tainted: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    tags: dict[str, Tags] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    only: bool = True
    reported: set[str] = field(default_factory=set)


def multipolygon(*members: Element, **tags: str) -> Element:
    return relation(3, list(members), {"type": "multipolygon", **tags})


PATH = {"highway": "path"}
BUILDING = {"building": "yes"}

CASES = [
    Case(
        "null points in a clipped way",
        [way(1, [11, 12, 13, 14, 15], PATH, geometry=line(None, (1, 0), (2, 0), None, (4, 0)))],
        {"way/1": "LINESTRING (1 0, 2 0)"},
        tainted={"way/1"},
    ),
    Case(
        "clipped way in several runs",
        [way(1, None, PATH, geometry=line((0, 0), (1, 0), None, (3, 0), (4, 0)))],
        {"way/1": "MULTILINESTRING ((0 0, 1 0), (3 0, 4 0))"},
        tainted={"way/1"},
    ),
    Case(
        "elements without coordinates",
        [way(1, [2, 3], PATH), {"type": "node", "id": 2}, {"type": "node", "id": 3}],
        {"way/1": None, "node/2": None, "node/3": None},
        only=False,
        reported={"way/1"},
    ),
    Case(
        "out center",
        [
            way(1, [1, 2], {"amenity": "cafe"}, center={"lat": 1.5, "lon": 2.5}),
            multipolygon(*outer(1), amenity="cafe") | {"center": {"lat": 1.5, "lon": 2.5}},
        ],
        {"way/1": "POINT (2.5 1.5)", "relation/3": "POINT (2.5 1.5)"},
    ),
    Case(
        "a centre is not used when there is real geometry",
        [way(1, OUTSIDE, BUILDING, center={"lat": 5, "lon": 5}), *SQUARE],
        {"way/1": FILLED},
    ),
    Case(
        "node, way and relation with one number",
        [
            node(7, 0, 0, {"amenity": "bench"}),
            node(8, 1, 0),
            way(7, [7, 8], PATH),
            way(8, [8, 7], {"highway": "steps"}),
            relation(7, [member("way", 7), member("way", 8)], {"type": "route", "route": "hiking"}),
        ],
        {
            "node/7": "POINT (0 0)",
            "way/7": "LINESTRING (0 0, 1 0)",
            "way/8": "LINESTRING (1 0, 0 0)",
            "relation/7": "LINESTRING (0 0, 1 0, 0 0)",
        },
    ),
    Case(
        "member type is looked at",
        [
            *SQUARE,
            *nodes(n5=(20, 20), n6=(21, 20)),
            way(50, OUTSIDE),
            way(60, [5, 6], {"source": "survey"}),
            node(60, 5, 5, {"name": "label"}),
            multipolygon(*outer(50), member("node", 60, "outer"), landuse="forest"),
        ],
        {"relation/3": FILLED, "node/60": "POINT (5 5)", "way/60": "LINESTRING (20 20, 21 20)"},
    ),
    Case(
        "one element several times",
        [
            way(1, [1, 2], PATH, version=2),
            node(1, 0, 0),
            node(2, 1, 0),
            node(2, 1, 0, {"barrier": "gate"}, version=3),
            way(1, [1, 2], version=2),
        ],
        {"way/1": "LINESTRING (0 0, 1 0)", "node/2": "POINT (1 0)"},
        tags={"way/1": PATH, "node/2": {"barrier": "gate"}},
    ),
    Case(
        "one way in two relations, out geom",
        [
            relation(
                1,
                [
                    member("way", 100, "outer", geometry=line((0, 0), (10, 0))),
                    member("way", 101, "outer", geometry=line((10, 0), (10, 10), (0, 10), (0, 0))),
                ],
                {"type": "boundary", "name": "north"},
            ),
            relation(
                2,
                [
                    member("way", 100, "outer", geometry=line((0, 0), (10, 0))),
                    member(
                        "way", 102, "outer", geometry=line((10, 0), (10, -10), (0, -10), (0, 0))
                    ),
                ],
                {"type": "boundary", "name": "south"},
            ),
        ],
        {"relation/1": FILLED, "relation/2": "POLYGON ((0 0, 10 0, 10 -10, 0 -10, 0 0))"},
        only=False,
    ),
    Case(
        "member ways twice in the answer",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE),
            way(2, INSIDE),
            way(2, INSIDE),
            way(1, OUTSIDE),
            multipolygon(*outer(1), *inner(2), landuse="forest"),
        ],
        {"relation/3": WITH_HOLE},
    ),
    Case(
        "closed wall",
        [
            *SQUARE,
            way(1, OUTSIDE, {"barrier": "wall"}),
            way(2, OUTSIDE, {"barrier": "wall", "area": "yes"}),
        ],
        {"way/1": AROUND, "way/2": FILLED},
    ),
    Case(
        "closed wall as osmtogeojson has it",
        [*SQUARE, way(1, OUTSIDE, {"barrier": "wall"})],
        {"way/1": FILLED},
        options={"profile": "osmtogeojson"},
    ),
    Case(
        "highway=service is not highway=services",
        [
            *SQUARE,
            way(1, OUTSIDE, {"highway": "service"}),
            way(2, OUTSIDE, {"highway": "services"}),
            way(3, OUTSIDE, {"highway": "pedestrian", "area": "yes"}),
            way(4, OUTSIDE, {"highway": "residential", "junction": "roundabout"}),
        ],
        {"way/1": AROUND, "way/2": FILLED, "way/3": FILLED, "way/4": AROUND},
    ),
    Case(
        "order of tags does not decide",
        [
            *SQUARE,
            way(1, OUTSIDE, {"natural": "tree_row", "leisure": "park"}),
            way(2, OUTSIDE, {"leisure": "park", "natural": "tree_row"}),
            way(3, OUTSIDE, {"natural": "coastline"}),
        ],
        {"way/1": FILLED, "way/2": FILLED, "way/3": AROUND},
    ),
    Case(
        "values of area",
        [
            *SQUARE,
            way(1, OUTSIDE, {"leisure": "track", "area": "no"}),
            way(2, OUTSIDE, {"highway": "footway", "area": "yes"}),
            way(3, OUTSIDE, {"highway": "footway", "area": "maybe"}),
            way(4, [1, 2, 3], {"building": "yes", "area": "yes"}),
        ],
        {
            "way/1": AROUND,
            "way/2": FILLED,
            "way/3": AROUND,
            "way/4": "LINESTRING (0 0, 10 0, 10 10)",
        },
    ),
    Case(
        "values of man_made",
        [
            *SQUARE,
            way(1, OUTSIDE, {"man_made": "pipeline"}),
            way(2, OUTSIDE, {"man_made": "water_tower"}),
            way(3, OUTSIDE, {"man_made": "embankment"}),
        ],
        {"way/1": AROUND, "way/2": FILLED, "way/3": AROUND},
    ),
    Case(
        "closed by position",
        [
            *nodes(n1=(0, 0), n2=(1, 0), n3=(1, 1), n99=(0, 0)),
            way(1, [1, 2, 3, 99], BUILDING),
            way(2, None, BUILDING, geometry=line((0, 0), (1, 0), (1, 1), (0, 0))),
        ],
        {"way/1": "POLYGON ((0 0, 1 0, 1 1, 0 0))", "way/2": "POLYGON ((0 0, 1 0, 1 1, 0 0))"},
    ),
    Case(
        "no outer role",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE),
            way(2, INSIDE),
            multipolygon(member("way", 1), *inner(2), landuse="meadow"),
        ],
        {"relation/3": WITH_HOLE},
    ),
    Case(
        "no role at all",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE),
            way(2, INSIDE),
            multipolygon(member("way", 2), member("way", 1), landuse="meadow"),
        ],
        {"relation/3": WITH_HOLE},
    ),
    Case(
        "hole tagged as outer",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE),
            way(2, INSIDE),
            multipolygon(*outer(1, 2), natural="water"),
        ],
        {"relation/3": WITH_HOLE},
        reported={"relation/3"},
    ),
    Case(
        "enclave in an enclave",
        [
            *SQUARE,
            *nodes(
                n5=(2, 2),
                n6=(8, 2),
                n7=(8, 8),
                n8=(2, 8),
                n9=(4, 4),
                n10=(6, 4),
                n11=(6, 6),
                n12=(4, 6),
            ),
            way(1, OUTSIDE),
            way(2, [9, 10, 11, 12, 9]),
            way(3, INSIDE),
            relation(
                4, [*outer(1, 2), *inner(3)], {"type": "boundary", "boundary": "administrative"}
            ),
        ],
        {
            "relation/4": "MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 2 8, 8 8, 8 2, 2 2)"
            "), ((4 4, 6 4, 6 6, 4 6, 4 4)))"
        },
        only=False,
    ),
    Case(
        "inner before outer",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE),
            way(2, INSIDE),
            multipolygon(*inner(2), *outer(1), building="yes"),
        ],
        {"relation/3": WITH_HOLE},
    ),
    Case(
        "more than one hole",
        [
            *SQUARE,
            *nodes(
                n5=(1, 1),
                n6=(2, 1),
                n7=(2, 2),
                n8=(1, 2),
                n9=(7, 7),
                n10=(8, 7),
                n11=(8, 8),
                n12=(7, 8),
            ),
            way(1, OUTSIDE),
            way(2, INSIDE),
            way(3, [9, 10, 11, 12, 9]),
            relation(4, [*outer(1), *inner(2, 3)], {"type": "multipolygon", "building": "yes"}),
        ],
        {
            "relation/4": "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1),"
            " (7 7, 7 8, 8 8, 8 7, 7 7))"
        },
    ),
    Case(
        "a way twice in the relation",
        [*SQUARE, way(1, OUTSIDE), multipolygon(*outer(1, 1), landuse="grass")],
        {"relation/3": FILLED},
        reported={"relation/3"},
    ),
    Case(
        "ring of two ways, one reversed",
        [
            *nodes(n1=(0, 0), n2=(4, 0), n3=(4, 4), n4=(0, 4)),
            way(1, [1, 2, 3]),
            way(2, [1, 4, 3]),
            multipolygon(*outer(1, 2), amenity="fuel"),
        ],
        {"relation/3": "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"},
    ),
    Case(
        "slanted edges away from lat = lon",
        [
            *nodes(n1=(6, 50), n2=(9, 50), n3=(9, 52), n4=(7, 52)),
            *nodes(n5=(7.5, 50.5), n6=(8, 50.5), n7=(8, 51), n8=(7.5, 51)),
            way(1, OUTSIDE),
            way(2, INSIDE),
            multipolygon(*outer(1), *inner(2), landuse="forest"),
        ],
        {
            "relation/3": "POLYGON ((6 50, 9 50, 9 52, 7 52, 6 50),"
            " (7.5 50.5, 7.5 51, 8 51, 8 50.5, 7.5 50.5))"
        },
    ),
    Case(
        "ring that touches itself in one node",
        [
            *nodes(n1=(0, 0), n2=(4, 0), n3=(2, 2), n4=(4, 4), n5=(0, 4)),
            way(1, [1, 2, 3, 4, 5, 3, 1], {"landuse": "grass"}),
            relation(2, outer(10), {"type": "multipolygon"}),
        ],
        {
            "way/1": "MULTIPOLYGON (((0 0, 4 0, 2 2, 0 0)), ((2 2, 4 4, 0 4, 2 2)))",
            "relation/2": None,
        },
        only=False,
    ),
    Case(
        "a ring that crosses itself stops nothing",
        [
            *nodes(
                n1=(0, 0), n2=(4, 4), n3=(4, 0), n4=(0, 4), n11=(10, 10), n12=(11, 10), n13=(11, 11)
            ),
            way(1, OUTSIDE, BUILDING),
            way(2, [11, 12, 13, 11], BUILDING),
        ],
        {"way/2": "POLYGON ((10 10, 11 10, 11 11, 10 10))"},
        only=False,
        reported={"way/1"},
    ),
    Case(
        "members that are no rings",
        [
            *SQUARE,
            node(5, 5, 5, {"place": "city"}),
            way(1, OUTSIDE),
            relation(
                3,
                [
                    *outer(1),
                    member("node", 5, "admin_centre"),
                    member("node", 5, "label"),
                    member("relation", 8, "subarea"),
                    member("way", 99, "subarea"),
                ],
                {"type": "boundary", "boundary": "administrative"},
            ),
        ],
        {"relation/3": FILLED, "node/5": "POINT (5 5)"},
        only=False,
    ),
    Case(
        "tags on the outer way",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE, {"landuse": "forest"}),
            way(2, INSIDE),
            multipolygon(*outer(1), *inner(2)),
        ],
        {"relation/3": WITH_HOLE},
        tags={"relation/3": {"type": "multipolygon", "landuse": "forest"}},
    ),
    Case(
        "tags on the outer way, as osmtogeojson has it",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE, {"landuse": "forest"}),
            way(2, INSIDE),
            multipolygon(*outer(1), *inner(2)),
        ],
        {"way/1": WITH_HOLE},
        options={"profile": "osmtogeojson"},
    ),
    Case(
        "inner ring outside of any outer",
        [
            *SQUARE,
            *nodes(n5=(20, 20), n6=(21, 20), n7=(21, 21)),
            way(1, OUTSIDE),
            way(2, [5, 6, 7, 5]),
            multipolygon(*outer(1), *inner(2), landuse="grass"),
        ],
        {"relation/3": FILLED},
        only=False,
        reported={"relation/3"},
    ),
    Case(
        "clockwise ways",
        [
            *SQUARE,
            *HOLE,
            way(1, OUTSIDE[::-1]),
            way(2, INSIDE[::-1]),
            multipolygon(*outer(1), *inner(2), building="yes"),
            way(4, OUTSIDE[::-1], BUILDING),
        ],
        {"relation/3": WITH_HOLE, "way/4": FILLED},
    ),
    Case(
        "vertex of the hole on the border of another outer",
        [
            *SQUARE,
            *nodes(n11=(20, 0), n12=(20, 10), n5=(10, 2), n6=(14, 4), n7=(12, 6)),
            way(1, OUTSIDE),
            way(2, [2, 11, 12, 3, 2]),
            way(3, [5, 6, 7, 5]),
            relation(4, [*outer(1, 2), *inner(3)], {"type": "multipolygon", "landuse": "forest"}),
        ],
        {
            "relation/4": "POLYGON ((0 0, 10 0, 20 0, 20 10, 10 10, 0 10, 0 0),"
            " (10 2, 12 6, 14 4, 10 2))"
        },
    ),
    Case(
        "route with a missing way",
        [
            *nodes(n1=(0, 0), n2=(1, 0), n3=(2, 0)),
            node(9, 3, 0, {"highway": "bus_stop"}),
            way(1, [1, 2], {"highway": "residential"}),
            relation(
                4,
                [member("node", 9, "platform"), member("way", 1), member("way", 2)],
                {"type": "route", "route": "bus", "ref": "A1"},
            ),
        ],
        {
            "relation/4": "LINESTRING (0 0, 1 0)",
            "way/1": "LINESTRING (0 0, 1 0)",
            "node/9": "POINT (3 0)",
        },
        tainted={"relation/4"},
        only=False,
        reported={"relation/4"},
    ),
    Case(
        "roundabout in a route",
        [
            *nodes(n1=(0, 0), n2=(2, 0), n3=(3, 1), n4=(4, 0), n5=(3, -1), n6=(6, 0)),
            way(1, [1, 2], {"highway": "primary"}),
            way(2, [2, 3, 4, 5, 2], {"highway": "primary", "junction": "roundabout"}),
            way(3, [4, 6], {"highway": "primary"}),
            relation(
                9,
                [member("way", 1), member("way", 2), member("way", 3)],
                {"type": "route", "route": "bus"},
            ),
        ],
        {"relation/9": "MULTILINESTRING ((0 0, 2 0), (2 0, 3 1, 4 0, 3 -1, 2 0), (4 0, 6 0))"},
        only=False,
    ),
    Case(
        "ids beyond 32 bits",
        [
            node(12345678901, 2, 1),
            node(4294967296, 2.1, 1),
            way(2147483648, [12345678901, 4294967296], PATH),
            {"type": "area", "id": 3619999999},
        ],
        {"way/2147483648": "LINESTRING (2 1, 2.1 1)"},
    ),
    Case(
        "negative ids",
        [node(-1, 0, 0), node(-2, 1, 0), way(-3, [-1, -2], PATH)],
        {"way/-3": "LINESTRING (0 0, 1 0)"},
    ),
    Case(
        "types GeoJSON has",
        [*SQUARE, way(1, OUTSIDE, {"highway": "track"}), way(2, OUTSIDE, BUILDING)],
        {"way/1": AROUND, "way/2": FILLED},
    ),
    Case(
        "each element once",
        [
            *SQUARE,
            way(1, OUTSIDE, BUILDING),
            way(2, OUTSIDE, {"barrier": "hedge", "landuse": "meadow", "area": "no"}),
        ],
        {"way/1": FILLED, "way/2": AROUND},
    ),
    Case(
        "area across the antimeridian",
        [
            *nodes(n1=(179.5, 65), n2=(-179.5, 65), n3=(-179.5, 66), n4=(179.5, 66)),
            way(1, OUTSIDE, {"natural": "water"}),
        ],
        {
            "way/1": "MULTIPOLYGON (((179.5 65, 180 65, 180 66, 179.5 66, 179.5 65)),"
            " ((-180 65, -179.5 65, -179.5 66, -180 66, -180 65)))"
        },
    ),
    Case(
        "line across the antimeridian",
        [*nodes(n1=(179.5, 65), n2=(-179.5, 65)), way(2, [1, 2], {"waterway": "river"})],
        {"way/2": "MULTILINESTRING ((179.5 65, 180 65), (-180 65, -179.5 65))"},
    ),
]


def decoded(elements: list[Element]) -> Response:
    return loads(json.dumps({"version": 0.6, "elements": elements}))


def same(got: shapely.Geometry, wkt: str) -> bool:
    want = shapely.from_wkt(wkt)
    return (
        bool(got.normalize().equals_exact(want.normalize(), 1e-9))
        and got.geom_type == want.geom_type
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_features(case: Case) -> None:
    response = decoded(case.elements)
    collection = json.loads(response.to_geojson(properties="nested", **case.options))
    found = {each["id"]: each for each in collection["features"]}
    assert len(found) == len(collection["features"])
    if case.only:
        assert sorted(found) == sorted(case.features)
    for name, wkt in case.features.items():
        if wkt is None:
            assert name not in found or found[name]["geometry"] is None
            continue
        got = shapely.geometry.shape(found[name]["geometry"])
        if got.geom_type in ("LineString", "MultiLineString") and name.startswith("way"):
            assert got.wkt == shapely.from_wkt(wkt).wkt
        assert same(got, wkt), f"{name}: {got.wkt}"
        assert found[name]["properties"].get("tainted", False) == (name in case.tainted)
    for name, tags in case.tags.items():
        assert found[name]["properties"]["tags"] == tags
    assert case.reported <= {problem.element for problem in response.problems}


def test_continuous_route_stays_in_order() -> None:
    answer = relation(
        1,
        [
            member("way", 3, "backward", geometry=line((6, 5), (8, 7))),
            member("way", 2, "forward", geometry=line((4, 3), (6, 5))),
            member("way", 4, "", geometry=line((2, 1), (4, 3))),
        ],
        {"type": "route", "route": "hiking"},
    )
    (route,) = [each for each in decoded([answer]).features() if each.id == "relation/1"]
    merged = shapely.line_merge(shapely.geometry.shape(route.geometry))
    assert same(merged, "LINESTRING (2 1, 4 3, 6 5, 8 7)")
    assert not route.is_tainted


def test_placeholders_are_marked() -> None:
    answer = [
        way(1, [1, 2], {"amenity": "cafe"}, center={"lat": 1.5, "lon": 2.5}),
        way(2, [1, 2], PATH, bounds={"minlat": 0, "minlon": 0, "maxlat": 1, "maxlon": 1}),
    ]
    origins = {each.id: each.origin for each in decoded(answer).features()}
    assert origins["way/1"] == "center"
    assert origins.get("way/2", "bounds") == "bounds"


def test_member_without_geometry() -> None:
    answer = relation(
        1,
        [
            member("relation", 9, "street"),
            member("node", 5, "label", lat=1.0, lon=2.0),
            member("way", 7, "outline", geometry=line((0, 0), (1, 0))),
        ],
        {"type": "street", "name": "x"},
    )
    (element,) = decoded([answer]).elements
    assert [(each.type, each.ref, each.role) for each in element.members] == [
        ("relation", 9, "street"),
        ("node", 5, "label"),
        ("way", 7, "outline"),
    ]
    assert [each.geometry is None for each in element.members] == [True, False, False]


def test_areas_are_no_features() -> None:
    response = decoded(
        [{"type": "area", "id": 3600000077, "tags": {"name": "Stadt"}}, node(1, 2, 1)]
    )
    assert [each.id for each in response.features()] == ["node/1"]
    assert [each.type for each in response.elements] == ["area", "node"]


def test_counts_are_kept() -> None:
    count = {"type": "count", "id": 0, "tags": {"total": "15"}}
    length = {
        "type": "street_length",
        "id": 1,
        "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 0]]},
        "tags": {"length": "111.3"},
    }
    response = decoded([count, count, length])
    assert [each.type for each in response.elements] == ["count", "count", "street_length"]
    (feature,) = response.features()
    assert (feature.id, feature.coordinates) == ("street_length/1", ((0, 0), (1, 0)))


def test_polygon_with_two_levels_is_read_as_one_ring() -> None:
    ring = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]
    thing = {"type": "thing", "id": 1, "geometry": {"type": "Polygon", "coordinates": ring}}
    (element,) = decoded([thing]).elements
    assert element.shape is not None
    assert same(shapely.geometry.shape(element.shape), "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))")


def test_control_and_invisible_characters() -> None:
    tags = {
        "note": "line1\nline2\tend",
        "name": "\u202bشارع\u202c \U0001f600",
        "surface": "asphalt\u200f",
    }
    response = decoded([node(1, 2, 1, tags)])
    assert response.elements[0].tags == tags
    text = response.to_geojson()
    assert json.loads(text)["features"][0]["properties"]["note"] == tags["note"]
    assert tags["name"] in text and tags["surface"] in text


def test_byte_that_is_not_utf8() -> None:
    response = loads(
        b'{"elements":[{"type":"way","id":1,"tags":{"tunnel":"\xff"}},'
        b'{"type":"node","id":2,"lat":1.0,"lon":2.0}]}'
    )
    assert response.elements[0].tags == {"tunnel": "\ufffd"}
    assert len(response.elements) == 2
    (diagnostic,) = response.diagnostics
    assert "UTF-8" in diagnostic
    assert response.is_complete is True


def test_keys_that_collide_with_fields() -> None:
    tags = {
        "id": "A7",
        "type": "level",
        "geometry": "round",
        "version": "old",
        "osm_id": "x",
        "user": "y",
    }
    response = decoded([node(1, 2, 1, tags, version=4, user="anna")])
    flat = json.loads(response.to_geojson())["features"][0]["properties"]
    assert tags.items() <= flat.items()
    assert (flat["@id"], flat["@type"], flat["@version"], flat["@user"]) == (
        "node/1",
        "node",
        4,
        "anna",
    )
    nested = json.loads(response.to_geojson(properties="nested"))["features"][0]["properties"]
    assert nested["tags"] == tags
    assert (nested["type"], nested["id"], nested["meta"]) == (
        "node",
        1,
        {"version": 4, "user": "anna"},
    )


def test_keys_that_differ_in_case() -> None:
    response = decoded([node(1, 2, 1, {"FIXME": "a", "fixme": "b"})])
    properties = json.loads(response.to_geojson())["features"][0]["properties"]
    assert (properties["FIXME"], properties["fixme"]) == ("a", "b")
    assert response.elements[0].tags == {"FIXME": "a", "fixme": "b"}


def test_superfluous_comma() -> None:
    with pytest.raises(ValueError, match="byte 14"):
        loads('{"elements":[\n,{"type":"node","id":1,"lat":1.0,"lon":2.0}]}')


def test_conflicting_copies_are_told() -> None:
    response = decoded([node(1, 2, 1), node(1, 3, 1)])
    assert len(response.elements) == 1
    assert any("node/1" in each for each in response.diagnostics)


def test_permutations_of_members_give_one_geometry() -> None:
    base = [*SQUARE, *HOLE, way(1, [1, 2, 3]), way(2, [1, 4, 3]), way(4, INSIDE)]
    members = [*outer(1, 2), *inner(4)]
    for shift in range(3):
        turned = members[shift:] + members[:shift]
        for order in (turned, turned[::-1]):
            response = decoded([*base, multipolygon(*order, landuse="grass")])
            (area,) = [each for each in response.features() if each.id == "relation/3"]
            assert same(shapely.geometry.shape(area.geometry), WITH_HOLE)


def test_features_without_geometry_are_told() -> None:
    response = decoded([way(1, [1, 2], {"leisure": "park"}), way(2, [3, 4], {"leisure": "park"})])
    assert {each.element for each in response.problems} == {"way/1", "way/2"}
    assert "NaN" not in response.to_geojson()
