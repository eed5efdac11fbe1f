"""Shared by all tests: the plugin as it is in the zip, QGIS with a profile of its own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from qgis_program import Qgis

ROOT = Path(__file__).resolve().parents[3]
PLUGINS = ROOT / "build" / "qgis"
ANSWERS = ROOT / "Tests" / "Fixtures" / "overpass-json"

sys.path[:0] = [str(PLUGINS), str(ROOT / "Tests" / "Server")]


@pytest.fixture(scope="session")
def qgis(tmp_path_factory: pytest.TempPathFactory) -> Qgis:
    """QGIS with the plugin enabled and a contact set; skips where there is no QGIS."""
    if shutil.which("qgis_process.bin") is None:
        pytest.skip("QGIS is not installed")
    qgis = Qgis(tmp_path_factory.mktemp("qgis"), PLUGINS)
    qgis.enable("overpasskit_qgis", contact="tests@example.org")
    return qgis


@pytest.fixture
def server() -> Iterator[object]:
    from overpass_server import OverpassServer

    with OverpassServer() as server:
        yield server


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in os.environ if each.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
