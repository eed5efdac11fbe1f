"""Loading answers and what they say about themselves."""

import bz2
import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from datetime import datetime, timezone
from pathlib import Path
from typing import IO

import overpasskit
import pytest
from conftest import ANSWERS
from overpasskit import MisuseError, TruncatedError, load, loads

ONE_NODE = (
    '{"elements": [{"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"name": "ö"}}]}'
)


@pytest.mark.parametrize(
    "data",
    [
        ONE_NODE,
        ONE_NODE.encode(),
        bytearray(ONE_NODE.encode()),
        memoryview(ONE_NODE.encode()),
        b"\xef\xbb\xbf" + ONE_NODE.encode(),
        gzip.compress(ONE_NODE.encode()),
    ],
    ids=["str", "bytes", "bytearray", "memoryview", "with a byte order mark", "gzip"],
)
def test_loads(data: bytes) -> None:
    assert [element.tags for element in loads(data).elements] == [{"name": "ö"}]


def test_load_from_paths_and_files(tmp_path: Path) -> None:
    path = tmp_path / "Münster.json"
    path.write_text(ONE_NODE, encoding="utf-8")
    packed = tmp_path / "answer.json.gz"
    packed.write_bytes(gzip.compress(ONE_NODE.encode()))
    for source in (path, str(path), os.fsencode(path), packed):
        assert len(load(source).elements) == 1
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        assert len(load(binary).elements) == len(load(text).elements) == 1
    assert len(load(io.BytesIO(ONE_NODE.encode())).elements) == 1


def test_load_from_files_that_unpack(tmp_path: Path) -> None:
    data = ONE_NODE.encode()
    with zipfile.ZipFile(tmp_path / "answers.zip", "w") as archive:
        archive.writestr("answer.json", data)
    for name, packed in (("a.gz", gzip.compress(data)), ("a.bz2", bz2.compress(data))):
        (tmp_path / name).write_bytes(packed)
    sources: list[IO[bytes]] = [
        gzip.open(tmp_path / "a.gz"),
        bz2.open(tmp_path / "a.bz2"),
        zipfile.ZipFile(tmp_path / "answers.zip").open("answer.json"),
        (tmp_path / "a.bz2").open("rb"),
        (tmp_path / "a.gz").open("rb", buffering=0),
        io.BufferedReader(io.BytesIO(bz2.compress(data))),  # type: ignore[arg-type]
    ]
    for source in sources:
        with source:
            assert len(load(source)) == 1
    for path in (tmp_path / "a.gz", tmp_path / "a.bz2"):
        assert len(load(path)) == 1


def test_head(kinds: overpasskit.Response) -> None:
    assert kinds.version == "0.6"
    assert kinds.generator == "Overpass API 0.7.62.1"
    assert kinds.copyright == "invented data"
    assert kinds.timestamp == datetime(2024, 3, 31, 2, 30, tzinfo=timezone.utc)
    assert kinds.areas_timestamp is None
    assert kinds.is_complete is True
    assert kinds.truncated_at is None
    assert kinds.remarks == [] and kinds.diagnostics == []
    assert repr(kinds) == "<Response: 19 elements, complete>"


def test_times_do_not_depend_on_place_and_language() -> None:
    program = (
        'import overpasskit as o; print(o.loads(\'{"osm3s":{"timestamp_osm_base":'
        '"2024-03-31T02:30:00Z"},"elements":[]}\').timestamp.timestamp())'
    )
    environment = {**os.environ, "TZ": "America/St_Johns", "LANG": "de_DE.UTF-8"}
    result = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout == "1711852200.0\n"


@pytest.mark.parametrize("written", ["", "yesterday", "2024-03-31", "2024-13-31T02:30:00Z"])
def test_time_that_is_none(written: str) -> None:
    answer = {"osm3s": {"timestamp_osm_base": written}, "elements": []}
    assert loads(json.dumps(answer)).timestamp is None


def test_empty_answer() -> None:
    response = loads('{"elements": []}')
    assert len(response.elements) == 0
    assert list(response.features()) == []
    assert response.is_complete is True
    assert response.timestamp is None and response.version is None
    assert response.problems == []
    collection = response.__geo_interface__
    assert collection["type"] == "FeatureCollection" and collection["features"] == []
    assert "bbox" not in collection


def test_remark() -> None:
    response = load(ANSWERS / "remark.json")
    assert response.is_complete is False
    assert response.remarks == [
        'runtime error: Query timed out in "query" at line 1 after 26 seconds.'
    ]
    assert len(response.elements) == 1
    assert "not complete" in repr(response)


@pytest.mark.parametrize(
    ("remark", "expected"),
    [
        ("runtime error: Query run out of memory using about 2048 MB of RAM.", False),
        ("runtime remark: Timeout is 180 and consumed 20", True),
        ("nobody knows", None),
    ],
)
def test_kinds_of_remark(remark: str, expected: bool | None) -> None:
    response = loads(json.dumps({"elements": [], "remark": remark}))
    assert response.is_complete is expected


def test_truncated() -> None:
    path = ANSWERS / "truncated.json"
    with pytest.raises(TruncatedError) as caught:
        load(path)
    response = load(path, partial=True)
    assert response.is_complete is False
    assert response.truncated_at == caught.value.offset
    assert [element.id for element in response.elements] == [1, 2]


def test_truncated_gzip() -> None:
    packed = gzip.compress((ANSWERS / "kinds.json").read_bytes())
    cut = packed[: len(packed) * 3 // 4]
    with pytest.raises(overpasskit.DecodeError):
        loads(cut)
    response = loads(cut, partial=True)
    assert response.is_complete is False
    assert 0 < len(response.elements) < 19


def test_truncated_at_every_byte() -> None:
    data = (ANSWERS / "kinds.json").read_bytes().rstrip()
    counts = []
    for end in range(1, len(data)):
        with pytest.raises(TruncatedError):
            loads(data[:end])
        response = loads(data[:end], partial=True)
        assert response.is_complete is False
        counts.append(len(response.elements))
        response.to_geojson()
    assert counts == sorted(counts) and counts[-1] == 19


def test_closed_response_is_refused(kinds: overpasskit.Response) -> None:
    with kinds as response:
        elements = response.elements
        features = response.features()
    assert repr(response) == "<Response, closed>"
    with pytest.raises(MisuseError, match="the response is closed"):
        response.elements  # noqa: B018
    with pytest.raises(MisuseError, match="closed"):
        response.to_geojson()
    response.close()
    # What was taken from it stays valid.
    assert elements[8].tags["amenity"] == "cafe"
    assert features[0].tags["amenity"] == "cafe"
