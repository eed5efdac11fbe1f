"""GDAL's programs and what is built on GDAL: ogr2ogr, ogrinfo, Arrow streams, pyogrio; valgrind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from drivers import DRIVERS, FIXTURES, ROOT, read_one, tool

KINDS = FIXTURES / "kinds.json"
PYOGRIO = ROOT / ".venv" / "bin" / "python"


def test_is_listed(driver: str) -> None:
    result = tool(driver, "ogrinfo", "--format", "OVERPASS")
    assert b"OpenStreetMap answers of the Overpass API" in result.stdout
    for name in (b"LAYERS", b"TAGS", b"TAGS_FORMAT", b"METADATA", b"STRICT", b"APP", b"CACHE"):
        assert name in result.stdout
    if driver == "compiled":
        formats = tool(driver, "ogrinfo", "--formats").stdout.splitlines()
        assert b"OVERPASS" in formats[1]


def test_ogr2ogr(driver: str, tmp_path: Path) -> None:
    target = tmp_path / "out.gpkg"
    result = tool(driver, "ogr2ogr", target, KINDS)
    assert result.returncode == 0 and result.stderr == b"", result.stderr.decode()
    before = read_one(driver, KINDS)["layers"]
    after = read_one(driver, target)["layers"]
    assert set(after) == set(before)
    for name, layer in before.items():
        assert [each["wkb"] for each in after[name]["features"]] == [
            each["wkb"] for each in layer["features"]
        ]
        assert [each["fields"] for each in after[name]["features"]] == [
            each["fields"] for each in layer["features"]
        ]


@pytest.mark.parametrize("options", [["TAGS=ALL"], ["LAYERS=ALL", "METADATA=YES", "TAGS=AUTO"]])
def test_all_columns_fit_a_geopackage(driver: str, tmp_path: Path, options: list[str]) -> None:
    tags = {"fid": "1", "geom": "2", "name": "3", "NAME": "4", "osm_id": "5", 'a"b': "6"}
    source = tmp_path / "a.json"
    element = {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": tags}
    source.write_text(json.dumps({"osm3s": {}, "elements": [element]}))
    given = [part for option in options for part in ("-oo", option)]
    result = tool(driver, "ogr2ogr", tmp_path / "out.gpkg", source, *given)
    assert result.returncode == 0 and b"ERROR" not in result.stderr, result.stderr.decode()
    (features,) = [
        layer["features"]
        for layer in read_one(driver, tmp_path / "out.gpkg")["layers"].values()
        if layer["features"]
    ]
    fields = features[0]["fields"]
    assert fields["osm_id"] == 1 and fields["tag:osm_id"] == "5" and fields["tag:fid"] == "1"


def test_sql(driver: str) -> None:
    for dialect in ("OGRSQL", "SQLITE"):
        result = tool(
            driver, "ogrinfo", "-ro", "-q", KINDS, "-dialect", dialect,
            "-sql", "SELECT osm_id, name FROM points WHERE osm_type = 'node' AND name LIKE 'Caf%'",
        )
        assert result.stdout.count(b"OGRFeature") == 1 and b"12345678901" in result.stdout


def test_arrow(driver: str) -> None:
    """GDAL's own stream has the layer's fields; with filters, too."""
    result = in_process(
        driver,
        """
        layer = dataset.GetLayer(0)
        layer.SetAttributeFilter("name IS NOT NULL")
        batches = map(pyarrow.RecordBatch.from_struct_array, layer.GetArrowStreamAsPyArrow())
        table = pyarrow.Table.from_batches(list(batches))
        print(json.dumps([table.num_rows, table.column_names, table["osm_id"].to_pylist()]))
        """,
    )
    assert result[0] == 1 and result[2] == [12345678901]
    assert result[1][:4] == ["OGC_FID", "osm_id", "osm_type", "name"]


def test_native_arrow() -> None:
    """The compiled driver hands on the library's stream: tags as a map, GeoArrow."""
    rows, names, metadata, tags = in_process(
        "compiled",
        """
        layer = dataset.GetLayer(0)
        stream = layer.GetArrowStreamAsPyArrow(["NATIVE=YES"])
        table = pyarrow.Table.from_batches(list(map(pyarrow.RecordBatch.from_struct_array, stream)))
        field = table.schema.field("geometry")
        print(json.dumps([table.num_rows, table.column_names, str(field.metadata),
                          table["tags"].to_pylist()[0]]))
        """,
        "LAYERS=ALL",
    )
    response = overpasskit.load(KINDS)
    expected = response.features(collections=True)
    assert rows == len(expected) and names == ["id", "type", "tags", "geometry"]
    assert "geoarrow.wkb" in metadata and dict(tags) == expected[0].tags
    refused = in_process(
        "compiled",
        """
        gdal.PushErrorHandler("CPLQuietErrorHandler")
        print(json.dumps(dataset.GetLayer(0).GetArrowStream(["NATIVE=YES"]) is None))
        """,
    )
    assert refused is True


