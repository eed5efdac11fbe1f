"""Requests through QGIS: its proxy and authentications hold, its impatience does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import PLUGINS
from overpass_server import OverpassServer, Reply
from qgis_program import Qgis


@pytest.fixture(scope="module")
def told(qgis: Qgis) -> Any:
    outcome = qgis.script(Path(__file__).with_name("requests_of_qgis.py"))
    assert outcome.code == 0 and "Traceback" not in outcome.errors, outcome.text
    return json.loads(outcome.output.splitlines()[-1])


def test_headers(told: Any) -> None:
    agent, encoding, kind = told["headers"]
    assert agent.startswith("tests/1 (tests@example.org) OverpassKit/")
    assert (encoding, kind) == ("gzip", "application/x-www-form-urlencoded")
    assert told["plain"] == [1, True]


def test_patience(told: Any) -> None:
    assert told["slow"] == [1, True]


def test_redirects(told: Any) -> None:
    assert told["redirect"] == [[1, True], "node(1);out;"]


def test_large_answers_come_in_portions(told: Any) -> None:
    assert told["large"] == [1, True]


def test_failures(told: Any) -> None:
    assert told["cut"] == ["TransportError", "OPK_ERR_TRANSPORT_INTERRUPTED"]
    assert told["429"] == ["RateLimitError", "OPK_ERR_SERVER_RATE_LIMITED"]
    assert told["nobody"] == ["TransportError", "OPK_ERR_TRANSPORT_CONNECT"]
    count, is_complete = told["reset"]
    assert count > 0 and is_complete is False


def test_authentication(told: Any) -> None:
    assert told["stored"]
    assert told["authentication"] == [[1, True], "Basic bWU6d29yZA=="]
    assert told["no authentication"][0] == "TransportError"
    # It does not go where the server redirects to.
    assert told["elsewhere"] == [[1, True], "Basic bWU6d29yZA==", None]


def test_two_at_once(told: Any) -> None:
    assert told["both"] == [[[1, True], [1, True]], 1, 1]


def test_cancel(told: Any) -> None:
    kind, seconds = told["canceled"]
    assert kind == "CancelledError" and seconds < 3


def test_proxy(tmp_path: Path, qgis: Qgis, server: OverpassServer) -> None:
    """A request to a host that nobody knows arrives at the proxy of QGIS's settings."""
    behind = Qgis(tmp_path, PLUGINS)
    behind.enable("overpasskit_qgis", contact="tests@example.org")
    behind.set(
        "proxy",
        proxyEnabled="true",
        proxyType="HttpProxy",
        proxyHost="127.0.0.1",
        proxyPort=server.port,
    )
    server.answers_by(lambda _: Reply.json(), "http://overpass.invalid/api/interpreter")
    server.answers_by(lambda _: Reply.json())
    outcome = behind.run(
        "runquery", QUERY="node(1);out;", ENDPOINT="http://overpass.invalid/api/interpreter"
    )
    assert outcome.code == 0, outcome.text
    (request,) = server.requests
    assert request.headers["host"] == "overpass.invalid"
