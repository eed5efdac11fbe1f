#!/usr/bin/env python3
"""Judges the verdicts of run_cases.py: each difference must be one that is explained here.

usage: check_results.py RESULTS.jsonl

Fails on a difference without an explanation, and on an explanation whose case has come to agree.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

OLD_STYLE = (
    "old-style multipolygon whose relation has tags of its own, if only test:*: no tags are "
    "inherited. The cases' README says to judge 9xx at level geometry, where all agree"
)
NODES_OF_WAYS = (
    "osm2geojson gives no node that a way uses, tagged or not, or all of them; we go by tags"
)
EQUAL_RINGS = (
    "a degenerate multipolygon of two equal rings: osmtogeojson gives both, with us they cancel"
)
NESTED_OUTERS = (
    "a ring within a ring, both outer: osmtogeojson gives two overlapping polygons, with us "
    "nesting decides, so that it is a hole"
)
INVALID = "the polygon that is expected crosses itself; we report that and give the outer way"
NO_SHAPE = (
    "osm2geojson draws relations of any type as lines (and no nodes of ways); an associatedStreet "
    "has no shape of its own"
)
ROUTE_MASTER = "osm2geojson gives a route under its route_master alone; we give both"
NO_CHANGESET = "osm2geojson leaves the changeset out; its test does not look at it"

EXPLAINED = {
    "gdal/002-multipolygon-gh13610": INVALID,
    "osm-testdata/117-912": OLD_STYLE,
    "osm-testdata/120-921": OLD_STYLE,
    "osm-testdata/122-923": OLD_STYLE,
    "osm-testdata/124-925": OLD_STYLE,
    "osm2geojson/005-map": NO_SHAPE,
    "osm2geojson/006-issue-4": ROUTE_MASTER,
    "osm2geojson/007-barrier-wall": NO_CHANGESET,
    "osm2geojson/010-issue-9": NODES_OF_WAYS,
    "osmtogeojson/023-meta-data": EQUAL_RINGS,
    "osmtogeojson/051-tainted-multipolygon": EQUAL_RINGS,
    "osmtogeojson/113-cli-overpass-geometry-types": NESTED_OUTERS,
    "overpass-py/002-example-meta": NO_CHANGESET,
}


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    results = [json.loads(line) for line in lines]
    verdicts = {each["id"]: each for each in results}
    failed = 0
    for each in results:
        if each["verdict"] != "different":
            continue
        if each["id"] in EXPLAINED:
            print(f"  explained: {each['id']}: {EXPLAINED[each['id']]}")
        else:
            failed += 1
            print(f"  UNEXPLAINED: {each['id']}: {each['why']}")
    for name in EXPLAINED:
        if verdicts.get(name, {}).get("verdict") == "equal":
            failed += 1
            print(f"  agrees by now, needs no explanation: {name}")
    equal = sum(each["verdict"] == "equal" for each in results)
    skipped = sum(each["verdict"] == "skipped" for each in results)
    print(f"conformance: {equal} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
