"""Answers in files, opened by `qgis_process`."""

from __future__ import annotations

import bz2
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import shapely
from conftest import ANSWERS, ROOT
from qgis_program import Outcome, Qgis
from reading import rows

HELSINKI = ROOT / "Examples" / "data" / "helsinki-relations.json.gz"
# What GDAL's own driver loses: positions within ways, and centres.
XML = """<osm version="0.6">
<way id="1"><nd ref="1" lat="1" lon="2"/><nd ref="2" lat="3" lon="4"/>
<tag k="highway" v="path"/></way>
<way id="2"><center lat="5" lon="6"/><tag k="building" v="yes"/></way>
</osm>"""


def open_all(qgis: Qgis, answer: Path, folder: Path, **inputs: object) -> Outcome:
    outputs = {kind.upper(): folder / f"{kind}.gpkg" for kind in KINDS}
    return qgis.run("openanswer", INPUT=answer, **outputs, **inputs)


KINDS = ("points", "lines", "polygons", "collections")


def test_same_features_as_geojson(qgis: Qgis, tmp_path: Path) -> None:
    from overpasskit_qgis import overpasskit

    outcome = open_all(qgis, HELSINKI, tmp_path)
    assert outcome.code == 0, outcome.text
    features = overpasskit.load(HELSINKI).features(collections=True)
    expected = {(each.type, each.number): each for each in features}
    assert outcome.results["COUNT"] == len(features) == len(expected)
    found = [row for kind in KINDS for row in rows(tmp_path / f"{kind}.gpkg")]
    assert len(found) == len(expected)
    for row in found:
        feature = expected.pop((row.pop("osm_type"), row.pop("osm_id")))
        assert _single(shapely.from_wkt(row.pop("wkt"))) == _single(feature.to_shapely())
        others = json.loads(str(row.pop("other_tags") or "{}"))
        columns = {key: value for key, value in row.items() if value is not None}
        assert {**others, **columns} == feature.tags


def _single(geometry: Any) -> Any:
    """A shape of one part as that part: layers have one kind of geometry."""
    parts = getattr(geometry, "geoms", [geometry])
    return parts[0] if len(parts) == 1 else geometry


@pytest.mark.parametrize("packed", [None, gzip.compress, bz2.compress])
def test_xml_that_gdal_loses(qgis: Qgis, tmp_path: Path, packed: object) -> None:
    content = XML.encode()
    file = tmp_path / "answer"
    file.write_bytes(packed(content) if callable(packed) else content)
    outcome = open_all(qgis, file, tmp_path)
    assert outcome.results["COUNT"] == 2, outcome.text
    (line,) = rows(tmp_path / "lines.gpkg")
    assert line["wkt"] == "MULTILINESTRING ((2 1,4 3))" and line["highway"] == "path"
    (point,) = rows(tmp_path / "points.gpkg")
    assert point["wkt"] == "POINT (6 5)" and point["osm_type"] == "way"


def test_columns(qgis: Qgis, tmp_path: Path) -> None:
    tags = {"name": "A", "Name": "B", "fid": "7", "geom": "x", "ele": '1"2'}
    element = {"type": "node", "id": 2**40, "lat": 1, "lon": 2, "tags": tags, "version": 3,
               "timestamp": "2020-01-02T03:04:05Z", "changeset": 4, "uid": 5,
               "user": "me"}  # fmt: skip
    file = tmp_path / "answer.json"
    file.write_text(json.dumps({"elements": [element]}))
    open_all(qgis, file, tmp_path, COLUMNS="ele, fid", OTHER_TAGS=1, META=True)
    (row,) = rows(tmp_path / "points.gpkg")
    assert (row["osm_id"], row["ele"]) == (2**40, '1"2')
    assert (row["osm_version"], row["osm_user"]) == ("3", "me")
    assert row["osm_timestamp"] == "2020-01-02T03:04:05Z"
    # Columns with these names cannot be.
    others = '"name"=>"A","Name"=>"B","fid"=>"7","geom"=>"x"'
    assert sorted(str(row["other_tags"]).split(",")) == sorted(others.split(","))
    assert "fid" not in row and "Name" not in row


def test_collections(qgis: Qgis, tmp_path: Path) -> None:
    text = json.dumps(
        {
            "elements": [
                {"type": "relation", "id": 1, "tags": {"type": "collection"}, "members": [
                    {"type": "node", "ref": 1, "role": "", "lat": 1, "lon": 2},
                    {"type": "way", "ref": 2, "role": "",
                     "geometry": [{"lat": 1, "lon": 2}, {"lat": 3, "lon": 4}]},
                ]}
            ]
        }
    )  # fmt: skip
    file = tmp_path / "answer.json"
    file.write_text(text)
    open_all(qgis, file, tmp_path)
    (row,) = rows(tmp_path / "collections.gpkg")
    assert row["wkt"] == "GEOMETRYCOLLECTION (POINT (2 1),LINESTRING (2 1,4 3))"
    outcome = qgis.run("openanswer", INPUT=file, POINTS=tmp_path / "p.gpkg")
    assert "1 collections are in no layer" in outcome.text


def test_not_complete(qgis: Qgis, tmp_path: Path) -> None:
    outcome = open_all(qgis, ANSWERS / "remark.json", tmp_path)
    assert outcome.code == 0 and "NOT complete" in outcome.text
    outcome = open_all(qgis, ANSWERS / "truncated.json", tmp_path)
    assert outcome.code == 1 and "stops in the middle" in outcome.text
    outcome = open_all(qgis, ANSWERS / "truncated.json", tmp_path, PARTIAL=True)
    assert outcome.code == 0 and "NOT complete" in outcome.text


@pytest.mark.parametrize("answer", ["broken.json", "kinds.geojson"])
def test_no_answer(qgis: Qgis, tmp_path: Path, answer: str) -> None:
    outcome = open_all(qgis, ANSWERS / answer, tmp_path)
    assert outcome.code == 1
    assert "no answer of an Overpass server" in outcome.text
    assert "Traceback" not in outcome.text


def test_data_is_refused(qgis: Qgis, tmp_path: Path) -> None:
    file = tmp_path / "bonn.osm.pbf"
    file.write_bytes(b"\0")
    outcome = open_all(qgis, file, tmp_path)
    assert outcome.code == 1 and "osmium cat bonn.osm.pbf -o data.osm" in outcome.text


def test_output_that_cannot_be(qgis: Qgis, tmp_path: Path) -> None:
    outcome = qgis.run(
        "openanswer", INPUT=ANSWERS / "kinds.json", POINTS=tmp_path / "none" / "x.gpkg"
    )
    assert outcome.code == 1 and re.search("x.gpkg|POINTS", outcome.text)
    assert "Traceback" not in outcome.text
