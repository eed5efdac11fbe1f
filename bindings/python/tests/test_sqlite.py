"""The library as an extension of SQLite: in its shell, with SpatiaLite, and below GDAL."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import overpasskit
import pytest
from conftest import ANSWERS, ROOT
from overpasskit import _finder

KINDS = ANSWERS / "kinds.json"
SHARED = ROOT.parent / "shared" / "cases" / "oracle"

pytestmark = pytest.mark.skipif(shutil.which("sqlite3") is None, reason="there is no sqlite3")


def library() -> str:
    """The path of the library without its ending, as SQLite wants it."""
    path = next(Path(each) for each in _finder.candidates() if Path(each).is_file())
    return str(path).partition(".so")[0]


def shell(*statements: str, mode: str = "json") -> subprocess.CompletedProcess[str]:
    commands = [f".load {library()}", f".mode {mode}", *statements]
    return subprocess.run(
        ["sqlite3", "-batch", ":memory:", *commands], capture_output=True, text=True, timeout=60
    )


def rows(*statements: str) -> list[dict[str, object]]:
    result = shell(*statements)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return json.loads(result.stdout or "[]")


def quoted(path: Path | str) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def test_version() -> None:
    assert rows("SELECT overpasskit_version() AS v") == [{"v": overpasskit.__version__}]


def test_rows_are_the_features() -> None:
    found = rows(
        "SELECT id, type, name, geometry_type, tags, version, timestamp, changeset, uid, user, "
        f"hex(geom) AS geom FROM overpass({quoted(KINDS)})"
    )
    features = list(overpasskit.load(KINDS).features())
    assert len(found) == len(features) > 0
    for row, feature in zip(found, features, strict=True):
        assert (row["id"], row["type"]) == (feature.number or None, feature.type)
        assert row["geometry_type"] == feature.geometry_type.upper()
        assert json.loads(str(row["tags"])) == dict(feature.tags)
        assert row["name"] == feature.tags.get("name")
        assert row["geom"] == feature.wkb.hex().upper()


def test_metadata() -> None:
    answer = (
        '{"elements": [{"type": "node", "id": 7, "lat": 1, "lon": 2, "version": 3,'
        ' "timestamp": "2024-02-29T23:59:58Z", "changeset": 4, "uid": 5, "user": "a\\u0022b"}]}'
    )
    [row] = rows(
        f"SELECT version, timestamp, changeset, uid, user FROM overpass(CAST({quoted(answer)} AS BLOB))"
    )
    assert row == {
        "version": 3,
        "timestamp": "2024-02-29T23:59:58Z",
        "changeset": 4,
        "uid": 5,
        "user": 'a"b',
    }


@pytest.mark.parametrize(
    "when",
    [
        "1970-01-01T00:00:00Z",
        "2000-02-29T12:00:00Z",
        "1969-12-31T23:59:59Z",
        "2100-03-01T00:00:00Z",
    ],
)
def test_times(when: str) -> None:
    answer = f'{{"elements":[{{"type":"node","id":1,"lat":1,"lon":2,"timestamp":"{when}"}}]}}'
    assert rows(f"SELECT timestamp AS t FROM overpass(CAST({quoted(answer)} AS BLOB))") == [
        {"t": when}
    ]


def test_hostile_texts() -> None:
    text = 'a"b\\c\td\n\u0001é😀'
    answer = json.dumps(
        {
            "elements": [
                {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"name": text, text: "x"}}
            ]
        }
    )
    [row] = rows(f"SELECT name, tags FROM overpass(CAST({quoted(answer)} AS BLOB))")
    assert json.loads(str(row["tags"])) == {"name": text, text: "x"}
    assert row["name"] == text


def test_bytes_compressed_and_empty(tmp_path: Path) -> None:
    import gzip

    packed = tmp_path / "it's.json.gz"
    packed.write_bytes(gzip.compress(KINDS.read_bytes()))
    count = len(overpasskit.load(KINDS).features())
    expected = [{"n": count}]
    assert rows(f"SELECT count(*) AS n FROM overpass({quoted(packed)})") == expected
    assert rows(f"SELECT count(*) AS n FROM overpass(readfile({quoted(packed)}))") == expected
    assert rows("SELECT count(*) AS n FROM overpass(NULL)") == [{"n": 0}]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("'/nowhere.json'", "No such file"),
        ("x''", "overpass()"),
        ("x'00'", "overpass()"),
        ("'/'", "overpass()"),
        (quoted(ANSWERS / "broken.json"), "line 4, column 23"),
    ],
)
def test_errors(source: str, words: str) -> None:
    result = shell(f"SELECT * FROM overpass({source})")
    assert result.returncode != 0
    assert words in result.stderr
    assert result.stdout == ""


def test_a_source_is_needed() -> None:
    result = shell("SELECT * FROM overpass")
    assert "needs the path" in result.stderr


def test_what_is_not_whole_is_an_error_unless_it_is_wanted() -> None:
    for name in ("remark.json", "truncated.json"):
        path = ANSWERS / name
        assert shell(f"SELECT * FROM overpass({quoted(path)})").returncode != 0
        count = len(overpasskit.load(path, partial=True).features())
        assert rows(f"SELECT count(*) AS n FROM overpass({quoted(path)}, 1)") == [{"n": count}]


def test_joins_and_repetition(tmp_path: Path) -> None:
    path = quoted(KINDS)
    [row] = rows(
        f"SELECT count(*) AS n FROM overpass({path}) a JOIN overpass({path}) b USING (type, id)"
    )
    assert row["n"] == len(overpasskit.load(KINDS).features())
    files = [tmp_path / f"{number}.json" for number in range(3)]
    for number, file in enumerate(files):
        elements = [
            {"type": "node", "id": each + 1, "lat": 1, "lon": 2} for each in range(number + 1)
        ]
        file.write_text(json.dumps({"elements": elements}))
    values = ", ".join(f"({quoted(file)})" for file in files)
    assert rows(
        f"WITH f(path) AS (VALUES {values}) SELECT count(*) AS n FROM f, overpass(f.path) GROUP BY path ORDER BY n"
    ) == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"elements":[{"type":"node","id":1,"lat":1,"lon":2}]}')
    other = tmp_path / "b.json"
    other.write_text(
        '{"elements":[{"type":"node","id":1,"lat":1,"lon":2},{"type":"node","id":2,"lat":1,"lon":2}]}'
    )
    select = f"SELECT count(*) AS n FROM overpass({quoted(path)})"
    result = shell(select, f".shell mv {other} {path}", select)
    assert [json.loads(line) for line in result.stdout.splitlines()] == [[{"n": 1}], [{"n": 2}]]


def test_no_views_of_files() -> None:
    """A data base from elsewhere must not read files by its views."""
    result = shell(f"CREATE VIEW v AS SELECT * FROM overpass({quoted(KINDS)})", "SELECT * FROM v")
    assert "unsafe use" in result.stderr


def test_of_elements_without_ids() -> None:
    answer = '{"elements":[{"type":"node","lat":1,"lon":2}]}'
    [row] = rows(f"SELECT id, type FROM overpass(CAST({quoted(answer)} AS BLOB))")
    assert row == {"id": None, "type": "node"}


def test_spatialite() -> None:
    result = shell(
        ".load mod_spatialite",
        f"SELECT ST_AsText(ST_GeomFromWKB(geom, 4326)) AS t FROM overpass({quoted(KINDS)}) WHERE type = 'node' LIMIT 1",
    )
    if "mod_spatialite" in result.stderr:
        pytest.skip("there is no SpatiaLite")
    assert json.loads(result.stdout)[0]["t"].startswith("POINT(")


@pytest.mark.skipif(shutil.which("ogrinfo") is None, reason="there is no GDAL")
def test_below_gdal(tmp_path: Path) -> None:
    base = tmp_path / "base.sqlite"
    with sqlite3.connect(base) as connection:
        connection.execute("CREATE TABLE t(x)")
    connection.close()
    result = subprocess.run(
        [
            "ogrinfo",
            "-q",
            str(base),
            "-sql",
            f"SELECT id, name FROM overpass({quoted(KINDS)}) WHERE name IS NOT NULL",
        ],
        env={**os.environ, "OGR_SQLITE_LOAD_EXTENSIONS": library()},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "name (String) = " in result.stdout, result.stderr


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not there")
def test_recorded_answers() -> None:
    for path in sorted(SHARED.glob("*/answer.json"))[:60]:
        response = overpasskit.load(path, partial=True)
        found = rows(
            f"SELECT count(*) AS n, total(length(geom)) AS bytes FROM overpass({quoted(path)}, 1)"
        )
        features = list(response.features())
        assert found == [
            {"n": len(features), "bytes": float(sum(len(each.wkb) for each in features))}
        ]
