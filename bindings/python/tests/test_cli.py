"""The command line."""

import gzip
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import ANSWERS
from overpasskit import load
from overpasskit.cli import main

KINDS = str(ANSWERS / "kinds.json")


def run(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=data)


def command(*arguments: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "overpasskit", *arguments],
        input=data,
        capture_output=True,
        check=False,
    )


def test_convert_to_file(tmp_path: Path) -> None:
    target = tmp_path / "out.geojson"
    result = run("convert", KINDS, "-o", str(target))
    assert (result.exit_code, result.output) == (0, "")
    assert target.read_text(encoding="utf-8") == load(KINDS).to_geojson()
    assert list(tmp_path.iterdir()) == [target]


def test_convert_to_standard_output() -> None:
    result = run("convert", KINDS, "-o", "-")
    assert result.exit_code == 0
    assert result.stdout == load(KINDS).to_geojson()
    assert result.stderr == ""


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_convert_from_standard_input(compress: type[bytes]) -> None:
    result = command("convert", "-", "-o", "-", data=compress(Path(KINDS).read_bytes()))
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode() == load(KINDS).to_geojson()


@pytest.mark.parametrize(
    "options",
    [
        {"profile": "osmtogeojson"},
        {"properties": "nested"},
        {"points": "all"},
        {"profile": "osmtogeojson", "properties": "nested", "points": "tagged"},
    ],
)
def test_options(options: dict[str, str]) -> None:
    arguments = [each for name, value in options.items() for each in (f"--{name}", value)]
    result = run("convert", KINDS, "-o", "-", *arguments)
    assert result.exit_code == 0
    assert result.stdout == load(KINDS).to_geojson(**options)  # type: ignore[arg-type]


def test_partial_because_of_a_remark(tmp_path: Path) -> None:
    target = tmp_path / "out.geojson"
    result = command("convert", str(ANSWERS / "remark.json"), "-o", str(target))
    assert result.returncode == 3
    assert result.stdout == b""
    assert result.stderr.decode().count("\n") == 1
    assert "warning: " in result.stderr.decode() and "Query timed out" in result.stderr.decode()
    assert len(json.loads(target.read_bytes())["features"]) == 1


def test_partial_because_of_truncation() -> None:
    result = command("convert", str(ANSWERS / "truncated.json"), "-o", "-")
    assert result.returncode == 3
    assert len(json.loads(result.stdout)["features"]) == 2
    assert "truncated at byte" in result.stderr.decode()


def test_tainted_features_are_not_partial() -> None:
    result = run("convert", KINDS, "-o", "-")
    assert '"@tainted":true' in result.stdout.replace(" ", "")
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("broken.json", "line 4, column 23"),
        ("missing.json", "missing.json"),
        ("../README.md", "README.md"),
    ],
)
def test_failure_is_one_line(source: str, message: str, tmp_path: Path) -> None:
    target = tmp_path / "out.geojson"
    target.write_text("as it was")
    result = command("convert", str(ANSWERS / source), "-o", str(target))
    text = result.stderr.decode()
    assert result.returncode == 1
    assert result.stdout == b""
    assert text.count("\n") == 1 and text.startswith("error: ") and message in text
    assert target.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [target]


def test_target_that_cannot_be_written(tmp_path: Path) -> None:
    result = command("convert", KINDS, "-o", str(tmp_path / "nowhere" / "out.geojson"))
    assert result.returncode == 1
    assert result.stderr.decode().count("\n") == 1
    assert "Traceback" not in result.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["convert"],
        ["convert", KINDS],
        ["convert", KINDS, "-o", "-", "--profile", "other"],
        ["convert", KINDS, "-o", "-", "--points", "none"],
        ["convert", KINDS, "-o", "-", "--no-such-option"],
        ["transmogrify"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = command(*arguments)
    assert result.returncode == 2
    assert result.stdout == b""


def test_help() -> None:
    result = run("convert", "--help")
    assert result.exit_code == 0
    for word in ("INPUT", "--profile", "--properties", "--points", "Exit codes"):
        assert word in result.output


def test_replacing_keeps_the_mode_and_links(tmp_path: Path) -> None:
    target = tmp_path / "out.geojson"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.geojson"
    link.symlink_to(target.name)
    assert run("convert", KINDS, "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("{")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    target, other = tmp_path / "out.geojson", tmp_path / "other"
    other.touch()
    assert run("convert", KINDS, "-o", str(target)).exit_code == 0
    assert target.stat().st_mode == other.stat().st_mode


def test_writing_to_a_device() -> None:
    assert run("convert", KINDS, "-o", os.devnull).exit_code == 0
    assert Path(os.devnull).is_char_device()


def test_missing_library_is_one_line() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "overpasskit", "convert", KINDS, "-o", "-"],
        env={**os.environ, "OVERPASSKIT_LIBRARY": "/nowhere/liboverpasskit.so"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("error: ") and result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["x.osm.gz", "x.geojson.GZ", "x.json.bz2"])
def test_compressed_output(name: str, tmp_path: Path) -> None:
    result = run("convert", KINDS, "-o", str(tmp_path / name))
    assert result.exit_code == 2
    assert "compressed output is not supported" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [(), ("--lossy",)])
def test_change_files_without_changes(options: tuple[str, ...], tmp_path: Path) -> None:
    result = run("convert", KINDS, "-o", str(tmp_path / "x.osc"), *options)
    assert result.exit_code == 1
    assert "tells of none" in result.stderr and "--lossy" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_loss_names_the_option(tmp_path: Path) -> None:
    source = tmp_path / "diff.osc"
    source.write_text(
        '<osm version="0.6"><note>n</note><action type="modify"><old><node id="1" lat="1" lon="2"/>'
        '</old><new><node id="1" lat="1" lon="3"/></new></action></osm>',
        encoding="utf-8",
    )
    result = run("convert", str(source), "-o", str(tmp_path / "x.osc"))
    assert result.exit_code == 1 and "--lossy leaves it out" in result.stderr
    assert run("convert", str(source), "-o", str(tmp_path / "x.osc"), "--lossy").exit_code == 0


@pytest.mark.parametrize("command", ["info", "convert", "check", "places"])
def test_errors_of_files_name_them_once(command: str) -> None:
    more = {"convert": ["-o", "x.geojson"], "places": ["--near", "1,2"], "check": []}.get(
        command, []
    )
    result = run(command, "missing.json", *more)
    assert result.exit_code == 1
    assert result.stderr == "error: missing.json: No such file or directory\n"


def test_folders_that_are_not_there_are_named(tmp_path: Path) -> None:
    result = run("convert", KINDS, "-o", str(tmp_path / "none" / "out.geojson"))
    assert result.exit_code == 1
    assert f"{tmp_path}/none/out.geojson: No such file" in result.stderr


def test_readers_that_have_enough_end_the_command_in_silence(tmp_path: Path) -> None:
    answer = tmp_path / "large.json"
    node = '{{"type":"node","id":{},"lat":1,"lon":2}}'
    elements = ",".join(map(node.format, range(20_000)))
    answer.write_text(f'{{"elements":[{elements}]}}')
    command = [
        sys.executable,
        "-m",
        "overpasskit",
        "convert",
        str(answer),
        "-o",
        "-",
        "--points",
        "all",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
