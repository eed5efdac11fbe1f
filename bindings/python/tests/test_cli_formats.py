"""The commands ``convert`` to formats of features, ``info`` and ``completion``."""

from __future__ import annotations

import errno
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from conftest import ANSWERS
from overpasskit import load
from overpasskit.cli import main

KINDS = str(ANSWERS / "kinds.json")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


# convert


@pytest.mark.parametrize(
    "name",
    ["a.geojsons", "a.geojsonl", "a.ndjson", "a.gpx", "a.kml", "a.csv", "a.tsv", "a.wkt", "a.EWKB"],
)
def test_by_extension(name: str, tmp_path: Path) -> None:
    assert run("convert", KINDS, "-o", str(tmp_path / name)).exit_code == 0
    load(KINDS).features().write(tmp_path / "expected", _format(name))
    assert (tmp_path / name).read_bytes() == (tmp_path / "expected").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def _format(name: str) -> Any:
    suffix = name.rpartition(".")[2].lower()
    return {"geojsons": "geojsonseq", "ndjson": "geojsonl"}.get(suffix, suffix)


@pytest.mark.parametrize("option", ["--to", "--format"])
def test_by_option(option: str, tmp_path: Path) -> None:
    features = load(KINDS).features()
    result = run("convert", KINDS, "-o", "-", option, "gpx", "--routes")
    assert (result.exit_code, result.stdout) == (0, features.to_gpx(routes=True))
    target = tmp_path / "a.txt"
    assert run("convert", KINDS, "-o", str(target), option, "kml").exit_code == 0
    assert target.read_text(encoding="utf-8") == features.to_kml()


def test_columns_and_tags(tmp_path: Path) -> None:
    features = load(KINDS).features()
    result = run("convert", KINDS, "-o", "-", "--to", "csv", "--columns", "osm_id, name ,wkt")
    assert result.stdout_bytes.decode() == features.to_csv(["osm_id", "name", "wkt"])
    result = run("convert", KINDS, "-o", "-", "--to", "tsv", "--tags", "name,lon")
    columns = ["osm_type", "osm_id", "lon", "lat", "name", "tag:lon"]
    assert result.stdout == features.to_csv(columns, tabs=True)
    target = tmp_path / "a.csv"
    assert run("convert", KINDS, "-o", str(target), "--tags", "name", "--types").exit_code == 0
    expected = '"String","Integer64","CoordX","CoordY","String"\n'
    assert target.with_suffix(".csvt").read_text() == expected
    assert target.with_suffix(".prj").read_text().startswith("GEOGCS[")


