"""GDAL's programs on an answer: our driver beside GDAL's own OSM driver on the same data as XML.

Needs GDAL's headers and the driver of `make plugins`.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PLUGINS = HERE.parent / "build/gdal/gdalplugins"


def compile_reader(folder):
    """A program that reads every feature of a file, and prints the seconds that takes."""
    flags = [
        part for option in ("--cflags", "--libs")
        for part in subprocess.run(
            ["gdal-config", option], check=True, capture_output=True, text=True).stdout.split()
    ]
    reader = folder / "read_features"
    subprocess.run(
        ["c++", "-O2", "-std=c++17", HERE / "read_features.cpp", *flags, "-o", reader], check=True)
    return reader


def gdal_rows(folder, library, large, runs=7):
    if not PLUGINS.is_dir() or not shutil.which("gdal-config"):
        return print("GDAL: left out, as `make plugins` was not run")
    xml = folder / "gdal.osm"
    writer = ("import sys, overpasskit; "
              "overpasskit.load(sys.argv[1]).write(sys.argv[2], 'osm', lossy=True)")
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "bindings/python"),
                   "OVERPASSKIT_LIBRARY": f"{library}/liboverpasskit.so",
                   "GDAL_DRIVER_PATH": str(PLUGINS)}
    subprocess.run([sys.executable, "-c", writer, large, xml], check=True, env=environment)
    reader = compile_reader(folder)
    sources = {"OVERPASS": large, "OSM": xml}

    def run(command):
        start = time.monotonic()
        output = subprocess.run(
            list(map(str, command)), check=True, capture_output=True, text=True, env=environment)
        return time.monotonic() - start, output.stdout

    def reading(driver):
        return float(run([reader, driver, sources[driver]])[1].split()[1])

    def converting(driver):
        target = folder / "gdal.gpkg"
        target.unlink(missing_ok=True)
        skipped = ["--config", "OGR_SKIP", "OVERPASS"] if driver == "OSM" else []
        return run(["ogr2ogr", *skipped, target, sources[driver]])[0]

    size = large.stat().st_size / 1e6
    print(f"GDAL: {size:.0f} MB of JSON by our driver, the same as XML by the OSM driver "
          f"(by the clock, medians of {runs})")
    for title, job, aim in (
        ("reading every feature", reading, "at least 5 x our time"),
        ("ogr2ogr to GPKG", converting, "at least 0.91 x our time"),
    ):
        seconds = {driver: [] for driver in sources}
        for _ in range(runs):
            for driver, values in seconds.items():
                values.append(job(driver))
        ours, theirs = (statistics.median(seconds[driver]) for driver in sources)
        print(f"  {title:24} {ours:5.2f} s   OSM driver {theirs:5.2f} s: "
              f"{theirs / ours:4.2f} x our time  (aim: {aim})")
    xml.unlink()
    (folder / "gdal.gpkg").unlink(missing_ok=True)
