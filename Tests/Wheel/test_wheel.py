"""The wheel as people get it: installed into a fresh environment, far from the source tree.

Run by ``make test-wheel``, which makes the wheel first.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "python" / "overpasskit"
ANSWER = ROOT / "Examples" / "data" / "helsinki-relations.json.gz"
WHEELS = list((ROOT / "build" / "wheel").glob("*.whl"))

# Checked by mypy against what is installed, then run.
PROGRAM = """
import sys

import overpasskit as opk

response: opk.Response = opk.load(sys.argv[1])
with response:
    features = response.features()
    lengths: list[float] = [each.length for each in features if each.length is not None]
    names = {each.tags.get("name") for each in response.filter("way", {"highway": True})}
print(opk.__version__, len(features), len(lengths) > 0, len(names) > 1)
"""
WRONG = "import overpasskit\nnumber: int = overpasskit.loads('{}').generator\n"


@pytest.fixture(scope="session")
def wheel() -> Path:
    (found,) = WHEELS
    return found


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """A fresh environment with the wheel in it, and what it needs."""
    folder = tmp_path_factory.mktemp("wheel") / "environment"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--only-binary", ":all:", wheel], check=True)
    subprocess.run([*pip, "check"], check=True)
    return folder


@pytest.fixture
def run(environment: Path, tmp_path: Path):
    """Runs a program of the environment in an empty folder; gives its status and its outputs."""
    variables = {"HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
    variables["PATH"] = os.pathsep.join([str(environment / "bin"), "/usr/bin", "/bin"])

    def run(*command: object, input: str | None = None) -> tuple[int, str, str]:
        done = subprocess.run(
            [str(each) for each in command],
            cwd=tmp_path,
            env=variables,
            input=input,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return run


def python(run, code: str, *arguments: object) -> str:
    status, out, err = run("python", "-I", "-X", "dev", "-W", "error", "-c", code, *arguments)
    assert (status, err) == (0, "")
    return out.strip()


def test_auditwheel_is_content(wheel: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", "--json", wheel],
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    tag = json.loads(shown.stdout)["overall_tag"]
    assert tag.startswith("manylinux_2_")
    assert wheel.stem.split("-")[2:] == ["py3", "none", tag]


def test_readme_tells_the_glibc(wheel: Path) -> None:
    major, minor = wheel.stem.split("manylinux_")[1].split("_")[:2]
    for readme in (ROOT / "README.md", PACKAGE.parent / "README.md"):
        assert f"glibc {major}.{minor}" in readme.read_text(encoding="utf-8")


def test_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    inside = {name for name in names if name.startswith("overpasskit/")}
    expected = {f"overpasskit/{each.name}" for each in PACKAGE.glob("*.py")} | {
        "overpasskit/py.typed",
        "overpasskit/liboverpasskit.so.0",
        "overpasskit/maplibre-gl/maplibre-gl.js",
        "overpasskit/maplibre-gl/maplibre-gl.css",
        "overpasskit/maplibre-gl/LICENSE.txt",
    }
    assert inside == expected
    bundled = [name for name in names if name.startswith("overpasskit.libs/")]
    assert [Path(name).name.split("-")[0] for name in bundled] == ["libbz2"]


def test_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        folder = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(folder).decode())
        licences = [metadata.get_all("License-File"), archive.namelist()]
    assert metadata["Name"] == "overpasskit"
    assert metadata["Requires-Python"] == ">=3.10"
    assert metadata["License-Expression"] == (
        "MIT AND BSD-3-Clause AND bzip2-1.0.6 AND Apache-2.0 WITH Swift-exception"
    )
    named, present = licences
    assert sorted(named) == ["LICENSE", "LICENSE-bzip2.txt", "LICENSE-swift.txt"]
    for name in named:
        assert any(each.endswith(f"/licenses/{name}") for each in present)
    needed = [each for each in metadata.get_all("Requires-Dist") if "extra" not in each]
    assert sorted(each.split(">")[0] for each in needed) == ["click", "rich"]


def test_library_of_the_wheel_is_used(run, environment: Path) -> None:
    code = """
        import overpasskit, pathlib
        assert overpasskit.loads('{"elements": []}').is_complete
        maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
        print(*sorted({line.split()[-1] for line in maps if "overpasskit" in line}), sep="\\n")
    """
    code = "\n".join(line.strip() for line in code.strip().splitlines())
    loaded = [Path(line) for line in python(run, code).splitlines()]
    assert {each.name.split("-")[0] for each in loaded} == {"liboverpasskit.so.0", "libbz2"}
    assert all(each.is_relative_to(environment) for each in loaded)


def test_bundled_bzip2_reads(run) -> None:
    code = """
