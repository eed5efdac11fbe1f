#!/usr/bin/env python3
"""Asks shapely whether every polygon of every extract and answer is valid.

usage: validity.py DATA_FOLDER

Extracts are written as answers of Overpass by make_response.py of the shared benchmarks. Both
profiles and all repairs: no polygon may be invalid, and nothing may be raised.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import overpasskit
import shapely

CHOICES = list(itertools.product(("default", "osmtogeojson"), ("none", "largest", "full")))


def answers(data: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Names and files of answers; extracts one after the other as a temporary file."""
    make = data.parent / "bench" / "make_response.py"
    for extract in sorted((data / "extracts").glob("*.osm.pbf")):
        answer = folder / "answer.json"
        subprocess.run(
            [sys.executable, make, extract, answer, "1"], check=True, capture_output=True
        )
        yield extract.name, answer
    for response in sorted((data / "responses").glob("*.json.gz")):
        yield response.name, response


def invalid(response: overpasskit.Response, profile: str, repair: str) -> tuple[int, list[str]]:
    """How many polygons there are, and which of them are not valid."""
    features = response.features(profile, repair=repair)
    names, shapes = [], []
    for feature in json.loads(features.to_geojson())["features"]:
        if feature["geometry"]["type"] in ("Polygon", "MultiPolygon"):
            names.append(feature["id"])
            shapes.append(json.dumps(feature["geometry"]))
    polygons = shapely.from_geojson(shapes)
    sound = shapely.is_valid(polygons) & ~shapely.is_empty(polygons)
    return len(names), [name for name, is_sound in zip(names, sound, strict=True) if not is_sound]


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path in answers(Path(sys.argv[1]), Path(folder)):
            response = overpasskit.load(path)
            for profile, repair in CHOICES:
                count, broken = invalid(response, profile, repair)
                for element in broken:
                    print(f"  {name}, {profile}, repair {repair}: {element} is not valid")
                passed, failed = passed + count - len(broken), failed + len(broken)
    print(f"valid polygons: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
