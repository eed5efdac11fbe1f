"""The commands that ask servers: ``run``, ``status`` and ``endpoints``."""

from __future__ import annotations

import errno
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import overpasskit
import pytest
from asking import APP, NODE, node, node_text
from click.testing import CliRunner, Result
from overpass_server import STATUS, OverpassServer, Reply
from overpasskit import loads
from overpasskit.cli import main

ENVIRONMENT = {**os.environ, "OVERPASSKIT_APP": APP, "COLUMNS": "120"}


@pytest.fixture
def server() -> Iterator[OverpassServer]:
    with OverpassServer() as server:
        yield server


def run(*arguments: object, data: bytes | None = None, app: str | None = APP) -> Result:
    return CliRunner(env={"OVERPASSKIT_APP": app}).invoke(main, list(map(str, arguments)), data)


def ask(server: OverpassServer, *arguments: object, data: bytes | None = None) -> Result:
    return run("run", *arguments, "--endpoint", server.url, data=data)


def start(*arguments: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "overpasskit", *arguments],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=stderr,
    )


# What is written


def test_formats(server: OverpassServer, tmp_path: Path) -> None:
    names = ["x.geojson", "x", "x.json", "x.osm", "x.osm.xml", "x.gpx", "x.csv", "x.geojsonl"]
    server.answers([node()] * (len(names) + 2))
    for name in names:
        result = ask(server, NODE, "-o", tmp_path / name)
        assert result.exit_code == 0, result.stderr
        assert result.stdout == ""
    expected = loads(node_text(1))
    assert (tmp_path / "x.geojson").read_text() == expected.to_geojson()
    assert (tmp_path / "x").read_text() == expected.to_geojson()
    assert (tmp_path / "x.json").read_text() == expected.to_overpass_json()
    assert (tmp_path / "x.osm").read_text() == expected.to_osm_xml()
    assert (tmp_path / "x.osm.xml").read_text() == expected.to_osm_xml()
    assert "<gpx" in (tmp_path / "x.gpx").read_text()
    assert (tmp_path / "x.csv").read_text().startswith("osm_type,osm_id")
    assert json.loads((tmp_path / "x.geojsonl").read_text())["type"] == "Feature"
    assert ask(server, NODE, "-o", "-").stdout == expected.to_geojson()
    assert ask(server, NODE, "-o", "-", "--to", "osm").stdout == expected.to_osm_xml()


