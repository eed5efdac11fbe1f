"""Elements as they stand in the answer."""

from datetime import datetime, timezone

import overpasskit
import pytest
from conftest import ANSWERS
from overpasskit import Bounds, Member, MisuseError, Position, load, loads


def test_sequence(kinds: overpasskit.Response) -> None:
    elements = kinds.elements
    assert len(elements) == 19 == len(list(elements))
    assert elements[0] == elements[-19]
    assert [each.id for each in elements[13:16]] == [20, 21, 22]
    assert elements[-1].type == "relation"
    assert repr(elements) == "<19 elements>"
    for outside in (19, -20, 2**70):
        with pytest.raises(IndexError):
            elements[outside]


def test_find(kinds: overpasskit.Response) -> None:
    elements = kinds.elements
    found = elements.find("way", 22)
    assert found is not None
    assert found == elements[15] and found in elements
    assert hash(found) == hash(elements[15])
    assert elements.find("node", 22) is None
    assert elements.find("way", 2**80) is None
    assert found != "way/22"
    with pytest.raises(MisuseError, match="'count' is none of"):
        elements.find("count", 0)


def test_count_of(kinds: overpasskit.Response) -> None:
    counts = {each: kinds.elements.count_of(each) for each in ("node", "way", "relation", "area")}
    assert counts == {"node": 13, "way": 4, "relation": 2, "area": 0}
    with pytest.raises(MisuseError):
        kinds.elements.count_of("street")


def test_node(kinds: overpasskit.Response) -> None:
    node = kinds.elements[8]
    assert (node.type, node.id) == ("node", 12345678901)
    assert (node.lat, node.lon) == (51.1234567, -0.0000001)
    assert list(node.tags.items()) == [
        ("amenity", "cafe"),
        ("name", 'Café "Zur Öse" \U0001f600'),
        ("note", "line1\nline2"),
        ("id", "A7"),
        ("type", "level"),
    ]
    assert node.meta == {
        "version": 4,
        "timestamp": "2023-05-06T07:08:09Z",
        "changeset": 135000001,
        "uid": 77,
        "user": "Anna Bolika",
    }
    assert node.timestamp == datetime(2023, 5, 6, 7, 8, 9, tzinfo=timezone.utc)
    assert repr(node) == "<Element node/12345678901>"


def test_what_is_missing_is_empty_or_none(kinds: overpasskit.Response) -> None:
    node, way = kinds.elements[0], kinds.elements[13]
    assert node.tags == {} and node.meta == {} and node.nodes == () and node.members == ()
    assert node.timestamp is node.center is node.bounds is node.geometry is node.shape is None
    assert way.lat is way.lon is None


def test_way_and_relation(kinds: overpasskit.Response) -> None:
    assert kinds.elements[13].nodes == (1, 2, 3, 4, 1)
    relation = kinds.elements[18]
    assert relation.members == (Member("way", 22, "forward"), Member("way", 99, ""))
    assert relation.tags == {"type": "route", "route": "hiking", "name": "Ostweg"}


def test_printed_geometry() -> None:
    way, relation, centre, _ = load(ANSWERS / "geometry.json").elements
    assert way.geometry == (None, Position(1, 0), Position(2, 0.5), None, Position(4, 0))
    assert way.nodes == (11, 12, 13, 14, 15)
    assert way.bounds == Bounds(west=0, south=0, east=4, north=0.5)
    assert centre.center == Position(lon=2.5, lat=1.5)
    street, label, outline = relation.members
    assert (street.type, street.ref, street.role, street.geometry) == (
        "relation",
        9,
        "street",
        None,
    )
    assert (label.lat, label.lon) == (1.5, 2.5)
    assert outline.geometry == (Position(0, 0), None, Position(1, 0))
    assert outline.lat is outline.lon is street.lat is None


def test_derived() -> None:
    response = load(ANSWERS / "derived.json")
    first, second, area, street, thing = response.elements
    assert first.type == second.type == "count"
    assert (first.tags["total"], second.tags["total"]) == ("15", "1")
    assert response.elements.count_of("derived") == 4
    assert area.type == "area" and response.elements.find("area", 3600000077) == area
    assert street.type == "street_length" and street.shape is not None
    assert street.shape.type == "LineString"
    assert street.shape.coordinates == (Position(0, 0), Position(1, 0.5))
    assert first.shape is None and area.shape is None
    assert thing.shape is not None
    assert thing.shape.__geo_interface__ == {
        "type": "GeometryCollection",
        "geometries": [
            {"type": "Point", "coordinates": (7, 50)},
            {"type": "Polygon", "coordinates": (((0, 0), (1, 0), (1, 1), (0, 0)),)},
        ],
    }


def test_element_without_id() -> None:
    (node,) = loads('{"elements": [{"type": "node", "lat": 1, "lon": 2}]}').elements
    assert node.id is None and node.lat == 1


def test_visible() -> None:
    (node,) = loads('{"elements": [{"type": "node", "id": 1, "visible": false}]}').elements
    assert node.meta == {"visible": False}
