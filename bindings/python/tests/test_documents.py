"""Responses written back: JSON, OSM XML, change files."""

import io
import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import overpasskit
import pytest
from click.testing import CliRunner
from conftest import ANSWERS
from overpasskit import MisuseError, Response, WriteError, load, loads
from overpasskit._abi import OPK_FORMAT_OSM_XML, opk_write_options
from overpasskit._ffi import call, lib
from overpasskit.cli import main

KINDS = ANSWERS / "kinds.json"
CHANGES = (
    '<osmChange version="0.6"><create><node id="-1" lat="1" lon="2"/></create>'
    '<delete><way id="5" version="3"/></delete></osmChange>'
)
DIFF = (
    '<osm version="0.6"><action type="modify"><old><node id="1" version="1" lat="1" lon="2"/></old>'
    '<new><node id="1" version="2" lat="1" lon="3"/></new></action></osm>'
)


def values(response: Response) -> list[object]:
    return [
        (element.type, element.id, element.tags, element.timestamp, repr(element))
        for element in response.elements
    ]


@pytest.mark.parametrize("compact", [False, True])
def test_json(kinds: Response, compact: bool) -> None:
    text = kinds.to_overpass_json(compact=compact)
    assert ("\n  " in text) is not compact
    again = loads(text)
    assert values(again) == values(kinds)
    assert again.to_geojson() == kinds.to_geojson()
    # The same as another reader sees it.
    ours, given = json.loads(text), json.loads(KINDS.read_text(encoding="utf-8"))
    assert [each["id"] for each in ours["elements"]] == [each["id"] for each in given["elements"]]


def test_xml(kinds: Response) -> None:
    text = kinds.to_osm_xml(lossy=True)
    root = ElementTree.fromstring(text)
    assert root.tag == "osm" and root.get("version") == "0.6"
    assert len(root.findall("way")) == len([e for e in kinds.elements if e.type == "way"])
    assert loads(text).to_osm_xml() == text


def test_xml_gives_the_same_features() -> None:
    response = load(ANSWERS / "geometry.json")
    again = loads(response.to_osm_xml())
    assert again.to_geojson() == response.to_geojson()


def test_changes() -> None:
    response = loads(CHANGES)
    assert response.to_osc() == loads(response.to_osc()).to_osc()
    again = loads(response.to_osc())
    assert [(each.kind, each.old is None) for each in again.actions] == [
        ("create", True),
        ("delete", True),
    ]
    with pytest.raises(WriteError, match="changes of elements"):
        response.to_overpass_json()
    assert len(loads(response.to_overpass_json(lossy=True)).elements) == 2


def test_diffs() -> None:
    response = loads(DIFF)
    again = loads(response.to_osm_xml())
    assert [each.old.meta.get("version") for each in again.actions if each.old] == [1]
    with pytest.raises(WriteError, match="state before a change") as caught:
        response.to_osc()
    assert caught.value.element == "node/1"
    assert caught.value.status_name == "OPK_ERR_WRITE_LOSS"
    assert [each.kind for each in loads(response.to_osc(lossy=True)).actions] == ["modify"]


def test_truncated_answers_do_not_look_whole() -> None:
    response = loads('{"elements":[{"type":"node","id":1},{"ty', partial=True)
    again = loads(response.to_overpass_json())
    assert again.is_complete is False
    assert "cut off" in again.remarks[0]


