"""Decoding from files, pipes and in portions, with limits, progress and cancellation."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import threading
from pathlib import Path

import overpasskit
import pytest
from build import node
from conftest import ANSWERS
from overpasskit import Decoder, Limits, Progress
from overpasskit._ffi import lib

NODES = 40_000
LARGE = json.dumps({"elements": [node(id, 1.5, 2.5) for id in range(1, NODES + 1)]}).encode()
SMALL = b'{"elements": [{"type": "node", "id": 1, "lat": 1, "lon": 2}]}'


@pytest.mark.parametrize("size", [1, 7, 100, 1 << 20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_portions(size: int, pack: object) -> None:
    assert callable(pack)
    data = pack((ANSWERS / "kinds.json").read_bytes())
    with Decoder() as decoder:
        for start in range(0, len(data), size):
            decoder.push(data[start : start + size])
        assert decoder.byte_count == len(data)
        response = decoder.finish()
    expected = overpasskit.load(ANSWERS / "kinds.json")
    assert response.to_geojson() == expected.to_geojson()
    assert response.timestamp == expected.timestamp


def test_decoder_takes_every_kind_of_bytes() -> None:
    decoder = Decoder()
    for portion in (SMALL[:5], bytearray(SMALL[5:9]), memoryview(SMALL)[9:20], SMALL[20:].decode()):
        decoder.push(portion)
    assert len(decoder.finish().elements) == 1


def test_decoder_counts_elements() -> None:
    decoder = Decoder()
    decoder.push(LARGE[:-10])
    assert 0 < decoder.element_count <= NODES


def test_finished_and_closed_decoders() -> None:
    decoder = Decoder()
    decoder.push(SMALL)
    decoder.finish()
    with pytest.raises(overpasskit.MisuseError):
        decoder.push(b"")
    with pytest.raises(overpasskit.MisuseError):
        decoder.finish()
    decoder.close()
    decoder.close()
    with pytest.raises(overpasskit.MisuseError, match="closed"):
        decoder.push(b"")


def test_decoder_error_has_its_place() -> None:
    decoder = Decoder()
    with pytest.raises(overpasskit.DecodeError) as caught:
        decoder.push(b'{"elements": [\n{"type": "node", "id": "x"}]}' + b" " * 100_000)
    assert (caught.value.line, caught.value.offset) == (2, 39)
    with pytest.raises(overpasskit.DecodeError):
        decoder.finish()


def test_partial_decoder() -> None:
    decoder = Decoder(partial=True)
    decoder.push(SMALL[:-2])
    response = decoder.finish()
    assert response.is_complete is False and len(response.elements) == 1


def test_abandoned_decoder_is_freed() -> None:
    before = lib.opk_x_live_handles()
    decoder = Decoder()
    decoder.push(SMALL[:-5])
    assert lib.opk_x_live_handles() == before + 1
    del decoder
    assert lib.opk_x_live_handles() == before


# Sources


def test_file_objects() -> None:
    assert len(overpasskit.load(io.BytesIO(LARGE)).elements) == NODES
    assert len(overpasskit.load(io.StringIO(SMALL.decode())).elements) == 1


def test_pipe_as_it_comes() -> None:
    reading, writing = os.pipe()
    writer = threading.Thread(target=lambda: _write_all(writing, gzip.compress(LARGE)))
    writer.start()
    with os.fdopen(reading, "rb") as source:
        assert len(overpasskit.load(source).elements) == NODES
    writer.join()


def _write_all(descriptor: int, data: bytes) -> None:
    with os.fdopen(descriptor, "wb") as target:
        target.write(data)


# Progress and cancellation


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("answers") / "large.json"
    path.write_bytes(LARGE)
    return str(path)


@pytest.mark.parametrize("kind", ["path", "bytes", "file"])
def test_progress(kind: str, large_file: str) -> None:
    told: list[Progress] = []
    if kind == "path":
        overpasskit.load(large_file, progress=told.append)
    elif kind == "bytes":
        overpasskit.loads(LARGE, progress=told.append)
    else:
        overpasskit.load(io.BytesIO(LARGE), progress=told.append)
    assert len(told) >= 2
    assert [each.bytes for each in told] == sorted(each.bytes for each in told)
    assert told[-1].bytes == len(LARGE)
    assert told[-1].total == (None if kind == "file" else len(LARGE))
    assert told[-1].elements > NODES * 0.9


class Enough(Exception):
    pass


@pytest.mark.parametrize("kind", ["path", "bytes", "file"])
def test_what_progress_raises_stops_decoding(kind: str, large_file: str) -> None:
    calls = 0

    def stop(progress: Progress) -> None:
        nonlocal calls
        calls += 1
        raise Enough(progress.elements)

    before = lib.opk_x_live_handles()
    with pytest.raises(Enough):
        if kind == "path":
            overpasskit.load(large_file, progress=stop)
        elif kind == "bytes":
            overpasskit.loads(LARGE, progress=stop)
        else:
            overpasskit.load(io.BytesIO(LARGE), progress=stop)
    assert calls == 1
    assert lib.opk_x_live_handles() == before


# Limits


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(bytes=100), "max_bytes"),
        (Limits(elements=3), "max_elements"),
        (Limits(text_bytes=3), "max_text_bytes"),
    ],
)
def test_limits(limits: Limits, name: str) -> None:
    with pytest.raises(overpasskit.LimitError, match=name):
        overpasskit.load(ANSWERS / "kinds.json", limits=limits)
    with pytest.raises(overpasskit.LimitError, match=name):
        overpasskit.load(io.BytesIO((ANSWERS / "kinds.json").read_bytes()), limits=limits)


def test_depth() -> None:
    deep = '{"x": [[[]]], "elements": []}'
    with pytest.raises(overpasskit.LimitError, match="max_depth"):
        overpasskit.loads(deep, limits=Limits(depth=3))
    assert overpasskit.loads(deep, limits=Limits(depth=4)).is_complete


def test_limits_that_are_not_reached() -> None:
    limits = Limits(bytes=1 << 20, elements=19, text_bytes=1 << 16, depth=20)
    assert len(overpasskit.load(ANSWERS / "kinds.json", limits=limits, threads=1).elements) == 19


def test_impossible_depth() -> None:
    with pytest.raises(overpasskit.MisuseError, match="max_depth"):
        overpasskit.loads(SMALL, limits=Limits(depth=10_000))


@pytest.mark.parametrize("number", [-1, 0, 1 << 64])
@pytest.mark.parametrize("name", ["bytes", "depth", "elements", "text_bytes"])
def test_limits_that_cannot_be(name: str, number: int) -> None:
    with pytest.raises(overpasskit.MisuseError, match=f"the limit of {name} is from 1 to"):
        Limits(**{name: number})


def test_limits_at_their_ends() -> None:
    largest = (1 << 64) - 1
    limits = Limits(bytes=largest, elements=largest, text_bytes=largest)
    assert len(overpasskit.loads(SMALL, limits=limits).elements) == 1
    with pytest.raises(overpasskit.MisuseError):
        Limits(depth=1 << 32)


@pytest.mark.parametrize("threads", [-1, 1 << 32])
def test_impossible_threads(threads: int) -> None:
    with pytest.raises(overpasskit.MisuseError, match="threads"):
        overpasskit.loads(SMALL, threads=threads)


def test_depth_of_xml() -> None:
    deep = "<osm><a><b><c/></b></a></osm>"
    with pytest.raises(overpasskit.LimitError, match="max_depth"):
        overpasskit.loads(deep, limits=Limits(depth=3))
    assert len(overpasskit.loads(deep, limits=Limits(depth=4)).elements) == 0


def test_strict_text() -> None:
    data = b'{"elements": [{"type": "node", "id": 1, "tags": {"name": "K\xf6ti"}}]}'
    assert overpasskit.loads(data).elements[0].tags == {"name": "K\ufffdti"}
    with pytest.raises(overpasskit.TextError):
        overpasskit.loads(data, strict=True)
    with pytest.raises(overpasskit.TextError):
        overpasskit.load(io.BytesIO(data), strict=True)
    decoder = Decoder(strict=True)
    with pytest.raises(overpasskit.TextError):
        decoder.push(data)
        decoder.finish()


# Text that is XML


DECLARED = [
    "<?xml version='1.0' encoding='ISO-8859-1'?>",
    '\ufeff\n <?xml version="1.0"\n  encoding = "UTF-16" standalone="yes" ?>',
    "<?xml version='1.0'?>",
    "",
]
BODY = "<osm><node id='1' lat='1' lon='2'><tag k='name' v='K\u00f6ti encoding=\"x\" \u20ac'/></node></osm>"


@pytest.mark.parametrize("declaration", DECLARED)
def test_text_is_not_decoded_twice(declaration: str) -> None:
    text = declaration + BODY
    expected = {"name": 'K\u00f6ti encoding="x" \u20ac'}
    assert overpasskit.loads(text).elements[0].tags == expected
    assert overpasskit.load(io.StringIO(text)).elements[0].tags == expected
    for size in (1, 2, 7, 30, 45):
        decoder = Decoder()
        for start in range(0, len(text), size):
            decoder.push(text[start : start + size])
            pushed = text[: start + size]
            assert decoder.byte_count == len(pushed.encode())
        assert decoder.finish().elements[0].tags == expected


def test_bytes_keep_their_encoding() -> None:
    data = (DECLARED[0] + BODY.replace("\u20ac", "")).encode("iso-8859-1")
    for sources in ([data], [data[:30], data[30:]]):
        decoder = Decoder()
        for portion in sources:
            decoder.push(portion)
        assert decoder.finish().elements[0].tags["name"].startswith("K\u00f6ti")
    assert overpasskit.loads(data).elements[0].tags["name"].startswith("K\u00f6ti")


@pytest.mark.parametrize("text", ["", " ", "<?xml", "<?xml version='1.0'", "<?xml" + " " * 2000])
def test_text_that_ends_early(text: str) -> None:
    decoder = Decoder()
    decoder.push(text)
    with pytest.raises(overpasskit.DecodeError) as caught:
        decoder.finish()
    with pytest.raises(overpasskit.DecodeError) as expected:
        overpasskit.loads(text)
    assert str(caught.value) == str(expected.value)


def test_places_behind_a_declaration() -> None:
    named = " encoding='UTF-16'"
    text = f"<?xml version='1.0'{named}?><osm>\n<node id='x'/></osm>"
    with pytest.raises(overpasskit.DecodeError) as caught:
        overpasskit.loads(text)
    with pytest.raises(overpasskit.DecodeError) as expected:
        overpasskit.loads(text.replace(named, " " * len(named)).encode())
    assert caught.value.line == 2
    assert str(caught.value) == str(expected.value)


# Paths and files on disk


@pytest.mark.parametrize("path", ["kinds.json\0.gz", b"kinds.json\0"])
def test_paths_with_nul(path: str | bytes) -> None:
    with pytest.raises(overpasskit.MisuseError, match="NUL"):
        overpasskit.load(path)
    with pytest.raises(overpasskit.MisuseError, match="NUL"):
        overpasskit.load_csv(path)


def test_files_on_disk_are_mapped(large_file: str) -> None:
    told: list[Progress] = []
    with open(large_file, "rb") as file:
        assert len(overpasskit.load(file, progress=told.append).elements) == NODES
        assert told[-1] == Progress(len(LARGE), len(LARGE), NODES)
        assert file.read() == b""
    with open(large_file, "rb", buffering=0) as file:
        assert len(overpasskit.load(file).elements) == NODES


def test_files_that_were_read_from(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_bytes(b"head\n" + SMALL)
    with path.open("rb") as file:
        assert file.readline() == b"head\n"
        assert len(overpasskit.load(file).elements) == 1
    path.write_bytes(SMALL)
    with path.open("rb") as file:
        file.peek(1)
        assert len(overpasskit.load(file).elements) == 1
    with gzip.open(tmp_path / "answer.gz", "wb") as packed:
        packed.write(SMALL)
    with gzip.open(tmp_path / "answer.gz", "rb") as packed:
        assert len(overpasskit.load(packed).elements) == 1
