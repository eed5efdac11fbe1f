"""What needs no QGIS: texts, searches, columns, and what is in the zip."""

from __future__ import annotations

import configparser
import doctest
import json
import math
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import PLUGINS, ROOT
from overpasskit_qgis import columns, files, messages, overpasskit, places, searches
from overpasskit_qgis.overpasskit import FetchProgress, OverpassKitError, Position

SOURCES = sorted((ROOT / "bindings" / "qgis" / "overpasskit_qgis").glob("*.py"))
VERSION = re.search(
    r'^#define OPK_VERSION_STRING "(.*)"', (ROOT / "include" / "overpasskit.h").read_text(), re.M
)


@pytest.mark.parametrize("module", [columns, files, messages, places, searches])
def test_examples(module: Any) -> None:
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


# Messages


def error_classes() -> Iterator[type[OverpassKitError]]:
    for name in overpasskit.__all__:
        each = getattr(overpasskit, name)
        if isinstance(each, type) and issubclass(each, OverpassKitError):
            yield each


@pytest.mark.parametrize("kind", list(error_classes()))
def test_every_error_is_explained(kind: type[OverpassKitError]) -> None:
    text = messages.explain(kind("what it said"))
    assert "what it said" in text


def test_positions_and_messages() -> None:
    error = overpasskit.QueryError("expected ]", line=2, column=5)
    assert "expected ] (line 2, column 5)" in messages.explain(error)
    refused = overpasskit.BadRequestError("parse error")
    refused.messages = (overpasskit.ServerMessage("bad_request", "Unknown type"),)
    assert "The server says: Unknown type" in messages.explain(refused)


def test_all_servers_are_named() -> None:
    error = overpasskit.ServerBusyError("busy")
    error.attempts = tuple(
        overpasskit.Attempt(name, f"https://{name}", 1.0, "too busy", "OPK_ERR_SERVER_BUSY")
        for name in ("main", "other")
    )
    text = messages.explain(error)
    assert "main: too busy" in text and "other: too busy" in text


def progress(**changed: Any) -> FetchProgress:
    start = FetchProgress("running", None, 0, 1, "main", None, 0, None, 0, 0, 0)
    return start._replace(**changed)


def test_progress() -> None:
    waiting = progress(phase="waiting", wait_reason="rate_limit", wait_seconds=29.6)
    text = messages.progress_text(waiting)
    assert text == "main: waiting, 30 s: the server had too many queries from this address"
    unknown = progress(phase="waiting", wait_reason="turn", wait_seconds=math.inf)
    assert "inf" not in messages.progress_text(unknown)
    loading = progress(phase="downloading", bytes=2_500_000, total=5_000_000, elements=7)
    assert messages.progress_text(loading) == "main: 2.5 MB, 7 elements"
    assert messages.percent(loading) == 50
    assert messages.percent(progress()) is None
    assert messages.percent(progress(tiles_done=1, tiles_left=3)) == 25


# Searches


@pytest.mark.parametrize(
    ("row", "condition"),
    [
        (searches.Row("a", "*"), '["a"]'),
        (searches.Row("a", "!b"), '["a"!="b"]'),
        (searches.Row("a", "~b"), '["a"~"b"]'),
        (searches.Row('q"\\', 'v"\\'), '["q\\"\\\\"="v\\"\\\\"]'),
    ],
)
def test_conditions_are_the_same_in_both_ways(row: searches.Row, condition: str) -> None:
    in_map = searches.in_map([row], searches.TYPES, "geom")
    near = searches.near_point([row], ["node"], Position(7, 50), 10, "geom")
    assert f"nwr{condition}({{{{bbox}}}})" in in_map
    assert f"node{condition}(around" in near


def test_what_is_no_search() -> None:
    assert not searches.is_search(" ")
    with pytest.raises(overpasskit.QueryError):
        searches.query_of("amenity=")
    with pytest.raises(overpasskit.MisuseError):
        searches.in_place([], searches.TYPES, "Bonn", "geom")


# Places


