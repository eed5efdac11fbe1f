"""Where answers come from, which files are ours, and what is told when something is wrong."""

from __future__ import annotations

import bz2
import gzip
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from drivers import DRIVERS, FIXTURES, SHARED, read, read_one, tool
from osgeo import gdal

FAILURE, WARNING = gdal.CE_Failure, gdal.CE_Warning
KINDS = (FIXTURES / "kinds.json").read_bytes()
NODE = '<node id="1" lat="1" lon="2"><tag k="name" v="x"/></node>'
LINE = (
    '<way id="5"><nd ref="1" lat="1" lon="2"/><nd ref="2" lat="3" lon="4"/>'
    '<tag k="highway" v="path"/></way>'
)


def counts(found: dict[str, Any]) -> list[int]:
    return [layer["count"] for layer in found["layers"].values()]


def test_file_systems(driver: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(KINDS)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(KINDS))
    (tmp_path / "a.json.bz2").write_bytes(bz2.compress(KINDS))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.json", "in/a.json")
        archive.write(tmp_path / "a.json.gz", "in/a.json.gz")
    names = [
        f"{tmp_path}/a.json",
        f"{tmp_path}/a.json.gz",
        f"{tmp_path}/a.json.bz2",
        f"/vsigzip/{tmp_path}/a.json.gz",
        f"/vsizip/{tmp_path}/a.zip/in/a.json",
        f"/vsizip/{tmp_path}/a.zip/in/a.json.gz",
        f"OVERPASS:{tmp_path}/a.json",
        f"overpass:/vsigzip/{tmp_path}/a.json.gz",
        f"OVERPASS:{tmp_path}/a.json.bz2",
    ]
    for name, found in zip(names, read(driver, [{"path": name} for name in names]), strict=True):
        assert counts(found) == [2, 2, 0, 2, 0], (name, found["messages"])
        assert found["messages"] == []


def test_standard_input(driver: str) -> None:
    for data in (KINDS, gzip.compress(KINDS)) if driver == "compiled" else (KINDS,):
        result = tool(driver, "ogrinfo", "-ro", "-so", "-al", "/vsistdin/", input=data)
        assert result.returncode == 0 and b"Layer name: multipolygons" in result.stdout
        assert result.stdout.count(b"Feature Count: 2") == 3


def test_memory() -> None:
    """Files in GDAL's memory, seen by the compiled driver of the same process."""
    result = tool(
        "compiled", "/usr/bin/python3", "-c",
        "import sys; from osgeo import gdal; data = open(sys.argv[1], 'rb').read();"
        "gdal.FileFromMemBuffer('/vsimem/a', data); d = gdal.OpenEx('/vsimem/a');"
        "print(d.GetDriver().ShortName, d.GetLayer(0).GetFeatureCount())",
        FIXTURES / "kinds.json",
    )
    assert result.stdout.split() == [b"OVERPASS", b"2"]


OURS = {
    "body": '<osm version="0.6" generator="Overpass API 0.7.62">%s</osm>' % NODE,
    "meta": '<osm version="0.6"><meta osm_base="2024-01-01T00:00:00Z"/>%s</osm>' % NODE,
    "remark": '<osm version="0.6" generator="x">%s<remark>note</remark></osm>' % NODE,
    "geometry": '<?xml version="1.0"?>\n<osm version="0.6" generator="osmium">%s</osm>' % LINE,
    "center": '<osm version="0.6"><way id="5"><center lat="1" lon="2"/><tag k="a" v="b"/></way></osm>',
    "json": '{"version":0.6,"elements":[{"type":"node","id":1,"lat":1,"lon":2}]}',
    "mark": '\ufeff {"elements" : [ ], "osm3s": {"copyright": ""}}',
    "empty": '{"version": 0.6, "generator": "Overpass API", "osm3s": {}, "elements": []}',
    "convert": '{"osm3s":{},"elements":[{"type":"line","id":1,"geometry":'
    '{"type":"LineString","coordinates":[[1,2],[3,4]]},"tags":{"highway":"x"}}]}',
    "diff": '<osm version="0.6" generator="Overpass API"><action type="create">%s</action></osm>' % NODE,
}
OTHERS = {
    "planet": '<osm version="0.6" generator="osmium/1.14">%s</osm>' % NODE,
    "changes": '<osmChange version="0.6"><create>%s</create></osmChange>' % NODE,
    "geojson": '{"type":"FeatureCollection","elements":[1],"features":[{"type":"Feature",'
    '"properties":{"type":"node"},"geometry":{"type":"Point","coordinates":[1,2]}}]}',
    "html": "<html><body>elements osm</body></html>",
    "text": "elements",
    "json": '{"elements": [{"symbol": "H"}]}',
    "object": '{"elements": {"type": "node"}}',
}


def write_all(folder: Path, texts: dict[str, str]) -> list[dict[str, Any]]:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [{"path": str(folder / name)} for name in texts]


