#!/usr/bin/env python3
"""Write an invented Overpass JSON answer (the layout of `out body;`) of about the size asked for.

usage: make_answer.py OUT.json MEGABYTES

Used where no real extract is at hand. A town of square blocks: nodes on a grid, closed building
ways with tags, and multipolygon relations of three ways; the same bytes for the same size.
"""

import json
import random
import sys


def tags(pairs):
    if not pairs:
        return ""
    lines = ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in pairs)
    return ',\n  "tags": {\n' + lines + "\n  }"


def main():
    target = int(float(sys.argv[2]) * 1e6)
    chance = random.Random(1)
    streets = [f"Street {number}" for number in range(2000)]
    blocks = max(3, target // 1020)  # one takes about so many bytes
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write('{\n  "version": 0.6,\n  "generator": "make_answer.py",\n  "elements": [\n\n')
        first = True

        def element(text):
            nonlocal first
            out.write(text if first else ",\n" + text)
            first = False

        for block in range(blocks):
            lat, lon = 50 + block // 1000 * 0.001, 8 + block % 1000 * 0.001
            for corner in range(8):
                y, x = lat + corner // 4 * 0.0002, lon + corner % 4 * 0.0001
                name = [("amenity", "bench"), ("backrest", "yes")] if corner == 3 else []
                element(
                    f'{{\n  "type": "node",\n  "id": {block * 8 + corner + 1},\n'
                    f'  "lat": {y:.7f},\n  "lon": {x:.7f}{tags(name)}\n}}'
                )
        for block in range(blocks):
            corners = [block * 8 + corner + 1 for corner in (0, 3, 7, 4, 0)]
            nodes = ",\n".join(f"    {node}" for node in corners)
            pairs = [
                ("addr:housenumber", str(chance.randrange(300))),
                ("addr:street", chance.choice(streets)),
                ("building", chance.choice(["yes", "house", "residential", "retail"])),
            ]
            element(
                f'{{\n  "type": "way",\n  "id": {block + 1},\n  "nodes": [\n{nodes}\n  ]'
                f"{tags(pairs)}\n}}"
            )
        for block in range(0, blocks - 2, 3):
            members = ",\n".join(
                f'    {{\n      "type": "way",\n      "ref": {block + way + 1},\n'
                f'      "role": "outer"\n    }}'
                for way in range(3)
            )
            pairs = [("landuse", "residential"), ("type", "multipolygon")]
            element(
                f'{{\n  "type": "relation",\n  "id": {block + 1},\n  "members": [\n{members}\n  ]'
                f"{tags(pairs)}\n}}"
            )
        out.write("\n\n  ]\n}\n")


main()
