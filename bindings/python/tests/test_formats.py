"""Features in all formats, judged by other readers: shapely, lxml, Python's csv and json."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import overpasskit
import pytest
import shapely
import shapely.geometry
from build import member, node, relation, way
from conftest import ANSWERS
from hostile import in_cell, in_xml, texts
from lxml import etree
from overpasskit import Features, FileError, MisuseError, load, loads
from overpasskit._abi import OPK_FORMAT_KML, opk_features_write_options
from overpasskit._ffi import call, lib
from overpasskit.formats import FEATURE_FORMATS, FIELDS, feature_format_of
from shapes import leaves

GPX = "{http://www.topografix.com/GPX/1/1}"
KML = "{http://www.opengis.net/kml/2.2}"
SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).with_name("gpx.rng")))
NAMES = ["kinds.json", "geometry.json", "derived.json", "remark.json"]


def features_of(elements: list[Any]) -> Features:
    return loads(json.dumps({"elements": elements})).features()


def shapes(features: Features) -> list[Any]:
    collection = json.loads(features.to_geojson())["features"]
    return [shapely.geometry.shape(each["geometry"]) for each in collection]


def xml(text: str) -> Any:
    return etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))


def drawn(name: str) -> Features:
    return load(ANSWERS / name).features(points="all")


each_answer = pytest.mark.parametrize("name", NAMES)


# Geometries, by shapely


@each_answer
def test_well_known_forms(name: str) -> None:
    features = drawn(name)
    for feature, shape in zip(features, shapes(features), strict=True):
        value = feature.geometry
        assert shapely.from_wkt(feature.wkt).equals_exact(shape, 0)
        assert shapely.from_wkb(feature.ewkb).equals_exact(shape, 0)
        assert shapely.get_srid(shapely.from_wkb(feature.ewkb)) == 4326
        assert feature.ewkt == f"SRID=4326;{feature.wkt}"
        # Values have the same forms.
        assert (value.wkt, value.ewkt) == (feature.wkt, feature.ewkt)
        assert (value.wkb, value.ewkb) == (feature.wkb, feature.ewkb)


@each_answer
def test_all_geometries(name: str) -> None:
    features = drawn(name)
    expected = shapes(features)
    lines = features.to_wkt().splitlines()
    assert [shapely.from_wkt(line) for line in lines] == expected
    assert features.to_wkt(srid=True).splitlines() == [f"SRID=4326;{line}" for line in lines]
    for srid in (False, True):
        collection = shapely.from_wkb(features.to_wkb(srid=srid))
        assert collection.geom_type == "GeometryCollection"
        assert list(collection.geoms) == expected
        assert shapely.get_srid(collection) == (4326 if srid else 0)


@each_answer
def test_geojson_sequences(name: str) -> None:
    features = drawn(name)
    for properties in ("flat", "nested"):
        expected = json.loads(features.to_geojson(properties))["features"]
        records = features.to_geojsonseq(properties).split("\x1e")
        assert records[0] == "" and all(each.endswith("\n") for each in records[1:])
        assert [json.loads(each) for each in records[1:]] == expected
        lines = features.to_geojsonseq(properties, separators=False).splitlines()
        assert [json.loads(each) for each in lines] == expected


# GPX, by lxml


def positions(element: Any, tag: str) -> list[tuple[float, float]]:
    return [(float(e.get("lon")), float(e.get("lat"))) for e in element.iter(GPX + tag)]


@each_answer
@pytest.mark.parametrize("routes", [False, True])
def test_gpx(name: str, routes: bool) -> None:
    features = drawn(name)
    root = xml(features.to_gpx(routes=routes))
    SCHEMA.assertValid(root)
    points, lines, rings = [], [], []
    for shape in shapes(features):
        for part in leaves(shape):
            if part.geom_type == "Point":
                points.append(part.coords[0])
            elif part.geom_type == "LineString":
                lines.append(list(part.coords))
            else:
                rings += [list(ring.coords) for ring in (part.exterior, *part.interiors)]
    assert positions(root, "wpt") == points
    segments = [positions(each, "trkpt") for each in root.iter(GPX + "trkseg")]
    found = [positions(each, "rtept") for each in root.iter(GPX + "rte")]
    if routes:
        assert (found, segments) == (lines, rings)
    else:
        assert not found
        assert sorted(segments) == sorted(lines + rings)


def test_gpx_at_the_antimeridian() -> None:
    features = features_of(
        [
            node(1, 180, 1, {"a": "b"}),
            node(2, -179, 1),
            node(3, 179, 2),
            way(4, [2, 3], {"route": "ferry"}),
        ]
    )
    root = xml(features.to_gpx())
    SCHEMA.assertValid(root)
    assert max(lon for lon, _ in positions(root, "trkpt")) == 179.9999999
    bounds = root.find(f"{GPX}metadata/{GPX}bounds")
    assert float(bounds.get("minlon")) < float(bounds.get("maxlon"))


# KML, by lxml; test_gdal.py has its geometry


@each_answer
def test_kml(name: str) -> None:
    features = drawn(name)
    document = xml(features.to_kml()).find(KML + "Document")
    assert document.findtext(KML + "description")
    placemarks = document.findall(KML + "Placemark")
    assert len(placemarks) == len(features)
    ids = [each.get("id") for each in placemarks if each.get("id")]
    assert len(ids) == len(set(ids))
    for placemark, feature in zip(placemarks, features, strict=True):
        title, data, geometry = placemark
        assert title.text and data.tag == KML + "ExtendedData"
        values = {each.get("name"): each.findtext(KML + "value") for each in data}
        assert {key: values[key] for key in feature.tags} == feature.tags
        assert geometry.tag[len(KML) :] in ("Point", "LineString", "Polygon", "MultiGeometry")
        for coordinates in geometry.iter(KML + "coordinates"):
            assert all(each.count(",") == 1 for each in coordinates.text.split())


# Tables, by Python's csv


def rows(text: str, **options: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True, **options))


@each_answer
def test_table(name: str) -> None:
    features = drawn(name)
    heading, *table = rows(features.to_csv())
    assert heading[:4] == ["osm_type", "osm_id", "lon", "lat"]
    assert len(heading) == len(set(heading)) and len(table) == len(features)
    for row, feature in zip(table, features, strict=True):
        cells = dict(zip(heading, row, strict=True))
        assert cells["osm_type"] == feature.type
        assert cells["osm_id"] in (str(feature.number), "")
        point = feature.point_on_surface
        assert point is not None
        assert (float(cells["lon"]), float(cells["lat"])) == point
        for key, value in feature.tags.items():
            assert cells[f"tag:{key}" if key in FIELDS else key] == value
    assert rows(features.to_csv(tabs=True), delimiter="\t") == [heading, *table]
    assert rows(features.to_csv(headings=False)) == table


def test_columns(kinds: overpasskit.Response) -> None:
    columns = [*FIELDS, "name", "tag:osm_id"]
    heading, first, *_ = rows(kinds.features().to_csv(columns))
    assert heading == columns
    cells = dict(zip(heading, first, strict=True))
    assert cells["osm_timestamp"] == "2023-05-06T07:08:09Z" and cells["osm_version"] == "4"
    assert cells["wkt"] == "POINT (-0.0000001 51.1234567)"
    assert json.loads(cells["osm_tags"])["note"] == "line1\nline2"
    assert cells["osm_attribution"] == "invented data" and cells["tag:osm_id"] == ""


@pytest.mark.parametrize("columns", [[], ["a", "a"], [""], ["tag:"], ["a\0b"], "name"])
def test_columns_that_make_no_table(kinds: overpasskit.Response, columns: Any) -> None:
    with pytest.raises(MisuseError):
        kinds.features().to_csv(columns)


# Hostile texts: each reader gives back what was written


@pytest.mark.parametrize("seed", range(40))
def test_hostile_texts(seed: int) -> None:
    values = texts(seed, 12)
    keys = sorted({each for each in texts(1000 + seed, 5) if each})
    elements = [
        node(n + 1, 1, 2, dict.fromkeys(keys, value) | {"name": value}, user=value)
        for n, value in enumerate(values)
    ]
    features = features_of(elements)
    assert [each.tags["name"] for each in features] == values

    for line, value in zip(features.to_geojsonseq().split("\x1e")[1:], values, strict=True):
        assert line.count("\n") == 1
        assert json.loads(line)["properties"]["name"] == value

    root = xml(features.to_gpx())
    SCHEMA.assertValid(root)
    for place, value in zip(root.iter(GPX + "wpt"), values, strict=True):
        number = place.find(GPX + "link").get("href").rpartition("/")[2]
        assert place.findtext(GPX + "name") == (in_xml(value) or f"node/{number}")
        assert f"name={in_xml(value)}" in place.findtext(GPX + "desc")

    for placemark, value in zip(
        xml(features.to_kml()).iter(KML + "Placemark"), values, strict=True
    ):
        data = [(e.get("name"), e.findtext(KML + "value")) for e in placemark.iter(KML + "Data")]
        assert ("@user", in_xml(value)) in data and ("name", in_xml(value)) in data
        found = [key for key, _ in data if key not in ("@type", "@id", "@user", "name")]
        assert found == [in_xml(key) for key in keys]

    # C has no names with a NUL, but a table of all keys has them.
    columns = ["osm_id", "osm_user", "name", *(f"tag:{key}" for key in keys if "\0" not in key)]
    assert {in_cell(key) for key in keys} <= {
        each.removeprefix("'").removeprefix("tag:") for each in rows(features.to_csv())[0]
    } | {in_cell(key) for key in keys if key.startswith(("tag:", "'"))}
    for tabs in (False, True):
        delimiter = "\t" if tabs else ","
        kept = features.to_csv(columns, tabs=tabs, keep_formulas=True)
        heading, *table = rows(kept, delimiter=delimiter)
        assert heading == [in_cell(each) for each in columns]
        for row, value in zip(table, values, strict=True):
            assert row[1:] == [in_cell(value)] * (len(columns) - 1)
        safe = rows(features.to_csv(columns, tabs=tabs), delimiter=delimiter)
        for row, value in zip(safe[1:], values, strict=True):
            assert row[2] in (in_cell(value), "'" + in_cell(value))
            assert row[2][:1] not in ("=", "@", "\t", "\r", "\n")
            assert row[2][:1] not in ("+", "-") or is_number(row[2])


def is_number(text: str) -> bool:
    return text[1:].replace(".", "", 1).isascii() and text[1:].replace(".", "", 1).isdigit()


# Where it is written to


@pytest.mark.parametrize("format", FEATURE_FORMATS)
def test_targets_get_the_same(kinds: overpasskit.Response, tmp_path: Path, format: Any) -> None:
    features = kinds.features()
    stream = io.BytesIO()
    features.write(stream, format)
    path = tmp_path / f"x.{format}"
    path.write_bytes(b"what was there before" * 1000)
    features.write(path, format)
    assert path.read_bytes() == stream.getvalue() != b""
    with (tmp_path / "raw").open("wb", buffering=0) as raw:
        features.write(raw, format)
    assert (tmp_path / "raw").read_bytes() == stream.getvalue()
    with (tmp_path / "fd").open("wb") as file:
        options = opk_features_write_options(format=FEATURE_FORMATS[format])
        call(lib.opk_features_write_fd, features._handle, options, file.fileno())
    assert (tmp_path / "fd").read_bytes() == stream.getvalue()


def test_methods_and_files_agree(kinds: overpasskit.Response, tmp_path: Path) -> None:
    features = kinds.features()
    for name, text in (
        ("a.geojson", features.to_geojson()),
        ("a.geojsons", features.to_geojsonseq()),
        ("a.geojsonl", features.to_geojsonseq(separators=False)),
        ("a.ndjson", features.to_geojsonseq(separators=False)),
        ("a.gpx", features.to_gpx()),
        ("a.KML", features.to_kml()),
        ("a.csv", features.to_csv()),
        ("a.tsv", features.to_csv(tabs=True)),
        ("a.wkt", features.to_wkt()),
        ("a.ewkt", features.to_wkt(srid=True)),
    ):
        features.write(tmp_path / name)
        assert (tmp_path / name).read_bytes().decode() == text
    features.write(str(tmp_path / "a.wkb"))
    assert (tmp_path / "a.wkb").read_bytes() == features.to_wkb()


def test_files_beside_a_table(kinds: overpasskit.Response, tmp_path: Path) -> None:
    columns = (each for each in ["osm_id", "lon", "name"])
    kinds.features().write(tmp_path / "a.csv", columns=columns, types=True)
    assert (tmp_path / "a.csvt").read_text() == '"Integer64","CoordX","String"\n'
    assert (tmp_path / "a.prj").read_text().startswith('GEOGCS["GCS_WGS_1984"')
    assert len(list(tmp_path.iterdir())) == 3
    with pytest.raises(MisuseError, match="types"):
        kinds.features().write(io.BytesIO(), "csv", types=True)
    with pytest.raises(MisuseError, match="types"):
        kinds.features().write(tmp_path / "a.gpx", types=True)


class _Full(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, portion: Any) -> int:
        raise OSError(28, "no room")


class _Small(io.RawIOBase):
    """Takes a few bytes at a time."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, portion: Any) -> int:
        self.taken += bytes(portion[:7])
        return min(7, len(portion))


