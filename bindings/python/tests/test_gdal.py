"""Files read by GDAL: the same features as in our GeoJSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import shapely
import shapely.geometry
from conftest import ANSWERS, ROOT
from overpasskit import Features, OverpassKitError, load
from shapes import leaves, lines_of

SHARED = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared"))
ORACLE = SHARED / "cases" / "oracle"
pytestmark = pytest.mark.skipif(shutil.which("ogr2ogr") is None, reason="needs gdal-bin")


def read(path: Path, *arguments: str) -> list[dict[str, Any]]:
    """The features that GDAL finds in a file, or in one layer of it."""
    target = "/vsistdout/"
    result = subprocess.run(
        ["ogr2ogr", "-f", "GeoJSONSeq", "-lco", "RS=NO", target, str(path), *arguments],
        capture_output=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr.decode()
    assert b"ERROR" not in result.stderr, result.stderr.decode()
    return [json.loads(line) for line in result.stdout.splitlines()]


def shape(geometry: Any) -> Any:
    return shapely.geometry.shape(geometry).normalize()


def id_of(feature: dict[str, Any]) -> str | None:
    """GDAL keeps no ids that are texts; it has them as a property, too."""
    id: str | None = feature["properties"].get("@id")
    return id


def check_same(found: list[dict[str, Any]], expected: list[Any], tolerance: float = 1e-9) -> None:
    shapes = [shape(each["geometry"]) for each in found]
    assert len(shapes) == len(expected)
    for ours, theirs in zip(expected, shapes, strict=True):
        assert theirs.equals_exact(ours.normalize(), tolerance), (ours.wkt, theirs.wkt)


def of_one_kind(shape: Any) -> Any:
    """A collection as KML has it, where lines alone are no different from a line of several parts."""
    parts = [of_one_kind(part) for part in getattr(shape, "geoms", ())]
    kinds = {part.geom_type for part in parts}
    if shape.geom_type != "GeometryCollection" or len(kinds) != 1:
        return shape
    for kind, several in (
        ("Point", shapely.MultiPoint),
        ("LineString", shapely.MultiLineString),
        ("Polygon", shapely.MultiPolygon),
    ):
        if kinds == {kind}:
            return several(parts)
    return shape


def check_all(
    features: Features, folder: Path, tables: tuple[str, ...], sequences: tuple[str, ...]
) -> None:
    """Writes each format and lets GDAL read it."""
    collection = json.loads(features.to_geojson())["features"]
    shapes = [shapely.geometry.shape(each["geometry"]) for each in collection]
    if not shapes:
        return

    for name in sequences:
        features.write(folder / name)
        found = read(folder / name)
        check_same(found, shapes)
        assert [id_of(each) for each in found] == [id_of(each) for each in collection]

    features.write(folder / "a.gpx")
    points = [leaf for each in shapes for leaf in leaves(each) if leaf.geom_type == "Point"]
    tracks = [shapely.MultiLineString(lines_of(each)) for each in shapes if lines_of(each)]
    # A centimetre at the antimeridian.
    check_same(read(folder / "a.gpx", "waypoints"), points, 2e-7)
    check_same(read(folder / "a.gpx", "tracks"), tracks, 2e-7)

    features.write(folder / "a.kml")
    found = read(folder / "a.kml")
    check_same(found, [of_one_kind(each) for each in shapes])
    names = [each["properties"]["Name"] for each in found]
    assert all(names)

    columns = ["osm_type", "osm_id", "osm_timestamp", "wkt", "name"]
    for name in tables:
        features.write(folder / name, columns=columns, types=True)
        found = read(folder / name)
        check_same(found, shapes)
        for theirs, ours in zip(found, features, strict=True):
            properties = theirs["properties"]
            assert properties["osm_type"] == ours.type
            assert properties.get("osm_id") in (ours.number, None)
            assert (properties.get("name") or "").removeprefix("'") == ours.tags.get("name", "")


@pytest.mark.parametrize("name", ["kinds.json", "geometry.json", "derived.json"])
def test_fixtures(name: str, tmp_path: Path) -> None:
    features = load(ANSWERS / name).features(points="all")
    assert len(features) > 0
    check_all(features, tmp_path, ("a.csv", "a.tsv"), ("a.geojsons", "a.geojsonl"))


def answers() -> list[Path]:
    return sorted([*ORACLE.glob("*/answer.json"), *ORACLE.glob("*/answer.xml")])


@pytest.mark.skipif(not ORACLE.is_dir(), reason="needs ../shared/cases/oracle")
@pytest.mark.parametrize("path", answers(), ids=lambda path: path.parent.name)
def test_oracle(path: Path, tmp_path: Path) -> None:
    try:
        features = load(path).features()
    except OverpassKitError as error:
        pytest.skip(f"no answer: {error}")
    check_all(features, tmp_path, ("a.csv",), ("a.geojsons",))


def test_types_of_columns(tmp_path: Path) -> None:
    features = load(ANSWERS / "kinds.json").features()
    columns = ["osm_id", "osm_version", "osm_timestamp", "lon", "lat", "name"]
    features.write(tmp_path / "a.csv", columns=columns, types=True)
    result = subprocess.run(
        ["ogrinfo", "-ro", "-so", "-al", str(tmp_path / "a.csv")], capture_output=True, check=True
    )
    report = result.stdout.decode()
    assert not result.stderr
    for line in (
        "Geometry: Point",
        'GEOGCRS["WGS 84"',
        "osm_id: Integer64",
        "osm_timestamp: DateTime",
        "name: String",
    ):
        assert line in report
    found = read(tmp_path / "a.csv")
    assert found[0]["geometry"] == {"type": "Point", "coordinates": [-1e-7, 51.1234567]}
    assert found[0]["properties"]["osm_timestamp"].startswith("2023-05-06T07:08:09")
    assert found[0]["properties"]["name"] == 'Café "Zur Öse" 😀'
