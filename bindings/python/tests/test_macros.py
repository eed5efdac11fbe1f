"""Searches in words, macros, numbers of areas."""

import re
from collections.abc import Iterator
from datetime import datetime, timezone

import pytest
from overpasskit import (
    Bounds,
    Place,
    Position,
    Preset,
    QueryError,
    area_id,
    expand_macros,
    wizard,
)


def numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"[\d.]+", text)]


BOX = Bounds(west=7, south=50, east=8, north=51)


@pytest.mark.parametrize(
    ("type", "id", "expected"),
    [
        ("relation", 62422, 3600062422),
        ("way", 7, 2400000007),
        ("node", 7, None),
        ("relation", -1, None),
        ("relation", 2**80, None),
        ("street", 1, None),
    ],
)
def test_area_id(type: str, id: int, expected: int | None) -> None:
    assert area_id(type, id) == expected


def test_wizard() -> None:
    text = wizard("amenity=cafe and type:way")
    assert 'way["amenity"="cafe"]({{bbox}})' in text


def test_wizard_with_presets() -> None:
    hospital = Preset("Hospital", {"amenity": "hospital"}, terms=["clinic"], types=["node"])
    for search in ("hospital", "Clinic"):
        assert 'node["amenity"="hospital"]' in wizard(search, [hospital])


def test_search_that_is_none() -> None:
    with pytest.raises(QueryError) as caught:
        wizard("amenity=")
    assert caught.value.offset is not None


def test_box_and_centre() -> None:
    assert numbers(expand_macros("node({{bbox}});", bbox=BOX)) == [50, 7, 51, 8]
    assert numbers(expand_macros("{{center}}", center=Position(lon=7.5, lat=50.5))) == [50.5, 7.5]
    assert numbers(expand_macros("{{center}}", bbox=BOX)) == [50.5, 7.5]


def test_constants_and_dates() -> None:
    assert expand_macros("{{what}}", constants={"what": "cafe"}) == "cafe"
    now = datetime(2024, 3, 31, 2, 30, tzinfo=timezone.utc)
    assert expand_macros("{{date:1 day}}", now=now).startswith("2024-03-30T02:30:00")


def test_macro_without_a_value() -> None:
    with pytest.raises(QueryError) as caught:
        expand_macros("node({{bbox}});")
    assert caught.value.offset == 5
    assert expand_macros("<{{nothing}}>", remove_unknown=True) == "<>"


def test_geocoder() -> None:
    asked = []

    def bonn(name: str) -> Iterator[Place]:
        asked.append(name)
        yield Place("relation", 62508, position=Position(7.1, 50.7), bounds=BOX)

    text = expand_macros("{{geocodeArea:Bonn}};{{geocodeCoords:Bonn}}", geocode=bonn)
    area, place = text.split(";")
    assert "3600062508" in area and numbers(place) == [50.7, 7.1]
    assert asked == ["Bonn"]


def test_errors_of_the_geocoder_come_through() -> None:
    def broken(name: str) -> Iterator[Place]:
        raise ConnectionError(name)

    with pytest.raises(ConnectionError, match="Bonn"):
        expand_macros("{{geocodeArea:Bonn}}", geocode=broken)
