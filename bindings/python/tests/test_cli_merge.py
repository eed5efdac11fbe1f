"""The commands ``merge`` and ``apply``, and the options of ``convert`` that choose elements."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import ANSWERS
from overpasskit import load
from overpasskit.cli import main

KINDS = str(ANSWERS / "kinds.json")
CHANGES = """<osmChange version="0.6">
  <create><node id="5" version="1" lat="5" lon="5"/></create>
  <modify><node id="1" version="1" lat="9" lon="9"/></modify>
</osmChange>"""


def run(*arguments: str | Path, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments], input=data)


def answer(path: Path, *ids: int, **head: object) -> Path:
    elements = [
        {"type": "node", "id": id, "lat": id, "lon": id, "version": 2, "tags": {"n": f"{id}"}}
        for id in ids
    ]
    data = json.dumps({"elements": elements, **head}).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def names(path: Path) -> list[str]:
    return [f"{element.type}/{element.id}" for element in load(path)]


def test_merge(tmp_path: Path) -> None:
    one, two = answer(tmp_path / "1.json", 1, 3), answer(tmp_path / "2.json.gz", 1, 2)
    for name in ("out.json", "out.osm"):
        result = run("merge", one, two, "-o", tmp_path / name)
        assert (result.exit_code, result.output) == (0, "")
        assert names(tmp_path / name) == ["node/1", "node/2", "node/3"]
    result = run("merge", one, two, "-o", tmp_path / "out.geojson")
    assert result.exit_code == 0
    assert len(json.loads((tmp_path / "out.geojson").read_text("utf-8"))["features"]) == 3


def test_merge_from_and_to_standard_streams(tmp_path: Path) -> None:
    one, two = answer(tmp_path / "1.json", 1), answer(tmp_path / "2.json.gz", 2)
    result = run("merge", one, "-", "-o", "-", data=two.read_bytes())
    assert result.exit_code == 0
    assert [each["id"] for each in json.loads(result.stdout)["elements"]] == [1, 2]
    assert run("merge", "-", "-", "-o", "-", data=two.read_bytes()).exit_code == 2


def test_merge_tells_what_is_not_whole(tmp_path: Path) -> None:
    old = answer(tmp_path / "old.json", 1, osm3s={"timestamp_osm_base": "2024-04-01T00:00:00Z"})
    new = answer(
        tmp_path / "new.json",
        2,
        osm3s={"timestamp_osm_base": "2024-05-01T00:00:00Z"},
        remark="runtime error: Query timed out",
    )
    result = run("merge", old, new, "-o", tmp_path / "out.json")
    assert result.exit_code == 3
    assert "new.json: runtime error: Query timed out" in result.stderr
    assert "merged answers show different states" in result.stderr
    assert names(tmp_path / "out.json") == ["node/1", "node/2"]


def test_merge_fails(tmp_path: Path) -> None:
    one = answer(tmp_path / "1.json", 1)
    changes = tmp_path / "changes.osc"
    changes.write_text(CHANGES)
    out = tmp_path / "out.json"
    for arguments, part in (
        ((one, tmp_path / "missing.json"), "missing.json"),
        ((one, changes), "response 2 lists changes"),
    ):
        result = run("merge", *arguments, "-o", out)
        assert result.exit_code == 1
        assert part in " ".join(result.stderr.split())
        assert not out.exists()
    assert run("merge", one, "-o", tmp_path / "out.osc").exit_code == 2
    assert run("merge", "-o", out).exit_code == 2


def test_apply(tmp_path: Path) -> None:
    base, changes = answer(tmp_path / "1.json", 1, 3), tmp_path / "changes.osc.gz"
    changes.write_bytes(gzip.compress(CHANGES.encode()))
    result = run("apply", base, changes, "-o", tmp_path / "out.osm")
    assert result.exit_code == 0
    assert "node/1: a change was left out (version 1, while 2 is there)" in result.stderr
    assert names(tmp_path / "out.osm") == ["node/1", "node/3", "node/5"]
    result = run("apply", base, "-", "-o", "-", data=CHANGES.encode())
    assert [each["id"] for each in json.loads(result.stdout)["elements"]] == [1, 3, 5]
    result = run("apply", changes, base, "-o", tmp_path / "other.osm")
    assert result.exit_code == 1
    assert not (tmp_path / "other.osm").exists()


def chosen(tmp_path: Path, *options: str) -> list[str]:
    result = run("convert", KINDS, "-o", tmp_path / "out.json", *options)
    assert (result.exit_code, result.output) == (0, "")
    return names(tmp_path / "out.json")


def test_convert_chooses(tmp_path: Path) -> None:
    whole = load(KINDS)
    everything = names(Path(KINDS))
    assert chosen(tmp_path) == everything
    assert chosen(tmp_path, "--type", "way") == [each for each in everything if "way/" in each]
    assert len(chosen(tmp_path, "--type", "way", "--type", "relation")) == 6
    with_nodes = chosen(tmp_path, "--type", "way", "--keep-references")
    assert with_nodes == names_of(whole.filter("way", keep_references=True))
    assert len(with_nodes) > 4
    for options, tags, not_tags in (
        (("--tag", "building"), {"building": True}, {}),
        (("--tag", "!building"), {"building": False}, {}),
        (("--tag", "amenity=cafe", "--tag", "amenity=bar"), {"amenity": ["cafe", "bar"]}, {}),
        (("--tag", "amenity", "--tag", "amenity!=cafe"), {"amenity": True}, {"amenity": "cafe"}),
    ):
        expected = names_of(whole.filter(tags=tags, not_tags=not_tags))  # type: ignore[arg-type]
        assert chosen(tmp_path, *options) == expected
    assert chosen(tmp_path, "--bbox", "-90,-180,90,180", "--type", "node")
    assert chosen(tmp_path, "--bbox", "80,80,81,81") == []


def names_of(response: object) -> list[str]:
    return [f"{element.type}/{element.id}" for element in response]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "options",
    [
        ("--tag", "=x"),
        ("--tag", "!"),
        ("--tag", "a", "--tag", "!a"),
        ("--tag", "a=1", "--tag", "!a"),
        ("--type", "house"),
        ("--bbox", "1,2,3"),
        ("--keep-references",),
    ],
)
def test_convert_refuses(options: tuple[str, ...], tmp_path: Path) -> None:
    result = run("convert", KINDS, "-o", tmp_path / "out.json", *options)
    assert result.exit_code == 2
    assert not (tmp_path / "out.json").exists()


def test_convert_refuses_a_box_out_of_range(tmp_path: Path) -> None:
    result = run("convert", KINDS, "-o", tmp_path / "out.json", "--bbox", "50,0,40,1")
    assert result.exit_code == 1
    assert "the box of a filter is out of range" in " ".join(result.stderr.split())
