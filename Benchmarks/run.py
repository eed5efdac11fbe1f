#!/usr/bin/env python3
"""Measures OverpassKit beside named yardsticks, in one run, and prints ratios of medians.

usage: run.py LIBRARY_FOLDER INCLUDE_FOLDER

Runs alternate, so that a busy machine slows all alike. CPU seconds of whole processes come from the
operating system; the decoders print their own thread's CPU seconds, without reading the file.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("OPK_SHARED", HERE.parent.parent / "shared"))
RUNS = int(os.environ.get("OPK_BENCH_RUNS", "7"))

ORJSON = "import orjson,sys; orjson.loads(open(sys.argv[1],'rb').read())"
OSM2GEOJSON = (
    "import json,sys,osm2geojson; "
    "json.dump(osm2geojson.json2geojson(open(sys.argv[1]).read()), open(sys.argv[2],'w'))"
)


def whole_process(command):
    """CPU seconds and peak memory in bytes of one process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def printed(command):
    """The CPU seconds a decoder prints."""
    return float(subprocess.run(command, check=True, capture_output=True).stdout.split()[0])


def alternate(jobs, runs=RUNS):
    """Runs all jobs in turn; gives the results of each."""
    results = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            results[name].append(job())
    return results


def make_input(folder, copies):
    path = folder / f"answer-{copies}.json"
    extract = SHARED / "data/extracts/helsinki-2019-clipped.osm.pbf"
    if extract.exists():
        maker = [SHARED / "bench/make_response.py", extract, path, copies]
    else:
        maker = [HERE / "make_answer.py", path, 12 * copies]
    subprocess.run([sys.executable, *map(str, maker)], check=True, stdout=subprocess.DEVNULL)
    return path


def compile_yardsticks(folder, library, include):
    subprocess.run(
        ["c++", "-O3", "-march=native", "-std=c++17", HERE / "yardsticks/simdjson_columns.cpp",
         "-lsimdjson", "-o", folder / "simdjson_columns"], check=True)
    subprocess.run(
        ["cc", "-O2", f"-I{include}", HERE / "convert.c", f"-L{library}", "-loverpasskit",
         f"-Wl,-rpath,{library}", "-o", folder / "convert"], check=True)
    subprocess.run(["swift", "build", "-c", "release", "--package-path", HERE], check=True,
                   stdout=subprocess.DEVNULL)


def decoding(folder, large):
    size = large.stat().st_size
    ours = HERE / ".build/release/DecodeBenchmark"
    simdjson = folder / "simdjson_columns"
    results = alternate({
        "OverpassKit, one thread": lambda: printed([ours, large, "1"]),
        "simdjson On-Demand into columns": lambda: printed([simdjson, large, "ondemand"]),
        "simdjson DOM parse alone": lambda: printed([simdjson, large, "dom"]),
    })
    print(f"Decoding {size / 1e6:.0f} MB of Overpass JSON (CPU, medians of {RUNS})")
    medians = {name: statistics.median(values) for name, values in results.items()}
    own = medians["OverpassKit, one thread"]
    for name, median in medians.items():
        print(f"  {name:32} {size / 1e9 / median:5.2f} GB/s   {median / own:5.2f} x our time")


def converting(folder, large, small):
    for path, yardsticks in ((large, ("orjson",)), (small, ("orjson", "osm2geojson"))):
        size = path.stat().st_size
        out = folder / "out.geojson"
        jobs = {"OverpassKit, file to GeoJSON": lambda: whole_process([folder / "convert", path, out])}
        if "orjson" in yardsticks:
            jobs["orjson.loads alone"] = lambda: whole_process([sys.executable, "-c", ORJSON, path])
        if "osm2geojson" in yardsticks:
            jobs["osm2geojson, file to GeoJSON"] = lambda: whole_process(
                [sys.executable, "-c", OSM2GEOJSON, path, out])
        results = alternate(jobs, min(RUNS, 5))
        print(f"File to GeoJSON, {size / 1e6:.0f} MB, whole process (medians of {min(RUNS, 5)})")
        medians = {name: statistics.median(cpu for cpu, _ in values)
                   for name, values in results.items()}
        own = medians["OverpassKit, file to GeoJSON"]
        for name, values in results.items():
            peak = statistics.median(memory for _, memory in values)
            print(f"  {name:32} {medians[name]:6.2f} s CPU  {medians[name] / own:6.2f} x our time"
                  f"  peak {peak / size:5.2f} x input")


def queries():
    print("Queries, parsed and printed (CPU, medians of 5)")
    benchmark = HERE / ".build/release/QueryBenchmark"
    for line in subprocess.run([benchmark], check=True, capture_output=True, text=True).stdout.splitlines():
        print(f"  {line}")


def main():
    library, include = sys.argv[1:3]
    home = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=home) as folder:
        folder = pathlib.Path(folder)
        compile_yardsticks(folder, library, include)
        large, small = make_input(folder, 24), make_input(folder, 1)
        decoding(folder, large)
        converting(folder, large, small)
        queries()


main()
