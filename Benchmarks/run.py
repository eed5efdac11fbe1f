#!/usr/bin/env python3
"""Measures OverpassKit beside named yardsticks, in one run, and prints ratios of medians.

usage: run.py LIBRARY_FOLDER INCLUDE_FOLDER

Runs alternate, so that a busy machine slows all alike. Seconds and peak memory of whole processes
come from the operating system; the decoders print their own thread's CPU seconds, without reading the
file. Files lie in memory where the system has /dev/shm.

osmtogeojson takes part where node and its bundle are at hand: OPK_OSMTOGEOJSON names the bundle
(osmtogeojson.js of its repository).
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from gdal_rows import gdal_rows

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("OPK_SHARED", HERE.parent.parent / "shared"))
RUNS = int(os.environ.get("OPK_BENCH_RUNS", "7"))

ORJSON = "import orjson,sys; orjson.loads(open(sys.argv[1],'rb').read())"
OSM2GEOJSON = (
    "import json,sys,osm2geojson; "
    "json.dump(osm2geojson.json2geojson(open(sys.argv[1]).read()), open(sys.argv[2],'w'))"
)
OSMTOGEOJSON = (
    "const fs=require('fs'), [bundle, source, target]=process.argv.slice(1);"
    "const answer=JSON.parse(fs.readFileSync(source, 'utf8'));"
    "fs.writeFileSync(target, JSON.stringify(require(bundle)(answer)));"
)


def whole_process(command):
    """Seconds on the clock, CPU seconds and peak memory in bytes of one process."""
    start = time.monotonic()
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


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
        ["cc", "-O3", HERE / "yardsticks/expat_handlers.c", "-lexpat", "-o",
         folder / "expat_handlers"], check=True)
    subprocess.run(
        ["cc", "-O2", f"-I{include}", HERE / "convert.c", f"-L{library}", "-loverpasskit",
         f"-Wl,-rpath,{library}", "-o", folder / "convert"], check=True)
    subprocess.run(
        ["cc", "-O2", f"-I{include}", HERE / "formats.c", f"-L{library}", "-loverpasskit",
         f"-Wl,-rpath,{library}", "-o", folder / "formats"], check=True)
    subprocess.run(["swift", "build", "-c", "release", "--package-path", HERE], check=True,
                   stdout=subprocess.DEVNULL)


def numbers(command):
    """What a decoder prints: seconds, elements, bytes of anonymous memory after and at the peak."""
    return [float(part) for part in subprocess.run(
        list(map(str, command)), check=True, capture_output=True).stdout.split()]


def decoding(folder, large):
    size = large.stat().st_size
    ours = HERE / ".build/release/DecodeBenchmark"
    simdjson = folder / "simdjson_columns"
    results = alternate({
        "OverpassKit, one thread": lambda: printed([ours, large, "1", "cpu"]),
        "simdjson On-Demand into columns": lambda: printed([simdjson, large, "ondemand"]),
        "simdjson DOM parse alone": lambda: printed([simdjson, large, "dom"]),
    })
    print(f"Decoding {size / 1e6:.0f} MB of Overpass JSON (CPU, medians of {RUNS})")
    medians = {name: statistics.median(values) for name, values in results.items()}
    own = medians["OverpassKit, one thread"]
    for name, median in medians.items():
        print(f"  {name:32} {size / 1e9 / median:5.2f} GB/s   {median / own:5.2f} x our time")

    results = alternate({
        "one": lambda: numbers([ours, large, "1", "wall"])[0],
        "two": lambda: numbers([ours, large, "2", "wall"])[0],
        "mapped": lambda: numbers([ours, large, "2", "mapped"]),
    })
    one, two = (statistics.median(results[name]) for name in ("one", "two"))
    print(f"  two threads, by the clock        {size / 1e9 / two:5.2f} GB/s   {one / two:5.2f} x as fast")
    after, peak = (statistics.median(run[place] for run in results["mapped"]) for place in (2, 3))
    print(f"  anonymous memory, mapped input   {after / size:5.2f} x input, peak {peak / size:.2f} x")


def decoding_xml(folder, library, large):
    source = folder / "answer.osm"
    writer = ("import sys, overpasskit; "
              "overpasskit.load(sys.argv[1]).write(sys.argv[2], 'osm', lossy=True)")
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "bindings/python"),
                   "OVERPASSKIT_LIBRARY": f"{library}/liboverpasskit.so"}
    subprocess.run([sys.executable, "-c", writer, large, source], check=True, env=environment)
    ours = HERE / ".build/release/DecodeBenchmark"
    results = alternate({
        "ours": lambda: printed([ours, source, "1", "cpu"]),
        "expat": lambda: printed([folder / "expat_handlers", source]),
    })
    own, expat = (statistics.median(results[name]) for name in ("ours", "expat"))
    size = source.stat().st_size
    source.unlink()
    print(f"Decoding {size / 1e6:.0f} MB of Overpass XML (CPU, medians of {RUNS})")
    print(f"  OverpassKit                      {size / 1e6 / own:5.0f} MB/s")
    print(f"  expat with handlers that count   {size / 1e6 / expat:5.0f} MB/s   "
          f"we run at {expat / own:.2f} x its speed")


def scaling(folder, small):
    """Time for each byte of a very large answer beside that of a small one."""
    if shutil.disk_usage(folder).free < 6 << 30:
        return print("Scaling: left out, too little room for an answer of 2.6 GB")
    huge = make_input(folder, 216)
    ours = HERE / ".build/release/DecodeBenchmark"
    rates = {path: [] for path in (small, huge)}
    for _ in range(3):
        for path, values in rates.items():
            values.append(printed([ours, path, "1", "cpu"]) / path.stat().st_size)
    few, many = (statistics.median(values) for values in rates.values())
    print(f"Scaling (CPU a byte, medians of 3): {huge.stat().st_size / 1e9:.1f} GB takes "
          f"{many / few:.2f} x that of {small.stat().st_size / 1e6:.0f} MB")
    huge.unlink()


def osmtogeojson(source, target):
    """The command that runs osmtogeojson, where it is at hand."""
    bundle, node = os.environ.get("OPK_OSMTOGEOJSON"), shutil.which("node")
    if not bundle or not node:
        return None
    bundle = pathlib.Path(bundle).resolve()
    return [node, "--max-old-space-size=16000", "-e", OSMTOGEOJSON, bundle, source, target]


def osmium_export(folder):
    """The command that exports the same data from XML, where the extract and osmium are at hand."""
    extract = SHARED / "data/extracts/helsinki-2019-clipped.osm.pbf"
    if not extract.exists() or not shutil.which("osmium"):
        return None
    source = folder / "answer.osm"
    subprocess.run(["osmium", "cat", "--no-progress", extract, "-o", source], check=True)
    return ["osmium", "export", "--no-progress", "--overwrite", source, "-o", folder / "osmium.geojson"]


def converting(folder, large, small):
    """Whole processes; an aim is how many times faster on the clock than a yardstick."""
    out = folder / "out.geojson"
    orjson = [sys.executable, "-c", ORJSON]
    yardsticks = {
        large: [("orjson.loads alone", [*orjson, large], 4),
                ("osmtogeojson", osmtogeojson(large, out), 20)],
        small: [("osmium export from XML", osmium_export(folder), 3),
                ("osm2geojson", [sys.executable, "-c", OSM2GEOJSON, small, out], None)],
    }
    for path, others in yardsticks.items():
        size = path.stat().st_size
        jobs = {"OverpassKit": lambda: whole_process([folder / "convert", path, out])}
        for name, command, _ in others:
            if command is None:
                print(f"  {name} is not at hand")
            else:
                jobs[name] = lambda command=command: whole_process(command)
        results = alternate(jobs, 5)
        print(f"File to GeoJSON, {size / 1e6:.1f} MB, whole process (medians of 5)")
        aims = {name: aim for name, _, aim in others if aim}
        own = statistics.median(wall for wall, _, _ in results["OverpassKit"])
        for name, values in results.items():
            wall, cpu, peak = (statistics.median(each) for each in zip(*values))
            line = f"  {name:24} {wall:6.2f} s  {wall / own:6.2f} x our time"
            line += f"  {cpu:6.2f} s CPU  peak {peak / size:5.2f} x input"
            if name == "OverpassKit" and path == large:
                line += "  (aim: at most 1.5)"
            print(line + (f"  (aim: {aims[name]} x)" if name in aims else ""))


def writing(folder, large):
    print("The features of that answer in each format (CPU, best of 5)")
    output = subprocess.run([folder / "formats", large], check=True, capture_output=True, text=True)
    rows = [line.split() for line in output.stdout.splitlines()]
    yardstick = next(float(seconds) for name, _, seconds in rows if name == "GeoJSON")
    for name, megabytes, seconds in rows:
        if float(megabytes) > 1:
            print(f"  {name:24} {float(megabytes) / float(seconds):6.0f} MB/s"
                  f"   {float(seconds) / yardstick:5.2f} x the time of GeoJSON")


def frames(library, small):
    """Python programs, imports excluded; an aim is how many times faster than a yardstick."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "bindings/python"),
                   "OVERPASSKIT_LIBRARY": f"{library}/liboverpasskit.so"}

    def seconds(way):
        command = [sys.executable, HERE / "frames.py", way, small]
        return float(subprocess.run(
            list(map(str, command)), check=True, capture_output=True, env=environment
        ).stdout.split()[0])

    ways = ("geopandas", "arrow", "read", "osm2geojson", "overpy")
    results = alternate({way: lambda way=way: seconds(way) for way in ways})
    medians = {way: statistics.median(values) for way, values in results.items()}
    print(f"Answer of {small.stat().st_size / 1e6:.1f} MB in Python, imports excluded "
          f"(by the clock, medians of {RUNS})")
    for way, name, yardstick, aim in (
        ("geopandas", "GeoDataFrame, tags a map", "osm2geojson", 25),
        ("arrow", "pyarrow table", "osm2geojson", 50),
        ("read", "id, type, tags, geometry type", "overpy", 5),
    ):
        title = {"osm2geojson": "osm2geojson + GeoPandas", "overpy": "overpy's parse"}[yardstick]
        ratio = medians[yardstick] / medians[way]
        print(f"  {name:30} {medians[way] * 1000:6.1f} ms   {title} {medians[yardstick]:.2f} s: "
              f"{ratio:5.1f} x our time  (aim: {aim} x)")


def areas():
    print("Relations of many ways, assembled (CPU, medians of 5)")
    benchmark = HERE / ".build/release/AreaBenchmark"
    for line in subprocess.run([benchmark], check=True, capture_output=True, text=True).stdout.splitlines():
        print(f"  {line}")


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
        decoding_xml(folder, library, large)
        scaling(folder, small)
        converting(folder, large, small)
        writing(folder, large)
        frames(library, small)
        gdal_rows(folder, library, large)
        areas()
        queries()


main()
