"""Many threads read one response."""

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier

import overpasskit
from conftest import ANSWERS

THREADS = 16


def read_all(response: overpasskit.Response) -> tuple[object, ...]:
    features = response.features()
    return (
        [
            (each.type, each.id, each.tags, each.nodes, each.members, each.meta)
            for each in response.elements
        ],
        [(each.id, each.tags, each.coordinates, each.wkb) for each in features],
        features.to_geojson(),
        response.problems,
    )


def test_reading_together(kinds: overpasskit.Response) -> None:
    expected = read_all(kinds)
    barrier = Barrier(THREADS)

    def work() -> bool:
        barrier.wait()
        return all(read_all(kinds) == expected for _ in range(20))

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(future.result() for future in [pool.submit(work) for _ in range(THREADS)])


def test_sharing_elements_and_features(kinds: overpasskit.Response) -> None:
    elements, features = list(kinds.elements), list(kinds.features())
    with ThreadPoolExecutor(THREADS) as pool:
        tags = list(pool.map(lambda _: [each.tags for each in elements], range(100)))
        shapes = list(pool.map(lambda _: [each.geometry for each in features], range(100)))
    assert all(each == tags[0] for each in tags)
    assert all(each == shapes[0] for each in shapes)


def test_closing_while_others_read() -> None:
    def work(response: overpasskit.Response, barrier: Barrier) -> None:
        barrier.wait()
        try:
            while True:
                response.to_geojson()
                assert response.elements[8].tags
        except overpasskit.MisuseError:
            pass

    for _ in range(50):
        response = overpasskit.load(ANSWERS / "kinds.json")
        barrier = Barrier(5)
        with ThreadPoolExecutor(4) as pool:
            futures = [pool.submit(work, response, barrier) for _ in range(4)]
            barrier.wait()
            response.close()
            wait(futures)
            for future in futures:
                future.result()


def test_queries_may_be_shared() -> None:
    query = overpasskit.Query.nodes().tag("amenity", "cafe")
    with ThreadPoolExecutor(THREADS) as pool:
        texts = set(pool.map(lambda _: query.ql(), range(200)))
    assert len(texts) == 1
