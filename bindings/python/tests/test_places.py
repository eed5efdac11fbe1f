"""The finder of places."""

import json
import math
import random
from typing import Any

import pytest
from build import line, node, way
from conftest import ROOT
from overpasskit import MisuseError, Position, Query, QueryError, Response, load, loads
from overpasskit._ffi import lib, produce, produce_text


def response(*elements: dict[str, Any]) -> Response:
    return loads(json.dumps({"elements": elements}))


def test_all_that_the_tags_tell() -> None:
    tags = {
        "amenity": "toilets",
        "name": "Plain",
        "name:fi": "Vessa",
        "description": "behind the church",
        "fee": "yes",
        "charge": "0.50 EUR",
        "toilets:wheelchair": "limited",
        "opening_hours": "Mo-Su 06:00-22:00",
    }
    (place,) = response(node(5, 24.94, 60.17, tags)).places(lat=60.17, lon=24.93, language="fi")
    assert place.id == "node/5"
    assert (place.title, place.is_named, place.kind_title) == ("Vessa", True, "Toilets")
    assert (place.key, place.kind) == ("amenity", "toilets")
    assert place.description == "behind the church"
    assert place.position == Position(lon=24.94, lat=60.17)
    assert (place.fee, place.charge, place.fee_text) == ("yes", "0.50 EUR", None)
    assert (place.wheelchair, place.toilets_wheelchair) == ("limited", "limited")
    assert place.opening_hours == "Mo-Su 06:00-22:00"
    assert place.distance == pytest.approx(555.1347, abs=0.001)
    assert place.bearing == pytest.approx(90, abs=0.01)
    assert not place.is_placeholder


def test_nothing_is_claimed() -> None:
    (place,) = response(node(5, 0, 0, {"amenity": "cafe"})).places(lat=0, lon=0)
    assert (place.title, place.is_named) == ("Café", False)
    assert (place.fee, place.charge, place.fee_text) == ("unknown", None, None)
    assert (place.wheelchair, place.toilets_wheelchair) == ("unknown", "unknown")
    assert (place.description, place.opening_hours) == (None, None)
    assert (place.distance, place.bearing) == (0, None)


def test_the_nearest_first_within_a_radius() -> None:
    rng = random.Random(6)
    elements = [
        node(number, rng.uniform(24.9, 25), rng.uniform(60.1, 60.2), {"shop": "bakery"})
        for number in range(1, 200)
    ]
    answer = response(*elements, node(500, 24.95, 60.15, {"highway": "bus_stop"}))
    found = answer.places(lat=60.15, lon=24.95)
    assert len(found) == 199
    distances = [each.distance for each in found]
    assert distances == sorted(distances)
    near = answer.places(lat=60.15, lon=24.95, radius=distances[40])
    assert near == found[:41]
    for each in found:
        # On a sphere of the Earth's size, distances are the same to half a percent.
        x = math.radians(each.position.lon - 24.95) * math.cos(math.radians(60.15))
        y = math.radians(each.position.lat - 60.15)
        assert each.distance == pytest.approx(math.hypot(x, y) * 6371008.8, rel=0.006)
        assert each.bearing is not None
        turn = (each.bearing - math.degrees(math.atan2(x, y)) + 180) % 360 - 180
        assert abs(turn) < 0.5


def test_keys_choose_what_is_a_place() -> None:
    answer = response(
        node(1, 0, 0, {"leisure": "playground"}),
        node(2, 0, 0, {"amenity": "cafe", "shop": "books"}),
        node(3, 0, 0, {"amenity": "no"}),
    )
    assert [each.kind for each in answer.places(lat=0, lon=0)] == ["cafe"]
    by_shop = answer.places(lat=0, lon=0, keys=["leisure", "shop"])
    assert [each.kind_title for each in by_shop] == ["Playground", "Books shop"]
    assert answer.places(lat=0, lon=0, keys=[]) == []
    with pytest.raises(MisuseError):
        answer.places(lat=0, lon=0, keys="shop")


