"""Clients: what is sent, what comes back, what errors carry. Over libcurl and loopback."""

from __future__ import annotations

import pickle
import ssl
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import overpasskit
import pytest
from asking import APP, NODE, Story, client_of, ids, node, node_text, query
from overpass_server import AUTHORITY, INTERPRETER, KILL, STATUS, OverpassServer, Reply
from overpasskit import Bounds, Client, Limits, Query
from overpasskit.language import PrintableQuery


@pytest.fixture
def server() -> Iterator[OverpassServer]:
    with OverpassServer() as server:
        yield server


# What is sent


def test_request(server: OverpassServer) -> None:
    server.answers([node()])
    text = '[out:json][timeout:7];\nnode["name"="Ä&+ %"](1,2,3,4);\nout;'
    with client_of(server, headers={"X-Key": "secret"}) as client:
        assert ids(client.fetch(text)) == [1]
    (request,) = server.requests
    assert (request.method, request.path, request.query) == ("POST", INTERPRETER, "")
    assert request.data == text
    assert request.body == b"data=" + urllib.parse.quote_plus(text, safe="*").encode()
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.headers["content-length"] == str(len(request.body))
    assert request.headers["user-agent"] == f"{APP} OverpassKit/{overpasskit.__version__}"
    assert request.headers["accept-encoding"] == "gzip"
    assert request.headers["x-key"] == "secret"
    assert "expect" not in request.headers


def test_xml_goes_as_it_is(server: OverpassServer) -> None:
    server.answers([Reply(200, {"Content-Type": "application/osm3s+xml"}, "<osm/>")])
    text = '<osm-script><id-query ref="1" type="node"/><print/></osm-script>'
    with client_of(server) as client:
        assert ids(client.fetch(text)) == []
    (request,) = server.requests
    assert request.headers["content-type"] == "text/xml; charset=utf-8"
    assert request.body == text.encode()


@pytest.mark.parametrize(
    "asked",
    [
        Query.nodes().tag("amenity", "cafe").bbox(south=1, west=2, north=3, east=4),
        Query.nodes().tag("amenity", "cafe").bbox(south=1, west=2, north=3, east=4).out("tags"),
        Query.parse("[out:json];node[amenity=cafe](1,2,3,4);out;"),
    ],
)
def test_all_kinds_of_queries(server: OverpassServer, asked: PrintableQuery) -> None:
    server.answers([node()])
    with client_of(server) as client:
        client.fetch(asked)
    assert server.requests[0].data == asked.ql()


def test_timeout_is_that_of_the_query(server: OverpassServer) -> None:
    server.answers([node()] * 3)
    with client_of(server) as client:
        client.fetch(NODE, timeout=33)
        client.fetch(Query.nodes().tag("a").bbox(south=1, west=2, north=3, east=4), timeout=33)
        client.fetch("such a language", unchecked=True, timeout=33)
        with pytest.raises(overpasskit.MisuseError, match="whole seconds"):
            client.fetch(NODE, timeout=1.5)
        with pytest.raises(overpasskit.MisuseError, match="more than 0"):
            client.fetch("x", unchecked=True, timeout=-1)
    texts = [request.data or "" for request in server.requests]
    assert ["[timeout:33]" in each for each in texts] == [True, True, False]
    assert texts[2] == "such a language"


def test_connections_are_kept(server: OverpassServer) -> None:
    server.answers([node(number) for number in range(1, 6)])
    with client_of(server) as client:
        for number in range(1, 6):
            assert ids(client.fetch(query(number))) == [number]
    assert server.connections == 1


# What is refused before anything is sent


def test_mistakes_are_found_first(server: OverpassServer) -> None:
    with client_of(server) as client:
        with pytest.raises(overpasskit.QueryError) as caught:
            client.fetch("[out:json];\nnode[amenity=cafe;\nout;")
        assert (caught.value.line, caught.value.attempts) == (2, ())
        with pytest.raises(overpasskit.ClientError, match="fetch its bytes"):
            client.fetch("[out:csv(::id)];node(1);out;")
        with pytest.raises(overpasskit.ClientError, match="prints no table"):
            client.fetch_csv(NODE)
        with pytest.raises(overpasskit.MisuseError, match=r"\.out\(\)"):
            client.fetch(overpasskit.ElementSet.area("Galway"))  # type: ignore[arg-type]
        with pytest.raises(overpasskit.MisuseError, match="not 17"):
            client.fetch(17)  # type: ignore[arg-type]
        with pytest.raises(overpasskit.QueryError, match="UTF-8"):
            client.fetch("node(1);out;\udc80")
    assert server.requests == []