def test_ours(driver: str, tmp_path: Path) -> None:
    jobs = write_all(tmp_path, OURS)
    # Drivers in Python are asked last.
    first = [{**job, "drivers": ["OVERPASS"]} for job in jobs]
    for name, found in zip(OURS, read(driver, first), strict=True):
        assert found["driver"] == "OVERPASS", (name, found["messages"])
        if name not in ("mark", "empty"):
            assert sum(counts(found)) == 1, name
    if driver == "compiled":
        assert {found["driver"] for found in read(driver, jobs)} == {"OVERPASS"}


def test_others(driver: str, tmp_path: Path) -> None:
    jobs = write_all(tmp_path, OTHERS)
    for name, found in zip(OTHERS, read(driver, jobs), strict=True):
        assert found["driver"] != "OVERPASS", name
        assert not any("Overpass" in text for _, text in found["messages"])
    found = read(driver, jobs)
    assert found[2]["driver"] == "GeoJSON"
    if gdal.GetDriverByName("OSM"):
        assert found[0]["driver"] == "OSM"
    # The prefix makes what can be read ours.
    forced = read(driver, [{"path": f"OVERPASS:{job['path']}"} for job in jobs[:2]])
    assert [each["layers"]["points"]["count"] for each in forced] == [1, 1]
    assert forced[1]["metadata"]["CHANGES"] == "1"


def test_compressed_others(driver: str, tmp_path: Path) -> None:
    for compress, name in ((gzip.compress, "a.gz"), (bz2.compress, "a.bz2")):
        (tmp_path / name).write_bytes(compress(b'{"a": 1}'))
        found = read_one(driver, tmp_path / name)
        assert found["driver"] is None and found["messages"] == []


def errors(found: dict[str, Any]) -> str:
    return "\n".join(text for kind, text in found["messages"] if kind == FAILURE)


def warnings_of(driver: str, path: Path) -> str:
    """Warnings as users see them: GDAL's, or those of Python."""
    return tool(driver, "ogrinfo", "-ro", "-q", path).stderr.decode()


def test_remarks(driver: str) -> None:
    path = FIXTURES / "remark.json"
    found = read_one(driver, path)
    assert found["metadata"]["OVERPASS_COMPLETE"] == "NO"
    assert found["metadata"]["REMARK"].startswith("runtime error: Query timed out")
    if driver == "compiled":
        assert found["messages"] == [[WARNING, f"The answer is not complete: {found['metadata']['REMARK']}"]]
    assert "The answer is not complete: runtime error: Query timed out" in warnings_of(driver, path)
    strict = read_one(driver, path, ["STRICT=YES"])
    assert strict["driver"] is None and "not complete: runtime error" in errors(strict)


def test_truncated(driver: str) -> None:
    path = FIXTURES / "truncated.json"
    found = read_one(driver, path)
    assert sum(counts(found)) > 0 and found["metadata"]["OVERPASS_COMPLETE"] == "NO"
    assert "stops in the middle, at byte 244" in warnings_of(driver, path)
    strict = read_one(driver, path, ["STRICT=YES"])
    assert strict["driver"] is None and errors(strict)


def test_errors(driver: str, tmp_path: Path) -> None:
    assert "expected ':' (line 4, column 23" in errors(read_one(driver, FIXTURES / "broken.json"))
    assert "/nowhere.json" in errors(read_one(driver, "OVERPASS:/nowhere.json"))
    assert "nowhere.zip/a cannot be opened" in errors(
        read_one(driver, "OVERPASS:/vsizip/nowhere.zip/a")
    )
    page = (
        '<?xml version="1.0" encoding="UTF-8"?><html><head><title>OSM3S Response</title></head><body>'
        "<p>The data included in this document is from www.openstreetmap.org.</p>"
        '<p><strong style="color:#FF0000">Error</strong>: line 1: parse error: Unknown type "nod" </p>'
        "</body></html>"
    )
    (tmp_path / "page.html").write_text(page)
    assert 'parse error: Unknown type "nod"' in errors(read_one(driver, tmp_path / "page.html"))


def test_update_is_refused() -> None:
    result = tool(
        "compiled", "/usr/bin/python3", "-c",
        "import sys; from osgeo import gdal; print(gdal.OpenEx(sys.argv[1], gdal.OF_UPDATE))",
        FIXTURES / "kinds.json",
    )
    assert result.stdout.strip() == b"None" and b"reads only" in result.stderr


# Servers