def test_areas_and_centres() -> None:
    horseshoe = line(
        (0, 0), (0.01, 0), (0.01, 0.01), (0.009, 0.01), (0.009, 0.001), (0.001, 0.001),
        (0.001, 0.01), (0, 0.01), (0, 0),
    )  # fmt: skip
    answer = response(
        way(1, None, {"amenity": "school"}, geometry=horseshoe),
        way(2, None, {"amenity": "cafe"}, center={"lat": 0.02, "lon": 0.02}),
        way(3, None, {"amenity": "cafe"}),
    )
    school, cafe = answer.places(lat=0, lon=0)
    assert (school.id, school.is_placeholder) == ("way/1", False)
    lon, lat = school.position
    assert 0 < lon < 0.001 or 0.009 < lon < 0.01 or 0 < lat < 0.001
    assert (cafe.id, cafe.is_placeholder) == ("way/2", True)


@pytest.mark.parametrize(
    ("lat", "lon", "radius"),
    [(91, 0, None), (0, 181, None), (math.nan, 0, None), (0, math.inf, 1), (0, 0, -1)],
)
def test_positions_and_radii_out_of_range(lat: float, lon: float, radius: float | None) -> None:
    with pytest.raises(MisuseError):
        response(node(1, 0, 0, {"amenity": "cafe"})).places(lat=lat, lon=lon, radius=radius)


def test_values_are_ready_for_json() -> None:
    (place,) = response(node(5, 1, 2, {"shop": "yes"})).places(lat=2, lon=1)
    values = json.loads(json.dumps(place.to_dict()))
    assert values["id"] == "node/5"
    assert values["position"] == {"lon": 1, "lat": 2}
    assert values["bearing"] is None
    assert values["fee"] == "unknown"


def test_a_real_answer() -> None:
    with load(ROOT / "Examples" / "data" / "helsinki-relations.json.gz") as answer:
        found = answer.places(lat=60.17, lon=24.94, language=["sv", "fi"])
        features = {each.id: each for each in answer.features()}
    assert len(found) > 10
    for place in found:
        tags = features[place.id].tags
        assert tags[place.key] == place.kind
        if place.is_named:
            assert place.title in (tags.get("name:sv"), tags.get("name:fi"), tags["name"])
        assert place.fee == "unknown" or tags["fee"] == place.fee
        assert place.opening_hours == tags.get("opening_hours")


def test_the_query_of_an_amenities_app() -> None:
    query = Query.amenity("toilets", lat=60.1699, lon=24.9384, radius=500).timeout(25)
    assert query.ql() == (
        '[out:json][timeout:25];nwr["amenity"="toilets"](around:500,60.1699,24.9384);out geom;'
    )
    assert query.xml() == (
        '<osm-script output="json" timeout="25"><query type="nwr"><has-kv k="amenity" v="toilets"/>'
        '<around radius="500" lat="60.1699" lon="24.9384"/></query><print geometry="full"/>'
        "</osm-script>"
    )
    with pytest.raises(QueryError):
        Query.amenity("toilets", lat=91, lon=0, radius=500)
    with pytest.raises(QueryError):
        Query.amenity("", lat=0, lon=0, radius=500)


@pytest.mark.parametrize(("key", "value"), [("amenity", "toilets"), ("shop", 'a&"<ä')])
def test_the_library_asks_the_same(key: str, value: str) -> None:
    query = produce(
        lib.opk_query_new_amenity, key.encode(), value.encode(), 60.1699, 24.9384, 500.0
    )
    try:
        ours = Query.amenity(value, key=key, lat=60.1699, lon=24.9384, radius=500)
        assert produce_text(lib.opk_query_render_ql, query, 0) == ours.ql()
        assert produce_text(lib.opk_query_render_xml, query, 0) == ours.xml()
    finally:
        lib.opk_query_free(query)
