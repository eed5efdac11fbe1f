#!/usr/bin/env python3
"""Compares areas with those of `osmium export`, feature by feature.

usage: osmium_areas.py EXTRACT.osm.pbf

The extract is written as an answer of Overpass (`out body`, by make_response.py of the shared
benchmarks), converted by the package, and held against osmium's polygons of the same extract:
equal within 1e-9 of the area, in plain square degrees. Each difference must belong to one of the
classes below, which is checked on the data; any other makes the script fail.
"""

from __future__ import annotations

import collections
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import overpasskit
import shapely
import shapely.geometry

TOLERANCE = 1e-9

# Closed ways count as areas whatever their tags: which of them are areas is a rule of ours that
# osmium does not have.
OSMIUM_CONFIG = {"attributes": {"type": "@type", "id": "@id"}, "linear_tags": [], "area_tags": True}

CLASSES = {
    "line by its tags": "a closed way that our rules hold for a line, such as a barrier or a "
    "roundabout; the line is there",
    "outline of a relation": "a way that says nothing beside the multipolygon it bounds; we give "
    "the relation alone, osmium the way, too",
    "nothing said": "a way without tags that say what it is, member of a relation without an area",
    "tags on the outer way": "an old-style multipolygon, whose relation has no tags; we give it "
    "the outer way's, osmium fills the outer way, hole and all",
    "members missing": "ways of the relation are not in the extract; osmium gives up, we build "
    "what there is and mark it as tainted",
    "ring left open": "the ways of the relation do not close; osmium gives up, we build the rings "
    "that do and report the others",
    "crosses itself": "the outline crosses itself; osmium gives up, we give it as it is and report "
    "it",
}

# Keys that say nothing about what a thing is.
UNINTERESTING = {"created_by", "source", "source_ref", "source:ref", "history", "attribution"}


@dataclass
class Difference:
    name: str
    kind: str | None
    detail: str


class Data:
    """The extract, our features of it, and osmium's areas."""

    def __init__(self, extract: Path, folder: Path) -> None:
        answer = folder / "answer.json"
        make = extract.parents[2] / "bench" / "make_response.py"
        subprocess.run(
            [sys.executable, make, extract, answer, "1"], check=True, capture_output=True
        )
        self.response = overpasskit.load(answer)
        self.features = {each.id: each for each in self.response.features()}
        self.problems = collections.defaultdict(set)
        for problem in self.response.problems:
            self.problems[problem.element].add(problem.kind)
        self.ours = {
            name: shapely.geometry.shape(each.geometry)
            for name, each in self.features.items()
            if each.geometry_type in ("Polygon", "MultiPolygon") and each.origin == "element"
        }
        self.theirs = osmium_areas(extract, folder)
        self.bounded_by = collections.defaultdict(list)
        for name in self.ours:
            if name.startswith("relation/"):
                for member in self.element(name).members:
                    self.bounded_by[f"{member.type}/{member.ref}"].append(name)

    def element(self, name: str) -> overpasskit.Element:
        kind, number = name.split("/")
        found = self.response.elements.find(kind, int(number))
        assert found is not None, name
        return found


def osmium_areas(extract: Path, folder: Path) -> dict[str, Any]:
    """osmium's areas by id. It names relations and ways, as we do."""
    config, target = folder / "config.json", folder / "areas.geojson"
    config.write_text(json.dumps(OSMIUM_CONFIG))
    subprocess.run(
        [
            "osmium",
            "export",
            "--no-progress",
            "-c",
            config,
            "--geometry-types=polygon",
            "-o",
            target,
            extract,
        ],
        check=True,
        capture_output=True,
    )
    areas = {}
    for feature in json.loads(target.read_bytes())["features"]:
        properties = feature["properties"]
        name = f"{properties['@type']}/{properties['@id']}"
        areas[name] = shapely.geometry.shape(feature["geometry"])
    return areas


def differences(data: Data) -> list[Difference]:
    found = []
    for name in sorted(data.ours.keys() | data.theirs.keys()):
        ours, theirs = data.ours.get(name), data.theirs.get(name)
        if ours is None:
            found.append(Difference(name, why_not_ours(data, name), "osmium's alone"))
        elif theirs is None:
            found.append(Difference(name, why_not_theirs(data, name), "ours alone"))
        elif abs(ours.area - theirs.area) > TOLERANCE * theirs.area:
            detail = f"{ours.area:.12g} here, {theirs.area:.12g} there"
            found.append(Difference(name, why_not_theirs(data, name), detail))
    return found


def why_not_ours(data: Data, name: str) -> str | None:
    """The class of an area that only osmium has; None when there is no explanation."""
    if not name.startswith("way/"):
        return None
    feature = data.features.get(name)
    if feature is not None and feature.geometry_type == "LineString":
        ring = shapely.Polygon(feature.coordinates)
        return "line by its tags" if shapely.equals(ring, data.theirs[name]) else None
    way = data.element(name)
    for relation in data.bounded_by[name]:
        tags = data.features[relation].tags
        if all(tags.get(key) == value for key, value in interesting(way.tags).items()):
            return "outline of a relation"
    return None if interesting(way.tags) else "nothing said"


def why_not_theirs(data: Data, name: str) -> str | None:
    """The class of an area that only we have, or that osmium has otherwise."""
    feature, shape = data.features[name], data.ours[name]
    if not shape.is_valid and data.problems[name]:
        return "crosses itself"
    if not name.startswith("relation/"):
        return None
    elements = data.response.elements
    relation = data.element(name)
    ways = [each.ref for each in relation.members if each.type == "way"]
    if feature.is_tainted and any(elements.find("way", ref) is None for ref in ways):
        return "members missing"
    if "open-ring" in data.problems[name]:
        return "ring left open"
    if not interesting(relation.tags) and interesting(feature.tags):
        return "tags on the outer way"
    return None


def interesting(tags: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in tags.items() if key not in UNINTERESTING | {"type"}}


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    extract = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        data = Data(extract, Path(folder))
    found = differences(data)
    counts = collections.Counter(each.kind for each in found)
    both = len(data.ours.keys() & data.theirs.keys())
    differing = sum(each.name in data.ours and each.name in data.theirs for each in found)
    print(f"{extract.name}: {len(data.ours)} areas here, {len(data.theirs)} of osmium's")
    print(f"  {both - differing:5} equal")
    for kind, meaning in CLASSES.items():
        if counts[kind]:
            print(f"  {counts[kind]:5} {kind}: {meaning}")
    for each in found:
        if each.kind is None:
            print(f"        unexplained: {each.name}, {each.detail}")
    print(f"areas: {both - differing} passed, {counts[None]} failed")
    return 1 if counts[None] else 0


if __name__ == "__main__":
    sys.exit(main())
