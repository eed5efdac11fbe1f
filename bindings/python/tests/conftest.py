"""Shared by all tests: fixtures of the repository, and the look for leaked handles."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import overpasskit
import pytest
from overpasskit._ffi import lib

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = Path(os.environ.get("OPK_FIXTURES", ROOT / "Tests" / "Fixtures"))
ANSWERS = FIXTURES / "overpass-json"
FAILED = pytest.StashKey[bool]()


def pytest_configure() -> None:
    """Tests send themselves Ctrl-C, which shells have ignored by what runs in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    return f"overpasskit {overpasskit.__version__}, library {lib.opk_version_string().decode()}"


def pytest_collection_finish() -> None:
    """What is imported now is no garbage: looks for leaks need not go through all of it."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(autouse=True)
def no_leaked_handles(request: pytest.FixtureRequest) -> Iterator[None]:
    """No test may leave a handle behind. One that failed does: its traceback holds on to them."""
    gc.collect()
    before = lib.opk_x_live_handles()
    yield
    gc.collect()
    if not request.node.stash.get(FAILED, False):
        assert lib.opk_x_live_handles() <= before


@pytest.fixture
def kinds() -> Iterator[overpasskit.Response]:
    """One of each kind of element and feature."""
    with overpasskit.load(ANSWERS / "kinds.json") as response:
        yield response
