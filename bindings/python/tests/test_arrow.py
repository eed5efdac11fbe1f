"""Features as Arrow tables: what is in them, and that they live as long as they are used."""

import builtins
import ctypes
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from conftest import ANSWERS, ROOT
from overpasskit import _capsule
from overpasskit._ffi import lib

pa = pytest.importorskip("pyarrow")

SHARED = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared"))
ORACLE = sorted((SHARED / "cases" / "oracle").glob("*/answer.*"))
CAFE = """{"osm3s": {"timestamp_osm_base": "2024-03-31T02:30:00Z", "copyright": "C"},
    "elements": [
    {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe", "name": "Ä"},
     "version": 3, "timestamp": "2020-01-02T03:04:05Z", "changeset": 4, "uid": 5, "user": "me"},
    {"type": "way", "id": 1, "tags": {"type": "x"},
     "geometry": [{"lat": 0, "lon": 0}, {"lat": 1, "lon": 2}]}]}"""


def read(path: Path) -> overpasskit.Response | None:
    try:
        return overpasskit.load(path)
    except overpasskit.OverpassKitError:
        return None  # a table of CSV, or broken on purpose


def live() -> int:
    gc.collect()
    return int(lib.opk_x_live_handles())


def test_columns_and_values() -> None:
    features = overpasskit.loads(CAFE).features()
    table = pa.table(features.arrow(["amenity", "type", "none"], meta=True))
    table.validate(full=True)
    assert table.schema.types == [
        pa.int64(),
        pa.dictionary(pa.int8(), pa.utf8()),
        pa.utf8(),
        pa.utf8(),
        pa.utf8(),
        pa.map_(pa.utf8(), pa.utf8()),
        pa.int32(),
        pa.timestamp("ms", "UTC"),
        pa.int64(),
        pa.int64(),
        pa.dictionary(pa.int32(), pa.utf8()),
        pa.binary(),
    ]
    first, second = table.to_pylist()
    assert first.pop("geometry") == features[0].wkb
    assert first.pop("timestamp").isoformat() == "2020-01-02T03:04:05+00:00"
    assert first == {
        "id": 1,
        "type": "node",
        "amenity": "cafe",
        "tag:type": None,
        "none": None,
        "tags": [("amenity", "cafe"), ("name", "Ä")],
        "version": 3,
        "changeset": 4,
        "uid": 5,
        "user": "me",
    }
    assert second["tag:type"] == "x"
    assert second["version"] is None
    assert second["user"] is None


def test_without_tags() -> None:
    table = overpasskit.loads(CAFE).to_arrow(tags=False)
    assert table.column_names == ["id", "type", "geometry"]


def test_schema_tells_about_the_answer() -> None:
    metadata = overpasskit.loads(CAFE).to_arrow().schema.metadata
    assert metadata[b"attribution"] == b"C"
    assert metadata[b"timestamp"] == b"2024-03-31T02:30:00Z"
    assert b"remarks" not in metadata
    remarked = overpasskit.load(ANSWERS / "remark.json")
    frame = remarked.to_pandas()
    assert frame.attrs["remarks"] == remarked.remarks


def check_rows(path: Path) -> None:
    response = read(path)
    if response is None:
        return
    features = response.features()
    table = pa.table(features.arrow(batch_size=7))
    table.validate(full=True)
    assert len(table) == len(features), path
    assert all(len(batch) <= 7 for batch in table.to_batches())
    columns = (table[name].to_pylist() for name in ("id", "type", "tags", "geometry"))
    for feature, (number, kind, tags, wkb) in zip(
        features, zip(*columns, strict=True), strict=True
    ):
        element = feature.element
        assert number == (feature.number if element is None else element.id), path
        assert kind == feature.type, path
        assert dict(tags) == feature.tags, path
        assert len(tags) == len(feature.tags), path
        assert wkb == feature.wkb, path


@pytest.mark.parametrize("path", sorted(ANSWERS.glob("*.json")), ids=lambda path: path.name)
def test_rows_are_the_features(path: Path) -> None:
    check_rows(path)


@pytest.mark.skipif(not ORACLE, reason=f"no answers under {SHARED}")
def test_rows_are_the_features_of_recorded_answers() -> None:
    for path in ORACLE:
        check_rows(path)


@pytest.mark.parametrize("profile", ["default", "osmtogeojson"])
def test_profiles(profile: Any) -> None:
    response = overpasskit.load(ANSWERS / "kinds.json")
    features = response.features(profile, "all")
    table = response.to_arrow(profile=profile, points="all")
    assert table["geometry"].to_pylist() == [each.wkb for each in features]


def test_ids_that_are_not_told_are_null() -> None:
    table = overpasskit.loads('{"elements": [{"type": "node", "lat": 1, "lon": 2}]}').to_arrow()
    assert table["id"].to_pylist() == [None]


def test_copies_of_an_element_are_one_row() -> None:
    node = '{"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"a": "b"}}'
    table = overpasskit.loads(f'{{"elements": [{node}, {node}]}}').to_arrow()
    assert table["id"].to_pylist() == [1]


def test_nothing() -> None:
    for text in (
        '{"elements": []}',
        '{"elements": [{"type": "node", "id": 1}]}',
        '{"elements": [{"type": "area", "id": 3600000001, "tags": {"name": "x"}}]}',
    ):
        table = overpasskit.loads(text).to_arrow(["name"])
        assert table.num_rows == 0
        assert table.column_names == ["id", "type", "name", "tags", "geometry"]


