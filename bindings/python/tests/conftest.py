"""Shared by all tests: fixtures of the repository, and the look for leaked handles."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import overpasskit
import pytest
from overpasskit._ffi import lib

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = Path(os.environ.get("OPK_FIXTURES", ROOT / "Tests" / "Fixtures"))
ANSWERS = FIXTURES / "overpass-json"


def pytest_report_header() -> str:
    return f"overpasskit {overpasskit.__version__}, library {lib.opk_version_string().decode()}"


@pytest.fixture(autouse=True)
def no_leaked_handles() -> Iterator[None]:
    """No test may leave a handle behind."""
    gc.collect()
    before = lib.opk_x_live_handles()
    yield
    gc.collect()
    assert lib.opk_x_live_handles() == before


@pytest.fixture
def kinds() -> overpasskit.Response:
    """One of each kind of element and feature."""
    return overpasskit.load(ANSWERS / "kinds.json")
