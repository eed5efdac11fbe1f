"""All answers at hand, read by GDAL: the features, geometries and tags of the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from drivers import CONFORMANCE, FIXTURES, ORACLE, read
from osgeo import ogr

LAYER_OF = {
    "Point": "points",
    "LineString": "lines",
    "MultiLineString": "multilinestrings",
    "Polygon": "multipolygons",
    "MultiPolygon": "multipolygons",
    "MultiPoint": "other_relations",
    "GeometryCollection": "other_relations",
}


def layers_of(response: overpasskit.Response) -> dict[str, list[dict[str, Any]]]:
    """What the drivers are to give, from our GeoJSON."""
    features = response.features(collections=True)
    collection = json.loads(features.to_geojson(properties="nested"))["features"]
    layers: dict[str, list[dict[str, Any]]] = {name: [] for name in LAYER_OF.values()}
    for fid, feature in enumerate(collection):
        kind = feature["geometry"]["type"]
        geometry = ogr.CreateGeometryFromJson(json.dumps(feature["geometry"]))
        if kind == "Polygon":
            geometry = ogr.ForceToMultiPolygon(geometry)
        properties = feature["properties"]
        layers[LAYER_OF[kind]].append(
            {"fid": fid, "wkb": geometry, "type": properties["type"], "tags": properties["tags"],
             "id": properties.get("id")}
        )
    return layers


def tags_of(fields: dict[str, Any]) -> dict[str, str]:
    own = {name: value for name, value in fields.items()
           if not name.startswith("osm_") and name != "other_tags"}
    return {**own, **json.loads(fields.get("other_tags", "{}"))}


def check(found: dict[str, Any], response: overpasskit.Response) -> None:
    assert found["driver"] == "OVERPASS", found["messages"]
    expected = layers_of(response)
    assert list(found["layers"]) == [
        "points", "lines", "multilinestrings", "multipolygons", "other_relations"
    ]
    for name, layer in found["layers"].items():
        assert layer["count"] == len(layer["features"]) == len(expected[name])
        for ours, theirs in zip(expected[name], layer["features"], strict=True):
            assert theirs["fid"] == ours["fid"]
            assert theirs["fields"].get("osm_id", 0) == (ours["id"] or 0)
            assert theirs["fields"]["osm_type"] == ours["type"]
            assert tags_of(theirs["fields"]) == ours["tags"]
            geometry = ogr.CreateGeometryFromWkb(bytes.fromhex(theirs["wkb"]))
            assert geometry.Equals(ours["wkb"])
            assert geometry.ExportToWkt() == ours["wkb"].ExportToWkt()
    is_complete = {True: "YES", False: "NO", None: "UNKNOWN"}[response.is_complete]
    assert found["metadata"]["OVERPASS_COMPLETE"] == is_complete
    assert found["metadata"].get("REMARK", "") == "\n".join(response.remarks)


def check_files(driver: str, paths: list[Path], prefix: str = "OVERPASS:") -> None:
    jobs = [{"path": f"{prefix}{path}", "options": ["TAGS_FORMAT=JSON"]} for path in paths]
    checked = 0
    for found, path in zip(read(driver, jobs), paths, strict=True):
        try:
            response = overpasskit.load(path, partial=True)
        except overpasskit.OverpassKitError:
            assert found["driver"] is None, path
            continue
        try:
            check(found, response)
        except AssertionError as error:
            raise AssertionError(f"{path}: {error}") from None
        checked += 1
    assert checked > 0


def test_fixtures(driver: str) -> None:
    check_files(driver, sorted(FIXTURES.glob("*.json")))


@pytest.mark.skipif(not ORACLE.is_dir(), reason="needs ../shared/cases/oracle")
def test_oracle(driver: str) -> None:
    paths = sorted([*ORACLE.glob("*/answer.json"), *ORACLE.glob("*/answer.xml")])
    check_files(driver, paths)
    # GDAL asks drivers in Python last, so that others may take what is ours.
    if driver == "compiled":
        check_files(driver, paths, prefix="")


@pytest.mark.skipif(not CONFORMANCE.is_dir(), reason="needs ../shared/cases/conformance")
def test_conformance_inputs(driver: str, tmp_path: Path) -> None:
    paths = []
    for case in sorted(CONFORMANCE.glob("*/*.json")):
        source = json.loads(case.read_text()).get("input")
        if source is None:
            continue
        path = tmp_path / f"{case.parent.name}-{case.name}"
        path.write_text(source if isinstance(source, str) else json.dumps(source))
        paths.append(path)
    check_files(driver, paths)