def test_ids_of_one_kind_are_not_copied() -> None:
    nodes = ",".join(f'{{"type":"node","id":{n},"lat":1,"lon":2}}' for n in range(1, 9))
    features = overpasskit.loads(f'{{"elements": [{nodes}]}}').features()
    tables = [pa.table(features) for _ in range(2)]
    addresses = {table["id"].chunk(0).buffers()[1].address for table in tables}
    assert len(addresses) == 1


def test_arguments() -> None:
    features = overpasskit.loads(CAFE).features()
    for size in (0, -1, 2**63):
        with pytest.raises(overpasskit.MisuseError):
            features.arrow(batch_size=size)
    with pytest.raises(overpasskit.MisuseError, match="list of keys"):
        features.to_arrow("amenity")
    with pytest.raises(overpasskit.MisuseError, match="asked for twice"):
        features.to_arrow(["a", "a"])
    with pytest.raises(overpasskit.QueryError):
        features.to_arrow(["a\0b"])
    with pytest.raises(overpasskit.QueryError):
        features.to_arrow(["\ud800"])


def test_closed_response() -> None:
    with overpasskit.loads(CAFE) as response:
        table = response.to_arrow()
    with pytest.raises(overpasskit.MisuseError):
        response.to_arrow()
    assert table["id"].to_pylist() == [1, 1]


def test_requested_schema_is_left_alone() -> None:
    schema = pa.schema([("id", pa.int32())]).__arrow_c_schema__()
    capsule = overpasskit.loads(CAFE).__arrow_c_stream__(requested_schema=schema)
    assert len(pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()) == 2
    assert pa.Schema._import_from_c_capsule(schema).names == ["id"]


# How long things live


def test_capsules_that_nobody_takes() -> None:
    before = live()
    features = overpasskit.loads(CAFE).features()
    capsules = [features.__arrow_c_stream__() for _ in range(5)]
    del features
    assert live() == before + 5
    del capsules
    assert live() == before


def test_tables_outlive_everything_else() -> None:
    before = live()
    table = pa.table(overpasskit.loads(CAFE))
    assert live() == before + 1
    assert table["tags"].to_pylist()[0] == [("amenity", "cafe"), ("name", "Ä")]
    del table
    assert live() == before


def test_streams_that_are_half_read() -> None:
    before = live()
    features = overpasskit.load(ANSWERS / "kinds.json").features()
    reader = pa.RecordBatchReader.from_stream(features.arrow(batch_size=1))
    batch = reader.read_next_batch()
    second = reader.read_next_batch()
    del reader, features
    assert live() == before + 1
    assert batch["id"].to_pylist() != second["id"].to_pylist()
    column = second.column(2)
    del batch, second
    assert live() == before + 1
    assert len(column) == 1
    del column
    assert live() == before


def test_a_stream_that_failed_leaves_nothing() -> None:
    before = live()
    with pytest.raises(overpasskit.MisuseError):
        overpasskit.loads(CAFE).features().arrow(["a", "a"]).__arrow_c_stream__()
    assert live() == before


def test_memory_comes_back() -> None:
    nodes = ",".join(
        f'{{"type":"node","id":{n},"lat":1,"lon":2,"tags":{{"k":"{n}"}}}}' for n in range(20000)
    )
    features = overpasskit.loads(f'{{"elements": [{nodes}]}}').features()

    def resident() -> int:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def use() -> None:
        pa.table(features.arrow(["k"]))
        pa.RecordBatchReader.from_stream(features.arrow(batch_size=100)).read_next_batch()
        features.__arrow_c_stream__()

    for _ in range(10):
        use()
    before = resident()
    for _ in range(100):
        use()
    # A table takes about 2 MB.
    assert resident() - before < 20_000_000


def test_threads_read_one_table() -> None:
    features = overpasskit.load(ANSWERS / "kinds.json").features()
    source, found = features.arrow(batch_size=2), list[Any]()
    threads = [threading.Thread(target=lambda: found.append(pa.table(source))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(table.equals(found[0]) for table in found)


@pytest.mark.parametrize(
    "keep",
    [
        "kept = capsule",
        "import builtins; builtins.kept = capsule",
        "import sys; sys.modules['kept'] = capsule",
        "class Ring: pass\nring = Ring(); ring.self = ring; ring.capsule = capsule",
        "import threading; threading.local().kept = capsule",
    ],
)
def test_capsules_at_the_end_of_the_program(keep: str) -> None:
    program = (
        f"import overpasskit\ncapsule = overpasskit.loads({CAFE!r}).__arrow_c_stream__()\n{keep}\n"
    )
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_a_capsule_is_called_what_readers_look_for() -> None:
    capsule = overpasskit.loads(CAFE).__arrow_c_stream__()
    assert 'capsule object "arrow_array_stream"' in repr(capsule)
    assert ctypes.sizeof(_capsule.ArrowArrayStream) == 40


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("pyarrow", "pandas", "geopandas", "shapely"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr("importlib.import_module", absent)
    response = overpasskit.loads(CAFE)
    for method, package in (
        (response.to_arrow, "pyarrow"),
        (response.to_pandas, "pandas"),
        (response.to_geopandas, "geopandas"),
        (response.features()[0].to_shapely, "shapely"),
        (response.features()[0].geometry.to_shapely, "shapely"),
    ):
        with pytest.raises(
            ImportError, match=rf"{method.__name__}\(\) needs the package {package}"
        ):
            method()