def test_summary(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([node()] * 2)
    target = tmp_path / "x.geojson"
    cache = ("--cache", tmp_path / "kept")
    line = f"done: {target}: 1 element of 2026-01-02 03:04 UTC from {server.url}"
    assert ask(server, NODE, "-o", target, *cache).stderr == f"{line}\n"
    assert ask(server, NODE, "-o", target, *cache).stderr == f"{line}, kept from an earlier time\n"
    assert ask(server, NODE, "-o", target, "--quiet").stderr == ""
    assert len(server.requests) == 2
    assert server.requests[0].headers["user-agent"].startswith(APP)


def test_where_the_query_is(server: OverpassServer, tmp_path: Path) -> None:
    file = tmp_path / "q.overpassql"
    file.write_text(NODE, encoding="utf-8")
    ways: list[tuple[tuple[object, ...], bytes | None]] = [
        ((NODE,), None),
        ((f"@{file}",), None),
        (("-f", file), None),
        (("-",), NODE.encode()),
        (("-f", "-"), NODE.encode()),
    ]
    server.answers([node()] * len(ways))
    for arguments, data in ways:
        assert ask(server, *arguments, "-o", "-", data=data).exit_code == 0
    assert {request.data for request in server.requests} == {NODE}


def test_tables(server: OverpassServer, tmp_path: Path) -> None:
    table = Reply(200, {"Content-Type": "text/csv"}, "@id\n1\n", gzip=True)
    server.answers([table, table, node()])
    target = tmp_path / "x.csv"
    result = ask(server, "[out:csv(::id)];node(1);out;", "-o", target)
    assert (result.exit_code, target.read_text()) == (0, "@id\n1\n")
    assert result.stderr == f"done: {target}: 6 bytes from {server.url}\n"
    result = ask(server, "[out:csv(::id)];!;", "--unchecked", "-o", "-")
    assert (result.exit_code, result.stdout) == (0, "@id\n1\n")
    assert ask(server, NODE, "--raw", "-o", "-").stdout == node_text(1)
    for name in ("x.geojson", "x.osm", "x.gpx"):
        result = ask(server, "[out:csv(::id)];node(1);out;", "-o", tmp_path / name)
        assert result.exit_code == 2 and "prints a table" in result.stderr
    assert len(server.requests) == 3


def test_boxes(server: OverpassServer) -> None:
    server.answers([node()] * 3)
    box = ("--bbox", "1,2,3,4")
    assert ask(server, "[out:json];node({{bbox}});out;", *box, "-o", "-").exit_code == 0
    assert ask(server, "[out:json];node(1,2,3,4);out;", "--tiles", *box, "-o", "-").exit_code == 0
    assert ask(server, "[out:json];node({{bbox}});out;", "--tiles", *box, "-o", "-").exit_code == 0
    assert ask(server, NODE, *box, "-o", "-").exit_code == 2
    for request in server.requests:
        assert "(1,2,3,4)" in (request.data or "").replace(".0000000", "")
    assert len(server.requests) == 3


TIMED_OUT = (
    '{"version":0.6,"elements":[{"type":"node","id":1,"lat":1,"lon":2}],"remark":"runtime error: '
    'Query timed out in \\"query\\" at line 1 after 26 seconds."}'
)


def test_tiles(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([Reply.json(TIMED_OUT)] + [node(n) for n in (1, 2, 3, 4)])
    target = tmp_path / "x.json"
    result = ask(server, "[out:json];node(0,0,2,2);out;", "--tiles", "-o", target)
    assert result.exit_code == 0
    assert "4 elements" in result.stderr and ", in 4 tiles" in result.stderr
    server.answers([Reply.json(TIMED_OUT), node()])
    few = ("--tiles", "--max-tiles", "2", "--max-depth", "1")
    result = ask(server, "[out:json];node(0,0,2,2);out;", *few, "-o", target)
    assert result.exit_code == 1 and "more tiles than the 2" in result.stderr
    assert len(overpasskit.load(target).elements) == 4


def test_partial(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([Reply.json(TIMED_OUT)] * 2)
    target = tmp_path / "x.geojson"
    result = ask(server, NODE, "-o", target)
    assert result.exit_code == 1 and not target.exists()
    assert result.stderr.startswith("error: query:1: ") and "timed out" in result.stderr
    result = ask(server, NODE, "-o", target, "--partial")
    assert result.exit_code == 3 and target.exists()
    assert "warning: " in result.stderr


def test_timeout(server: OverpassServer) -> None:
    server.answers([node()] * 2)
    assert ask(server, NODE, "--timeout", "77", "-o", "-").exit_code == 0
    assert ask(server, "so (odd", "--unchecked", "-o", "-").exit_code == 0
    assert "[timeout:77]" in (server.requests[0].data or "")
    assert server.requests[1].data == "so (odd"


# What goes wrong


def test_errors_are_one_line(server: OverpassServer, tmp_path: Path) -> None:
    file = tmp_path / "q.ql"
    file.write_text("[out:json];\nnode(1;\nout;", encoding="utf-8")
    page = "<html><body><p><strong>Error</strong>: line 1: parse error: no</p></body></html>"
    server.answers([Reply.html(400, page), Reply(403), Reply(200, {}, "{")])
    cases = [
        ((f"@{file}",), f"error: {file}:2:7: expected"),
        (("-f", tmp_path / "none"), f"error: {tmp_path / 'none'}: "),
        ((NODE, "--endpoint", "moon"), "error: query: "),
        ((NODE, "--app", "curl"), "error: query: "),
        ((NODE,), "error: query:1: line 1: parse error"),
        ((NODE,), f"error: 127.0.0.1:{server.port}: the server refuses"),
        (("[out:custom];node(1);out;",), "error: query: "),
    ]
    for arguments, words in cases:
        result = ask(server, *arguments, "-o", tmp_path / "x.json")
        assert (result.exit_code, result.stdout) == (1, ""), arguments
        assert result.stderr.startswith(words) and result.stderr.count("\n") == 1, result.stderr
    assert sorted(each.name for each in tmp_path.iterdir()) == ["q.ql"]


def test_usage(server: OverpassServer) -> None:
    cases: list[tuple[object, ...]] = [
        (),
        (NODE, "-f", "x"),
        (NODE, "--max-tiles", "3"),
        (NODE, "--tiles", "--raw"),
        (NODE, "--tiles", "--partial"),
        (NODE, "--raw", "--to", "osm"),
        (NODE, "--bbox", "1,2,3"),
        (NODE, "--timeout", "0"),
        (NODE, "--max-age", "0"),
    ]
    for arguments in cases:
        result = ask(server, *arguments, "-o", "-")
        assert (result.exit_code, result.stdout) == (2, ""), arguments
    assert ask(server, NODE).exit_code == 2
    assert ask(server, NODE, "-o", "x.json.gz").exit_code == 2
    result = run("run", NODE, "-o", "-", app=None)
    assert result.exit_code == 2 and "OVERPASSKIT_APP" in result.stderr
    assert server.requests == []


def test_trouble_is_told(server: OverpassServer) -> None:
    with OverpassServer() as mirror:
        mirror.answers([Reply(504)])
        server.answers([node()])
        result = ask(server, NODE, "--endpoint", mirror.url, "-o", "-", "-q")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith("note: request 1: ") and "HTTP 504" in line
    assert line.endswith(f"; asking 127.0.0.1:{server.port}")


def test_interrupts(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([Reply(hang=True)])
    target = str(tmp_path / "x.json")
    with start("run", NODE, "--endpoint", server.url, "-o", target) as program:
        assert server.wait_for_requests(1)
        program.send_signal(signal.SIGINT)
        output, errors = program.communicate(timeout=60)
    assert (program.returncode, output, errors) == (130, b"", b"error: query: cancelled\n")
    assert list(tmp_path.iterdir()) == []


def on_terminal(*arguments: str) -> tuple[str, int]:
    """What a command shows on a terminal, and its exit code."""
    reader, terminal = pty.openpty()
    with start(*arguments, stderr=terminal) as program:
        os.close(terminal)
        shown = b""
        try:
            while more := os.read(reader, 65536):
                shown += more
        except OSError as error:
            # The other end is closed.
            assert error.errno == errno.EIO
        finally:
            os.close(reader)
        return shown.decode(), program.wait(60)


def test_bar(server: OverpassServer, tmp_path: Path) -> None:
    slow = node(delay=0.5, portion=20, portion_delay=0.2)
    server.answers([slow])
    target = str(tmp_path / "x.json")
    shown, code = on_terminal("run", NODE, "-o", target, "--endpoint", server.url)
    assert code == 0
    for words in ("running (127.0.0.1", "downloading", "bytes, ", "decoding", "1 element"):
        assert words in shown, words
    assert "done" in shown.rpartition("\x1b[2K")[2]


def test_bar_of_a_wait(server: OverpassServer) -> None:
    server.answers([Reply(504)])
    reader, terminal = pty.openpty()
    with start("run", NODE, "-o", "-", "--endpoint", server.url, stderr=terminal) as program:
        os.close(terminal)
        shown = b""
        while b"the server is busy" not in shown:
            shown += os.read(reader, 65536)
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 130
        os.close(reader)
    assert b"waiting (127.0.0.1" in shown and b" s; the server is busy" in shown


# The other commands


def test_status(server: OverpassServer) -> None:
    page = "Rate limit: 2\n1 slots available now.\nSlot available after: x, in 40 seconds.\n"
    server.answers([Reply.text(page)], STATUS)
    with OverpassServer() as other:
        other.answers([Reply(502)], STATUS)
        result = run("status", "--endpoint", other.url, "--endpoint", server.url)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {other.url}: ") and result.stderr.count("\n") == 1
    (row,) = (line for line in result.stdout.splitlines() if server.url in line)
    assert row.split() == [server.url, "2", "1", "in", "40", "s", "-"]
    assert run("status", app=None).exit_code == 2


def test_endpoints() -> None:
    result = run("endpoints", app=None)
    assert result.exit_code == 0
    for each in overpasskit.endpoints():
        assert each.name in result.stdout and each.url in result.stdout