@pytest.mark.parametrize(
    ("application", "options", "expected", "words"),
    [
        ("", {}, overpasskit.ClientError, "who asks"),
        ("Mozilla/5.0", {}, overpasskit.ClientError, "browser"),
        ("python-requests/2", {}, overpasskit.ClientError, "library"),
        ("a\nb", {}, overpasskit.ClientError, "header"),
        ("a\0b", {}, overpasskit.MisuseError, "NUL"),
        (APP, {"endpoints": []}, overpasskit.ClientError, "no server"),
        (APP, {"endpoints": "moon"}, overpasskit.ClientError, "moon"),
        (APP, {"endpoints": ["main", "ftp://x/"]}, overpasskit.ClientError, "ftp"),
        (APP, {"headers": {"User-Agent": "x"}}, overpasskit.MisuseError, "User-Agent"),
        (APP, {"headers": {"X": "a\r\nb"}}, overpasskit.MisuseError, "control"),
        (APP, {"headers": {"X": "a\0b"}}, overpasskit.MisuseError, "control"),
        (APP, {"max_attempts": 0}, overpasskit.MisuseError, "max_attempts"),
        (APP, {"busy_wait": -1}, overpasskit.MisuseError, "wait"),
        (APP, {"max_wait": float("nan")}, overpasskit.MisuseError, "wait"),
        (APP, {"connect_timeout": -1}, overpasskit.MisuseError, "connect"),
        (APP, {"cache": overpasskit.Cache("/tmp/x", 0)}, overpasskit.MisuseError, "last some time"),
        (APP, {"cache": overpasskit.Cache("/tmp/\0", 1)}, overpasskit.MisuseError, "NUL"),
        (APP, {"cache": overpasskit.Cache("/tmp/x", 1, 0)}, overpasskit.MisuseError, "max_bytes"),
        (APP, {"transport": 17}, overpasskit.MisuseError, "transport"),
    ],
)
def test_clients_that_cannot_be(
    application: str, options: dict[str, object], expected: type[Exception], words: str
) -> None:
    with pytest.raises(expected, match=words):
        Client(application, **options)  # type: ignore[arg-type]


def test_closed_clients(server: OverpassServer) -> None:
    client = client_of(server)
    client.close()
    client.close()
    for call in (lambda: client.fetch(NODE), client.status, client.kill_queries):
        with pytest.raises(overpasskit.MisuseError, match="client is closed"):
            call()


def test_known_endpoints() -> None:
    known = overpasskit.endpoints()
    assert known[0].name == "main"
    assert len({each.name for each in known}) == len(known) >= 3
    assert all(each.url.startswith("https://") for each in known)
    assert all(each.coverage and each.provider for each in known)


# What comes back


def test_source(server: OverpassServer) -> None:
    server.answers([node()])
    story = Story()
    with client_of(server) as client:
        response = client.fetch(NODE, progress=story)
    source = response.source
    assert source is not None
    assert (source.endpoint, source.from_cache, source.tiles) == (server.url, False, ())
    (attempt,) = source.attempts
    assert attempt.endpoint == f"127.0.0.1:{server.port}"
    assert (attempt.url, attempt.error, attempt.status_name) == (server.url, None, "OPK_OK")
    assert attempt.seconds >= 0
    assert story.phases == ["running", "downloading", "decoding"]
    last = story.told[-1]
    assert (last.bytes, last.total, last.elements) == (len(node_text(1)),) * 2 + (1,)
    assert overpasskit.loads(node_text(1)).source is None


def test_bytes(server: OverpassServer) -> None:
    server.answers([node(gzip=True)])
    with client_of(server) as client:
        assert client.fetch_bytes(NODE) == node_text(1).encode()
    assert overpasskit.loads(node_text(1)).timestamp is not None


