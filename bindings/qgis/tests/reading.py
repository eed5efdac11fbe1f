"""Reads what QGIS has written, with GDAL's own tool."""

from __future__ import annotations

import csv
import io
import subprocess
from pathlib import Path


def rows(path: Path) -> list[dict[str, object]]:
    """The rows of a layer, with the geometry as `wkt`; NULL is None."""
    command = ["ogr2ogr", "-f", "CSV", "/vsistdout/", str(path), "-lco", "GEOMETRY=AS_WKT"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: list[dict[str, object]] = []
    for row in csv.DictReader(io.StringIO(output)):
        values: dict[str, object] = {name: value or None for name, value in row.items()}
        values["wkt"] = values.pop("WKT")
        values["osm_id"] = int(str(values["osm_id"]))
        found.append(values)
    return found