def test_files_that_refuse_and_files_that_take_little(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    with pytest.raises(OSError, match="no room"):
        features.write(_Full(), "kml")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        features.write(io.StringIO(), "kml")  # type: ignore[arg-type]
    small = _Small()
    features.write(small, "kml")  # type: ignore[arg-type]
    assert small.taken.decode() == features.to_kml()


def test_failures(kinds: overpasskit.Response, tmp_path: Path) -> None:
    features = kinds.features()
    with pytest.raises(FileError, match="nowhere"):
        features.write(tmp_path / "nowhere" / "x.gpx")
    with pytest.raises(FileError):
        features.write("/dev/full", "gpx")
    for target in (tmp_path / "x", tmp_path / "x.shp"):
        with pytest.raises(MisuseError, match="format is one of"):
            features.write(target)
    with pytest.raises(MisuseError, match="format is one of"):
        features.write(io.BytesIO())
    with pytest.raises(MisuseError, match="NUL"):
        features.write("x.gpx\0.kml")
    with pytest.raises(FileError):
        options = opk_features_write_options(format=OPK_FORMAT_KML)
        call(lib.opk_features_write_fd, features._handle, options, -1)
    assert list(tmp_path.iterdir()) == []


def test_formats_by_name() -> None:
    assert feature_format_of("x.geojson") == "geojson"
    assert feature_format_of("x.osm") is None and feature_format_of("gpx") is None


@each_answer
def test_box_and_counts(name: str) -> None:
    features = drawn(name)
    collection = json.loads(features.to_geojson())
    box = features.bounds
    assert (list(box) if box is not None else None) == collection.get("bbox")
    kinds = [each["geometry"]["type"] for each in collection["features"]]
    assert features.counts() == {kind: kinds.count(kind) for kind in features.counts()}
    assert sum(features.counts().values()) == len(features)


def test_nothing_drawn() -> None:
    features = features_of([relation(1, [member("way", 2, "outer")], {"type": "multipolygon"})])
    assert features.bounds is None and features.counts() == {}
    assert features.to_wkt() == "" and shapely.from_wkb(features.to_wkb()).is_empty
    SCHEMA.assertValid(xml(features.to_gpx()))
