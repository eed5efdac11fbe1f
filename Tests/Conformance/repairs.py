#!/usr/bin/env python3
"""Holds each way of repairing rings against the column of osm-testdata that it stands for.

usage: repairs.py CONFORMANCE_FOLDER

With repair `none` every 7xx case has to give what its column `default` says: valid areas are equal,
invalid ones are no areas and are reported. With repair `full` the columns `fix` and `location`
hold, where a case has them; shapes alone are compared there, because 791 and 793 expect tags that
their input does not have.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import overpasskit

Case = dict[str, Any]


def differences(case: Case, compare: Any) -> list[str]:
    """What is not as a case's columns say."""
    response = overpasskit.loads(json.dumps(case["input"]))
    found = []
    for repair, columns, level in (
        ("none", ["default"], "full"),
        ("full", ["fix", "location"], "geometry"),
    ):
        wanted = {name: case["expected"]["variants"].get(name) for name in columns}
        if not any(wanted.values()):
            continue
        features = response.features(repair=repair)
        answer = json.loads(features.to_geojson("nested"))
        verdict, why, _ = compare.judge(case, answer, level, False, columns)
        if verdict != "equal":
            found.append(f"repair {repair}, {'/'.join(columns)}: {why}")
        broken = [
            area["from"]
            for column in wanted.values()
            for area in column or []
            if area["wkt"] == "INVALID"
        ]
        reported = {problem.element for problem in features.problems}
        found += [f"repair {repair}: {name} is not reported" for name in broken
                  if name not in reported]
    return found


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    import compare

    passed, failed = 0, 0
    for path in sorted((folder / "cases" / "osm-testdata").glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if case["kind"] != "areas" or case["case_number"] // 100 != 7:
            continue
        found = differences(case, compare)
        for why in found:
            print(f"  {case['id']}: {why}")
        passed, failed = passed + (not found), failed + bool(found)
    print(f"repairs: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
