"""Fields, open options, filters, random access: what GDAL's users set and ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from drivers import FIXTURES, read_one

KINDS = f"OVERPASS:{FIXTURES / 'kinds.json'}"


def node(number: int, lat: float, lon: float, **tags: str) -> dict[str, Any]:
    return {"type": "node", "id": number, "lat": lat, "lon": lon, "tags": tags}


def answer(folder: Path, elements: list[dict[str, Any]]) -> Path:
    path = folder / "answer.json"
    path.write_text(json.dumps({"version": 0.6, "osm3s": {}, "elements": elements}))
    return path


def points(driver: str, path: Any, options: list[str] | None = None, **job: Any) -> dict[str, Any]:
    layer: dict[str, Any] = read_one(driver, path, options, **job)["layers"]["points"]
    return layer


def ids(layer: dict[str, Any]) -> list[int]:
    return [feature["fields"]["osm_id"] for feature in layer["features"]]


def test_layers(driver: str) -> None:
    found = read_one(driver, KINDS)
    assert found["messages"] == [] and found["missing"]
    kinds = {name: layer["geometry"] for name, layer in found["layers"].items()}
    assert kinds == {
        "points": "Point",
        "lines": "Line String",
        "multilinestrings": "Multi Line String",
        "multipolygons": "Multi Polygon",
        "other_relations": "Geometry Collection",
    }
    for layer in found["layers"].values():
        assert layer["srs"] == "4326" and layer["mapping"] == [2, 1]
        assert list(layer["fields"])[:3] == ["osm_id", "osm_type", "name"]
        assert list(layer["fields"])[-1] == "other_tags"
        assert layer["fields"]["osm_id"] == "Integer64/0"
    assert found["metadata"] == {
        "OVERPASS_COMPLETE": "YES",
        "TIMESTAMP_OSM_BASE": "2024-03-31T02:30:00Z",
        "COPYRIGHT": "invented data",
        "GENERATOR": "Overpass API 0.7.62.1",
    }
    cafe = found["layers"]["points"]["features"][0]["fields"]
    assert cafe == {
        "osm_id": 12345678901,
        "osm_type": "node",
        "name": 'Café "Zur Öse" 😀',
        "other_tags": '"amenity"=>"cafe","note"=>"line1\nline2","id"=>"A7","type"=>"level"',
    }


def test_one_layer(driver: str) -> None:
    layers = read_one(driver, KINDS, ["LAYERS=ALL"])["layers"]
    assert list(layers) == ["all"]
    assert layers["all"]["geometry"] == "Unknown (any)"
    assert [each["fid"] for each in layers["all"]["features"]] == [0, 1, 2, 3, 4, 5]
    # Polygons stay what they are.
    kinds = {bytes.fromhex(each["wkb"])[1] for each in layers["all"]["features"]}
    assert {1, 2, 3} <= kinds


@pytest.mark.parametrize(
    "tags, columns",
    [
        ("NONE", []),
        ("name", ["name"]),
        ("amenity, name", ["amenity", "name"]),
        ("osm_id,Geometry", ["tag:osm_id", "tag:Geometry"]),
        ("ALL", ["Name", "a,b", "c", "tag:fid", "z"]),
        ("AUTO:2", ["c", "Name"]),
        ("AUTO:0", []),
        ('"a,b",c', ["a,b", "c"]),
    ],
)
def test_columns(driver: str, tmp_path: Path, tags: str, columns: list[str]) -> None:
    keys = {"Name": "N", "name": "n", "c": "1", "fid": "7", "a,b": "x"}
    others = [node(2, 1, 3, c="2", z='"\\'), node(3, 0, 0, Name="M", c="")]
    path = answer(tmp_path, [node(1, 1, 2, **keys), *others])
    layer = points(driver, path, [f"TAGS={tags}"])
    own = list(layer["fields"])[2:-1]
    assert own == columns or sorted(own) == sorted(columns)
    first = layer["features"][0]["fields"]
    others = first.get("other_tags", "")
    if tags == "ALL":
        # Of keys that differ in case alone, one has a column.
        assert first["Name"] == "N" and others == '"name"=>"n"'
        assert first["tag:fid"] == "7"
        assert layer["features"][1]["fields"]["z"] == '"\\'
        assert layer["features"][2]["fields"]["c"] == ""
    if tags == "NONE":
        assert layer["features"][1]["fields"]["other_tags"] == '"c"=>"2","z"=>"\\"\\\\"'


def test_tags_as_json(driver: str, tmp_path: Path) -> None:
    path = answer(tmp_path, [node(1, 1, 2, a='"\\\n\t\u0001é', b="")])
    layer = points(driver, path, ["TAGS_FORMAT=JSON"])
    assert json.loads(layer["features"][0]["fields"]["other_tags"]) == {"a": '"\\\n\t\u0001é', "b": ""}
    if driver == "compiled":
        assert layer["fields"]["other_tags"] == "String/4"  # OFSTJSON


def test_nul(driver: str, tmp_path: Path) -> None:
    """GDAL's texts end at a NUL: nothing behind one is lost among the other tags."""
    path = answer(tmp_path, [node(1, 1, 2, **{"a": "x\0y", "b\0c": "z", "name": "n\0m"})])
    fields = points(driver, path)["features"][0]["fields"]
    assert fields["other_tags"] == '"a"=>"x\ufffdy","b\ufffdc"=>"z"' and fields["name"] == "n"
    fields = points(driver, path, ["TAGS_FORMAT=JSON", "TAGS=ALL"])["features"][0]["fields"]
    assert json.loads(fields["other_tags"]) == {"b\0c": "z"} and fields["a"] == "x"


