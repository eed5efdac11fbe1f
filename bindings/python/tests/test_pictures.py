"""Features as pictures in SVG, and what notebooks show."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from browser import Picture, opened
from build import line, node, way
from conftest import ROOT
from overpasskit import Appearance, MapStyleError
from test_pages import HOSTILE, PAPER, PICTURES, POINT, near

SVG = "{http://www.w3.org/2000/svg}"
ANSWER = ROOT / "Examples" / "data" / "helsinki-relations.json.gz"


def response(elements: list[dict[str, Any]], **head: Any) -> overpasskit.Response:
    return overpasskit.loads(json.dumps({"elements": elements, **head}))


def seen(svg: str, folder: Path, name: str) -> Picture:
    """The picture as a browser draws it."""
    path = folder / "picture.html"
    text = f'<!doctype html><html data-map="idle"><body style="margin:0">{svg}</body></html>'
    path.write_text(text, encoding="utf-8")
    with opened(path) as page:
        assert (page.dialogs, page.exceptions, page.requests) == ([], [], [])
        assert page.run("typeof window.hacked") == "undefined"
        return page.screenshot(PICTURES / f"{name}.png")


def test_a_picture_is_well_formed() -> None:
    root = ElementTree.fromstring(overpasskit.load(ANSWER).to_svg(width=300, height=200))
    assert root.tag == f"{SVG}svg"
    assert (root.get("width"), root.get("height")) == ("300", "200")
    kinds = [feature.geometry_type for feature in overpasskit.load(ANSWER).features()]
    assert len(root.findall(f".//{SVG}circle")) == kinds.count("Point")
    assert len(root.findall(f".//{SVG}path")) == len(kinds) - kinds.count("Point")
    assert root.findall(f"{SVG}text")[-1].text == "© OpenStreetMap contributors"


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    colors = seen(overpasskit.load(ANSWER).to_svg(width=960, height=640), tmp_path, "svg").colors()
    assert len(colors) > 200
    assert near(colors, PAPER) > 300_000 and near(colors, POINT) > 3_000


def test_options(tmp_path: Path) -> None:
    places = response(
        [
            node(1, 13.4, 52.5, {"kind": "a"}),
            node(2, 13.5, 52.6, {"kind": "b"}),
            way(3, None, {"highway": "path"}, geometry=line((13.4, 52.6), (13.5, 52.5))),
        ]
    )
    look = Appearance(color_by="kind", colors={"a": "#ff00ff"}, other_color="#00ff00")
    svg = places.to_svg(width=400, height=300, appearance=look, background="#123456")
    colors = seen(svg, tmp_path, "svg-options").colors()
    assert near(colors, (0x12, 0x34, 0x56)) > 100_000
    assert near(colors, (255, 0, 255)) > 40 and near(colors, (0, 255, 0)) > 40
    assert "<rect" not in places.to_svg(background="")
    assert "Map of 1 feature<" in places.to_svg(limit=1)
    assert "contributors" not in places.to_svg(appearance=Appearance(attribution=""))
    for wrong in ({"width": 31}, {"height": -1}, {"width": 2**40}):
        with pytest.raises(MapStyleError):
            places.to_svg(**wrong)
    with pytest.raises(MapStyleError, match="no colour"):
        places.to_svg(background="url(x)")


def test_hostile_texts_are_text(tmp_path: Path) -> None:
    elements = [
        node(number + 1, 13.4 + 0.01 * number, 52.5, {"name": text})
        for number, text in enumerate(HOSTILE)
    ]
    places = response(elements)
    svg = places.to_svg(appearance=Appearance(attribution=HOSTILE[2]))
    root = ElementTree.fromstring(svg)
    titles = [each.text or "" for each in root.findall(f".//{SVG}circle/{SVG}title")]
    # XML has no control characters; they are replaced.
    for number, (title, text) in enumerate(zip(titles, HOSTILE, strict=True)):
        clean = "".join("\ufffd" if each in "\0\1\x1f\ufffe\uffff" else each for each in text)
        assert title == f"{clean} (node/{number + 1})"
    assert {each.tag.removeprefix(SVG) for each in root.iter()} == {
        "svg", "title", "rect", "g", "circle", "text",
    }  # fmt: skip
    seen(svg, tmp_path, "svg-hostile")


def test_a_picture_of_nothing() -> None:
    assert "Map of 0 features" in response([]).to_svg()


def test_equal_answers_give_equal_pictures() -> None:
    assert overpasskit.load(ANSWER).to_svg() == overpasskit.load(ANSWER).to_svg()


def test_notebooks_show_a_picture_and_a_line(tmp_path: Path) -> None:
    places = response(
        [node(1, 13.4, 52.5, {"name": HOSTILE[2]})],
        osm3s={"timestamp_osm_base": "2024-03-31T02:30:00Z"},
        remark=HOSTILE[0],
    )
    shown = places._repr_html_()
    assert "1 element, 1 feature, data of 2024-03-31 02:30 UTC" in shown
    assert "&lt;/script&gt;" in shown and "<script" not in shown and "<img" not in shown
    assert places.features()._repr_html_().endswith("1 feature</figcaption></figure>")
    seen(shown, tmp_path, "notebook")


def test_notebooks_are_not_flooded() -> None:
    many = [node(number + 1, 13.4, 52.5 + number * 1e-6, {"a": "b"}) for number in range(5000)]
    shown = response(many).features()._repr_html_()
    assert "the first 2000 are drawn" in shown and shown.count("<circle") == 2000
