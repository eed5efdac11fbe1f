"""GeoJSON text, judged by other readers."""

import io
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import overpasskit
import pytest
import shapely
import shapely.geometry
from conftest import ANSWERS
from overpasskit import FileError, load, loads

PROFILES = ("default", "osmtogeojson")
LAYOUTS = ("flat", "nested")


def normal(feature: dict[str, Any]) -> dict[str, Any]:
    """The feature with its geometry brought to one form: rings start anywhere in GeoJSON."""
    geometry = feature["geometry"] and shapely.geometry.shape(feature["geometry"]).normalize().wkt
    return {**feature, "geometry": geometry}


@pytest.mark.parametrize(
    ("properties", "expected"), [("flat", "kinds.geojson"), ("nested", "kinds-nested.geojson")]
)
def test_as_expected(kinds: overpasskit.Response, properties: Any, expected: str) -> None:
    got = json.loads(kinds.to_geojson(properties=properties))
    want = json.loads((ANSWERS / expected).read_text(encoding="utf-8"))
    assert [normal(each) for each in got["features"]] == [normal(each) for each in want["features"]]


def positions(value: Any) -> Iterator[list[float]]:
    if value and isinstance(value[0], (int, float)):
        yield value
    else:
        for each in value:
            yield from positions(each)


@pytest.mark.parametrize("name", ["kinds.json", "geometry.json", "derived.json", "remark.json"])
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("properties", LAYOUTS)
def test_follows_the_rules(name: str, profile: Any, properties: Any) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    text = load(ANSWERS / name).to_geojson(profile, properties, "all")
    collection = json.loads(text, parse_constant=refuse)
    assert collection["type"] == "FeatureCollection"
    ids = [feature["id"] for feature in collection["features"]]
    assert len(ids) == len(set(ids))
    for feature in collection["features"]:
        assert feature["type"] == "Feature"
        assert isinstance(feature["properties"], dict)
        geometry = feature["geometry"]
        if geometry is None:
            continue
        for lon, lat in positions(geometry.get("coordinates", [])):
            assert -180 <= lon <= 180 and -90 <= lat <= 90 and math.isfinite(lon + lat)
        shape = shapely.geometry.shape(geometry)
        for polygon in getattr(shape, "geoms", [shape]):
            if polygon.geom_type == "Polygon":
                assert polygon.exterior.is_ccw
                assert not any(hole.is_ccw for hole in polygon.interiors)


def test_flat_keeps_tags_and_fields_apart(kinds: overpasskit.Response) -> None:
    properties = json.loads(kinds.to_geojson())["features"][0]["properties"]
    assert properties["id"] == "A7" and properties["type"] == "level"
    assert properties["@id"] == "node/12345678901" and properties["@type"] == "node"
    assert properties["@version"] == 4 and properties["@uid"] == 77
    assert properties["@user"] == "Anna Bolika"


def test_flat_of_osmtogeojson(kinds: overpasskit.Response) -> None:
    collection = json.loads(kinds.to_geojson("osmtogeojson"))
    cafe = next(each for each in collection["features"] if each["id"] == "node/12345678901")
    assert cafe["properties"]["id"] == "node/12345678901"
    assert cafe["properties"]["type"] == "level"
    assert "@id" not in cafe["properties"]


def test_nested_of_osmtogeojson(kinds: overpasskit.Response) -> None:
    collection = json.loads(kinds.to_geojson("osmtogeojson", "nested"))
    path = next(each for each in collection["features"] if each["id"] == "way/22")["properties"]
    assert (path["type"], path["id"]) == ("way", 22)
    assert path["tags"] == {"highway": "path", "surface": "ground"}
    assert path["relations"] == [
        {
            "rel": 31,
            "role": "forward",
            "reltags": {"type": "route", "route": "hiking", "name": "Ostweg"},
        }
    ]


def test_exact_decimals() -> None:
    answer = (
        '{"elements":[{"type":"node","id":1,"lat":51.1234567,"lon":-1e-07},'
        '{"type":"node","id":2,"lat":-89.9999999,"lon":179.9999999},'
        '{"type":"node","id":3,"lat":1E-7,"lon":5}]}'
    )
    text = loads(answer).to_geojson()
    for part in ("[-0.0000001,51.1234567]", "[179.9999999,-89.9999999]", "[5,0.0000001]"):
        assert part in text.replace(" ", "").replace("5.0,", "5,")


def test_escapes() -> None:
    value = '"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\u202e\U0001f600ö'
    answer = {"elements": [{"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {value: value}}]}
    for answer_text in (json.dumps(answer), json.dumps(answer, ensure_ascii=False)):
        properties = json.loads(loads(answer_text).to_geojson())["features"][0]["properties"]
        assert properties[value] == value


def test_file_is_the_text(kinds: overpasskit.Response, tmp_path: Path) -> None:
    path = tmp_path / "öut.geojson"
    path.write_text("longer than what comes" * 1000)
    for arguments in (("default", "flat", "auto"), ("osmtogeojson", "nested", "all")):
        kinds.write_geojson(path, *arguments)  # type: ignore[arg-type]
        assert path.read_text(encoding="utf-8") == kinds.to_geojson(*arguments)  # type: ignore[arg-type]


def test_open_file(kinds: overpasskit.Response) -> None:
    target = io.BytesIO()
    kinds.write_geojson(target, properties="nested")
    assert target.getvalue().decode() == kinds.to_geojson(properties="nested")


def test_file_that_cannot_be_written(kinds: overpasskit.Response, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere"):
        kinds.write_geojson(tmp_path / "nowhere" / "x.geojson")
    with pytest.raises(FileError):
        kinds.write_geojson("/dev/full")
