"""Decoding from files, pipes and in portions, with limits, progress and cancellation."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import threading

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
