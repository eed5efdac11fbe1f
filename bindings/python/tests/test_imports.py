"""What is imported: click and rich for the command line alone, other packages on request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import overpasskit
from conftest import ANSWERS

PACKAGES = Path(overpasskit.__file__).parent.parent
# Refuses everything that is neither Python's own nor the package's.
HOOK = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "overpasskit" and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"No module named {top!r}", name=top)
sys.meta_path.insert(0, Refuse())
"""

USE = """
import overpasskit as opk
with opk.load(sys.argv[1]) as response:
    response.features().to_geojson(), response.to_svg(), response._repr_html_(), repr(response)
    response.problems, response.to_osm_xml(), opk.merge([response, response]).filter("node")
    response.features().to_gpx(), len(response.features().ids), response.__arrow_c_stream__()
    for use in (response.to_arrow, response.to_pandas, response.to_geopandas):
        try:
            use()
        except opk.MissingPackageError as error:
            print(error)
opk.Query.nodes().tag("amenity", "cafe").ql()
"""

COMMAND_LINE = """
try:
    import overpasskit.cli
except ModuleNotFoundError as error:
    print(error.name)
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, ANSWERS / "kinds.json"],
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_everything_but_the_command_line_works_alone() -> None:
    lines = run(HOOK + USE).splitlines()
    assert len(lines) == 3 and all("which is not installed" in line for line in lines)
    assert run(HOOK + COMMAND_LINE) == "click\n"


def test_modules_import_alone() -> None:
    """Each as the first one, so that their order does not matter."""
    code = f"""{HOOK}
def modules(): return [name for name in sys.modules if name.startswith("overpasskit")]
import overpasskit
for first in sorted(modules()):
    for name in modules():
        del sys.modules[name]
    __import__(first)
print(len(modules()) > 30)
"""
    assert run(code) == "True\n"
