"""Responses made of other responses."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random

import overpasskit
import pytest
from conftest import ANSWERS, ROOT
from overpasskit import Bounds, Element, MisuseError, QueryError, Response, load, loads, merge

SHARED = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared"))

CHANGES = """<osmChange version="0.6">
  <create><node id="5" version="1" lat="5" lon="5"><tag k="a" v="b"/></node></create>
  <modify><node id="1" version="3" lat="9" lon="9"/></modify>
  <delete><node id="3" version="7"/></delete>
</osmChange>"""


def answer(*elements: dict[str, object], **head: object) -> Response:
    return loads(json.dumps({"elements": list(elements), **head}))


def node(number: int, **more: object) -> dict[str, object]:
    return {"type": "node", "id": number, "lat": number, "lon": number, **more}


def names(response: Response) -> list[str]:
    return [f"{element.type}/{element.id}" for element in response.elements]


def test_merge() -> None:
    west = answer(node(1, version=2), node(3), osm3s={"timestamp_osm_base": "2024-05-01T00:00:00Z"})
    east = answer(
        node(1, version=3, lat=7),
        node(2),
        osm3s={"timestamp_osm_base": "2024-04-01T00:00:00Z"},
        remark="runtime error: x",
    )
    for merged in (merge([west, east]), west.merge(east), merge(iter((east, west)))):
        assert names(merged) == ["node/1", "node/2", "node/3"]
        assert merged.elements[0].lat == 7
        assert merged.timestamp is not None and merged.timestamp.month == 4
        assert merged.remarks == ["runtime error: x"]
        assert merged.is_complete is False
        assert len(merged.diagnostics) == 1 and "2024-05-01" in merged.diagnostics[0]


def test_merge_of_parts_is_the_whole() -> None:
    whole = load(ANSWERS / "geometry.json")
    document = json.loads((ANSWERS / "geometry.json").read_text("utf-8"))
    parts = [
        loads(json.dumps({**document, "elements": document["elements"][start::3]}))
        for start in range(3)
    ]
    merged = merge([*parts, parts[0]])
    assert sorted(names(merged)) == sorted(names(whole))
    for element in whole.elements:
        other = merged.elements.find(element.type, element.id or 0)
        assert other is not None
        assert (other.tags, other.nodes, other.members, other.geometry, other.bounds) == (
            element.tags,
            element.nodes,
            element.members,
            element.geometry,
            element.bounds,
        )


def test_merge_of_none_and_one() -> None:
    assert len(merge([]).elements) == 0
    with answer(node(1)) as one:
        alone = one.merge()
    assert names(alone) == ["node/1"]


def test_merge_refuses_changes_and_closed_responses() -> None:
    one, changes = answer(node(1)), loads(CHANGES)
    with pytest.raises(MisuseError, match="response 2 lists changes"):
        merge([one, changes])
    changes.close()
    with pytest.raises(MisuseError, match="closed"):
        merge([one, changes])
    assert overpasskit.merge is merge


def test_apply() -> None:
    base = answer(node(1, version=2), node(3, version=1), {"type": "way", "id": 1, "nodes": [1, 3]})
    changes = loads(CHANGES)
    for applied in (base.apply(changes), base.apply([changes]), base.apply(iter([changes]))):
        assert names(applied) == ["node/1", "node/5", "way/1"]
        assert (applied.elements[0].lat, applied.elements[0].meta["version"]) == (9, 3)
        assert applied.elements[1].tags == {"a": "b"}
        assert applied.actions == [] and applied.diagnostics == []
    newer = answer(node(1, version=4)).apply(changes)
    assert newer.diagnostics == ["node/1: a change was left out (version 3, while 4 is there)"]
    assert newer.elements[0].meta["version"] == 4


def test_apply_refuses_the_wrong_kinds() -> None:
    base, changes = answer(node(1)), loads(CHANGES)
    with pytest.raises(MisuseError, match="change file 2 lists no changes"):
        base.apply([changes, base])
    with pytest.raises(MisuseError, match="lists changes"):
        changes.apply(changes)
    assert names(base.apply([])) == ["node/1"]


@pytest.mark.skipif(shutil.which("osmium") is None, reason="needs osmium-tool")
@pytest.mark.parametrize("extract", ["krems", "monaco-2023"])
def test_apply_agrees_with_osmium(extract: str, tmp_path: Path) -> None:
    source = SHARED / "data" / "extracts" / f"{extract}.osm.pbf"
    if not source.exists():
        pytest.skip("needs the shared data beside the project")
    base, first, second = (tmp_path / name for name in ("base.osm", "1.osc", "2.osc"))
    result = tmp_path / "result.osm"
    subprocess.run(["osmium", "cat", source, "-o", base], check=True)
    response = load(base)
    random = Random(extract)
    known = {(each.type, each.id or 0): each for each in response.elements}
    versions = {key: each.meta.get("version", 1) for key, each in known.items()}
    first.write_text(random_changes(random, known, versions), "utf-8")
    second.write_text(random_changes(random, known, versions), "utf-8")
    subprocess.run(["osmium", "apply-changes", base, first, second, "-o", result], check=True)
    applied = response.apply([load(first), load(second)])
    expected = load(result)
    assert names(applied) == names(expected)
    assert names(applied) != names(response)
    for ours, theirs in zip(applied.elements, expected.elements, strict=True):
        assert content(ours) == content(theirs)
    assert any("left out" in each for each in applied.diagnostics)


def content(element: Element) -> tuple[object, ...]:
    return (
        element.type,
        element.id,
        element.tags,
        element.lat,
        element.lon,
        element.nodes,
        element.members,
        element.meta.get("version"),
    )


def random_changes(
    random: Random, known: dict[tuple[str, int], Element], versions: dict[tuple[str, int], int]
) -> str:
    """A change file: elements changed, deleted, created anew and told in an older version."""
    lines = ['<osmChange version="0.6">']
    keys = random.sample(sorted(known), 400)
    for number, key in enumerate(keys):
        kind, id = key
        fate = random.choice(["modify", "modify", "delete", "create", "older"])
        if fate == "create":
            id = 10**12 + random.randrange(10**6)
        if fate == "older" and versions[key] == 1:
            continue
        version = versions[key] - 1 if fate == "older" else versions.get((kind, id), 0) + 1
        if fate != "older":
            versions[kind, id] = version
        head = f'{kind} id="{id}" version="{version}"'
        if kind == "node" and fate != "delete":
            head += f' lat="{random.randrange(10**9) / 1e7}" lon="{number / 1e7}"'
        inner = "".join(f'<nd ref="{random.randrange(10**6)}"/>' for _ in range(3)) * (
            kind == "way"
        )
        inner += '<member type="way" ref="7" role="x"/>' * (kind == "relation")
        inner += f'<tag k="test" v="{number}"/>'
        action = "modify" if fate == "older" else fate
        lines.append(f"<{action}><{head}>{inner * (fate != 'delete')}</{kind}></{action}>")
    return "\n".join([*lines, "</osmChange>"])


PLACES = [
    node(1, tags={"amenity": "cafe", "name": "A"}),
    node(2, tags={"amenity": "bar"}),
    {"type": "node", "id": 3, "lat": 30, "lon": 179.5},
    {"type": "way", "id": 1, "nodes": [2, 3], "tags": {"amenity": "cafe"}},
    {"type": "relation", "id": 1, "members": [{"type": "way", "ref": 1, "role": ""}]},
    {"type": "count", "id": 0, "tags": {"total": "5"}},
]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["node/1", "node/2", "node/3", "way/1", "relation/1", "count/0"]),
        ({"types": "way"}, ["way/1"]),
        ({"types": ["way", "derived"]}, ["way/1", "count/0"]),
        ({"tags": {"amenity": "cafe"}}, ["node/1", "way/1"]),
        ({"tags": {"amenity": ["cafe", "bar"]}}, ["node/1", "node/2", "way/1"]),
        ({"tags": {"amenity": "cafe", "name": True}}, ["node/1"]),
        ({"tags": {"amenity": True, "name": False}}, ["node/2", "way/1"]),
        ({"tags": {"amenity": True}, "not_tags": {"amenity": "cafe"}}, ["node/2"]),
        ({"types": "node", "not_tags": {"amenity": ["cafe", "bar"]}}, ["node/3"]),
        ({"bbox": (0, 0, 1, 1)}, ["node/1"]),
        ({"bbox": Bounds(179, 20, -179, 40)}, ["node/3", "way/1", "relation/1"]),
        ({"types": "way", "keep_references": True}, ["node/2", "node/3", "way/1"]),
    ],
)
def test_filter(options: dict[str, object], expected: list[str]) -> None:
    assert names(answer(*PLACES).filter(**options)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"types": "house"},
        {"types": []},
        {"tags": {"a": []}},
        {"tags": {"a\0b": True}},
        {"not_tags": {"a": True}},
        {"bbox": (0, 5, 1, 4)},
        {"bbox": (0, 0, 181, 4)},
        {"bbox": (0, 0, float("nan"), 4)},
    ],
)
def test_filter_refuses(options: dict[str, object]) -> None:
    with pytest.raises((MisuseError, QueryError)):
        answer(*PLACES).filter(**options)  # type: ignore[arg-type]


def test_filter_refuses_changes() -> None:
    with pytest.raises(MisuseError, match="lists changes"):
        loads(CHANGES).filter("node")


def test_response_is_a_collection() -> None:
    response = answer(*PLACES)
    assert len(response) == len(list(response)) == 6
    first = response.elements[0]
    assert first in response and first in response.elements
    assert "way/1" in response and ("node", 3) in response
    for absent in ("way/9", "way", "way/", "way/x", "way/²", "count/0", ("node", 9), ("node",), 1):
        assert absent not in response
    assert first not in answer(*PLACES)
    assert ("way", 1.5) not in response and ("way", 2**70) not in response
