"""Queries, written by `qgis_process`."""

from __future__ import annotations

from pathlib import Path

import pytest
from qgis_program import Qgis


@pytest.mark.parametrize(
    ("inputs", "query"),
    [
        (
            {"TAGS": "amenity,cafe", "TYPES": "0,1,2"},
            '[out:json][timeout:25];\nnwr["amenity"="cafe"]({{bbox}});\nout geom;\n',
        ),
        (
            {"TAGS": "amenity,cafe,name,", "TYPES": "0", "OUT": 1,
             "EXTENT": "7,8,50,51 [EPSG:4326]"},
            '[out:json][timeout:25];\nnode["amenity"="cafe"]["name"]'
            "(50.0000000,7.0000000,51.0000000,8.0000000);\nout center;\n",
        ),
        (
            # About 7 and 8 degrees east, 50 and 51 north.
            {"TAGS": "a,b",
             "EXTENT": "779236.4355,890555.9263,6446275.8410,6621293.7227 [EPSG:3857]"},
            '[out:json][timeout:25];\nnwr["a"="b"]'
            "(50.0000000,7.0000000,51.0000000,8.0000000);\nout geom;\n",
        ),
        (
            {"TAGS": "highway,!path", "TYPES": "1", "WHERE": 1, "PLACE": 'Köln "X"'},
            "[out:json][timeout:25];\n{{geocodeArea:Köln \"X\"}}->.searchArea;\n"
            'way["highway"!="path"](area.searchArea);\nout geom;\n',
        ),
        (
            {"TAGS": "name,~^A", "WHERE": 2, "PLACE": "Bonn", "RADIUS": 250},
            "[out:json][timeout:25];\n{{radius=250}}\n"
            'nwr["name"~"^A"](around:{{radius}},{{geocodeCoords:Bonn}});\nout geom;\n',
        ),
        (
            {"TAGS": "amenity,*", "WHERE": 3, "POINT": "7.1,50.7 [EPSG:4326]", "RADIUS": 250},
            '[out:json];\nnwr["amenity"](around:250,50.7,7.1);\nout geom;\n',
        ),
        (
            {"SEARCH": "amenity=cafe and type:node in Bonn"},
            "[out:json][timeout:25];\n{{geocodeArea:Bonn}}->.searchArea;\n"
            'node["amenity"="cafe"](area.searchArea);\nout geom;\n',
        ),
    ],
)  # fmt: skip
def test_queries(qgis: Qgis, inputs: dict[str, object], query: str) -> None:
    outcome = qgis.run("buildquery", **inputs)
    assert outcome.code == 0, outcome.text
    assert outcome.results["QUERY"].strip() == query.strip()


def test_file(qgis: Qgis, tmp_path: Path) -> None:
    target = tmp_path / "query.overpassql"
    outcome = qgis.run("buildquery", TAGS="amenity,cafe", OUTPUT=target)
    assert outcome.results["OUTPUT"] == str(target)
    assert target.read_text() == outcome.results["QUERY"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"TAGS": ",cafe"}, "neither a search nor a key"),
        ({"TAGS": "a,b", "WHERE": 1}, "PLACE"),
        ({"TAGS": "a,b", "WHERE": 3}, "POINT"),
        ({"SEARCH": "amenity= in Bonn"}, "column"),
    ],
)
def test_mistakes(qgis: Qgis, inputs: dict[str, object], said: str) -> None:
    outcome = qgis.run("buildquery", **inputs)
    assert outcome.code == 1 and said in outcome.text
    assert "Traceback" not in outcome.text
