"""CSV answers."""

import bz2
import gzip
import io
import os
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import overpasskit
import pytest
from overpasskit import Column, DecodeError, MisuseError, TableProblem, decode_csv, load_csv

ANSWER = (
    "@id\t@type\t@lat\t@lon\t@timestamp\t@version\tname\n"
    "12345678901\tnode\t43.7332553\t-7.5\t2012-03-19T18:11:21Z\t3\tKöti\n"
    "2\tway\t\t\t\t\t\n"
)


def test_typed_columns() -> None:
    table = decode_csv(ANSWER)
    assert table.columns == [
        Column("::id", "integer"),
        Column("::type", "text"),
        Column("::lat", "degrees"),
        Column("::lon", "degrees"),
        Column("::timestamp", "timestamp"),
        Column("::version", "integer"),
        Column("name", "text"),
    ]
    time = datetime(2012, 3, 19, 18, 11, 21, tzinfo=timezone.utc)
    assert list(table) == [
        (12345678901, "node", 43.7332553, -7.5, time, 3, "Köti"),
        (2, "way", None, None, None, None, None),
    ]
    assert len(table) == 2
    assert table["name"] == ["Köti", None]
    assert table.problems == []
    assert table.is_complete is None
    assert repr(table) == "<Table: 2 rows, 7 columns>"
    with pytest.raises(KeyError):
        table["id"]


@pytest.mark.parametrize("change", [gzip.compress, bz2.compress, bytearray, memoryview, io.BytesIO])
def test_sources(change: type) -> None:
    assert list(decode_csv(change(ANSWER.encode()))) == list(decode_csv(ANSWER))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "answer.csv"
    path.write_text(ANSWER, encoding="utf-8")
    assert list(load_csv(path)) == list(decode_csv(ANSWER))
    with path.open("rb") as file:
        assert list(decode_csv(file)) == list(decode_csv(ANSWER))
    with pytest.raises(overpasskit.FileError):
        load_csv(tmp_path / "missing.csv")


@pytest.mark.parametrize("separator", [",", ";", "|", "--", "¦"])
def test_separators(separator: str) -> None:
    text = separator.join(["@id", "name"]) + "\n" + separator.join(["1", "a b"]) + "\n"
    assert list(decode_csv(text, separator=separator)) == [(1, "a b")]


def test_without_head_line() -> None:
    table = decode_csv("1,a\n2,b\n", separator=",", header=False, columns=["::id", "name"])
    assert table.headings == ["::id", "name"]
    assert list(table) == [(1, "a"), (2, "b")]
    with pytest.raises(DecodeError):
        decode_csv("1,a\n", header=False)
    assert len(decode_csv("", header=False, columns=["::id"])) == 0


def test_columns_in_place_of_the_head_line() -> None:
    # A key that looks like a field.
    table = decode_csv("@id\t@id\n1\tx\n", columns=["::id", "@id"])
    assert list(table) == [(1, "x")]


def test_problems() -> None:
    table = decode_csv("@id\tname\nx\ta\n1\ta\tb\n")
    assert table.problems == [TableProblem("value", 0, 0), TableProblem("cell_count", 1, 3)]
    assert list(table) == [(None, "a"), (1, "a")]


def test_truncated() -> None:
    table = decode_csv("@id\tname\n1\ta\n2")
    assert table.is_complete is False
    assert table["::id"] == [1, 2]
    cut = gzip.compress(ANSWER.encode())[:-20]
    with pytest.raises(overpasskit.TruncatedError):
        decode_csv(cut)
    assert decode_csv(cut, partial=True).is_complete is False


def test_error_pages() -> None:
    page = (
        '<html><body><p><strong>Error</strong>: line 1: parse error: Unknown type "x" </p>'
        "</body></html>"
    )
    with pytest.raises(overpasskit.ServerError):
        decode_csv(page)


def test_misuse() -> None:
    with pytest.raises(MisuseError):
        decode_csv(ANSWER, separator="")
    with pytest.raises(overpasskit.OverpassKitError):
        decode_csv(ANSWER, separator="a\0b")


def test_tables_live_on_their_own() -> None:
    cells = decode_csv(ANSWER)["name"]
    assert cells[0] == "Köti"


def test_the_year_0() -> None:
    # datetime does not have it.
    table = decode_csv("@id\t@timestamp\n1\t0000-01-01T00:00:00Z\n")
    assert list(table) == [(1, None)]


def test_strict_text(tmp_path: Path) -> None:
    data = b"@id\tname\n1\tK\xf6ti\n"
    assert list(decode_csv(data)) == [(1, "K\ufffdti")]
    path = tmp_path / "answer.csv"
    path.write_bytes(data)
    with pytest.raises(overpasskit.TextError):
        decode_csv(data, strict=True)
    with pytest.raises(overpasskit.TextError):
        load_csv(path, strict=True)


def test_cut_in_quotes() -> None:
    assert decode_csv('@id,name\n1,"multi\n', separator=",").is_complete is False
    assert decode_csv('@id,name\n1,"multi\nline"\n', separator=",").is_complete is None


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_bytes_behind_compressed_data(pack: Callable[[bytes], bytes]) -> None:
    packed = pack(ANSWER.encode())
    assert list(decode_csv(packed + bytes(10))) == list(decode_csv(ANSWER))
    with pytest.raises(overpasskit.CompressionError):
        decode_csv(packed + b"more")
    with pytest.raises(overpasskit.TruncatedError):
        decode_csv(packed + packed[:1])


@pytest.mark.parametrize("change", [bytes, gzip.compress, bz2.compress])
def test_load_from_every_kind_of_source(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = change(ANSWER.encode())
    path = tmp_path / "answer.csv"
    path.write_bytes(data)
    expected = list(decode_csv(ANSWER))
    for source in (path, str(path), os.fsencode(path), io.BytesIO(data)):
        assert list(load_csv(source)) == expected
    with path.open("rb") as binary:
        assert list(load_csv(binary)) == expected
    with path.open("rb", buffering=0) as raw:
        assert list(load_csv(raw)) == expected
    assert list(load_csv(io.StringIO(ANSWER))) == expected
