"""Many threads read one response, and what is made of it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from itertools import count
from pathlib import Path
from threading import Barrier, Event, Lock

import overpasskit
import pytest
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


def together(work: Callable[[], object], threads: int = THREADS, times: int = 5) -> list[object]:
    """What a function gives on many threads that start at once, several times each."""
    barrier = Barrier(threads)

    def run() -> list[object]:
        barrier.wait()
        return [work() for _ in range(times)]

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(run) for _ in range(threads)]
        return [each for future in futures for each in future.result()]


WORK: dict[str, Callable[[overpasskit.Response, overpasskit.Features], object]] = {
    "gpx": lambda response, features: features.to_gpx(),
    "kml": lambda response, features: features.to_kml(),
    "csv": lambda response, features: features.to_csv(["osm_id", "name"]),
    "wkb": lambda response, features: [(each.ewkb, each.wkt) for each in features],
    "svg": lambda response, features: features.to_svg(),
    "style": lambda response, features: overpasskit.MapStyle().features("f", features).json(),
    "documents": lambda response, features: (
        response.to_overpass_json(),
        response.to_osm_xml(lossy=True),
    ),
    "merge": lambda response, features: overpasskit.merge([response] * 3).to_osm_xml(lossy=True),
    "filter": lambda response, features: response.filter("way", keep_references=True).to_geojson(),
    "apply": lambda response, features: response.apply(CHANGES).to_osm_xml(lossy=True),
    "arrays": lambda response, features: (
        features.ids.tolist(),
        features.coordinates.tolist(),
        features.counts(),
    ),
    "places": lambda response, features: features.places(lat=0, lon=0),
    "visualizations": lambda response, features: features.visualizations("fi"),
    "problems": lambda response, features: features.problems,
    "measures": lambda response, features: [(each.area, each.length) for each in features],
    "summaries": lambda response, features: (response._repr_html_(), features._repr_html_()),
}
CHANGES = overpasskit.loads(
    '<osmChange><create><node id="500" lat="4" lon="4"/></create>'
    '<delete><node id="1" version="2"/></delete></osmChange>'
)


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_everything_reads_from_many_threads(
    kinds: overpasskit.Response, work: Callable[..., object]
) -> None:
    """The first look at what is kept for later happens on all threads at once, too."""
    expected = work(kinds, kinds.features())
    fresh = kinds.features()
    assert all(each == expected for each in together(lambda: work(kinds, fresh)))


def test_one_arrow_table_for_many_threads(kinds: overpasskit.Response) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = kinds.features().arrow(["name"], batch_size=2)
    expected = arrow.table(table)
    assert all(each.equals(expected) for each in together(lambda: arrow.table(table)))


def test_batches_of_one_stream_go_to_many_threads(kinds: overpasskit.Response) -> None:
    """A stream belongs to one thread at a time; its batches to whoever has them, to the end."""
    arrow = pytest.importorskip("pyarrow")
    source = kinds.features().arrow(batch_size=1)
    expected = arrow.table(source).to_pylist()
    reader = arrow.RecordBatchReader.from_stream(source)
    lock = Lock()
    found = []

    def take() -> None:
        while True:
            with lock:
                batch = next(reader, None)
            if batch is None:
                return
            found.extend(batch.to_pylist())

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(take) for _ in range(8)]:
            future.result()
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def test_writers_of_files(kinds: overpasskit.Response, tmp_path: Path) -> None:
    """Threads that write one file leave one that is whole."""
    features, numbers = kinds.features(), count()

    def write() -> bytes:
        mine = tmp_path / f"{next(numbers)}.geojson"
        features.write(mine)
        features.write(tmp_path / "all.geojson")
        return mine.read_bytes()

    expected = features.to_geojson().encode()
    assert all(each == expected for each in together(write, threads=8))
    assert (tmp_path / "all.geojson").read_bytes() == expected
    assert len(list(tmp_path.iterdir())) == 41


def test_tables_are_shared() -> None:
    text = "@id\tname\n" + "".join(f"{number}\tn{number}\n" for number in range(500))
    expected = list(overpasskit.decode_csv(text))
    for _ in range(10):
        table = overpasskit.decode_csv(text)
        assert all(each == expected for each in together(partial(list, table), times=1))


def test_closing_features_while_others_read(kinds: overpasskit.Response) -> None:
    def work(features: overpasskit.Features, barrier: Barrier) -> None:
        barrier.wait()
        try:
            while True:
                features.to_gpx(), features.bounds, features.ids, features[0].wkb
                features.arrow().__arrow_c_stream__()
        except overpasskit.MisuseError:
            pass

    for _ in range(30):
        features, barrier = kinds.features(), Barrier(5)
        with ThreadPoolExecutor(4) as pool:
            futures = [pool.submit(work, features, barrier) for _ in range(4)]
            barrier.wait()
            features.close()
            for future in futures:
                future.result()


def test_calls_let_other_threads_run() -> None:
    """While the library works, Python does: a long decoding is seen from another thread."""
    node = '{{"type":"node","id":{},"lat":1,"lon":2}}'
    elements = ",".join(map(node.format, range(400_000)))
    answer = f'{{"elements":[{elements}]}}'.encode()
    done, ticks = Event(), 0
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(lambda: overpasskit.loads(answer, threads=1))
        future.add_done_callback(lambda _: done.set())
        while not done.wait(0.0005):
            ticks += 1
        assert len(future.result()) == 400_000
    assert ticks > 3