def test_formulas(tmp_path: Path) -> None:
    source = tmp_path / "in.json"
    node = {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"a": "=1+1"}}
    source.write_text(json.dumps({"elements": [node]}), encoding="utf-8")
    arguments = ("convert", str(source), "-o", "-", "--to", "csv", "--columns", "a")
    assert run(*arguments).stdout_bytes == b"a\r\n'=1+1\r\n"
    assert run(*arguments, "--keep-formulas").stdout_bytes == b"a\r\n=1+1\r\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x.shp"], "no format is known by the name .shp"),
        (["-o", "x.gpx", "--tags", "a"], "--tags is for csv and tsv"),
        (["-o", "x.geojson", "--columns", "a"], "--columns is for csv and tsv"),
        (["-o", "x.kml", "--types"], "--types is for csv and tsv"),
        (["-o", "x.csv", "--tags", "a", "--columns", "b"], "either --columns or --tags"),
        (["-o", "x.csv", "--columns", "a,,b"], "a name that is empty"),
        (["-o", "-", "--to", "csv", "--types"], "--types needs a file"),
        (["-o", "-", "--to", "shp"], "is not one of"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = run("convert", KINDS, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr and not Path(arguments[1]).exists()


def test_columns_that_make_no_table(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    result = run("convert", KINDS, "-o", str(target), "--columns", "a,a")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1 and "the column a twice" in result.stderr
    assert not target.exists()


# info


def test_info_for_programs() -> None:
    result = run("info", "--json", KINDS)
    assert (result.exit_code, result.stderr) == (0, "")
    facts = json.loads(result.stdout)
    response = load(KINDS)
    features = response.features()
    assert facts["elements"] == {"node": 13, "way": 4, "relation": 2, "area": 0, "derived": 0}
    assert facts["features"] == {"Point": 2, "LineString": 2, "Polygon": 2}
    assert sum(facts["features"].values()) == len(features)
    assert facts["bounds"] == list(features.bounds or ())
    assert facts["timestamp"] == "2024-03-31T02:30:00Z" and facts["areas_timestamp"] is None
    assert facts["is_complete"] is True and facts["remarks"] == []
    assert facts["problems"] == {"missing-members": 1}
    assert facts["tags"][0] == {
        "key": "type",
        "count": 3,
        "values": 3,
        "most_frequent": "level",
        "most_frequent_count": 1,
    }
    assert facts["keys"] == len({key for each in response.elements for key in each.tags})


def test_info_for_people() -> None:
    result = run("info", KINDS)
    assert result.exit_code == 0
    for pattern in (
        r"state of the data +2024-03-31T02:30:00Z",
        r"box +-0\.0000001 0 to 31 51\.1234567",
        r"elements +19",
        r"relation +2",
        r"Polygon +2",
        r"missing-members +1",
        r"type +3 +3 +level",
    ):
        assert re.search(pattern, result.stdout), pattern


def test_info_of_changes(tmp_path: Path) -> None:
    source = tmp_path / "in.osc"
    source.write_text(
        '<osmChange version="0.6"><create><node id="-1" lat="1" lon="2"/></create>'
        '<delete><way id="5" version="3"/></delete></osmChange>',
        encoding="utf-8",
    )
    assert json.loads(run("info", "--json", str(source)).stdout)["changes"] == {
        "create": 1,
        "delete": 1,
    }


def test_info_shows_twenty_keys_and_no_control_characters(tmp_path: Path) -> None:
    source = tmp_path / "in.json"
    tags = {f"k{n}": "\x1b[31m[bold]" for n in range(25)}
    node = {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": tags}
    source.write_text(json.dumps({"elements": [node]}), encoding="utf-8")
    result = run("info", str(source))
    assert "key (first 20 of 25)" in result.stdout
    assert "\x1b" not in result.stdout and "[bold]" in result.stdout
    assert len(json.loads(run("info", "--json", str(source)).stdout)["tags"]) == 20


def test_info_of_what_is_not_whole() -> None:
    result = run("info", str(ANSWERS / "remark.json"))
    assert result.exit_code == 3
    assert re.search(r"whole +no", result.stdout) and "Query timed out" in result.stderr
    result = run("info", "--json", str(ANSWERS / "remark.json"))
    assert result.exit_code == 3 and "Query timed out" in json.loads(result.stdout)["remarks"][0]


def test_info_that_fails() -> None:
    result = run("info", str(ANSWERS / "broken.json"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("error: ")


# Bars


def on_terminal(*arguments: str, setup: str = "pass") -> tuple[int, str]:
    """Runs the command with standard error on a terminal; what it shows there."""
    leader, follower = pty.openpty()
    program = f"import sys; {setup}; from overpasskit.cli import main; main(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            portion = os.read(leader, 4096)
        except OSError as error:  # the end, on Linux
            if error.errno != errno.EIO:
                raise
            break
        if not portion:
            break
        shown += portion
    os.close(leader)
    return process.wait(), shown.decode()


def test_long_work_shows_a_bar(tmp_path: Path) -> None:
    impatient = "import overpasskit._progress as p; p._PATIENCE = -1"
    target = tmp_path / "a.gpx"
    code, shown = on_terminal("convert", KINDS, "-o", str(target), setup=impatient)
    assert code == 0 and "reading" in shown and "writing" in shown
    assert target.read_text(encoding="utf-8") == load(KINDS).features().to_gpx()
    code, shown = on_terminal("convert", KINDS, "-o", "-", "--to", "kml", setup=impatient)
    assert code == 0 and "writing" in shown


def test_short_work_shows_none(tmp_path: Path) -> None:
    assert on_terminal("convert", KINDS, "-o", str(tmp_path / "a.gpx")) == (0, "")


# completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = run("completion", shell)
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"_OVERPASSKIT_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout, text=True, check=True)


def test_completion_completes() -> None:
    completed = subprocess.run(
        [sys.executable, "-c", "from overpasskit.cli import main; main(prog_name='overpasskit')"],
        env={
            **os.environ,
            "_OVERPASSKIT_COMPLETE": "bash_complete",
            "COMP_WORDS": "overpasskit convert --to g",
            "COMP_CWORD": "3",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    words = [line.partition(",")[2] for line in completed.stdout.splitlines()]
    assert words == ["geojson", "geojsonseq", "geojsonl", "gpx"]


def test_completion_for_other_shells() -> None:
    assert run("completion", "tcsh").exit_code == 2


# All commands


def test_no_two_options_of_a_command_share_a_name() -> None:
    for command in main.commands.values():
        names = [each.name for each in command.params]
        assert len(names) == len(set(names)), command.name