import bz2, overpasskit
xml = b'<osm version="0.6"><node id="1" lat="1" lon="2"/></osm>'
print(len(overpasskit.loads(bz2.compress(xml))))
"""
    assert python(run, code) == "1"


def test_program_is_typed_and_runs(run, environment: Path, tmp_path: Path) -> None:
    program, wrong = tmp_path / "program.py", tmp_path / "wrong.py"
    program.write_text(PROGRAM, encoding="utf-8")
    wrong.write_text(WRONG, encoding="utf-8")
    mypy = [sys.executable, "-I", "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    mypy += ["--python-executable", environment / "bin" / "python"]
    status, out, err = run(*mypy, program)
    assert status == 0, out + err
    status, out, _ = run(*mypy, wrong)
    assert status == 1 and 'has type "str | None"' in out
    version, features, *rest = python(run, PROGRAM, ANSWER).split()
    assert (int(features) > 0, rest) == (True, ["True", "True"])
    assert run("overpasskit", "--version") == (0, f"overpasskit {version}\n", "")


def test_commands(run, tmp_path: Path) -> None:
    status, out, _ = run("overpasskit", "--help")
    assert status == 0 and "convert" in out and "info" in out
    status, out, err = run("overpasskit", "info", "--json", ANSWER)
    assert (status, err) == (0, "") and json.loads(out)["elements"]["relation"] > 0
    assert run("overpasskit", "convert", ANSWER, "-o", "out.geojson") == (0, "", "")
    assert json.loads((tmp_path / "out.geojson").read_text())["type"] == "FeatureCollection"
    status, out, err = run("overpasskit", "convert", "-", "-o", "-", input='{"elements": [{')
    assert status == 3 and "truncated" in err and "Traceback" not in err
    status, out, err = run("overpasskit", "info", "missing.json")
    assert (status, out) == (1, "") and err.count("\n") == 1 and "missing.json" in err


def test_maps_open_without_a_network(run, tmp_path: Path) -> None:
    assert run("overpasskit", "map", ANSWER, "-o", "map.html") == (0, "", "")
    page = (tmp_path / "map.html").read_text(encoding="utf-8")
    assert "maplibregl" in page and "Redistribution and use" in page


def test_moved_environments_work(run, environment: Path, tmp_path: Path) -> None:
    """Libraries are found relative to each other, wherever the package lies."""
    (package,) = environment.glob("lib/python*/site-packages/overpasskit")
    for folder in (package, package.with_name("overpasskit.libs")):
        shutil.copytree(folder, tmp_path / "elsewhere" / folder.name)
    code = "import sys; sys.path.insert(0, sys.argv[1]); import overpasskit\n"
    code += "print(overpasskit.__file__, len(overpasskit.loads(sys.stdin.buffer.read())))"
    answer = gzip.decompress(ANSWER.read_bytes()).decode()
    status, out, err = run("python", "-I", "-c", code, tmp_path / "elsewhere", input=answer)
    assert (status, err) == (0, "") and out.startswith(str(tmp_path / "elsewhere"))
    assert int(out.split()[-1]) > 0
