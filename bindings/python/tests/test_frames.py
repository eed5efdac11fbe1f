"""What reads our tables: GeoPandas, pandas, Polars, DuckDB, GDAL; shapely and NumPy."""

import gc
import importlib
import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from conftest import ANSWERS, ROOT
from overpasskit._ffi import lib

SHARED = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared"))
ORACLE = sorted((SHARED / "cases" / "oracle").glob("*/answer.json"))


def need(name: str) -> Any:
    return pytest.importorskip(name)


for each in ("geopandas", "polars", "duckdb", "pyarrow.parquet", "pyogrio"):
    # Before `pytest_collection_finish`, as these bring much along.
    with suppress(ImportError):
        importlib.import_module(each)


def test_geopandas(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    need("geopandas")
    frame = features.to_geopandas(["highway"], meta=True)
    assert frame.crs == "EPSG:4326"
    assert frame.geometry.name == "geometry"
    assert list(frame.geometry.to_wkb()) == [each.wkb for each in features]
    assert [dict(each) for each in frame.tags] == [each.tags for each in features]
    assert list(frame["type"].astype(str) + "/" + frame.id.astype(str)) == [
        each.id for each in features
    ]
    # Missing numbers do not turn the others into fractions.
    assert str(frame.version.dtype) == "Int32"
    assert str(frame.changeset.dtype) == "Int64"


def test_geopandas_reads_by_itself(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    geopandas = need("geopandas")
    frame = geopandas.GeoDataFrame.from_arrow(features)
    assert frame.crs == "OGC:CRS84"
    assert list(frame.geometry.to_wkb()) == [each.wkb for each in features]


def test_geopandas_frames_join_with_others(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    geopandas = need("geopandas")
    ours = features.to_geopandas()
    others = geopandas.GeoDataFrame.from_features(features, crs="EPSG:4326")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ours.sjoin(others)) >= len(ours)


def test_empty_frames_have_a_crs() -> None:
    need("geopandas")
    frame = overpasskit.loads('{"elements": []}').to_geopandas(["name"])
    assert len(frame) == 0
    assert frame.crs == "EPSG:4326"
    assert list(frame.columns) == ["id", "type", "name", "tags", "geometry"]


def test_frames_say_whom_to_name() -> None:
    need("geopandas")
    answer = '{"osm3s": {"copyright": "ODbL"}, "elements": [], "remark": "runtime error: x"}'
    response = overpasskit.loads(answer)
    for frame in (response.to_geopandas(), response.to_pandas()):
        assert frame.attrs["attribution"] == "ODbL"
        assert frame.attrs["remarks"] == ["runtime error: x"]


@pytest.mark.parametrize("path", [ANSWERS / "kinds.json", ANSWERS / "derived.json", *ORACLE[::10]])
def test_geoparquet(path: Path, tmp_path: Path) -> None:
    geopandas, parquet = need("geopandas"), need("pyarrow.parquet")
    try:
        features = overpasskit.load(path).features()
    except overpasskit.OverpassKitError:
        pytest.skip("no answer with elements")
    frame = features.to_geopandas(["name"], meta=True)
    frame.to_parquet(tmp_path / "frame.parquet")
    parquet.write_table(features.to_arrow(["name"], meta=True), tmp_path / "table.parquet")
    expected = [each.wkb for each in features]
    for name, crs in (("frame", "EPSG:4326"), ("table", "OGC:CRS84")):
        back = geopandas.read_parquet(tmp_path / f"{name}.parquet")
        assert back.crs == crs
        assert list(back.geometry.to_wkb()) == expected
        assert back.id.tolist() == frame.id.tolist() or frame.id.isna().any()
        assert [dict(each) for each in back.tags] == [each.tags for each in features]
        assert back["name"].fillna("").tolist() == [each.tags.get("name", "") for each in features]


def test_geopackage_through_gdal(kinds: overpasskit.Response, tmp_path: Path) -> None:
    features = kinds.features()
    geopandas, pyogrio = need("geopandas"), need("pyogrio")
    path = tmp_path / "out.gpkg"
    pyogrio.write_arrow(
        features.arrow(["highway"]),
        path,
        layer="features",
        driver="GPKG",
        geometry_name="geometry",
        geometry_type="Unknown",
        crs="EPSG:4326",
    )
    back = geopandas.read_file(path)
    assert list(back.geometry.to_wkb()) == [each.wkb for each in features]
    assert back.id.tolist() == [each.number for each in features]
    assert back["type"].tolist() == [each.type for each in features]


def test_pandas(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    need("pandas")
    frame = features.to_pandas(["amenity"])
    assert frame.geometry.tolist() == [each.wkb for each in features]
    assert frame["type"].dtype == "category"
    assert frame.id.dtype == "int64"
    assert [dict(each) for each in frame.tags] == [each.tags for each in features]


def test_polars(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    polars = need("polars")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about extension types that Polars does not know
        frame = polars.DataFrame(features.arrow(["amenity"], meta=True))
    assert frame["id"].to_list() == [each.number for each in features]
    assert frame["type"].cast(polars.String).to_list() == [each.type for each in features]
    assert frame["amenity"].to_list() == [each.tags.get("amenity") for each in features]


def test_duckdb(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    duckdb = need("duckdb")
    source = features.arrow(["amenity"], meta=True)
    with duckdb.connect() as connection:
        connection.register("source", source)
        for _ in range(2):  # a table may be read again
            rows = connection.execute(
                "SELECT id, type, tags, amenity, ST_AsText(geometry) FROM source"
            ).fetchall()
            assert [row[:4] for row in rows] == [
                (each.number, each.type, each.tags, each.tags.get("amenity")) for each in features
            ]
            assert rows[0][4].startswith(features[0].geometry_type.upper())
        found = connection.execute("SELECT count(*) FROM source WHERE tags['amenity'] = 'cafe'")
        assert found.fetchone() == (sum(e.tags.get("amenity") == "cafe" for e in features),)


def test_nothing_is_kept_by_readers() -> None:
    geopandas, polars, duckdb = need("geopandas"), need("polars"), need("duckdb")
    gc.collect()
    before = lib.opk_x_live_handles()
    features = overpasskit.load(ANSWERS / "kinds.json").features()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frames = [geopandas.GeoDataFrame.from_arrow(features), polars.DataFrame(features)]
    connection = duckdb.connect()
    connection.register("source", features)
    assert connection.execute("SELECT count(*) FROM source").fetchone() == (len(features),)
    connection.close()
    del frames, features, connection
    gc.collect()
    assert lib.opk_x_live_handles() == before


def test_shapely(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    shapely = need("shapely")
    for feature in features:
        shape = feature.to_shapely()
        assert shapely.to_wkb(shape, output_dimension=2) == feature.wkb
        assert feature.geometry.to_shapely().equals(shape)


# Arrays


@pytest.mark.parametrize("path", [*sorted(ANSWERS.glob("*.json")), *ORACLE[::7]])
def test_arrays_are_the_features(path: Path) -> None:
    numpy, shapely = need("numpy"), need("shapely")
    try:
        features = overpasskit.load(path).features()
    except overpasskit.OverpassKitError:
        pytest.skip("no answer with elements")
    assert numpy.asarray(features.ids).tolist() == [each.number for each in features]
    assert len(features.types) == len(features) == len(features.coordinate_ends)
    coordinates = numpy.asarray(features.coordinates)
    assert coordinates.shape[1:] == (2,)
    start = 0
    for feature, end in zip(features, features.coordinate_ends, strict=True):
        expected = shapely.get_coordinates(feature.to_shapely())
        assert numpy.array_equal(coordinates[start:end], expected)
        start = end
    assert start == len(coordinates)


def test_arrays_are_not_copied_and_keep_their_memory() -> None:
    numpy = need("numpy")
    gc.collect()
    before = lib.opk_x_live_handles()
    features = overpasskit.load(ANSWERS / "kinds.json").features()
    ids, coordinates = numpy.asarray(features.ids), numpy.asarray(features.coordinates)
    assert ids.ctypes.data == numpy.asarray(features.ids).ctypes.data
    assert not ids.flags.writeable
    expected = ids.tolist(), coordinates.tolist()
    part = coordinates[1:3]
    del features, coordinates
    gc.collect()
    assert lib.opk_x_live_handles() == before + 2
    assert ids.tolist() == expected[0]
    assert part.tolist() == expected[1][1:3]
    del ids, part
    gc.collect()
    assert lib.opk_x_live_handles() == before


def test_arrays_of_nothing() -> None:
    numpy = need("numpy")
    features = overpasskit.loads('{"elements": []}').features()
    assert numpy.asarray(features.ids).dtype == numpy.int64
    assert numpy.asarray(features.coordinates).shape == (0, 2)
    assert len(features.ids) == len(features.types) == len(features.coordinate_ends) == 0


def test_texts_and_tags_are_made_once(kinds: overpasskit.Response) -> None:
    features = kinds.features()
    feature = next(each for each in features if each.tags)
    assert feature.tags is feature.tags
    again = features[feature._place]
    assert again.tags == feature.tags
    assert next(iter(again.tags)) is next(iter(feature.tags))
