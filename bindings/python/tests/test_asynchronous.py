"""Clients for asyncio: the same answers, cancellation by task, no blocking of the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import overpasskit
import pytest
from asking import APP, NODE, Story, eventually, ids, node, query
from overpass_server import KILL, STATUS, OverpassServer, Reply
from overpasskit import AsyncClient, FetchProgress


@pytest.fixture
def server() -> Iterator[OverpassServer]:
    with OverpassServer() as server:
        yield server


def test_all_calls(server: OverpassServer) -> None:
    server.answers([node(1), node(2), Reply(200, {"Content-Type": "text/csv"}, "@id\n3\n")])
    server.answers([node(4)])
    server.answers([Reply.text("Rate limit: 2\n1 slots available now.\n")], STATUS)
    server.answers([Reply.text("")], KILL)

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url) as client:
            assert ids(await client.fetch(NODE)) == [1]
            assert b'"id":2' in await client.fetch_bytes(query(2))
            assert list(await client.fetch_csv("[out:csv(::id)];node(3);out;")) == [(3,)]
            tiled = await client.fetch_tiled("[out:json];node(0,0,1,1);out;")
            assert tiled.source is not None and len(tiled.source.tiles) == 1
            assert (await client.status()).free == 1
            await client.kill_queries()

    asyncio.run(ask())
    assert server.unused_replies == 0


def test_many_at_once_in_few_threads(server: OverpassServer) -> None:
    server.answers_by(lambda request: node(int((request.data or "").split("(")[1].split(")")[0])))
    threads = threading.active_count()

    async def ask() -> list[list[int | None]]:
        async with AsyncClient(APP, endpoints=server.url, max_threads=3) as client:
            calls = [asyncio.ensure_future(client.fetch(query(n))) for n in range(1, 41)]
            await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
            own = [each for each in threading.enumerate() if each.name.startswith("overpasskit")]
            assert 1 <= len(own) <= 3
            return [ids(each) for each in await asyncio.gather(*calls)]

    assert asyncio.run(ask()) == [[n] for n in range(1, 41)]
    assert len(server.requests) == 40
    assert threading.active_count() <= threads + len(server._threads)


def test_errors_come_out(server: OverpassServer) -> None:
    server.answers([Reply.html(403, "<html>no</html>")])

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url) as client:
            with pytest.raises(overpasskit.RefusedError) as caught:
                await client.fetch(NODE)
            assert len(caught.value.attempts) == 1
            with pytest.raises(overpasskit.QueryError):
                await client.fetch("node(")
        with pytest.raises(overpasskit.MisuseError, match="closed"):
            await client.fetch(NODE)

    asyncio.run(ask())


def test_cancelling_the_task(server: OverpassServer) -> None:
    server.answers([Reply(hang=True), node()])

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url) as client:
            task = asyncio.ensure_future(client.fetch(NODE))
            await asyncio.to_thread(server.wait_for_requests, 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            # The thread is at its end, so that the next query has its turn at once.
            assert ids(await client.fetch(query(2))) == [1]

    asyncio.run(ask())
    assert eventually(lambda: server.requests[0].end is not None)


def test_cancelling_what_waits_for_a_thread(server: OverpassServer) -> None:
    server.answers([Reply(hang=True)])

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url, max_threads=1) as client:
            first = asyncio.ensure_future(client.fetch(NODE))
            await asyncio.to_thread(server.wait_for_requests, 1)
            second = asyncio.ensure_future(client.fetch(query(2)))
            await asyncio.sleep(0)
            second.cancel()
            await asyncio.sleep(0.01)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first

    asyncio.run(ask())
    assert len(server.requests) == 1


def test_timeouts_of_asyncio(server: OverpassServer) -> None:
    server.answers([Reply(503, {"Retry-After": "60"})])

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url) as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.fetch(NODE), 0.3)

    asyncio.run(ask())


def test_progress_is_told_in_the_loop(server: OverpassServer) -> None:
    server.answers([node()])
    story, threads = Story(), set()

    def told(progress: FetchProgress) -> None:
        threads.add(threading.get_ident())
        story(progress)

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url) as client:
            await client.fetch(NODE, progress=told)

    asyncio.run(ask())
    assert threads == {threading.get_ident()}
    assert story.phases == ["running", "downloading", "decoding"]


def test_what_progress_raises_comes_out(server: OverpassServer) -> None:
    server.answers([Reply(hang=True)])

    def fail(progress: FetchProgress) -> None:
        raise LookupError("enough")

    async def ask() -> None:
        async with AsyncClient(APP, endpoints=server.url) as client:
            with pytest.raises(LookupError, match="enough"):
                await client.fetch(NODE, progress=fail)

    asyncio.run(ask())


def test_the_loop_goes_on(server: OverpassServer) -> None:
    server.answers([node(delay=0.3)])
    steps = 0

    async def count() -> None:
        nonlocal steps
        while True:
            steps += 1
            await asyncio.sleep(0.01)

    async def ask() -> None:
        counting = asyncio.ensure_future(count())
        async with AsyncClient(APP, endpoints=server.url) as client:
            await client.fetch(NODE)
        counting.cancel()

    asyncio.run(ask())
    assert steps > 3
