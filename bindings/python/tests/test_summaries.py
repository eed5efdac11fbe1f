"""Summaries in notebooks and where rich prints: what they say, and that texts stay texts."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from typing import Any

import overpasskit as opk
import pytest
from hostile import texts
from rich.console import Console

HOSTILE = [*texts(seed=8, count=60), "<script>alert(1)</script>", "[bold red]x[/]", "\x1b]0;x\x07"]
SCRIPT = "<script>alert(1)</script>"


def printed(value: Any) -> str:
    """What rich prints on a terminal of no colours."""
    file = io.StringIO()
    Console(file=file, width=200, force_terminal=True, color_system=None).print(value)
    return file.getvalue()


def seen(markup: str) -> tuple[set[str], str]:
    """The tags and the text of HTML that is good XML, too."""
    root = ET.fromstring(f"<body>{markup}</body>")
    names = {each.tag.rpartition("}")[2] for each in root.iter()} - {"body"}
    return names, "".join(root.itertext())


def answer(name: str, remark: str = "") -> opk.Response:
    element = {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": {"name": name}}
    document = {"elements": [element], **({"remark": remark} if remark else {})}
    return opk.loads(json.dumps(document))


def test_responses() -> None:
    response = answer("a", 'runtime error: Query timed out in "query" at line 1 after 2 seconds.')
    shown = printed(response)
    assert "Response: 1 elements, not complete" in shown
    assert "node" in shown and "remark" in shown and "Query timed out" in shown
    response.close()
    assert "closed" in printed(response)
    assert response._repr_html_() == "&lt;Response, closed&gt;"


def test_features(kinds: opk.Response) -> None:
    shown = printed(kinds.features())
    assert "6 features" in shown and "LineString" in shown


def test_tables() -> None:
    table = opk.decode_csv("@id\t@timestamp\tname\n1\t2024-03-31T02:30:00Z\tKoti\n2\t\t\n")
    names, text = seen(table._repr_html_())
    assert names == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert text == "2 rows::id::timestampname12024-03-31 02:30:00 UTCKoti2"
    for word in ("2 rows", "::timestamp", "02:30:00", "Koti"):
        assert word in printed(table)
    assert seen(opk.decode_csv("a\n")._repr_html_())[1] == "0 rowsa"
    assert printed(opk.decode_csv("a\n")).startswith("0 rows")


def test_long_tables_are_cut() -> None:
    table = opk.decode_csv("@id\n" + "".join(f"{number}\n" for number in range(1000)))
    shown = table._repr_html_()
    assert "1000 rows; the first 20 are shown" in shown and shown.count("<td>") == 20
    assert printed(table).count("\n") < 30


def test_slots() -> None:
    page = (
        "Connected as: 1\nRate limit: 2\nAnnounced endpoint: gall.example.org/\n"
        "Slot available after: 2024-03-31T02:30:00Z, in 7 seconds.\n"
    )
    slots = opk.read_slots(page)
    for shown in (seen(slots._repr_html_())[1], printed(slots)):
        assert "queries at once" in shown and "2024-03-31T02:30:00Z" in shown
        assert "free in 7 s" in shown and "gall.example.org/" in shown


@pytest.mark.parametrize(
    "query",
    [
        opk.Query.nodes().tag("amenity", "cafe"),
        opk.Query.nodes().tag("amenity", "cafe").out(),
        opk.Query.parse("node[amenity=cafe]; out;"),
    ],
)
def test_queries(query: Any) -> None:
    names, text = seen(query._repr_html_())
    assert names == {"pre", "code"} and text == query.ql(pretty=True)
    assert printed(query).strip() == query.ql(pretty=True).strip()


def test_queries_for_nothing() -> None:
    query = opk.Query.nodes()
    assert seen(query._repr_html_())[1] == repr(query)
    assert printed(query).split() == repr(query).split()


def test_sets() -> None:
    shown = opk.ElementSet.area("A & <B>")._repr_html_()
    assert "A &amp; &lt;B&gt;" in shown and seen(shown)[0] == {"pre", "code"}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(text: str) -> None:
    """No markup beyond our own, nothing for the terminal, nothing that ends a line for rich."""
    values: list[Any] = [answer(text, f"runtime error: {text}")]
    try:
        values += [opk.Query.nodes().tag("name", text).out(), opk.ElementSet.area(text)]
    except opk.OverpassKitError:
        pass  # not every text can be in a query
    values.append(values[0].features())
    values.append(opk.decode_csv(f"a,b\n{SCRIPT},{text}\n".replace("\0", ""), separator=","))
    values.append(opk.read_slots(f"Announced endpoint: {text}\n"))
    allowed = {"table", "caption", "thead", "tbody", "tr", "th", "td", "pre", "code"}
    picture = {"figure", "figcaption", "svg", "title", "rect", "g", "circle", "text"}
    for value in values:
        markup = value._repr_html_()
        assert seen(markup)[0] <= allowed | picture, markup
        if not hasattr(value, "__rich__"):
            continue
        shown = printed(value)
        assert all(each.isprintable() or each in "\n\u200c\u200d" for each in shown), repr(shown)


def test_what_is_closed_says_so(kinds: opk.Response) -> None:
    for value in (kinds.features(), opk.decode_csv("a\n1\n"), opk.loads('{"elements": []}')):
        value.close()
        assert "closed" in value._repr_html_() and "closed" in printed(value)
        assert "closed" in repr(value)


def test_markup_of_rich_is_text() -> None:
    assert "[bold red]x[/]" in printed(opk.decode_csv("a\n[bold red]x[/]\n"))
