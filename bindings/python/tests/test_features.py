"""Features: geometry, tags, problems."""

import json

import overpasskit
import pytest
import shapely
import shapely.geometry
from conftest import ANSWERS
from overpasskit import MisuseError, Position, Response, is_area, load, loads


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
        value = shapely.geometry.shape(feature.geometry)
        assert shapely.equals_exact(shapely.from_wkb(feature.wkb), value, 0)
        assert feature.geometry.type == feature.geometry_type == value.geom_type


@pytest.mark.parametrize("points", ["auto", "tagged", "all"])
@pytest.mark.parametrize("profile", ["default", "osmtogeojson"])
@pytest.mark.parametrize("name", ["kinds", "geometry", "derived", "truncated"])
def test_features_are_those_of_geojson(name: str, profile: str, points: str) -> None:
    response = load(ANSWERS / f"{name}.json", partial=True)
    features = response.features(profile, points)  # type: ignore[arg-type]
    shown = features.__geo_interface__["features"]
    assert len(features) == len(shown)
    assert [each.id for each in features] == [each["id"] for each in shown]
    assert [each.geometry_type for each in features] == [each["geometry"]["type"] for each in shown]


def test_what_cannot_be_drawn_is_a_problem() -> None:
    response = overpasskit.loads('{"elements": [{"type": "way", "id": 2, "nodes": [1, 99]}]}')
    assert list(response.features()) == [] and len(response.features()) == 0
    assert [(each.element, each.kind) for each in response.problems] == [("way/2", "no-geometry")]


def test_slices_and_the_end(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    assert [each.id for each in features[-2:]] == ["relation/30", "relation/31"]
    assert [each.id for each in features[::5]] == ["node/12345678901", "relation/31"]
    assert [each.id for each in reversed(features)] == [each.id for each in features][::-1]


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


TRIANGLE = [{"lat": 0, "lon": 0}, {"lat": 0, "lon": 1}, {"lat": 1, "lon": 1}, {"lat": 0, "lon": 0}]


def _triangle() -> Response:
    way = {"type": "way", "id": 1, "tags": {"my": "field"}, "geometry": TRIANGLE}
    return loads(json.dumps({"elements": [way]}))


def test_area_rules_of_the_callers() -> None:
    response = _triangle()
    assert [each.geometry_type for each in response.features()] == ["LineString"]
    rules = "# mine\nmy + area field\n"
    for repair in ("largest", "none", "full"):
        features = response.features(area_rules=rules, repair=repair)
        assert [each.geometry_type for each in features] == ["Polygon"]
    with pytest.raises(MisuseError) as caught:
        response.features(area_rules="landuse *\nhighway ?\n")
    assert caught.value.line == 2
    with pytest.raises(MisuseError):
        response.features(repair="some")  # type: ignore[arg-type]


def test_is_area() -> None:
    assert is_area({"building": "yes"})
    assert not is_area({"building": "yes", "area": "no"})
    assert not is_area({})
    assert not is_area({"highway": "footway", "area": "maybe"})
