"""The two drivers, as environments of processes: GDAL looks for drivers once, when it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "Tests" / "Fixtures" / "overpass-json"
SHARED = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared"))
ORACLE = SHARED / "cases" / "oracle"
CONFORMANCE = SHARED / "cases" / "conformance" / "cases"
READER = Path(__file__).with_name("reader.py")

OTHERS = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("GDAL_", "OGR_", "OVERPASS_"))
}
SAME = {**OTHERS, "OVERPASSKIT_LIBRARY": str(ROOT / "build" / "lib"), "PYTHONUTF8": "1"}
DRIVERS = {
    "compiled": {**SAME, "GDAL_DRIVER_PATH": str(ROOT / "build" / "gdal" / "gdalplugins")},
    "python": {**SAME, "GDAL_PYTHON_DRIVER_PATH": str(ROOT / "bindings" / "gdal" / "python")},
}


def tool(
    driver: str, *command: Any, input: bytes | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Runs one of GDAL's programs."""
    return subprocess.run(
        [str(part) for part in command],
        input=input,
        capture_output=True,
        check=False,
        timeout=300,
        env={**DRIVERS[driver], **environment},
    )


def read(driver: str, jobs: list[dict[str, Any]], **environment: str) -> list[dict[str, Any]]:
    """What `reader.py` finds in each of many files."""
    result = tool(driver, sys.executable, READER, input=json.dumps(jobs).encode(), **environment)
    assert result.returncode == 0, result.stderr.decode()
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) == len(jobs)
    return found


def read_one(driver: str, path: Any, options: list[str] | None = None, **job: Any) -> dict[str, Any]:
    return read(driver, [{"path": str(path), "options": options or [], **job}])[0]
