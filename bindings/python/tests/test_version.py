"""One version in the header, the library, the package and its metadata."""

import subprocess
import sys
from pathlib import Path

import overpasskit
import tomllib
from header import constants
from overpasskit._ffi import lib

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
VERSION = constants()["OPK_VERSION_STRING"]


def test_package_is_of_the_header() -> None:
    assert overpasskit.__version__ == VERSION


def test_metadata_is_of_the_header() -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


def test_library_is_of_the_header() -> None:
    assert lib.opk_version_string().decode() == VERSION
    major, minor, patch = (int(part) for part in str(VERSION).split("."))
    assert lib.opk_version() == major * 10000 + minor * 100 + patch
    assert lib.opk_abi_version() == constants()["OPK_ABI_VERSION"]


def test_command_line_tells_the_version() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "overpasskit", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == f"overpasskit {VERSION}\n"
