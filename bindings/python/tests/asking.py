"""Short ways to ask the test server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import overpasskit
from overpass_server import OverpassServer, Reply
from overpasskit import Client, FetchProgress

APP = "opk-tests/1.0 (tests@example.org)"
NODE = "[out:json];node(1);out;"
# Long enough for any machine; nothing waits for its end.
LONG = 30.0


def client_of(*servers: OverpassServer, **options: Any) -> Client:
    return Client(APP, endpoints=[server.url for server in servers], **options)


def query(number: int) -> str:
    return f"[out:json];node({number});out;"


def node(number: int = 1, **more: Any) -> Reply:
    """The answer of one node."""
    return Reply.json(node_text(number), **more)


def node_text(number: int) -> str:
    return (
        '{"version":0.6,"generator":"test","osm3s":{"timestamp_osm_base":"2026-01-02T03:04:05Z"},'
        f'"elements":[{{"type":"node","id":{number},"lat":1.5,"lon":2.5}}]}}'
    )


def ids(response: overpasskit.Response) -> list[int | None]:
    return [each.id for each in response.elements]


def eventually(condition: Callable[[], bool]) -> bool:
    """Waits for what another thread is about to do."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()


class Story:
    """Keeps what was told of progress, and acts when a phase is reached."""

    def __init__(self, **actions: Callable[[], object]) -> None:
        self.told: list[FetchProgress] = []
        self._actions = actions

    def __call__(self, progress: FetchProgress) -> None:
        self.told.append(progress)
        action = self._actions.pop(progress.phase, None)
        if action is not None:
            action()

    @property
    def phases(self) -> list[str]:
        """Without repetitions."""
        phases = [each.phase for each in self.told]
        return [each for i, each in enumerate(phases) if i == 0 or each != phases[i - 1]]

    @property
    def reasons(self) -> set[str]:
        return {each.wait_reason for each in self.told if each.wait_reason}


@contextmanager
def in_thread(function: Callable[[], object]) -> Iterator[list[object]]:
    """Runs a function on another thread, which ends with the block. Gives what came out."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(function())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield outcome
    finally:
        thread.join()