def test_metadata(driver: str, tmp_path: Path) -> None:
    element = node(1, 1, 2, name="x")
    element.update(version=3, timestamp="2023-05-06T07:08:09Z", changeset=1 << 40, uid=5, user="é")
    layer = points(driver, answer(tmp_path, [element, node(2, 3, 4)]), ["METADATA=YES"])
    names = ["osm_version", "osm_timestamp", "osm_changeset", "osm_uid", "osm_user"]
    assert list(layer["fields"])[-6:-1] == names
    assert layer["fields"]["osm_timestamp"] == "DateTime/0"
    fields = layer["features"][0]["fields"]
    assert [fields[name] for name in names] == [3, "2023/05/06 07:08:09+00", 1 << 40, 5, "é"]
    assert not set(names) & set(layer["features"][1]["fields"])


@pytest.mark.parametrize(
    "option", ["LAYERS=SOME", "TAGS_FORMAT=XML", "TAGS=AUTO:x", "TAGS=AUTO:1001", "MAX_WAIT=soon"]
)
def test_wrong_options(driver: str, option: str) -> None:
    found = read_one(driver, KINDS, [option])
    assert found["driver"] is None
    assert any(f"open option {option}" in text for _, text in found["messages"])


def grid(folder: Path) -> Path:
    def each(n: int) -> dict[str, Any]:
        return node(100 + n, n // 10, n % 10, name=f"n{n}", odd="yes" if n % 2 else "no")

    return answer(folder, [each(n) for n in range(100)])


def test_filters(driver: str, tmp_path: Path) -> None:
    path = grid(tmp_path)
    everything = points(driver, path)
    assert everything["count"] == 100 and everything["extent"] == [0, 9, 0, 9]
    assert {"FastFeatureCount", "RandomRead", "StringsAsUTF8"} <= set(everything["capabilities"])

    some = points(driver, path, ["TAGS=name,odd"], where="odd = 'yes' AND osm_id < 110")
    assert ids(some) == [101, 103, 105, 107, 109] and some["count"] == 5
    assert "FastFeatureCount" not in some["capabilities"]

    boxed = points(driver, path, box=[1.5, 2.5, 3.5, 3.5])
    assert ids(boxed) == [132, 133] and boxed["count"] == 2

    triangle = points(driver, path, shape="POLYGON ((-0.5 -0.5,2.5 -0.5,-0.5 2.5,-0.5 -0.5))")
    assert ids(triangle) == [100, 101, 102, 110, 111, 120]

    both = points(driver, path, ["TAGS=odd"], box=[1.5, 2.5, 3.5, 3.5], where="odd = 'no'")
    assert ids(both) == [132] and both["count"] == 1
    # SQLite's columns of tags with other keys.
    assert points(driver, path, where="other_tags LIKE '%yes%'")["count"] == 50


def test_lines_at_the_edge_of_a_filter(driver: str, tmp_path: Path) -> None:
    def way(number: int, *positions: tuple[float, float]) -> dict[str, Any]:
        geometry = [{"lat": lat, "lon": lon} for lon, lat in positions]
        return {"type": "way", "id": number, "geometry": geometry, "tags": {"highway": "path"}}

    # The box of the first meets the filter, the line does not.
    path = answer(tmp_path, [way(1, (0, 0), (10, 10)), way(2, (0, 10), (10, 0))])
    found = read_one(driver, path, box=[7, 0, 9, 4])["layers"]["lines"]
    assert ids(found) == [2] and found["count"] == 1


def test_random_access(driver: str, tmp_path: Path) -> None:
    layer = points(driver, grid(tmp_path), fids=[0, 42, 99, 100, -1, 1 << 40], next=7)
    picked = [each and each["fields"]["osm_id"] for each in layer["picked"]]
    assert picked == [100, 142, 199, None, None, None]
    assert layer["picked"][1] == layer["features"][42]
    code, feature = layer["next"]
    assert code == 0 and feature["fields"]["osm_id"] == 107

    # FIDs are the same in all layers.
    kinds = read_one(driver, KINDS)["layers"]
    whole = read_one(driver, KINDS, ["LAYERS=ALL"], fids=[5, 2])["layers"]["all"]
    features = [each for layer in kinds.values() for each in layer["features"]]
    found = {each["fid"]: each["fields"]["osm_id"] for each in features}
    assert [each["fields"]["osm_id"] for each in whole["picked"]] == [found[5], found[2]]
    assert read_one(driver, KINDS, fids=[5])["layers"]["points"]["picked"] == [None]


def test_next_by_index(driver: str, tmp_path: Path) -> None:
    path = grid(tmp_path)
    assert points(driver, path, next=100)["next"][1] is None
    assert points(driver, path, next=-1)["next"][0] != 0
    code, feature = points(driver, path, ["TAGS=odd"], where="odd = 'yes'", next=3)["next"]
    assert code == 0 and feature["fields"]["osm_id"] == 107


def test_ignored_fields(driver: str, tmp_path: Path) -> None:
    layer = points(driver, grid(tmp_path), ignored=["name", "other_tags", "OGR_GEOMETRY"])
    if driver == "compiled":
        assert layer["features"][0] == {
            "fid": 0, "fields": {"osm_id": 100, "osm_type": "node"}, "wkb": None
        }
        boxed = points(driver, grid(tmp_path), ignored=["OGR_GEOMETRY"], box=[1.5, 2.5, 3.5, 3.5])
        assert ids(boxed) == [132, 133]


def test_elements_with_the_same_number(driver: str, tmp_path: Path) -> None:
    way = {"type": "way", "id": 7, "center": {"lat": 1, "lon": 2}, "tags": {"building": "yes"}}
    nameless = {"type": "node", "lat": 5, "lon": 5, "tags": {"a": "b"}}
    path = answer(tmp_path, [node(7, 1, 1, name="x"), way, nameless])
    features = points(driver, path)["features"]
    assert [each["fields"]["osm_type"] for each in features[:2]] == ["node", "way"]
    assert len({each["fid"] for each in features}) == len(features)


def test_columns_of_many_keys(driver: str, tmp_path: Path) -> None:
    path = answer(tmp_path, [node(n + 1, 1, 1, **{f"key{n}": "v"}) for n in range(1500)])
    layer = points(driver, path, ["TAGS=ALL"])
    assert len(layer["fields"]) == 1003
    assert sum("other_tags" in each["fields"] for each in layer["features"]) == 500


def test_empty_answers(driver: str, tmp_path: Path) -> None:
    found = read_one(driver, answer(tmp_path, []))
    assert len(found["layers"]) == 5
    assert all(layer["count"] == 0 and layer["features"] == [] for layer in found["layers"].values())
