"""Text of queries: checking and printing anew."""

import pytest
from overpasskit import Query, QueryError, check_query, format_query

GOOD = '[out:json];node["amenity"="cafe"](50.7,7,50.8,7.2);out;'


def test_good_query() -> None:
    assert check_query(GOOD) == []


def test_mistakes_have_positions() -> None:
    query = "node[amenity=cafe](50.7,7,50.8,7.2);\nöut;"
    found = [each for each in check_query(query) if each.is_error]
    assert found[0].line == 2
    assert query.encode()[found[0].offset :].decode().startswith("ö")
    with pytest.raises(QueryError) as caught:
        format_query(query)
    assert (caught.value.line, caught.value.offset) == (2, found[0].offset)
    assert caught.value.status_name == "OPK_ERR_QUERY_SYNTAX"


def test_format() -> None:
    assert format_query(" node [ amenity = cafe ] ; out ; ", pretty=False) == (
        'node["amenity"="cafe"];out;'
    )
    assert format_query(GOOD, pretty=False) == GOOD
    assert format_query(GOOD).count("\n") >= 2


def test_there_and_back() -> None:
    xml = format_query(GOOD, "xml")
    assert "<osm-script" in xml
    assert format_query(xml, pretty=False) == GOOD


@pytest.mark.parametrize("output", ["body", "center", "geom", "tags", "count"])
def test_what_the_builder_prints_is_good(output: str) -> None:
    query = Query.nwr().tag("name", contains='a"b').bbox(south=50, west=7, north=50.1, east=7.1)
    query = query.timeout(25).out(output)  # type: ignore[arg-type]
    for text in (query.ql(), query.ql(pretty=True), query.xml(), query.xml(pretty=True)):
        assert [each for each in check_query(text) if each.is_error] == []
    assert format_query(query.ql(), pretty=False) == query.ql()


def test_parsed_query() -> None:
    query = Query.parse(GOOD)
    assert query.text == GOOD == query.ql() and query.check() == []
    assert Query.parse(query.xml(pretty=True)).ql() == GOOD
    assert query == Query.parse(GOOD) and hash(query) == hash(Query.parse(GOOD))
    limited = query.timeout(5).maxsize(1024)
    assert "[timeout:5]" in limited.ql() and "[maxsize:1024]" in limited.ql()
    assert query.ql() == GOOD
    with pytest.raises(QueryError):
        query.timeout(0)


def test_text_that_is_no_query() -> None:
    with pytest.raises(QueryError) as caught:
        Query.parse("node(1);\nuot;")
    assert caught.value.line == 2
    suspicious = Query.parse("way[highway](50,7,51,8);out;").check()
    assert [(each.is_error, each.line) for each in suspicious] == [(False, 1)]
