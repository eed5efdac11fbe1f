"""Building queries."""

import copy
import pickle
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
from overpasskit import MisuseError, Query, QueryError


def test_common_query() -> None:
    query = (
        Query.nodes()
        .tag("amenity", "toilets")
        .around(lat=52.51633, lon=13.37751, radius=800)
        .timeout(25)
        .maxsize(2**30)
        .out("center")
    )
    text = query.ql()
    for part in (
        "[out:json]",
        "[timeout:25]",
        "[maxsize:1073741824]",
        "node",
        "around:800",
        "center",
    ):
        assert part in text
    assert '["amenity"="toilets"]' in text
    root = ElementTree.fromstring(query.xml())
    assert root.tag == "osm-script"
    assert root.attrib["timeout"] == "25"


def test_queries_never_change() -> None:
    one = Query.ways().tag("highway")
    before = one.ql()
    other = one.tag("name", "x").timeout(5).bbox(south=1, west=2, north=3, east=4).out("geom")
    assert one.ql() == before
    assert other.ql() != one.ql()
    with pytest.raises(AttributeError):
        one._types = 7  # type: ignore[misc]


def test_equal_queries() -> None:
    build = lambda: Query.nwr().tag("name", regex="^a").bbox(south=1, west=2, north=3, east=4)  # noqa: E731
    assert build() == build()
    assert hash(build()) == hash(build())
    assert build().ql() == build().ql()
    assert pickle.loads(pickle.dumps(build())) == copy.deepcopy(build()) == build()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (Query.nodes(), {"node"}),
        (Query.ways(), {"way"}),
        (Query.relations(), {"relation", "rel"}),
        (Query.nwr(), {"nwr", "node"}),
        (Query.of("node", "way"), {"nw", "node"}),
        (Query.of("way", "relation"), {"wr", "way"}),
    ],
)
def test_element_types(query: Query, words: set[str]) -> None:
    text = query.tag("amenity", "bench").ql()
    assert any(word + "[" in text for word in words)


def test_unknown_element_type() -> None:
    with pytest.raises(MisuseError, match="'nodes' is none of 'node', 'way', 'relation'"):
        Query.of("nodes")  # type: ignore[arg-type]


FILTERS = [
    Query.ways().tag("name"),
    Query.ways().tag("name", "a"),
    Query.ways().tag("name", contains="a.b"),
    Query.ways().tag("name", starts_with="(a"),
    Query.ways().tag("name", regex="^a+$"),
    Query.ways().tag("name", one_of=["a", "b"]),
    Query.ways().tag("x").tag("name", not_="a"),
    Query.ways().tag("x").tag("name", not_contains="a"),
    Query.ways().tag("x").tag("name", not_regex="^a"),
    Query.ways().tag("x").not_tag("name"),
    Query.ways().tag("name", regex="a", ignore_case=True),
]


@pytest.mark.parametrize("query", FILTERS, ids=range(len(FILTERS)))
def test_filters_render(query: Query) -> None:
    assert '"name"' in query.ql()
    assert "name" in query.xml()


def test_filters_differ() -> None:
    assert len({query.ql() for query in FILTERS}) == len(FILTERS)


def test_not_tag_is_a_negated_tag() -> None:
    query = Query.ways().tag("x")
    assert query.not_tag("name", "a") == query.tag("name", not_="a")
    assert query.not_tag("name", contains="a") == query.tag("name", not_contains="a")
    assert query.not_tag("name", regex="a") == query.tag("name", not_regex="a")


def test_one_comparison_at_a_time() -> None:
    with pytest.raises(MisuseError, match="value and one_of"):
        Query.nodes().tag("name", "a", one_of=["b"])
    with pytest.raises(MisuseError, match="several values"):
        Query.nodes().tag("name", one_of="ab")


def test_text_is_escaped() -> None:
    query = Query.nodes().tag("name", 'Zur "Öse" \\ \U0001f600')
    assert '["name"="Zur \\"Öse\\" \\\\ \U0001f600"]' in query.ql()
    assert 'Zur "Öse" \\ \U0001f600' in [
        value
        for each in ElementTree.fromstring(query.xml()).iter()
        for value in each.attrib.values()
    ]


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "bell\x07"])
def test_text_that_no_query_can_carry(text: str) -> None:
    with pytest.raises(QueryError) as caught:
        Query.nodes().tag("name", text)
    assert caught.value.status_name == "OPK_ERR_QUERY_VALUE"


@pytest.mark.parametrize(
    "build",
    [
        lambda: Query.nodes().tag("", "x"),
        lambda: Query.nodes().tag("name", ""),
        lambda: Query.nodes().tag("name", one_of=[]),
        lambda: Query.nodes().timeout(0),
        lambda: Query.nodes().timeout(2**64 + 1),
        lambda: Query.nodes().maxsize(-1),
        lambda: Query.nodes().bbox(south=float("nan"), west=0, north=1, east=1),
        lambda: Query.nodes().bbox(south=0, west=0, north=91, east=1),
        lambda: Query.nodes().bbox(south=2, west=0, north=1, east=1),
        lambda: Query.nodes().bbox_center(lat=0, lon=181, width=1, height=1),
        lambda: Query.nodes().bbox_center(lat=0, lon=0, width=-1, height=1),
        lambda: Query.nodes().around(lat=0, lon=float("inf"), radius=1),
        lambda: Query.nodes().around(lat=0, lon=0, radius=-1),
    ],
)
def test_refused_at_once(build: object) -> None:
    with pytest.raises(QueryError):
        build()  # type: ignore[operator]


def test_refused_when_printed() -> None:
    with pytest.raises(QueryError, match=".") as caught:
        Query.of().tag("name").ql()
    assert caught.value.status_name == "OPK_ERR_QUERY_NO_TYPE"
    with pytest.raises(QueryError) as caught:
        Query.nodes().xml()
    assert caught.value.status_name == "OPK_ERR_QUERY_NO_FILTER"


def test_positions_go_by_name() -> None:
    with pytest.raises(TypeError):
        Query.nodes().around(52, 13, 800)  # type: ignore[misc]
    with pytest.raises(TypeError):
        Query.nodes().bbox(1, 2, 3, 4)  # type: ignore[misc]


def test_numbers_of_other_kinds() -> None:
    query = Query.nodes().around(lat=Fraction(105, 2), lon=13, radius=8)
    assert query == Query.nodes().around(lat=52.5, lon=13.0, radius=8.0)
    with pytest.raises(TypeError):
        Query.nodes().timeout(2.5)  # type: ignore[arg-type]


def test_box_across_the_antimeridian() -> None:
    text = Query.nodes().bbox(south=-17, west=176, north=-16, east=-178).ql()
    assert "176" in text and "-178" in text


def test_box_replaces_box() -> None:
    text = (
        Query.nodes()
        .bbox(south=1, west=2, north=3, east=4)
        .bbox_center(lat=50, lon=7, width=100, height=100)
        .ql()
    )
    assert "49.99" in text and "(1,2,3,4)" not in text


@pytest.mark.parametrize(
    "output", ["body", "ids", "skel", "tags", "meta", "count", "center", "geom", "bb"]
)
def test_outputs(output: str) -> None:
    query = Query.relations().tag("route", "hiking").out(output)  # type: ignore[arg-type]
    assert "out" in query.ql()
    assert "<print" in query.xml()


def test_unknown_output() -> None:
    with pytest.raises(MisuseError, match="'centre' is none of"):
        Query.nodes().out("centre")  # type: ignore[arg-type]
