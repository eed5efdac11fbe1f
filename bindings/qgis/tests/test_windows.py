"""The panel, its menu and its settings, without a screen."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from qgis_program import Qgis

ANSWER = {
    "elements": [
        {"type": "node", "id": 1, "lat": 50.5, "lon": 7.5,
         "tags": {"amenity": "cafe", "name": "A"}},
        {"type": "way", "id": 2, "tags": {"highway": "path"},
         "geometry": [{"lat": 50.1, "lon": 7.1}, {"lat": 50.2, "lon": 7.2}]},
        {"type": "way", "id": 3, "tags": {"building": "yes"},
         "geometry": [{"lat": 50, "lon": 7}, {"lat": 50, "lon": 7.1}, {"lat": 50.1, "lon": 7.1},
                      {"lat": 50, "lon": 7}]},
        {"type": "relation", "id": 4, "tags": {"type": "collection"}, "members": [
            {"type": "node", "ref": 1, "role": "", "lat": 50.5, "lon": 7.5},
            {"type": "way", "ref": 2, "role": ""}]},
    ]
}  # fmt: skip


@pytest.fixture(scope="module")
def told(qgis: Qgis, tmp_path_factory: pytest.TempPathFactory) -> Any:
    answer = tmp_path_factory.mktemp("windows") / "answer.json"
    answer.write_text(json.dumps(ANSWER))
    script = Path(__file__).with_name("windows.py")
    helsinki = ROOT / "Examples" / "data" / "helsinki-relations.json.gz"
    outcome = qgis.script(script, answer, helsinki)
    assert outcome.code == 0 and "Traceback" not in outcome.errors, outcome.text
    return json.loads(outcome.output.splitlines()[-1])


def test_menu(told: Any) -> None:
    assert "Ask Overpass…" in told["menu"] and "Open an answer…" in told["menu"]
    assert told["menu at the end"] == 0


def test_contact_is_asked_for(told: Any) -> None:
    asked, status = told["no contact"]
    assert asked == 1 and "contact is needed" in status


def test_layers(told: Any) -> None:
    rights = ["© OpenStreetMap contributors, ODbL 1.0"]
    # From the top of the tree, which is drawn last.
    assert told["layers"] == [
        ["Overpass points", 1, "#e2572b", True, rights],
        ["Overpass lines", 1, "#1b6ca8", False, rights],
        ["Overpass polygons", 1, "#489152", False, rights],
        # QGIS does not draw these.
        ["Overpass collections", 1, None, False, rights],
    ]
    assert told["status"] == "4 features"
    assert told["opened"] == 3


def test_the_map_is_the_box(told: Any) -> None:
    assert told["sent"].startswith('[out:json][timeout:25];\nnwr["amenity"="cafe"](')
    found = re.search(r"\(([-\d.,]+)\)", told["sent"])
    assert found is not None
    south, west, north, east = map(float, found[1].split(","))
    # The window makes it wider, to its own shape.
    assert abs(south - 50) < 0.01 and abs(north - 51) < 0.01
    assert west < 7 and east > 8 and abs(west + east - 15) < 0.01


def test_a_map_that_shows_nothing_is_no_box(told: Any) -> None:
    assert told["empty map"] == ""


def test_windows_stay_awake(told: Any) -> None:
    """The server took two seconds."""
    assert told["longest pause"] < 1


def test_error(told: Any) -> None:
    title, message, status = told["error"]
    assert title == "OverpassKit"
    assert message.startswith("The server refuses this program or address")
    assert "contact" in status


def test_cancel(told: Any) -> None:
    assert told["canceled"] == "canceled"
    assert told["canceled after"] < 3


def test_queries(told: Any) -> None:
    assert "{{geocodeArea:Bonn}}" in told["query"]
    assert told["mistake"].startswith("line 1: ")


def test_settings(told: Any) -> None:
    contact, endpoint, agent = told["settings"]
    assert (contact, endpoint) == ("you@example.org", "main")
    assert agent.startswith("overpasskit-qgis/") and agent.endswith(" (you@example.org)")
