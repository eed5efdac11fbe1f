"""What a map shows of elements."""

import json
from typing import Any

import pytest
import shapely
import shapely.geometry
from build import (
    HOLE,
    INSIDE,
    OUTSIDE,
    SQUARE,
    WITH_HOLE,
    inner,
    member,
    node,
    outer,
    relation,
    way,
)
from conftest import ANSWERS, ROOT
from overpasskit import MisuseError, Position, QueryError, Response, Visualization, load, loads


def response(*elements: dict[str, Any]) -> Response:
    return loads(json.dumps({"elements": elements}))


def drawn(seen: Visualization) -> shapely.Geometry:
    return shapely.geometry.shape(seen.geometry.__geo_interface__)


WORLD = (
    *SQUARE,
    *HOLE,
    node(50, 20, 21, {"amenity": "cafe", "name": "Plain", "name:fi": "Kahvila"}),
    node(51, 30, 30),
    node(52, 31, 30),
    node(53, 30, 31),
    node(60, 1, 1, {"source": "survey"}),
    way(1, OUTSIDE),
    way(2, INSIDE),
    way(3, [51, 52, 53, 51], {"building": "yes"}),
    way(4, [60, 51], {"highway": "path", "name": "Polku"}),
    way(5, [1, 3], {"highway": "path"}),
    relation(1, outer(1) + inner(2), {"type": "multipolygon", "natural": "wood"}),
    relation(2, outer(1, 3), {"type": "multipolygon", "landuse": "forest", "name": "Metsä"}),
    relation(3, [member("way", 4), member("way", 5)], {"type": "route", "route": "foot"}),
)


def test_shapes_by_type_and_number() -> None:
    seen = response(*WORLD).visualizations()
    assert {key: each.shape for key, each in seen.items()} == {
        ("node", 50): "annotation",
        ("way", 3): "polygon",
        ("way", 4): "polyline",
        ("way", 5): "polyline",
        ("relation", 1): "polygon",
        ("relation", 2): "polygons",
        ("relation", 3): "polylines",
    }
    assert seen["node", 50].position == Position(lon=20, lat=21)
    assert seen["way", 4].position is None
    assert seen["way", 4].title == "Polku"
    assert seen["way", 3].title is None
    assert drawn(seen["relation", 1]).equals(shapely.from_wkt(WITH_HOLE))
    assert seen["relation", 2].id == "relation/2"
    assert all(not each.is_tainted and not each.is_placeholder for each in seen.values())


def test_one_is_as_among_all() -> None:
    answer = response(*WORLD)
    seen = answer.visualizations("fi")
    assert seen["node", 50].title == "Kahvila"
    for (kind, number), each in seen.items():
        assert answer.visualization(kind, number, "fi") == each
    assert answer.visualization("node", 1) is None
    assert answer.visualization("node", 60) is None
    assert answer.visualization("way", 1) is None
    assert answer.visualization("way", 2**70) is None
    with pytest.raises(MisuseError):
        answer.visualization("area", 1)


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ((), "Helsinki/Helsingfors"),
        ("sv", "Helsingfors"),
        (["et", "fi-FI"], "Helsinki"),
        (("et",), "Helsinki/Helsingfors"),
        (["", "f i", "sv_FI"], "Helsingfors"),
    ],
)
def test_titles_in_the_language_preferred(language: str | list[str], title: str) -> None:
    tags = {"place": "city", "name": "Helsinki/Helsingfors", "name:fi": "Helsinki"}
    city = node(7, 24.9, 60.2, {**tags, "name:sv": "Helsingfors"})
    assert response(city).visualizations(language)["node", 7].title == title


def test_a_language_that_is_no_text() -> None:
    answer = response(node(1, 0, 0, {"place": "city"}))
    for language in ("a\0b", "\ud800"):
        with pytest.raises(QueryError):
            answer.visualizations(language)


def test_placeholders_and_gaps_are_marked() -> None:
    with load(ANSWERS / "geometry.json") as answer:
        seen = answer.visualizations()
    assert any(each.is_placeholder and each.shape == "annotation" for each in seen.values())
    assert any(each.is_tainted for each in seen.values())


def test_what_a_query_made_is_left_out() -> None:
    with load(ANSWERS / "derived.json") as answer:
        assert len(answer.features()) > 0
        assert all(kind in ("node", "way", "relation") for kind, _ in answer.visualizations())


def test_a_real_answer() -> None:
    with load(ROOT / "Examples" / "data" / "helsinki-relations.json.gz") as answer:
        features = answer.features()
        seen = features.visualizations("sv")
        assert [each.id for each in seen.values()] == [each.id for each in features]
        assert {each.geometry.type for each in features} == {
            each.geometry.type for each in seen.values()
        }


def test_seen_after_the_response_is_closed() -> None:
    with response(*WORLD) as answer:
        features = answer.features()
    assert features.visualization("way", 4) is not None
