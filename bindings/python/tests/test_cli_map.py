"""The command ``overpasskit map``."""

import json
import os
import subprocess
import sys
from pathlib import Path

import overpasskit
import pytest
from click.testing import CliRunner, Result
from conftest import ANSWERS
from overpasskit import Appearance, Basemap
from overpasskit.cli import main

KINDS = str(ANSWERS / "kinds.json")
TILES = "https://tiles.example.org/{z}/{x}/{y}.png"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["map", *arguments])


def test_a_page(tmp_path: Path) -> None:
    target = tmp_path / "map.html"
    result = run(KINDS, "-o", str(target))
    assert (result.exit_code, result.output) == (0, "")
    expected = overpasskit.load(KINDS).to_html("kinds")
    assert target.read_text(encoding="utf-8") == expected
    assert TILES not in expected and "<title>kinds</title>" in expected
    assert list(tmp_path.iterdir()) == [target]


def test_options(tmp_path: Path) -> None:
    target = tmp_path / "map.html"
    result = run(
        *(KINDS, "-o", str(target), "--title", "A <map>", "--color-by", "highway"),
        *("--label", "name:de", "--label", "name", "--basemap", TILES),
        *("--attribution", "Someone", "--attribution-link", "https://example.org"),
        *("--profile", "osmtogeojson", "--points", "all"),
    )
    assert result.exit_code == 0, result.output
    features = overpasskit.load(KINDS).features("osmtogeojson", "all")
    assert target.read_text(encoding="utf-8") == features.to_html(
        "A <map>",
        basemap=Basemap("Basemap", TILES, "Someone", "https://example.org"),
        appearance=Appearance(color_by="highway", labels=["name:de", "name"]),
    )


def test_no_labels(tmp_path: Path) -> None:
    target = tmp_path / "map.html"
    assert run(KINDS, "-o", str(target), "--no-labels").exit_code == 0
    assert '"text-field"' not in target.read_text().split('id="style">')[1].split("</script>")[0]


def test_standard_input_and_output() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "overpasskit", "map", "-", "-o", "-"],
        input=Path(KINDS).read_bytes(),
        capture_output=True,
        check=True,
    )
    assert result.stdout.startswith(b"<!doctype html>") and b"<title>Map</title>" in result.stdout
    assert result.stderr == b""


def test_a_picture(tmp_path: Path) -> None:
    target = tmp_path / "map.svg"
    assert run(KINDS, "-o", str(target)).exit_code == 0
    look = Appearance(labels="name")
    assert target.read_text(encoding="utf-8") == overpasskit.load(KINDS).to_svg(
        width=960, height=640, appearance=look
    )


def test_what_a_server_remarked_is_shown(tmp_path: Path) -> None:
    target = tmp_path / "map.html"
    result = run(str(ANSWERS / "remark.json"), "-o", str(target))
    assert result.exit_code == 3
    assert "warning: " in result.stderr and "Query timed out" in result.stderr
    assert "Query timed out" in target.read_text(encoding="utf-8").split('id="panel"')[1]


def test_a_truncated_answer_says_so(tmp_path: Path) -> None:
    target = tmp_path / "map.html"
    assert run(str(ANSWERS / "truncated.json"), "-o", str(target)).exit_code == 3
    assert "was cut off" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, ""),
        ([KINDS], 2, "output"),
        ([KINDS, "-o", "-", "--attribution", "x"], 2, "belongs to a basemap"),
        ([KINDS, "-o", "-", "--basemap", "https://a.org/{x}.png"], 1, "are needed"),
        ([KINDS, "-o", "/nowhere/at/all.html"], 1, "nowhere"),
        (["/nowhere/answer.json", "-o", "-"], 1, "nowhere"),
    ],
)
def test_failures(arguments: list[str], code: int, message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert message in result.stderr and result.stdout == ""


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "map.html"
    target.write_text("as it was")
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"elements": [1]}))
    assert run(str(broken), "-o", str(target)).exit_code == 1
    assert target.read_text() == "as it was"


def test_names_in_capitals(tmp_path: Path) -> None:
    target = tmp_path / "MAP.SVG"
    assert run(KINDS, "-o", str(target)).exit_code == 0
    assert "<svg" in target.read_text(encoding="utf-8")[:200]
    page = tmp_path / "MAP.HTML"
    assert run(KINDS, "-o", str(page)).exit_code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("name", ["map.png", "map", "map.svg.gz", "map.svgz"])
def test_other_names(name: str, tmp_path: Path) -> None:
    result = run(KINDS, "-o", str(tmp_path / name))
    assert result.exit_code == 2
    assert ".html, .htm or .svg" in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_devices() -> None:
    assert run(KINDS, "-o", os.devnull).exit_code == 0


@pytest.mark.parametrize("option", [("--title", "A"), ("--basemap", TILES)])
def test_what_pictures_do_not_have(option: tuple[str, str], tmp_path: Path) -> None:
    result = run(KINDS, "-o", str(tmp_path / "map.svg"), *option)
    assert result.exit_code == 2
    assert "neither a title nor a basemap" in result.stderr
