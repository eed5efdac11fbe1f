"""Queries, run by `qgis_process` at a server on the loopback interface."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ANSWERS
from overpass_server import INTERPRETER, OverpassServer, Reply
from qgis_program import Outcome, Qgis
from reading import rows

QUERY = '[out:json];node["amenity"="cafe"]({{bbox}});out;'
EXTENT = "7,8,50,51 [EPSG:4326]"
ANSWER = json.dumps(
    {
        "version": 0.6,
        "osm3s": {"timestamp_osm_base": "2026-01-02T03:04:05Z"},
        "elements": [
            {"type": "node", "id": 5, "lat": 50.5, "lon": 7.5,
             "tags": {"amenity": "cafe", "name": "Käse & \"Co\""}},
            {"type": "way", "id": 6, "center": {"lat": 50.6, "lon": 7.6},
             "tags": {"building": "yes"}},
        ],
    }
)  # fmt: skip

TIMED_OUT = (
    '{"elements":[],"remark":"runtime error: Query timed out in \\"query\\" at line 1 '
    'after 26 seconds."}'
)


def run(qgis: Qgis, server: OverpassServer, **inputs: Any) -> Outcome:
    return qgis.run("runquery", **{"ENDPOINT": server.url, **inputs})


def test_points(qgis: Qgis, server: OverpassServer, tmp_path: Path) -> None:
    server.answers([Reply.json(ANSWER, gzip=True)])
    target = tmp_path / "points.gpkg"
    outcome = run(qgis, server, QUERY=QUERY, EXTENT=EXTENT, POINTS=target)
    assert outcome.code == 0, outcome.text
    assert outcome.results["COUNT"] == 2
    first, second = rows(target)
    assert (first["osm_type"], first["osm_id"], first["name"]) == ("node", 5, 'Käse & "Co"')
    assert first["wkt"] == "POINT (7.5 50.5)"
    # What `out center` printed is a point.
    assert (second["osm_type"], second["building"], second["amenity"]) == ("way", "yes", None)
    assert second["wkt"] == "POINT (7.6 50.6)"
    (request,) = server.requests
    sent = '[out:json];node["amenity"="cafe"](50.0000000,7.0000000,51.0000000,8.0000000);out;'
    assert request.data == sent == outcome.results["SENT"]


def test_who_asks(qgis: Qgis, server: OverpassServer) -> None:
    server.answers([Reply.json()])
    assert run(qgis, server, QUERY="node(1);out;").code == 0
    agent = server.requests[0].headers["user-agent"]
    assert agent.startswith("overpasskit-qgis/") and "(tests@example.org)" in agent
    assert "x-overpasskit-agent" not in server.requests[0].headers


def test_no_contact(tmp_path: Path, qgis: Qgis, server: OverpassServer) -> None:
    from conftest import PLUGINS

    other = Qgis(tmp_path, PLUGINS)
    other.enable("overpasskit_qgis")
    outcome = run(other, server, QUERY="node(1);out;")
    assert outcome.code == 1
    assert "want to know who asks" in outcome.text and "CONTACT" in outcome.text
    assert not server.requests
    server.answers([Reply.json()])
    assert run(other, server, QUERY="node(1);out;", CONTACT="me@example.org").code == 0


def test_libcurl(tmp_path: Path, qgis: Qgis, server: OverpassServer) -> None:
    from conftest import PLUGINS

    other = Qgis(tmp_path, PLUGINS)
    other.enable("overpasskit_qgis", contact="curl@example.org", network="libcurl")
    server.answers([Reply.json(ANSWER)])
    outcome = run(other, server, QUERY="node(1);out;")
    assert outcome.results["COUNT"] == 2
    assert "curl@example.org" in server.requests[0].headers["user-agent"]
    assert server.requests[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(429), ["too many queries", "Wait a minute"]),
        (Reply(504), ["Try again later"]),
        (Reply(403), ["contact"]),
        (
            Reply.html(
                400,
                "<html><body><p><strong>Error</strong>: line 1: parse error: "
                'Unknown type "nod" </p></body></html>',
            ),
            ['Unknown type "nod"'],
        ),
        (Reply.html(200, "<html>not me</html>"), ["not what was asked for"]),
        (
            Reply.json(TIMED_OUT),
            ["timed out", "smaller area"],
        ),
        (Reply(refuse=True), ["the connection broke", "proxy"]),
    ],
    ids=["rate limit", "busy", "refused", "bad request", "a page", "out of time", "no connection"],
)
def test_server_errors(qgis: Qgis, server: OverpassServer, reply: Reply, said: list[str]) -> None:
    # Qt repeats a request by itself when the connection is closed before the reply.
    server.answers_by(lambda _: reply)
    outcome = run(qgis, server, QUERY="node(1);out;", ATTEMPTS=1)
    assert outcome.code == 1
    for each in said:
        assert each.lower() in outcome.text.lower(), outcome.text
    assert "Traceback" not in outcome.text


def test_cut_answer(qgis: Qgis, server: OverpassServer) -> None:
    cut = Reply.json(ANSWER, cut_after=len(ANSWER.encode()) - 50)
    server.answers([cut, cut])
    inputs: dict[str, Any] = {"QUERY": "node(1);out;", "ATTEMPTS": 1}
    assert run(qgis, server, **inputs).code == 1
    outcome = run(qgis, server, PARTIAL=True, **inputs)
    assert outcome.code == 0, outcome.text
    assert outcome.results["COUNT"] == 1
    assert "NOT complete" in outcome.text


def test_mistake_in_query(qgis: Qgis, server: OverpassServer) -> None:
    outcome = run(qgis, server, QUERY="nod[amenity](1,2,3,4);out;")
    assert outcome.code == 1 and "line 1, column 1" in outcome.text
    assert not server.requests


def test_bbox_without_extent(qgis: Qgis, server: OverpassServer) -> None:
    outcome = run(qgis, server, QUERY=QUERY)
    assert outcome.code == 1 and "EXTENT" in outcome.text
    assert not server.requests


@pytest.mark.parametrize(
    "reply", [Reply(hang=True), Reply.json(ANSWER, stall=True, declared_length=9999)]
)
def test_cancel(qgis: Qgis, server: OverpassServer, reply: Reply) -> None:
    """A query that nothing comes from ends at once, not after its time."""
    server.answers([reply])
    outcome = qgis.run(
        "runquery",
        interrupt_when=lambda: server.wait_for_requests(1, 0.01),
        ENDPOINT=server.url,
        QUERY="node(1);out;",
    )
    assert outcome.code != 0
    assert outcome.seconds < 5
    assert "Canceled" in outcome.text
    assert len(server.requests) == 1


def test_cancel_of_a_wait(qgis: Qgis, server: OverpassServer) -> None:
    """Nor does a wait for a busy server hold it up."""
    server.answers([Reply(429)] * 3)
    outcome = qgis.run(
        "runquery",
        interrupt_when=lambda: server.wait_for_requests(1, 0.01),
        ENDPOINT=server.url,
        QUERY="node(1);out;",
    )
    assert outcome.code != 0 and outcome.seconds < 5
    assert "Canceled" in outcome.text


def test_tiles(qgis: Qgis, server: OverpassServer) -> None:
    server.answers([Reply.json(TIMED_OUT), *[Reply.json(ANSWER)] * 4])
    outcome = run(qgis, server, QUERY=QUERY, EXTENT=EXTENT, TILES=True)
    assert outcome.code == 0, outcome.text
    assert outcome.results["COUNT"] == 2
    assert len(server.requests) == 5


def test_tiles_that_are_missing(qgis: Qgis, server: OverpassServer) -> None:
    replies = [Reply.json(TIMED_OUT), Reply.json(ANSWER), Reply(400)]
    inputs: dict[str, Any] = {"QUERY": QUERY, "EXTENT": EXTENT, "TILES": True, "ATTEMPTS": 1}
    server.answers(replies * 2)
    assert run(qgis, server, **inputs).code == 1
    outcome = run(qgis, server, PARTIAL=True, **inputs)
    assert outcome.results["COUNT"] == 2
    assert "Tiles are missing" in outcome.text


def test_place(qgis: Qgis, server: OverpassServer) -> None:
    place = {
        "osm_type": "relation", "osm_id": 62508, "lat": "50.73", "lon": "7.1", "importance": 0.7,
        "boundingbox": ["50.6", "50.8", "7.0", "7.2"],
    }  # fmt: skip
    server.answers([Reply.json(json.dumps([place]))], "/search")
    server.answers([Reply.json(ANSWER)])
    search = server.origin + "/search"
    outcome = run(qgis, server, QUERY="amenity=cafe in Bonn", GEOCODER=search)
    assert outcome.code == 0, outcome.text
    asked, sent = server.requests
    assert asked.query == "q=Bonn&format=jsonv2&limit=10"
    assert "tests@example.org" in asked.headers["user-agent"]
    assert "area(id:3600062508)" in (sent.data or "")


def test_no_such_place(qgis: Qgis, server: OverpassServer) -> None:
    server.answers([Reply.json("[]"), Reply(500)], "/search")
    search = server.origin + "/search"
    outcome = run(qgis, server, QUERY="amenity=cafe in Nowhere", GEOCODER=search)
    assert outcome.code == 1 and "Nowhere" in outcome.text
    # QGIS keeps what a place was found to be.
    outcome = run(qgis, server, QUERY="amenity=cafe in Elsewhere", GEOCODER=search)
    assert outcome.code == 1 and "looking for a place" in outcome.text
    assert not server.requests_to(INTERPRETER)


def test_query_file(qgis: Qgis, server: OverpassServer, tmp_path: Path) -> None:
    server.answers([Reply.json(ANSWER)])
    file = tmp_path / "query"
    file.write_text("node(1);out;")
    assert run(qgis, server, QUERY_FILE=file).results["COUNT"] == 2
    outcome = run(qgis, server, QUERY_FILE=tmp_path / "none")
    assert outcome.code == 1 and "none: No such file" in outcome.text


def test_file_in_place_of_server(qgis: Qgis, tmp_path: Path) -> None:
    outcome = qgis.run("runquery", QUERY="node(1);out;", ENDPOINT=ANSWERS / "kinds.json")
    assert outcome.code == 0 and outcome.results["COUNT"] > 0
    assert "the query is not run on it" in outcome.text
    data = tmp_path / "bonn.osm.pbf"
    data.write_bytes(b"\0")
    outcome = qgis.run("runquery", QUERY="node(1);out;", ENDPOINT=data)
    assert outcome.code == 1 and "cannot be run on local data yet" in outcome.text


def test_unknown_server(qgis: Qgis) -> None:
    outcome = qgis.run("runquery", QUERY="node(1);out;", ENDPOINT="nobody")
    assert outcome.code == 1 and "nobody" in outcome.text