@pytest.mark.parametrize("name", ["out.json", "out.osm", "out.xml"])
def test_write_by_extension(kinds: Response, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    kinds.write(path, lossy=True)
    expected = kinds.to_overpass_json() if name.endswith("json") else kinds.to_osm_xml(lossy=True)
    assert path.read_text(encoding="utf-8") == expected
    kinds.write(str(path), "json", compact=True)
    assert path.read_text(encoding="utf-8") == kinds.to_overpass_json(compact=True)


def test_write_into_a_file(kinds: Response) -> None:
    target = io.BytesIO()
    kinds.write(target, "json")
    assert target.getvalue().decode() == kinds.to_overpass_json()


def test_write_to_a_descriptor(tmp_path: Path) -> None:
    response = load(ANSWERS / "geometry.json")
    path = tmp_path / "out"
    with path.open("wb") as file:
        options = opk_write_options(format=OPK_FORMAT_OSM_XML)
        call(lib.opk_response_write_fd, response._data.handle, options, file.fileno())
    assert path.read_text(encoding="utf-8") == response.to_osm_xml()
    with pytest.raises(overpasskit.FileError):
        call(lib.opk_response_write_fd, response._data.handle, options, -1)


def test_misuse(kinds: Response, tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match="format is one of"):
        kinds.write(tmp_path / "out.pbf")
    with pytest.raises(MisuseError):
        kinds.write(io.BytesIO())
    with pytest.raises(overpasskit.FileError):
        kinds.write("/does/not/exist.json")
    kinds.close()
    with pytest.raises(MisuseError):
        kinds.to_overpass_json()


# The command


def convert(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["convert", *arguments])
    return result.exit_code, result.output


def test_convert_by_extension(tmp_path: Path) -> None:
    source = str(ANSWERS / "geometry.json")
    response = load(source)
    for name, expected in (
        ("a.json", response.to_overpass_json()),
        ("a.osm", response.to_osm_xml()),
        ("a.xml", response.to_osm_xml()),
        ("a.geojson", response.to_geojson()),
        ("a", response.to_geojson()),
    ):
        path = tmp_path / name
        assert convert(source, "-o", str(path)) == (0, "")
        assert path.read_text(encoding="utf-8") == expected
    assert convert(source, "-o", "-", "--to", "json", "--compact") == (
        0,
        response.to_overpass_json(compact=True),
    )


def test_convert_changes(tmp_path: Path) -> None:
    source = tmp_path / "in.osc"
    source.write_text(CHANGES, encoding="utf-8")
    target = tmp_path / "out.osc"
    assert convert(str(source), "-o", str(target))[0] == 0
    assert target.read_text(encoding="utf-8") == loads(CHANGES).to_osc()
    before = target.read_bytes()
    source.write_text(DIFF, encoding="utf-8")
    code, output = convert(str(source), "-o", str(target))
    assert code == 1 and "state before a change" in output
    assert target.read_bytes() == before
    assert convert(str(source), "-o", str(target), "--lossy")[0] == 0
    assert b"<modify>" in target.read_bytes()


def osmium(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["osmium", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.skipif(not os.access("/usr/bin/osmium", os.X_OK), reason="needs osmium-tool")
def test_osmium_reads_what_is_written(tmp_path: Path) -> None:
    answer = (
        '<osm version="0.6" generator="g"><note>n</note><bounds minlat="1" minlon="2" maxlat="3" '
        'maxlon="4"/><node id="1" lat="1" lon="2" version="3" timestamp="2024-03-31T02:30:00Z" '
        'changeset="5" uid="6" user="a &lt;&quot;b&quot;&gt;"><tag k="k&amp;" v="a&#10;b"/></node>'
        '<way id="2" version="1"><nd ref="1"/></way><relation id="3" version="1"><member type="way" '
        'ref="2" role="r"/></relation></osm>'
    )
    path, change = tmp_path / "out.osm", tmp_path / "out.osc"
    loads(answer).write(path)
    loads(CHANGES).write(change)
    for each, count in ((path, 3), (change, 2)):
        info = osmium("fileinfo", "-e", "-j", str(each))
        assert info.returncode == 0, info.stderr
        assert sum(json.loads(info.stdout)["data"]["count"].values()) >= count
    opl = osmium("cat", "-f", "opl", str(path)).stdout.splitlines()
    assert opl[0] == (
        "n1 v3 dV c5 t2024-03-31T02:30:00Z i6 ua%20%%3c%%22%b%22%%3e% Tk&=a%0a%b x2 y1"
    ) or opl[0].startswith("n1 v3 dV c5 t2024-03-31T02:30:00Z i6 ua")
    assert opl[2].split(" ")[0] == "r3" and opl[2].endswith("Mw2@r")
    changes = osmium("cat", "-f", "opl", str(change)).stdout.splitlines()
    assert changes[0].startswith("n-1 ") and changes[1].startswith("w5 v3 dD")


def test_paths_with_nul(kinds: Response) -> None:
    with pytest.raises(MisuseError, match="NUL"):
        kinds.write("out.json\0.osm")
    features = kinds.features()
    with pytest.raises(MisuseError, match="NUL"):
        features.write_geojson("out.geojson\0x")
