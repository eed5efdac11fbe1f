"""Feeds damaged answers to the package, to see that nothing but its own errors comes out.

usage: mutate.py SEED COUNT

The input in hand is kept in standard output's last line (base64), so that a crash can be repeated.
"""

from __future__ import annotations

import base64
import json
import random
import sys
from pathlib import Path

import overpasskit

ANSWERS = sorted(
    (Path(__file__).resolve().parents[3] / "Tests" / "Fixtures" / "overpass-json").glob("*.json")
)
PIECES = [
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"null", b"true", b"-", b"1e9", b"9" * 30, b".5"),
    *(b"\\u0000", b"\\ud800", b"\xff", b"\x00"),
]
MEMBERS = [
    *(b'"id":-9223372036854775808,', b'"id":1,', b'"id":"7",', b'"lat":1e400,', b'"role":"inner",'),
    *(b'"lat":91,"lon":181,', b'"lat":-90,"lon":180,', b'"nodes":[1,1],', b'"nodes":[],'),
    *(b'"type":"area",', b'"type":"way",', b'"type":"relation",', b'"geometry":[null],'),
    b'"geometry":{"type":"Polygon","coordinates":[[[]]]},',
    b'"members":[{"type":"way","ref":20}],',
    b'"members":[{"type":"relation","ref":30,"role":"outer"}],',
    *(b'"bounds":{},', b'"center":null,', b'"center":{"lat":1,"lon":2},', b'"tags":{"a":null},'),
    *(b'"tags":{"type":"multipolygon"},', b'"tags":{"building":"yes"},'),
    *(b'"timestamp":"2020-02-30T00:00:00Z",', b'"version":99999999999,'),
    b'"x":[[[[{"y":1e-9}]]]],',
]


def damaged(data: bytes, chance: random.Random) -> bytes:
    result = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        start = chance.randrange(len(result) + 1)
        end = min(len(result), start + chance.randrange(1, 40))
        kind = chance.randrange(8)
        if kind > 3:  # a member more at the beginning of an object: mostly still JSON
            start = result.find(b"{", start) + 1 or 1
            result[start:start] = chance.choice(MEMBERS)
        elif kind == 0:
            del result[start:end]
        elif kind == 1:
            result[start:start] = chance.choice(PIECES)
        elif kind == 2:
            result[start:end] = chance.choice(PIECES)
        else:
            result[start:start] = result[start:end]
    return bytes(result)


def exercise(response: overpasskit.Response) -> None:
    """Reads all there is."""
    for element in response.elements:
        repr((element.tags, element.members, element.nodes, element.geometry, element.meta))
        repr((element.shape, element.bounds, element.center, element.timestamp))
    for profile in ("default", "osmtogeojson"):
        features = response.features(profile, "all")
        for layout in ("flat", "nested"):
            json.loads(features.to_geojson(layout))
        for feature in features:
            assert feature.geometry is not None and feature.wkb
        assert isinstance(features.problems, list)


def main() -> int:
    seed, count = map(int, sys.argv[1:])
    chance = random.Random(seed)
    answers = [path.read_bytes() for path in ANSWERS]
    decoded = 0
    for _ in range(count):
        data = damaged(chance.choice(answers), chance)
        print(base64.b64encode(data).decode(), flush=True)
        try:
            response = overpasskit.loads(data, partial=chance.random() < 0.7)
        except (overpasskit.DecodeError, overpasskit.LimitError) as error:
            assert error.offset is None or 0 <= error.offset <= len(data)
            continue
        decoded += 1
        exercise(response)
    return 0 if decoded > count // 10 else 1


if __name__ == "__main__":
    sys.exit(main())