class Server(BaseHTTPRequestHandler):
    """Answers as Overpass does, on the loopback interface alone."""

    protocol_version = "HTTP/1.1"
    asked: list[tuple[str, str]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        query = parse_qs(body).get("data", [body])[0]
        self.asked.append((self.headers["User-Agent"], query))
        status, kind, answer = 200, "application/json", KINDS
        if "nwr[fail]" in query:
            status, kind = 400, "text/html"
            answer = (
                b'<?xml version="1.0"?><html><head><title>OSM3S Response</title></head><body><p>'
                b'<strong style="color:#FF0000">Error</strong>: line 1: static error: no </p></body></html>'
            )
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    asked: list[tuple[str, str]] = []
    handler = type("Handler", (Server,), {"asked": asked})
    with HTTPServer(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}/api/interpreter", asked
        finally:
            listening.shutdown()
            thread.join(10)


QUERY = "nwr[amenity=cafe](around:300,52.5,13.4);out geom;"


def test_server(driver: str, server: Any, tmp_path: Path) -> None:
    url, asked = server
    name = f"OVERPASS:{url}|{QUERY}"
    found = read_one(driver, name, ["APP=opk-test/1.0 (me@example.org)"])
    assert counts(found) == [2, 2, 0, 2, 0], found["messages"]
    assert len(asked) == 1 and asked[0][0].startswith("opk-test/1.0 (me@example.org)")
    assert "amenity" in asked[0][1] and "out geom" in asked[0][1]

    environment = {"OVERPASS_APP": "other-test/1.0 (me@example.org)"}
    options = [f"CACHE={tmp_path / 'kept'}", "CACHE_MAX_AGE=1000"]
    for _ in range(2):
        job = {"path": name, "options": options}
        assert counts(read(driver, [job], **environment)[0]) == [2, 2, 0, 2, 0]
    assert len(asked) == 2 and asked[1][0].startswith("other-test/1.0")


def test_server_errors(driver: str, server: Any) -> None:
    url, asked = server
    app = ["APP=opk-test/1.0 (me@example.org)"]
    found = read_one(driver, f"OVERPASS:{url}|nwr[fail](1,2,3,4);out;", app)
    assert found["driver"] is None and "static error: no" in errors(found)
    found = read_one(driver, f"OVERPASS:{url}|nwr[(1,2,3,4);out;", app)
    assert found["driver"] is None and "line 1" in errors(found)
    found = read_one(driver, f"OVERPASS:{url}|{QUERY}")
    assert found["driver"] is None and "OVERPASS_APP" in errors(found)
    assert "no query" in errors(read_one(driver, "OVERPASS:main", app))
    assert "neither a server" in errors(read_one(driver, f"OVERPASS:nobody|{QUERY}", app))
    found = read_one(driver, f"OVERPASS:{FIXTURES / 'kinds.json'}|{QUERY}", app)
    assert found["driver"] is None and "not yet from local files" in errors(found)
    assert len(asked) == 1


# Nothing ends the host


def seeds() -> list[bytes]:
    folder = FIXTURES.parents[1] / "Fuzz" / "seeds"
    texts = [path.read_bytes() for path in sorted(FIXTURES.glob("*.json"))]
    for path in sorted(folder.glob("*.txt")):
        texts += path.read_bytes().split(b"\n----\n")
    return texts


def damaged(text: bytes) -> list[bytes]:
    """A text cut at many places, with bytes changed, and compressed and cut."""
    step = max(1, len(text) // 24)
    cuts = [text[:at] for at in range(1, len(text), step)]
    holes = [text[:at] + b"\xff\0" + text[at + 2 :] for at in range(0, len(text), step)]
    numbers = [text.replace(b"1", b"9" * 30), text.replace(b"[", b"[" * 200), text.replace(b'"', b"")]
    packed = [gzip.compress(text)[: len(text) // 3], bz2.compress(text)[: len(text) // 3]]
    return [text, *cuts, *holes, *numbers, *packed]


@pytest.mark.parametrize("driver", DRIVERS)
def test_damaged_files(driver: str, tmp_path: Path) -> None:
    jobs = []
    for number, seed in enumerate(seeds()):
        for change, text in enumerate(damaged(seed)):
            path = tmp_path / f"{number}-{change}"
            path.write_bytes(text)
            options = ["LAYERS=ALL", "TAGS=ALL", "METADATA=YES"]
            jobs.append({"path": f"OVERPASS:{path}", "options": options})
            jobs.append({"path": str(path), "drivers": ["OVERPASS"]})
    assert len(jobs) > 1000
    found = read(driver, jobs)
    assert any(each["driver"] for each in found) and any(not each["driver"] for each in found)


def test_damaged_files_in_ogrinfo(driver: str, tmp_path: Path) -> None:
    for number, seed in enumerate(seeds()[:: 1 if driver == "compiled" else 8]):
        path = tmp_path / str(number)
        path.write_bytes(seed)
        for name in (path, f"OVERPASS:{path}"):
            assert tool(driver, "ogrinfo", "-ro", "-al", "-q", name).returncode in (0, 1), seed[:80]


HOSTILE = SHARED / "cases" / "oracle-http"


@pytest.mark.skipif(not HOSTILE.is_dir(), reason="needs ../shared/cases/oracle-http")
def test_replies_with_heads(driver: str) -> None:
    jobs = [{"path": f"OVERPASS:{path}"} for path in sorted(HOSTILE.iterdir()) if path.is_file()]
    assert len(read(driver, jobs)) == len(jobs) > 0