@pytest.mark.parametrize(
    ("settings", "body", "headings", "rows"),
    [
        ("::id,name", "@id\tname\n1\tKoti\n", ["::id", "name"], [(1, "Koti")]),
        ("::id,name;false", "1\tKoti\n", ["::id", "name"], [(1, "Koti")]),
        ('::id,"a,b";false;"|"', "1|x\n", ["::id", "a,b"], [(1, "x")]),
        ('::type,"addr:city";true;";"', "@type;addr:city\nnode;X\n", ["::type", "addr:city"],
         [("node", "X")]),
        ('"q\\"";true;","', 'q"\nx\n', ['q"'], [("x",)]),
    ],
)  # fmt: skip
def test_tables(
    server: OverpassServer, settings: str, body: str, headings: list[str], rows: list[object]
) -> None:
    server.answers([Reply(200, {"Content-Type": "text/csv"}, body)])
    with client_of(server) as client:
        table = client.fetch_csv(f"[timeout:25][out:csv({settings})];node(1);out;")
    assert table.headings == headings
    assert list(table) == rows


def test_status_and_kill(server: OverpassServer) -> None:
    server.answers([Reply.text("Connected as: 1\nRate limit: 2\n1 slots available now.\n")], STATUS)
    server.answers([Reply.text("")], KILL)
    with client_of(server) as client:
        slots = client.status()
        client.kill_queries()
        assert (slots.rate_limit, slots.free) == (2, 1)
        with OverpassServer() as other:
            other.answers([Reply.html(503, "<html>no</html>")], STATUS)
            with pytest.raises(overpasskit.ServerError):
                client.status(other.url)
        with pytest.raises(overpasskit.ClientError, match="moon"):
            client.status("moon")
    assert [(r.method, r.path) for r in server.requests] == [("GET", STATUS), ("GET", KILL)]
    assert all(APP in r.headers["user-agent"] for r in server.requests)


def test_limits(server: OverpassServer) -> None:
    server.answers([node(), Reply.json(declared_length=2**32)])
    with client_of(server) as client:
        with pytest.raises(overpasskit.LimitError):
            client.fetch(NODE, limits=Limits(bytes=20))
        with pytest.raises(overpasskit.LimitError, match="4294967296 bytes"):
            client.fetch(NODE, limits=Limits(bytes=1 << 20))
    assert len(server.requests) == 2


# Errors

OUT_OF_TIME = (
    '{"version":0.6,"elements":[{"type":"node","id":1,"lat":1,"lon":2}],"remark":"runtime error: '
    'Query timed out in \\"recurse\\" at line 3 after 26 seconds."}'
)


def test_out_of_time(server: OverpassServer) -> None:
    server.answers([Reply.json(OUT_OF_TIME)] * 2)
    with client_of(server) as client:
        with pytest.raises(overpasskit.QueryTimeoutError) as caught:
            client.fetch(NODE)
        response = client.fetch(NODE, partial=True)
    error = caught.value
    assert error.partial is not None and ids(error.partial) == [1]
    (message,) = error.messages
    assert (message.category, message.seconds, message.statement, message.line) == (
        "query_timeout", 26, "recurse", 3,
    )  # fmt: skip
    assert [each.status_name for each in error.attempts] == ["OPK_ERR_SERVER_TIMEOUT"]
    assert (ids(response), response.is_complete) == ([1], False)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.messages, copy.attempts, copy.partial) == (error.messages, error.attempts, None)


def test_refused(server: OverpassServer) -> None:
    server.answers([Reply.html(403, "<html><body>no</body></html>")])
    with client_of(server) as client, pytest.raises(overpasskit.RefusedError) as caught:
        client.fetch(NODE)
    assert any("User-Agent" in each.text for each in caught.value.messages)
    assert len(server.requests) == 1


def test_bad_request(server: OverpassServer) -> None:
    page = '<p><strong>Error</strong>: line 2: parse error: Unknown type "x" </p>'
    server.answers([Reply.html(400, f"<html><body>{page}</body></html>")])
    with client_of(server) as client, pytest.raises(overpasskit.BadRequestError) as caught:
        client.fetch("x(1);out;", unchecked=True)
    assert caught.value.messages[0].line == 2
    assert "Unknown type" in caught.value.message


@pytest.mark.parametrize("reply", [node(reset_after=60), node(cut_after=60)])
def test_the_connection_breaks(server: OverpassServer, reply: Reply) -> None:
    server.answers([reply, reply, node(), reply, reply, reply])
    with client_of(server, busy_wait=0.01, max_attempts=3) as client:
        response = client.fetch(NODE)
        with pytest.raises(overpasskit.TransportError) as caught:
            client.fetch(NODE)
    assert response.source is not None
    assert [each.status_name for each in response.source.attempts] == [
        "OPK_ERR_TRANSPORT_INTERRUPTED", "OPK_ERR_TRANSPORT_INTERRUPTED", "OPK_OK",
    ]  # fmt: skip
    assert isinstance(caught.value, ConnectionError)
    assert len(caught.value.attempts) == 3
    assert len(server.requests) == 6


