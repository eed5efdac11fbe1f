"""Responses made of other responses."""

import json

import overpasskit
import pytest
from conftest import ANSWERS
from overpasskit import MisuseError, Response, load, loads, merge

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
