"""Clients wait for their turn and when they are told to, and stop when they are told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import overpasskit
import pytest
from asking import LONG, NODE, Story, client_of, eventually, ids, in_thread, node, node_text, query
from overpass_server import INTERPRETER, KILL, STATUS, OverpassServer, Reply, Request
from overpasskit import Cancellation
from overpasskit._ffi import lib

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def server() -> Iterator[OverpassServer]:
    with OverpassServer() as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def limited() -> Iterator[Callable[[], tuple[dict[str, object], OverpassServer]]]:
    """Another program, which waits as long as a real server wants it to, while the tests go on."""
    with OverpassServer() as server:
        page = "<html><body><p><strong>Error</strong>: rate_limited</p></body></html>"
        server.answers([Reply.html(429, page), node()])
        server.answers([Reply.text("Connected as: 1\nRate limit: 2\n")], STATUS)
        with subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("long_wait.py")), server.url],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        ) as program:
            try:
                yield lambda: (json.loads(program.communicate(timeout=120)[0]), server)
            finally:
                program.kill()


# One at a time


def test_one_request_at_a_time(server: OverpassServer) -> None:
    # The server's own count ends a little after the last byte.
    gate, most = threading.Semaphore(1), []

    def answer(request: Request) -> Reply:
        is_alone = gate.acquire(blocking=False)
        time.sleep(0.01)
        most.append(is_alone)
        if is_alone:
            gate.release()
        return node()

    server.answers_by(answer)
    stories = [Story() for _ in range(24)]
    with client_of(server) as one, client_of(server) as other, ThreadPoolExecutor(8) as pool:
        clients = [one, other] * 12
        calls = [
            pool.submit(client.fetch, query(number), progress=story)
            for number, (client, story) in enumerate(zip(clients, stories, strict=True), 1)
        ]
        assert all(len(call.result().elements) == 1 for call in calls)
    assert most == [True] * 24
    assert len(server.requests) == 24
    assert any("turn" in story.reasons for story in stories)


def test_equal_queries_in_flight_are_one_request(server: OverpassServer) -> None:
    others = [Story() for _ in range(5)]

    def answer(request: Request) -> Reply:
        eventually(lambda: all("same_query" in story.reasons for story in others))
        return node()

    server.answers_by(answer)
    with client_of(server) as client, ThreadPoolExecutor(6) as pool:
        first = pool.submit(client.fetch, NODE)
        assert server.wait_for_requests(1)
        calls = [
            pool.submit(client.fetch, "[out:json][timeout:99]; node(1); out;", progress=story)
            for story in others
        ]
        assert [ids(each.result()) for each in [first, *calls]] == [[1]] * 6
    assert len(server.requests) == 1


def test_who_is_cancelled_leaves_the_query_to_others(server: OverpassServer) -> None:
    server.answers([Reply(hang=True), node()])
    cancellation, story = Cancellation(), Story()
    with client_of(server) as client, ThreadPoolExecutor(2) as pool:
        first = pool.submit(client.fetch, NODE, cancel=cancellation)
        assert server.wait_for_requests(1)
        second = pool.submit(client.fetch, NODE, progress=story)
        assert eventually(lambda: "same_query" in story.reasons)
        cancellation.cancel()
        with pytest.raises(overpasskit.CancelledError):
            first.result()
        assert ids(second.result()) == [1]
    assert len(server.requests) == 2


def test_load(server: OverpassServer) -> None:
    """200 queries at a server that fails each third request."""
    count = 0

    def answer(request: Request) -> Reply:
        nonlocal count
        count += 1
        if count % 3:
            return node(int((request.data or "").split("node(")[1].split(")")[0]))
        return [Reply(504), node(cut_after=50), node(reset_after=50)][count // 3 % 3]

    server.answers_by(answer)
    with client_of(server, busy_wait=0.01) as client, ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda number: client.fetch(query(number)), range(1, 201)))
    assert [ids(each) for each in responses] == [[number] for number in range(1, 201)]
    assert len(server.requests_to(INTERPRETER)) == len(server.requests) == 299
    assert server.most_at_once == 1
    attempts = Counter(len(each.source.attempts) for each in responses if each.source)
    assert attempts == {1: 101, 2: 99}


# Waiting


def test_waits_that_are_told_and_cancelled(server: OverpassServer) -> None:
    server.answers([Reply(429, {"Retry-After": "100"})])
    server.answers([Reply.text("Rate limit: 2\n")], STATUS)
    cancellation = Cancellation()
    with client_of(server) as client:
        story: Story

        def stop() -> None:
            if story.told[-1].wait_seconds > 99:
                cancellation.cancel()
            else:
                # The status page comes first.
                story._actions["waiting"] = stop

        story = Story(waiting=stop)
        with pytest.raises(overpasskit.CancelledError) as caught:
            client.fetch(NODE, progress=story, cancel=cancellation)
    assert [each.status_name for each in caught.value.attempts] == ["OPK_ERR_SERVER_RATE_LIMITED"]
    last = story.told[-1]
    assert (last.phase, last.wait_reason) == ("waiting", "rate_limit")
    assert 99 < last.wait_seconds <= 110
    assert last.last_error
    assert [r.path for r in server.requests] == [INTERPRETER, STATUS]


def test_waits_that_are_too_long(server: OverpassServer) -> None:
    server.answers([Reply(429, {"Retry-After": "100"}), Reply(503, {"Retry-After": "100"})])
    server.answers([Reply(404)], STATUS)
    with client_of(server, max_wait=50) as client, pytest.raises(overpasskit.RateLimitError):
        client.fetch(NODE)
    with OverpassServer() as other:
        other.answers([Reply(503, {"Retry-After": "100"})])
        with client_of(other, max_wait=50) as client, pytest.raises(overpasskit.ServerError):
            client.fetch(NODE)


def test_growing_waits_are_told(server: OverpassServer) -> None:
    server.answers([Reply(504)] * 3 + [node()])
    story = Story()
    with client_of(server, busy_wait=0.02) as client:
        response = client.fetch(NODE, progress=story)
    assert response.source is not None and len(response.source.attempts) == 4
    first = {}
    for each in story.told:
        if each.wait_reason == "server_busy":
            first.setdefault(each.attempt, each.wait_seconds)
    assert len(first) == 3
    assert list(first.values()) == sorted(first.values())
    assert story.phases[:4] == ["running", "downloading", "decoding", "waiting"]


def test_no_waiting_at_all(server: OverpassServer) -> None:
    server.answers([Reply(504), node()])
    with client_of(server, busy_wait=0) as client:
        assert ids(client.fetch(NODE)) == [1]


# Stopping


def descriptors() -> int:
    """Sockets of this process, those of the test server counted."""
    links = Path("/proc/self/fd")
    found = 0
    for link in links.iterdir():
        try:
            found += os.readlink(link).startswith("socket:")
        except OSError:
            continue
    return found


def threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


HUGE = Reply.json(node_text(1), declared_length=2**32, stall=True)


@pytest.mark.parametrize(
    ("phase", "reply"),
    [
        ("running", Reply(hang=True)),
        ("downloading", HUGE),
        ("waiting", Reply(503, {"Retry-After": "60"})),
    ],
)
@pytest.mark.parametrize("is_main", [True, False])
def test_cancel(server: OverpassServer, phase: str, reply: Reply, is_main: bool) -> None:
    server.answers([reply])
    before = (threading.active_count(), threads(), descriptors(), lib.opk_x_live_handles())
    cancellation, reached = Cancellation(), threading.Event()
    story = Story(**{phase: reached.set})

    def stop() -> None:
        assert reached.wait(LONG) and server.wait_for_requests(1)
        cancellation.cancel()

    def ask() -> None:
        with client_of(server) as client, pytest.raises(overpasskit.CancelledError):
            client.fetch(NODE, progress=story, cancel=cancellation)

    with in_thread(stop if is_main else ask) as outcome:
        ask() if is_main else stop()
    assert outcome == [None]
    assert eventually(lambda: server.requests[0].end is not None)
    assert len(server.requests) == 1
    assert story.told[-1].phase == phase
    assert eventually(
        lambda: (
            (threading.active_count(), threads(), descriptors(), lib.opk_x_live_handles()) <= before
        )
    )


def test_what_came_is_not_lost_but_wanted_no_more(server: OverpassServer) -> None:
    """After cancelling, no byte is taken."""
    server.answers([node(portion=10, portion_delay=0.05)])
    cancellation = Cancellation()
    story = Story(downloading=cancellation.cancel)
    with client_of(server) as client, pytest.raises(overpasskit.CancelledError) as caught:
        client.fetch(NODE, progress=story, cancel=cancellation)
    assert caught.value.partial is None
    assert story.told[-1].bytes == 0
    assert eventually(lambda: server.requests[0].end is not None)


def test_cancelled_before(server: OverpassServer) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    event = threading.Event()
    event.set()
    with client_of(server) as client:
        with pytest.raises(overpasskit.CancelledError):
            client.fetch(NODE, cancel=cancellation)
        server.answers([Reply(hang=True)])
        with pytest.raises(overpasskit.CancelledError):
            client.fetch(NODE, cancel=event)


def test_one_cancellation_for_many(server: OverpassServer) -> None:
    server.answers_by(lambda request: Reply(hang=True))
    cancellation = Cancellation()
    with client_of(server) as client, ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(client.fetch, query(n), cancel=cancellation) for n in range(1, 5)]
        assert server.wait_for_requests(1)
        cancellation.cancel()
        for call in calls:
            assert isinstance(call.exception(), overpasskit.CancelledError)
    assert cancellation.is_set()
    assert len(server.requests) == 1


def test_events_cancel(server: OverpassServer) -> None:
    server.answers([Reply(hang=True)])
    event = threading.Event()
    with client_of(server) as client:
        with in_thread(lambda: server.wait_for_requests(1) and event.set()):
            with pytest.raises(overpasskit.CancelledError):
                client.fetch(NODE, cancel=event)
    assert eventually(lambda: server.requests[0].end is not None)


def test_events_cancel_while_bytes_trickle(server: OverpassServer) -> None:
    server.answers([node(portion=1, portion_delay=0.1)])
    event = threading.Event()
    story = Story(downloading=event.set)
    with client_of(server) as client, pytest.raises(overpasskit.CancelledError):
        client.fetch(NODE, progress=story, cancel=event)
    assert story.told[-1].bytes < len(node_text(1))


def test_slow_bodies_are_told_of(server: OverpassServer) -> None:
    server.answers([node(portion=3, portion_delay=0.1)])
    story = Story()
    with client_of(server) as client:
        client.fetch(NODE, progress=story)
    counts = {each.bytes for each in story.told if each.phase == "downloading"}
    assert len(counts) >= 3


@pytest.mark.parametrize("is_main", [True, False])
def test_what_progress_raises_comes_out(server: OverpassServer, is_main: bool) -> None:
    server.answers([node()])

    def fail() -> None:
        raise LookupError("enough")

    def ask() -> None:
        with client_of(server) as client, pytest.raises(LookupError, match="enough"):
            client.fetch(NODE, progress=Story(running=fail))

    if is_main:
        ask()
    else:
        with in_thread(ask) as outcome:
            pass
        assert outcome == [None]


def test_interrupts(server: OverpassServer) -> None:
    """Ctrl-C ends a query, whatever it is at, and its request."""

    def interrupt(request: Request) -> Reply:
        os.kill(os.getpid(), signal.SIGINT)
        return Reply(hang=True)

    server.answers_by(interrupt)
    server.answers_by(interrupt, STATUS)
    with client_of(server) as client:
        for progress in (None, Story()):
            with pytest.raises(KeyboardInterrupt):
                client.fetch(NODE, progress=progress)
            assert eventually(lambda: server.requests[-1].end is not None)
        with pytest.raises(KeyboardInterrupt):
            client.status()
    server.stop()
    assert eventually(lambda: threading.active_count() <= 3)


def test_killing_at_the_server(server: OverpassServer) -> None:
    server.answers([Reply(hang=True)] * 2)
    server.answers([Reply.text("")], KILL)
    for kills in (False, True):
        cancellation = Cancellation()
        with client_of(server, kill_on_cancel=kills) as client:
            with pytest.raises(overpasskit.CancelledError):
                client.fetch(NODE, progress=Story(running=cancellation.cancel), cancel=cancellation)
        assert len(server.requests_to(KILL)) == kills


def test_closing_does_not_end_queries(server: OverpassServer) -> None:
    server.answers([node(delay=0.2)])
    client = client_of(server)
    with in_thread(lambda: ids(client.fetch(NODE))) as outcome:
        assert server.wait_for_requests(1)
        client.close()
    assert outcome == [[1]]


def test_programs_end_with_a_query_on_its_way(server: OverpassServer) -> None:
    server.answers([Reply(hang=True)])
    program = (
        "import sys, threading, overpasskit\n"
        "client = overpasskit.Client('opk-tests/1.0', endpoints=sys.argv[1])\n"
        "started = threading.Event()\n"
        "told = lambda progress: started.set()\n"
        "ask = lambda: client.fetch('node(1);out;', progress=told)\n"
        "threading.Thread(target=ask, daemon=True).start()\n"
        "started.wait()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, server.url],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_cache_of_several_programs(server: OverpassServer, tmp_path: Path) -> None:
    server.answers([node()])
    with client_of(server, cache=overpasskit.Cache(tmp_path, 3600)) as client:
        client.fetch(NODE)
    program = (
        "import sys, overpasskit\n"
        "cache = overpasskit.Cache(sys.argv[2], 3600)\n"
        "with overpasskit.Client('opk-tests/1.0', endpoints=sys.argv[1], cache=cache) as client:\n"
        f"    print(client.fetch({NODE!r}).source.from_cache)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, server.url, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert result.stdout == "True\n"
    assert len(server.requests) == 1


# At the end, because it takes the longest.


def test_thirty_seconds_of_silence(
    limited: Callable[[], tuple[dict[str, object], OverpassServer]],
) -> None:
    told, server = limited()
    assert told["attempts"] == ["OPK_ERR_SERVER_RATE_LIMITED", "OPK_OK"]
    assert told["elements"] == 1
    first, slots, second = server.requests
    assert [r.path for r in (first, slots, second)] == [INTERPRETER, STATUS, INTERPRETER]
    assert second.time - first.time >= 30
    assert isinstance(told["longest"], float) and 29 < told["longest"] <= 33
    assert isinstance(told["told"], int) and told["told"] >= 20
    assert told["errors"] != [""]