def in_process(driver: str, program: str, *options: str) -> Any:
    start = (
        "import json, sys, pyarrow\nfrom osgeo import gdal\n"
        "dataset = gdal.OpenEx(sys.argv[1], open_options=sys.argv[2:])\n"
    )
    result = tool(driver, sys.executable, "-c", start + textwrap.dedent(program), KINDS, *options)
    assert result.returncode == 0, result.stderr.decode()
    return json.loads(result.stdout)


def test_threads() -> None:
    """Datasets of several threads at once, as GDAL allows."""
    count = in_process(
        "compiled",
        """
        from concurrent.futures import ThreadPoolExecutor
        def read(_):
            own = gdal.OpenEx(sys.argv[1])
            layers = map(own.GetLayer, range(own.GetLayerCount()))
            return sum(1 for layer in layers for _ in layer)
        with ThreadPoolExecutor(8) as pool:
            print(json.dumps(sorted(set(pool.map(read, range(64))))))
        """,
    )
    assert count == [6]


def test_pyogrio() -> None:
    """GDAL as it comes in a wheel takes the driver in Python."""
    if subprocess.run([PYOGRIO, "-c", "import pyogrio"], capture_output=True).returncode != 0:
        pytest.skip("needs pyogrio in .venv")
    program = (
        "import sys, pyogrio\n"
        "for name in ('points', 'lines', 'multipolygons'):\n"
        "    print(len(pyogrio.read_dataframe(sys.argv[1], layer=name)))\n"
        "print(pyogrio.read_info(sys.argv[1], layer='points')['driver'])\n"
    )
    for path in (KINDS, FIXTURES / "derived.json"):
        result = tool("python", PYOGRIO, "-c", program, path, PYTHONPATH=str(ROOT / "bindings/python"))
        assert result.returncode == 0, result.stderr.decode()
        assert result.stdout.split()[-1] == b"OVERPASS"
    result = tool("python", PYOGRIO, "-c", program, KINDS, PYTHONPATH=str(ROOT / "bindings/python"))
    assert result.stdout.split()[:3] == [b"2", b"2", b"2"]


@pytest.mark.skipif(shutil.which("test_ogrsf") is None, reason="needs test_ogrsf")
def test_ogrsf(driver: str) -> None:
    result = tool(driver, "test_ogrsf", "-ro", KINDS)
    assert result.returncode == 0 and b"ERROR" not in result.stdout + result.stderr


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="needs valgrind")
def test_valgrind() -> None:
    """Nothing of ours is read before it is written, after it is freed, or lost."""
    result = subprocess.run(
        [
            "valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=definite",
            "--error-exitcode=0", "--num-callers=40", "ogrinfo", "-ro", "-al", str(KINDS),
            "-oo", "METADATA=YES", "-spat", "-200", "-100", "200", "100", "-where", "osm_id > 0",
        ],
        capture_output=True, check=False, timeout=600, env=DRIVERS["compiled"],
    )  # fmt: skip
    assert result.returncode == 0 and b"OGRFeature(multipolygons)" in result.stdout
    reports = result.stderr.decode(errors="replace").split("== \n")
    # The loader and other plugins of GDAL have reports of their own.
    ours = [each for each in reports if "overpass::" in each or "liboverpasskit" in each]
    assert not ours, ours[0]
