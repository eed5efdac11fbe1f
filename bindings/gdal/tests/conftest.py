"""Both drivers take all tests, unless one says otherwise."""

from __future__ import annotations

import sys

import pytest
from drivers import DRIVERS, ROOT

sys.path.insert(0, str(ROOT / "bindings" / "python"))


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest) -> str:
    return str(request.param)
