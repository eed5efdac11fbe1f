"""Sends requests through QGIS as the plugin does. Run by test_network.py in PyQGIS."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsApplication,
    QgsAuthMethodConfig,
    QgsNetworkAccessManager,
    QgsProcessingFeedback,
)

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "build" / "qgis"), str(ROOT / "Tests" / "Server")]

NODE = '{"elements":[{"type":"node","id":%d,"lat":1,"lon":2}]}'
QUERY = "node(1);out;"


def main() -> None:
    from overpass_server import OverpassServer, Reply
    from overpasskit_qgis import network
    from overpasskit_qgis.overpasskit import Cancellation, Client, OverpassKitError
    from overpasskit_qgis.work import Work

    application = QgsApplication([], False)
    application.initQgis()
    network.install_agent()
    told: dict[str, Any] = {}

    def ask(server: OverpassServer, transport: Any = None, **options: Any) -> Any:
        with Client(
            "tests/1 (tests@example.org)",
            endpoints=server.url,
            max_attempts=1,
            transport=transport or network.QgisTransport(),
        ) as client:
            work = Work(
                lambda cancel, say: client.fetch(QUERY, cancel=cancel, progress=say, **options)
            )
            try:
                response = work.run(QgsProcessingFeedback())
            except OverpassKitError as error:
                return [type(error).__name__, error.status_name]
            return [len(response.elements), response.is_complete]

    with OverpassServer() as server, OverpassServer() as other:
        # It says who asks, and what it can take.
        server.answers([Reply.json(NODE % 1, gzip=True)])
        told["plain"] = ask(server)
        names = ("user-agent", "accept-encoding", "content-type")
        told["headers"] = [server.requests[0].headers[name] for name in names]

        # QGIS gives up after a second in this profile; the plugin does not.
        QgsNetworkAccessManager.setTimeout(1000)
        server.answers([Reply.json(NODE % 1, delay=3)])
        told["slow"] = ask(server)

        # The client follows redirects, and counts them.
        server.answers([Reply.redirect(other.url)])
        other.answers([Reply.json(NODE % 1)])
        told["redirect"] = [ask(server), other.requests[0].data]

        server.reset()
        large = NODE % 1 + " " * 2_000_000
        server.answers([Reply.json(large, portion=100_000, portion_delay=0.01)])
        told["large"] = ask(server)

        server.answers([Reply.json(NODE % 1, cut_after=20)])
        told["cut"] = ask(server)
        text = '{"elements":[' + ",".join([(NODE % 1)[13:-2]] * 50)
        server.answers([Reply.json(text, declared_length=10**6, reset_after=len(text))])
        told["reset"] = ask(server, partial=True)

        server.answers([Reply(429)])
        told["429"] = ask(server)

        # An authentication that QGIS keeps.
        manager = QgsApplication.authManager()
        manager.setMasterPassword("secret", True)
        config = QgsAuthMethodConfig("Basic")
        config.setName("test")
        config.setConfig("username", "me")
        config.setConfig("password", "word")
        stored = manager.storeAuthenticationConfig(config)
        server.reset()
        server.answers([Reply.json(NODE % 1)])
        identity = config.id()
        told["stored"] = bool(stored[0] if isinstance(stored, tuple) else stored)
        told["authentication"] = [
            ask(server, network.QgisTransport(identity)),
            server.requests[0].headers.get("authorization"),
        ]
        server.answers([Reply.redirect(other.url)])
        other.reset()
        other.answers([Reply.json(NODE % 1)])
        told["elsewhere"] = [
            ask(server, network.QgisTransport(identity)),
            server.requests[-1].headers.get("authorization"),
            other.requests[0].headers.get("authorization"),
        ]
        told["no authentication"] = ask(server, network.QgisTransport("nothing"))

        # Two at a time do not mix.
        server.reset()
        other.reset()
        for number, each in ((1, server), (2, other)):
            each.answers([Reply.json(NODE % number, delay=0.3)])
        transport = network.QgisTransport()
        found: list[Any] = []
        threads = [
            threading.Thread(target=lambda each=each: found.append(ask(each, transport)))
            for each in (server, other)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        told["both"] = [found, len(server.requests), len(other.requests)]

        # Canceled from another thread, while nothing comes.
        server.answers([Reply(hang=True)])
        cancellation = Cancellation()
        ended: list[float] = []

        def stop() -> None:
            server.wait_for_requests(2)
            ended.append(time.monotonic())
            cancellation.cancel()

        thread = threading.Thread(target=stop)
        thread.start()
        with Client("x/1 (y@z)", endpoints=server.url, transport=network.QgisTransport()) as client:
            try:
                client.fetch(QUERY, cancel=cancellation)
            except OverpassKitError as error:
                told["canceled"] = [type(error).__name__, time.monotonic() - ended[0]]
        thread.join()

    told["nobody"] = ask(server)
    print(json.dumps(told))
    sys.stdout.flush()
    application.exitQgis()


if __name__ == "__main__":
    main()
