"""Where the shared library cannot be loaded, QGIS goes on and the user is told why."""

from __future__ import annotations

import shutil
from pathlib import Path

from conftest import PLUGINS
from qgis_program import Qgis


def test_it_says_so(tmp_path: Path, qgis: Qgis) -> None:
    plugins = tmp_path / "plugins"
    shutil.copytree(PLUGINS / "overpasskit_qgis", plugins / "overpasskit_qgis")
    (plugins / "overpasskit_qgis" / "overpasskit" / "liboverpasskit.so.0").write_bytes(b"other")
    broken = Qgis(tmp_path, plugins)
    broken.enable("overpasskit_qgis")
    outcome = broken.run("openanswer", INPUT="x")
    assert outcome.code == 1 and "not found" in outcome.text
    assert "Traceback" not in outcome.text
    assert "OverpassKit does not work here" in outcome.text