def test_places() -> None:
    asked: list[str] = []

    def get(url: str) -> bytes:
        asked.append(url)
        place = {"osm_type": "way", "osm_id": 7, "lat": "1.5", "lon": "2.5"}
        return json.dumps([place]).encode()

    nominatim = places.Nominatim("https://example.org/search?key=1", get)
    (place,) = nominatim("Köln & Bonn")
    assert nominatim("Köln & Bonn") == [place]
    assert asked == ["https://example.org/search?key=1&q=K%C3%B6ln+%26+Bonn&format=jsonv2&limit=10"]
    assert (place.type, place.id) == ("way", 7)
    assert (place.position, place.bounds) == (Position(2.5, 1.5), None)


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"{}x", b'[{"lat": "x"}]', b"[3]", b"7", b'{"error": 1}']
)
def test_no_places(body: bytes) -> None:
    with pytest.raises(overpasskit.DecodeError, match="something else"):
        places.read_places(body)


# Files


def test_query_files(tmp_path: Path) -> None:
    file = tmp_path / "q"
    file.write_bytes("\ufeffnode(1);".encode())
    assert files.query_text(str(file)) == "node(1);"
    file.write_bytes(b"\xff")
    with pytest.raises(overpasskit.FileError, match="UTF-8"):
        files.query_text(str(file))
    with pytest.raises(overpasskit.FileError, match="No such file"):
        files.query_text(str(tmp_path / "none"))


# The zip


def test_zip() -> None:
    names = zipfile.ZipFile(ROOT / "build" / "overpasskit_qgis.zip").namelist()
    assert {name.split("/")[0] for name in names} == {"overpasskit_qgis"}
    inside = {name.partition("/")[2] for name in names}
    assert {"metadata.txt", "LICENSE", "__init__.py", "icon.svg", "plugin.py"} <= inside
    assert "overpasskit/liboverpasskit.so.0" in inside
    assert not any("__pycache__" in name or "cli" in name.replace("client", "") for name in inside)


def test_version_and_metadata() -> None:
    metadata = configparser.ConfigParser(interpolation=None)
    metadata.read(PLUGINS / "overpasskit_qgis" / "metadata.txt", encoding="utf-8")
    general = metadata["general"]
    assert VERSION is not None
    assert general["version"] == VERSION[1] == overpasskit.__version__
    assert general["hasProcessingProvider"] == "yes"
    assert general["qgisMinimumVersion"] == "3.22"
    for name in ("name", "description", "about", "author", "email", "tracker", "repository"):
        assert general[name]


def test_needs_nothing_but_python() -> None:
    """All modules inside are imported where click and rich are not."""
    package = PLUGINS / "overpasskit_qgis" / "overpasskit"
    names = [each.stem for each in package.glob("*.py")]
    program = (
        "import importlib, sys; sys.modules.update(click=None, rich=None, overpasskit=None);"
        "[importlib.import_module(f'overpasskit_qgis.overpasskit.{name}') for name in sys.argv[1:]]"
    )
    command = [sys.executable, "-B", "-c", program, *names]
    result = subprocess.run(command, cwd=PLUGINS, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


# Qt 6

# A class and a capitalised name on it, with nothing behind: in PyQt6 enumerations have their scope.
_UNSCOPED = re.compile(r"\b(Q(?:t|[A-Z])\w*)\.([A-Z]\w*)\b(?![.\w(])")
_SCOPES = {"QGIS_VERSION_INT", "Type", "Attribute", "NetworkError"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda each: each.name)
def test_ready_for_qt6(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    assert not re.search(r"(from|import) (PyQt|sip)|\bexec_\(", text)
    if source.name == "compat.py":
        return
    unscoped = {f"{owner}.{name}" for owner, name in _UNSCOPED.findall(text) if name not in _SCOPES}
    assert not unscoped


def test_pure_modules_are_pure() -> None:
    for module in (columns, files, messages, places, searches):
        assert "qgis." not in Path(str(module.__file__)).read_text(encoding="utf-8")
