"""The package is typed, strictly."""

import subprocess
import sys
from pathlib import Path

import overpasskit
import pytest

PACKAGE = Path(overpasskit.__file__).parent


def test_marked_as_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_mypy_finds_nothing() -> None:
    pytest.importorskip("mypy")
    result = subprocess.run(
        [sys.executable, "-m", "mypy"],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