def test_nobody_listens() -> None:
    with OverpassServer() as server:
        url = server.url
    with Client(APP, endpoints=url, max_attempts=2, busy_wait=0.01) as client:
        with pytest.raises(overpasskit.TransportError) as caught:
            client.fetch(NODE)
    assert caught.value.status_name == "OPK_ERR_TRANSPORT_CONNECT"
    assert len(caught.value.attempts) == 2
    assert caught.value.partial is None


def test_failover_is_in_order_and_told(server: OverpassServer) -> None:
    with OverpassServer() as mirror:
        server.answers([Reply.html(504, "<html>busy</html>")])
        mirror.answers([node()])
        story = Story()
        with client_of(server, mirror) as client:
            response = client.fetch(NODE, progress=story)
        assert len(mirror.requests) == 1
        assert response.source is not None
        assert response.source.endpoint == mirror.url
        assert [each.url for each in response.source.attempts] == [server.url, mirror.url]
        last = story.told[-1]
        assert (last.attempt, last.endpoint) == (2, f"127.0.0.1:{mirror.port}")
        assert last.last_error


def test_redirects(server: OverpassServer) -> None:
    with OverpassServer() as other:
        server.answers([Reply.redirect(other.url, 308), Reply.redirect("/again"), Reply(302)])
        server.answers([node(2)], "/again")
        other.answers([node(1)])
        with client_of(server, headers={"X-Key": "secret"}) as client:
            response = client.fetch(NODE)
            assert ids(client.fetch(query(2))) == [2]
            with pytest.raises(overpasskit.ServerError, match="redirects"):
                client.fetch(NODE)
        assert response.source is not None
        assert response.source.attempts[0].url == other.url
        assert [r.data for r in other.requests] == [NODE]
        assert "x-key" not in other.requests[0].headers
        assert server.requests_to("/again")[0].headers["x-key"] == "secret"


def test_tls() -> None:
    with OverpassServer(tls=True) as server:
        server.answers([node()] * 2)
        with client_of(server, ca_file=AUTHORITY) as client:
            assert ids(client.fetch(NODE)) == [1]
        with client_of(server) as client, pytest.raises(overpasskit.TransportError) as caught:
            client.fetch(NODE)
        assert caught.value.status_name == "OPK_ERR_TRANSPORT_TLS"
        assert len(caught.value.attempts) == len(server.requests) == 1
        context = ssl.create_default_context(cafile=AUTHORITY)
        assert context.cert_store_stats()["x509_ca"] == 1


def test_bodies_of_all_sorts(server: OverpassServer) -> None:
    replies = [
        node(gzip=True),
        node(chunked=True, portion=7),
        node(until_close=True),
        node(portion=3, portion_delay=0.001),
        node(preface="HTTP/1.1 103 Early Hints\r\n\r\n"),
    ]
    server.answers(replies)
    with client_of(server) as client:
        for _ in replies:
            assert ids(client.fetch(NODE)) == [1]


# Tiles

BOX = "[out:json];node[amenity](0,0,8,8);out;"


def test_tiles(server: OverpassServer) -> None:
    server.answers([Reply.json(OUT_OF_TIME)] + [node(number) for number in (1, 2, 2, 4)])
    story = Story()
    with client_of(server) as client:
        response = client.fetch_tiled(BOX, progress=story)
    assert ids(response) == [1, 2, 4]
    assert response.source is not None
    tiles = response.source.tiles
    assert [(each.depth, each.is_answered) for each in tiles] == [(0, False)] + [(1, True)] * 4
    assert tiles[0].bounds == Bounds(west=0, south=0, east=8, north=8)
    assert sum(each.bounds.north - each.bounds.south for each in tiles[1:]) == 16
    assert len(response.source.attempts) == len(server.requests) == 5
    assert "0,0,4,4" in (server.requests[1].data or "")
    assert story.told[-1].tiles_done == 4 and story.told[-1].tiles_left == 1


