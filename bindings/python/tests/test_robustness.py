"""Damaged answers give errors of the package's own, and never end the process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

MUTATE = Path(__file__).with_name("mutate.py")


@pytest.mark.parametrize("seed", range(4))
def test_damaged_answers(seed: int) -> None:
    result = subprocess.run(
        [sys.executable, MUTATE, str(seed), "500"],
        env={**os.environ, "PYTHONPATH": str(MUTATE.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    last = result.stdout.splitlines()[-1:] or [""]
    assert result.returncode == 0, f"seed {seed}, input in base64: {last[0]}\n{result.stderr}"
