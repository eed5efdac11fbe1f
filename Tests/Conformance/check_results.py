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

    "the outer ways of the broken multipolygon carry area=yes, so they are areas of their own"
)

EXPLAINED = {
    "osm-testdata/117-912": OLD_STYLE,
    "osm-testdata/120-921": OLD_STYLE,
    "osm-testdata/122-923": OLD_STYLE,
    "osm-testdata/124-925": OLD_STYLE,
    "osm2geojson/010-issue-9": NODES_OF_WAYS,
    "osmtogeojson/023-meta-data": EQUAL_RINGS,
    "osmtogeojson/051-tainted-multipolygon": EQUAL_RINGS,
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
