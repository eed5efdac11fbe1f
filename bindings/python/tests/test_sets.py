"""Sets of elements as values, and queries that print them."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta, timezone

import pytest
from overpasskit import ElementSet, MisuseError, Query, QueryError, SetQuery, check_query
from overpasskit._ffi import lib

BOX = {"south": 50, "west": 7, "north": 51, "east": 8}
PUBS = Query.nodes().tag("amenity", "pub").bbox(**BOX)
SHOPS = Query.nwr().tag("shop").bbox(**BOX)
PUB = 'node["amenity"="pub"](50,7,51,8)'
SHOP = 'nwr["shop"](50,7,51,8)'
ROUTE = ElementSet.ids(relation=6)
WAY = ElementSet.ids(way=4)
NODE = ElementSet.ids(node=1)
AREAS = ElementSet.areas_at(lat=50.5, lon=7.25)


def text(query: SetQuery) -> str:
    """What stands behind the settings."""
    return query.ql().removeprefix("[out:json];")


SETS: list[tuple[ElementSet, str]] = [
    (PUBS + Query.ways().tag("shop").bbox(**BOX), f'({PUB};way["shop"](50,7,51,8););'),
    (SHOPS - PUBS, f"({SHOP};-{PUB};);"),
    (SHOPS & PUBS, 'node["shop"](50,7,51,8)["amenity"="pub"];'),
    (PUBS.within(ElementSet.area("Bonn")), f'area["name"="Bonn"];{PUB}(area);'),
    (PUBS.within(ElementSet.area_of("relation", 62422)), f"{PUB}(area:3600062422);"),
    (PUBS.near(WAY, radius=20), f"way(4);{PUB}(around:20);"),
    (PUBS.near(NODE, radius=20) - NODE, f"node(1)->.a;({PUB}(around.a:20);- .a;);"),
    (SHOPS.only("way", "node"), 'nw["shop"](50,7,51,8);'),
    (WAY.tag("name"), 'way(4)["name"];'),
    (WAY.tag("name", "a"), 'way(4)["name"="a"];'),
    (WAY.tag("name", not_="a"), 'way(4)["name"!="a"];'),
    (WAY.tag("name", contains="(a", ignore_case=True), r'way(4)["name"~"\\(a",i];'),
    (WAY.tag("name", starts_with="a"), 'way(4)["name"~"^a"];'),
    (WAY.tag("name", regex="a|b"), 'way(4)["name"~"a|b"];'),
    (WAY.tag("name", one_of=["a", "b.c"]), r'way(4)["name"~"^(a|b\\.c)$"];'),
    (WAY.tag("name", not_regex="a"), 'way(4)["name"!~"a"];'),
    (WAY.not_tag("name"), 'way(4)[!"name"];'),
    (WAY.not_tag("name", "a"), 'way(4)["name"!="a"];'),
    (WAY.where("count_tags() > 6"), "way(4)(if:count_tags()>6);"),
    (PUBS.where("a.count(ways)>1", a=WAY), f"way(4);{PUB}(if:count(ways)>1);"),
    (WAY.down(), "way(4);>;"),
    (WAY.with_down(), "way(4);(._;>;);"),
    (WAY.up(), "way(4);<;"),
    (NODE.with_up(), "node(1);(._;<;);"),
    (ROUTE.down_relations(), "relation(6);>>;"),
    (ROUTE.with_down_relations(), "relation(6);(._;>>;);"),
    (ROUTE.up_relations(), "relation(6);<<;"),
    (NODE.with_up_relations(), "node(1);(._;<<;);"),
    (WAY.way_nodes(), "way(4);node(w);"),
    (ROUTE.members(), "relation(6);nwr(r);"),
    (ROUTE.members("node", role="stop"), 'relation(6);node(r:"stop");'),
    (ROUTE.members("way", role=""), 'relation(6);way(r:"");'),
    (NODE.ways_containing(), "node(1);way(bn);"),
    (NODE.relations_containing(role="stop"), 'node(1);relation(bn:"stop");'),
    (WAY.as_areas(), "way(4);map_to_area;"),
    (NODE.enclosing_areas(), "node(1);is_in;"),
    (AREAS.tag("admin_level", "8"), 'is_in(50.5,7.25);area._["admin_level"="8"];'),
    (AREAS.pivots("relation"), "is_in(50.5,7.25);relation(pivot);"),
    (AREAS.pivots(), "is_in(50.5,7.25);wr(pivot);"),
    (PUBS.changed(since="2024-05-01"), f'{PUB}(changed:"2024-05-01T00:00:00Z");'),
    (
        PUBS.changed(
            since=datetime(2024, 5, 1, 2, tzinfo=timezone(timedelta(hours=2))),
            until=date(2024, 6, 1),
        ),
        f'{PUB}(changed:"2024-05-01T00:00:00Z","2024-06-01T00:00:00Z");',
    ),
    (PUBS.edited_by("A. Mapper", "b"), f'{PUB}(user:"A. Mapper","b");'),
    (PUBS.edited_by("b", ever=True), f'{PUB}(user_touched:"b");'),
    (ElementSet.ids(way=[5, 4], relation=6), "(way(id:5,4);relation(6););"),
    (ElementSet.ids(area=3600000007), "area(3600000007);"),
    (ElementSet.area_of("way", 7), "way(7);"),
    (
        ElementSet.area("Köln", {"name:en": "Cologne"}, admin_level="6"),
        'area["name"="Köln"]["name:en"="Cologne"]["admin_level"="6"];',
    ),
]


@pytest.mark.parametrize(("made", "expected"), SETS, ids=[each for _, each in SETS])
def test_sets(made: ElementSet, expected: str) -> None:
    query = made.out()
    assert text(query) == expected + "out;"
    assert not [each for each in query.check() if each.is_error]
    assert not [each for each in check_query(query.xml()) if each.is_error]


REFUSED: list[Callable[[], object]] = [
    lambda: ElementSet.ids(),
    lambda: ElementSet.ids(node=2**80),
    lambda: ElementSet.area(""),
    lambda: ElementSet.area("a\0b"),
    lambda: ElementSet.area_of("relation", 2**63 - 1),
    lambda: ElementSet.areas_at(lat=91, lon=0),
    lambda: PUBS.near(WAY, radius=-1),
    lambda: PUBS.near(WAY, radius=float("nan")),
    lambda: PUBS.near(AREAS, radius=1),
    lambda: PUBS.only("way"),
    lambda: PUBS.only(),
    lambda: PUBS & WAY,
    lambda: NODE.down(),
    lambda: NODE.way_nodes(),
    lambda: WAY.tag("name", one_of=[]),
    lambda: WAY.tag(""),
    lambda: WAY.where("1 >"),
    lambda: WAY.where("b.count(ways)>1", a=WAY),
    lambda: PUBS.changed(since="soon"),
    lambda: PUBS.edited_by(),
    lambda: PUBS.out(limit=0),
    lambda: PUBS.out(limit=2**70),
    lambda: PUBS.out().timeout(0),
    lambda: PUBS.out().maxsize(-1),
    lambda: Query.of().tag("name").out(),
    lambda: PUBS + PUBS.timeout(5),
    lambda: SetQuery().ql(),
    lambda: Query.nodes().out().ql(),
]


@pytest.mark.parametrize("build", REFUSED, ids=range(len(REFUSED)))
def test_refused(build: Callable[[], object]) -> None:
    with pytest.raises(QueryError) as caught:
        build()
    assert caught.value.message and caught.value.status_name


def test_misuse() -> None:
    with pytest.raises(MisuseError, match="made by Query"):
        ElementSet()
    with pytest.raises(MisuseError, match="'street' is none of 'way', 'relation'"):
        ElementSet.area_of("street", 1)  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="'nodes' is none of"):
        SHOPS.only("nodes")  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="since needs a time zone"):
        PUBS.changed(since=datetime(2024, 5, 1))
    with pytest.raises(MisuseError, match="'all' is none of 'body'"):
        PUBS.out("all")  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="'geom' is none of"):
        PUBS.out("geom", "center")  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="one comparison at a time"):
        WAY.tag("name", "a", regex="b")
    for build in (
        lambda: PUBS + 1,
        lambda: PUBS.near("a", radius=1),
        lambda: PUBS.within(None),
        lambda: PUBS.near(WAY, 20),
        lambda: ElementSet.areas_at(50, 7),
        lambda: SetQuery().out("a"),
        lambda: PUBS.where("1", a=2),
        lambda: PUBS.edited_by(7),
        lambda: ElementSet.ids(node="12"),
    ):
        with pytest.raises((TypeError, AttributeError)):
            build()  # type: ignore[no-untyped-call]


def test_output() -> None:
    assert text(PUBS.out()) == f"{PUB};out;"
    assert text(PUBS.out("tags", "center")) == f"{PUB};out tags center;"
    assert PUBS.out("center") == PUBS.out(geometry="center") == PUBS.out("body", "center")
    assert text(PUBS.out("meta", geometry="geom", limit=5, by_place=True)) == (
        f"{PUB};out meta geom qt 5;"
    )
    assert text(PUBS.count()) == f"{PUB};out count;"
    query = ROUTE.out("tags").out(ROUTE.members("node"), "skel").count(PUBS)
    assert text(query) == f"relation(6);out tags;node(r);out skel;{PUB};out count;"
    settings = "[out:json][timeout:5][maxsize:1024];"
    assert PUBS.out().timeout(5).maxsize(1024).ql() == f"{settings}{PUB};out;"
    assert query.xml(pretty=True).count("<print") == 3


def test_settings_of_a_query_are_kept() -> None:
    query = PUBS.timeout(5).maxsize(1024)
    assert query.out() == PUBS.out().timeout(5).maxsize(1024)
    assert query.out().ql() == query.ql()
    assert query.count().ql() == f"[out:json][timeout:5][maxsize:1024];{PUB};out count;"
    assert query.check() == query.out().check() == []


def test_nothing_changes() -> None:
    query = PUBS.out()
    before = query.ql()
    query.out(WAY).timeout(5)
    WAY.tag("name")
    assert query.ql() == before and text(WAY.out()) == "way(4);out;"
    with pytest.raises(AttributeError):
        query._timeout = 7  # type: ignore[misc]


def test_equal_sets_and_queries() -> None:
    build = lambda: PUBS.near(WAY, radius=5) - NODE  # noqa: E731
    assert build() == build() != build().tag("name") and hash(build()) == hash(build())
    assert build().out("ids") == build().out("ids") != build().out("tags")
    assert len({build().out(), build().out()}) == 1
    assert copy.copy(build()) == copy.deepcopy(build()) == build()
    planet = Query.nodes() - WAY.way_nodes()
    assert planet == planet and planet != (Query.nodes() - WAY.way_nodes())
    assert WAY != "way(4)"
    with pytest.raises(TypeError, match="ElementSet"):
        pickle.dumps(WAY)


def test_looks() -> None:
    assert repr(WAY) == "<ElementSet [out:json];way(4);out ids;>"
    assert repr(WAY.out()) == "<SetQuery [out:json];way(4);out;>"
    assert "prints nothing" in repr(SetQuery())


def test_many_sets_are_one_union() -> None:
    whole = ElementSet.ids(node=1)
    for number in range(2, 500):
        whole += ElementSet.ids(node=number)
    assert text(whole.out("ids")).startswith("(")
    assert "node(499)" in whole.out().ql()


def test_shared_by_threads() -> None:
    shared = PUBS.near(WAY, radius=5)
    expected = (shared + SHOPS).out().ql()

    def work(_: int) -> str:
        assert shared.tag("name") != shared
        return (shared + SHOPS).out().ql()

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(work, range(400))) == {expected}


def test_failures_leave_no_handle() -> None:
    before = lib.opk_x_live_handles()
    for build in REFUSED:
        with pytest.raises(QueryError):
            build()
    assert lib.opk_x_live_handles() == before
