"""Examples/python: each program prints what its first text says, and leaves the files it names.

``OPK_RECORD=1`` writes the outputs anew, then fails.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import overpasskit
import pytest
from conftest import ROOT
from overpass_server import OverpassServer, Reply

FOLDER = ROOT / "Examples" / "python"
PROGRAMS = sorted(FOLDER.glob("*.py"))
# What they need besides the library.
PACKAGES = {"buildings": "geopandas", "merge_tiles": "pyogrio", "cuisines": "duckdb"}
ARGUMENTS = {"show_map": ["--save", "map.html"]}
AMENITIES = ROOT / "Examples" / "data" / "helsinki-amenities.json.gz"

pytestmark = pytest.mark.parametrize("program", PROGRAMS, ids=[each.stem for each in PROGRAMS])


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", program, *ARGUMENTS.get(program.stem, []), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(overpasskit.__file__).parent.parent)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def printed(program: Path, folder: Path) -> str:
    if program.stem in PACKAGES:
        pytest.importorskip(PACKAGES[program.stem])
    if program.stem == "ask_server":
        return printed_by_asking(program, folder)
    done = run(program, folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def printed_by_asking(program: Path, folder: Path) -> str:
    """A loopback server has the answer, and refuses the next query."""
    cafes = overpasskit.load(AMENITIES).filter(tags={"amenity": "cafe"})
    with OverpassServer() as server:
        server.answers([Reply.json(cafes.to_overpass_json()), Reply(400, body=b"")])
        done = run(program, folder, "opk-tests/1.0 (tests@example.org)", "--endpoint", server.url)
        assert (done.returncode, len(server.requests)) == (0, 1)
        assert b"cafe" in server.requests[0].data.encode()
        assert "running at 127.0.0.1" in done.stderr and "elements" in done.stderr
        refused = run(
            program, folder, "opk-tests/1.0 (tests@example.org)", "--endpoint", server.url
        )
        assert (refused.returncode, refused.stdout) == (1, "")
        assert "BadRequestError: " in refused.stderr and "Traceback" not in refused.stderr
    return done.stdout


def told(program: Path) -> str:
    """The output in the program's first text: what is indented behind "Prints ...:"."""
    text = ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))) or ""
    _, _, output = text.partition("\nPrints")
    return textwrap.dedent(output.partition(":\n")[2].strip("\n"))


@pytest.mark.skipif(os.environ.get("OPK_RECORD") != "1", reason="only with OPK_RECORD=1")
def test_record(program: Path, tmp_path: Path) -> None:
    output = textwrap.indent(printed(program, tmp_path), "    ")
    text = program.read_text(encoding="utf-8")
    head = re.compile(r'(\nPrints[^\n]*:\n)\n.*?(?=""")', re.DOTALL)
    text = head.sub(lambda found: f"{found[1]}\n{output}", text, count=1)
    program.write_text(text, encoding="utf-8")
    pytest.fail(f"{program} is written anew; run again without OPK_RECORD")


def test_prints_what_it_says(program: Path, tmp_path: Path) -> None:
    expected = told(program)
    assert expected, "no output in the first text"
    assert printed(program, tmp_path).rstrip("\n") == expected


def test_is_short(program: Path) -> None:
    assert len(program.read_text(encoding="utf-8").splitlines()) < 60


def test_files(program: Path, tmp_path: Path) -> None:
    printed(program, tmp_path)
    left = {each.name for each in tmp_path.iterdir()}
    assert left == {"merge_tiles": {"cafes.gpkg", "cafes.gpx"}, "show_map": {"map.html"}}.get(
        program.stem, set()
    )
    if program.stem == "merge_tiles":
        assert shutil.which("ogrinfo"), "the tests need GDAL's commands"
        gpx = (tmp_path / "cafes.gpx").read_text(encoding="utf-8")
        assert "www.openstreetmap.org" in gpx.partition("</metadata>")[0]
        info = ["ogrinfo", "-so", tmp_path / "cafes.gpkg", "cafes"]
        layer = subprocess.run(info, capture_output=True, check=True, text=True).stdout
        assert f"Feature Count: {gpx.count('<wpt ')}\n" in layer and "Geometry: Point\n" in layer
    if program.stem == "show_map":
        page = (tmp_path / "map.html").read_text(encoding="utf-8")
        assert "maplibregl" in page and "© OpenStreetMap" in page
