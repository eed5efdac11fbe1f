"""Features: geometry, tags, problems."""

import json

import overpasskit
import pytest
import shapely
import shapely.geometry
from conftest import ANSWERS
from overpasskit import MisuseError, Position, load


def by_id(features: overpasskit.Features) -> dict[str, overpasskit.Feature]:
    return {feature.id: feature for feature in features}


def test_sequence(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    assert len(features) == len(list(features)) == 6
    assert features[0].id == features[-6].id == "node/12345678901"
    assert [each.id for each in features[2:4]] == ["way/22", "way/24"]
    assert repr(features) == "<6 features>"
    assert repr(features[0]) == "<Feature node/12345678901 Point>"
    with pytest.raises(IndexError):
        features[6]


def test_kinds(kinds: overpasskit.Response) -> None:
    features = by_id(kinds.features())
    assert {name: each.geometry_type for name, each in features.items()} == {
        "node/12345678901": "Point",
        "node/9": "Point",
        "way/22": "LineString",
        "way/24": "Polygon",
        "relation/30": "Polygon",
        "relation/31": "LineString",
    }
    cafe = features["node/12345678901"]
    assert (cafe.type, cafe.number) == ("node", 12345678901)
    assert cafe.tags["amenity"] == "cafe"
    assert cafe.element is not None and cafe.element.meta["version"] == 4
    assert cafe.coordinates == Position(lon=-0.0000001, lat=51.1234567)
    assert not cafe.is_tainted and cafe.origin == "element"
    assert features["relation/31"].is_tainted
    assert features["way/22"].coordinates == ((0, 0), (10, 10))


def test_polygon_with_a_hole(kinds: overpasskit.Response) -> None:
    wood = by_id(kinds.features())["relation/30"]
    shape = shapely.geometry.shape(wood.__geo_interface__["geometry"])
    assert shape.is_valid and shape.area == 96 and len(shape.interiors) == 1
    assert shape.exterior.is_ccw and not shape.interiors[0].is_ccw
    assert wood.geometry is not None
    assert shapely.equals(shapely.geometry.shape(wood.geometry), shape)
    assert shapely.equals(shapely.from_wkb(wood.wkb), shape)


@pytest.mark.parametrize("name", ["kinds.json", "geometry.json", "derived.json"])
def test_binary_and_values_agree(name: str) -> None:
    for feature in load(ANSWERS / name).features(points="all"):
        if feature.geometry is None:
            assert feature.wkb is None and feature.coordinates == ()
        else:
            value = shapely.geometry.shape(feature.geometry)
            assert shapely.equals_exact(shapely.from_wkb(feature.wkb), value, 0)
            assert feature.geometry.type == feature.geometry_type == value.geom_type


def test_points(kinds: overpasskit.Response) -> None:
    assert len(kinds.features(points="tagged")) == 5
    assert len(kinds.features(points="all")) == 17
    nodes = [each for each in kinds.features(uninteresting=["name"]) if each.type == "node"]
    assert len(nodes) == 2


def test_unknown_choices(kinds: overpasskit.Response) -> None:
    with pytest.raises(MisuseError, match="profile is one of 'default', 'osmtogeojson'"):
        kinds.features("other")  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="points is one of"):
        kinds.features(points="none")  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="properties is one of"):
        kinds.to_geojson(properties="deep")  # type: ignore[arg-type]


def test_placeholder_and_gaps() -> None:
    features = by_id(load(ANSWERS / "geometry.json").features())
    assert features["way/3"].origin == "center"
    assert features["way/3"].coordinates == Position(2.5, 1.5)
    assert features["way/1"].is_tainted
    assert features["way/1"].coordinates == ((1, 0), (2, 0.5))


def test_problems(kinds: overpasskit.Response) -> None:
    problems = [each for each in kinds.problems if each.element == "relation/31"]
    assert [each.ways for each in problems] == [(99,)]
    assert all(each.kind for each in problems)


def test_geo_interface(kinds: overpasskit.Response) -> None:
    collection = kinds.__geo_interface__
    assert collection == kinds.features().__geo_interface__ == json.loads(kinds.to_geojson())
    for feature, value in zip(kinds.features(), collection["features"], strict=True):
        assert feature.__geo_interface__ == value
        assert value["id"] == feature.id