def test_tiles_have_limits(server: OverpassServer) -> None:
    server.answers([Reply.json(OUT_OF_TIME), node(1), node(2), Reply.json(OUT_OF_TIME)])
    with client_of(server) as client:
        with pytest.raises(overpasskit.LimitError, match="more tiles than the 3") as caught:
            client.fetch_tiled(BOX, max_tiles=3)
        assert caught.value.partial is not None
        assert ids(caught.value.partial) == [1, 2]
        server.answers([Reply.json(OUT_OF_TIME)] * 2)
        with pytest.raises(overpasskit.QueryTimeoutError):
            client.fetch_tiled(BOX, Bounds(west=0, south=0, east=8, north=8), max_depth=1)
        with pytest.raises(overpasskit.ClientError):
            client.fetch_tiled("[out:json];node[amenity](0,0,8,8);out count;")
        with pytest.raises(overpasskit.MisuseError, match="max_depth"):
            client.fetch_tiled(BOX, max_depth=0)


# fetch without a client


@pytest.fixture
def defaults(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.delenv("OVERPASSKIT_APP", raising=False)
    overpasskit.configure()
    yield monkeypatch
    overpasskit.configure()


def test_somebody_has_to_ask(defaults: pytest.MonkeyPatch) -> None:
    with pytest.raises(overpasskit.ClientError, match="OVERPASSKIT_APP") as caught:
        overpasskit.fetch(NODE)
    assert caught.value.status_name == "OPK_ERR_CLIENT_APPLICATION"


def test_who_asks(defaults: pytest.MonkeyPatch, server: OverpassServer) -> None:
    server.answers([node()] * 5)
    overpasskit.fetch(NODE, "by-argument/1", endpoints=server.url)
    overpasskit.fetch(NODE, "by-argument/1", endpoints=[server.url])
    defaults.setenv("OVERPASSKIT_APP", "by-environment/1")
    overpasskit.fetch(NODE, endpoints=server.url)
    overpasskit.configure("by-setting/1", endpoints=server.url, headers={"X-Key": "k"})
    overpasskit.fetch(NODE)
    overpasskit.fetch(NODE, "by-argument/1")
    agents = [r.headers["user-agent"].split("/")[0] for r in server.requests]
    assert agents == ["by-argument"] * 2 + ["by-environment", "by-setting", "by-argument"]
    assert ["x-key" in r.headers for r in server.requests] == [False] * 3 + [True] * 2


def test_clients_are_used_again(defaults: pytest.MonkeyPatch, server: OverpassServer) -> None:
    server.answers([node()] * 4)
    for _ in range(4):
        overpasskit.fetch(NODE, APP, endpoints=server.url)
    assert server.connections == 1


def test_configure_tells_at_once(defaults: pytest.MonkeyPatch) -> None:
    with pytest.raises(overpasskit.ClientError):
        overpasskit.configure("Mozilla/5.0")
    with pytest.raises(overpasskit.ClientError):
        overpasskit.configure(APP, endpoints="moon")


# The cache


def test_cache(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([node(1), node(3)])
    cache = overpasskit.Cache(tmp_path / "kept", max_age=3600)
    with client_of(server, cache=cache) as client:
        first = client.fetch(NODE)
        second = client.fetch("[out:json][timeout:9][maxsize:1000000];\n node(1); out;")
    with client_of(server, cache=cache) as client:
        third = client.fetch(NODE)
        assert client.fetch_bytes(NODE) == node_text(1).encode()
        assert ids(client.fetch(query(3))) == [3]
    assert len(server.requests) == 2
    for response, is_kept in ((first, False), (second, True), (third, True)):
        assert ids(response) == [1]
        assert response.source is not None
        assert response.source.from_cache == is_kept
        assert response.source.endpoint == server.url
    assert third.source is not None and third.source.attempts == ()


def test_damaged_entries_are_asked_for_anew(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([node()] * 2)
    with client_of(server, cache=overpasskit.Cache(tmp_path, 3600)) as client:
        client.fetch(NODE)
        entries = [each for each in tmp_path.rglob("*") if each.is_file()]
        assert entries
        for entry in entries:
            entry.write_bytes(entry.read_bytes()[:-40])
        assert ids(client.fetch(NODE)) == [1]
    assert len(server.requests) == 2


def test_errors_and_parts_are_not_kept(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([Reply.json(OUT_OF_TIME), node()])
    with client_of(server, cache=overpasskit.Cache(tmp_path, 3600)) as client:
        assert client.fetch(NODE, partial=True).is_complete is False
        assert client.fetch(NODE).is_complete is True
    assert len(server.requests) == 2
