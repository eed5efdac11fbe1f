"""Measures, labels, missing parts, and the choices about relations, rings and rules."""

from __future__ import annotations

import json
import math
from typing import Any

import overpasskit
import pytest
import shapely
import shapely.geometry
from overpasskit import Bounds, Feature, MisuseError, Position, Response, loads

from build import Element, member, node, relation, way

ELEMENTS = [
    node(1, 0, 0),
    node(2, 1, 0),
    node(3, 1, 1),
    node(4, 0, 1),
    node(5, 0.25, 0.5, {"place": "town"}),
    way(1, [1, 2, 3, 4, 1], {"building": "yes"}),
    way(2, [1, 3, 2, 4, 1], {"building": "yes"}),
    relation(
        7,
        [member("way", 1, "outer"), member("node", 5, "label"), member("way", 99, "outer")],
        {"type": "boundary"},
    ),
    relation(8, [member("way", 1, ""), member("node", 5, "")], {"type": "organization"}),
]


def answer(elements: list[Element] = ELEMENTS) -> Response:
    return loads(json.dumps({"elements": elements}))


def feature(response: Response, name: str, **options: Any) -> Feature:
    (found,) = [each for each in response.features(**options) if each.id == name]
    return found


def test_measures() -> None:
    response = answer()
    square = feature(response, "relation/7")
    assert square.area == pytest.approx(12308778361.469, abs=0.01)
    assert square.length == pytest.approx(443770.917, abs=0.01)
    assert square.bounds == Bounds(0, 0, 1, 1)
    assert square.centroid == pytest.approx((0.5, 0.5), abs=1e-3)
    shape = shapely.geometry.shape(square.geometry)
    assert shape.contains(shapely.Point(square.point_on_surface))
    point = feature(response, "node/5")
    assert (point.area, point.length) == (0, 0)
    assert point.centroid == point.point_on_surface == Position(0.25, 0.5)
    assert not math.isnan(feature(response, "way/2").length)


def test_labels_and_missing_parts() -> None:
    response = answer()
    square = feature(response, "relation/7")
    assert square.label == Position(0.25, 0.5)
    assert square.admin_centre is None
    assert square.is_tainted and square.missing == ("way/99",)
    assert feature(response, "node/5").label is None
    assert feature(response, "node/5").missing == ()


def test_collections() -> None:
    response = answer()
    assert "relation/8" not in [each.id for each in response.features()]
    collection = feature(response, "relation/8", collections=True)
    assert collection.geometry_type == "GeometryCollection"
    shape = shapely.geometry.shape(collection.geometry)
    assert [each.geom_type for each in shape.geoms] == ["Polygon", "Point"]
    assert shapely.equals(shapely.from_wkb(collection.wkb), shape)
    assert collection.area == pytest.approx(12308778361.469, abs=0.01)


def test_raw_rings() -> None:
    response = answer()
    line = feature(response, "way/2")
    assert line.geometry_type == "LineString" and line.is_valid
    ring = feature(response, "way/2", raw_rings=True)
    assert ring.geometry_type == "Polygon" and not ring.is_valid
    assert not shapely.geometry.shape(ring.geometry).is_valid
    assert json.loads(ring.to_geojson("nested"))["properties"]["valid"] is False
    assert json.loads(ring.to_geojson("flat"))["properties"]["@valid"] is False
    assert "valid" not in json.loads(line.to_geojson("nested"))["properties"]


def test_parts_and_stray_rings() -> None:
    stray = [
        *ELEMENTS[:6],
        node(11, 3, 0),
        node(12, 4, 0),
        node(13, 4, 1),
        way(3, [11, 12, 13, 11]),
        relation(
            9,
            [member("way", 1, "outer"), member("way", 3, "inner")],
            {"type": "multipolygon", "landuse": "grass"},
        ),
    ]
    response = answer(stray)
    assert feature(response, "relation/9").geometry_type == "Polygon"
    assert feature(response, "relation/9", stray_rings=True).geometry_type == "MultiPolygon"
    assert "way/1" in [each.id for each in response.features()]
    assert "way/1" not in [each.id for each in response.features(omit_parts=True)]


def test_boxes_of_elements() -> None:
    box = {"minlat": 1, "minlon": 2, "maxlat": 3, "maxlon": 4}
    response = answer([way(1, None, {"building": "yes"}, bounds=box)])
    assert len(response.features()) == 0
    drawn = feature(response, "way/1", draw_bounds=True)
    assert drawn.origin == "bounds" and drawn.bounds == Bounds(2, 1, 4, 3)


def test_antimeridian() -> None:
    elements = [node(1, 179, 0), node(2, -179, 0), way(1, [1, 2], {"waterway": "river"})]
    response = answer(elements)
    for choice, kind in (("profile", "Multi"), ("cut", "Multi"), ("keep", "")):
        line = feature(response, "way/1", antimeridian=choice)
        assert line.geometry_type == kind + "LineString"
        assert line.bounds == Bounds(179, 0, -179, 0)
    with pytest.raises(MisuseError):
        response.features(antimeridian="bend")  # type: ignore[arg-type]


def test_rules_as_values() -> None:
    response = answer(ELEMENTS[:6])
    rules = overpasskit.area_rules()
    del rules["keys"]["building"]
    for given in (rules, json.dumps(rules), rules["keys"]):
        assert feature(response, "way/1", area_rules=given).geometry_type == "LineString"
    polygon = [{"key": "building", "polygon": "all"}]
    assert feature(response, "way/1", area_rules=polygon).geometry_type == "Polygon"
    with pytest.raises(MisuseError, match="area rules"):
        response.features(area_rules={"building": 7})
    assert overpasskit.area_rules("osmtogeojson")["version"] == "0.9.2"


def test_uninteresting_tags_as_values() -> None:
    response = answer([*ELEMENTS[:5], way(1, [1, 2, 5, 3, 4, 1], {"building": "yes"})])
    assert "node/5" in [each.id for each in response.features()]
    tags = overpasskit.uninteresting_tags()
    tags["tags"]["place"] = ["town"]
    for given in (tags, "place + town", {"place": True}, ["place"]):
        found = [each.id for each in response.features(uninteresting_tags=given)]
        assert "node/5" not in found
    with pytest.raises(MisuseError, match="uninteresting"):
        response.features(uninteresting_tags="place = town")


def test_roundabouts() -> None:
    ring = [(2, 0), (3, 1), (4, 0), (3, -1)]
    elements = [
        *(node(number, *position) for number, position in enumerate([(0, 0), (6, 0), *ring], 1)),
        way(1, [1, 3]),
        way(2, [3, 6, 5, 4, 3], {"junction": "roundabout"}),
        way(3, [5, 2]),
        relation(9, [member("way", each) for each in (1, 2, 3)], {"type": "route"}),
    ]
    response = answer(elements)
    assert feature(response, "relation/9").geometry_type == "MultiLineString"
    line = feature(response, "relation/9", follow_roundabouts=True)
    assert line.coordinates == ((0, 0), (2, 0), (3, -1), (4, 0), (6, 0))
