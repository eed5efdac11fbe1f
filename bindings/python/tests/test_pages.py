"""Maps in a browser: MapLibre GL JS accepts each style, and draws it; data runs no script.

Pictures are kept in ``build/pictures``.
"""

from __future__ import annotations

import base64
import json
import re
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from browser import Page, opened
from build import line, node, way
from conftest import ROOT
from overpasskit import Appearance, Basemap, MapStyle
from overpasskit._maplibre import maplibre

PICTURES = ROOT / "build" / "pictures"
ANSWER = ROOT / "Examples" / "data" / "helsinki-relations.json.gz"
PAPER = (247, 245, 240)
POINT = (200, 69, 44)
LINE = (63, 122, 182)  # over the paper, of which a little shines through


def features(elements: list[dict[str, Any]], **head: Any) -> overpasskit.Features:
    return overpasskit.loads(json.dumps({"elements": elements, **head})).features()


def drawn(page: Page, name: str) -> dict[tuple[int, int, int], int]:
    """The colours of what is seen, after a look at what went wrong."""
    picture = page.screenshot(PICTURES / f"{name}.png")
    assert page.run("window.overpassMap.faults") == []
    assert page.run("document.documentElement.dataset.map") == "idle"
    assert (page.exceptions, page.console, page.dialogs) == ([], [], [])
    return picture.colors()


def near(colors: dict[tuple[int, int, int], int], wanted: tuple[int, int, int]) -> int:
    """How many pixels have a colour, within a little."""
    return sum(
        count
        for color, count in colors.items()
        if all(abs(a - b) <= 12 for a, b in zip(color, wanted, strict=True))
    )


def png(red: int, green: int, blue: int) -> str:
    """A tile of one colour as a URL that needs no network."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body).to_bytes(4, "big")
        return len(body).to_bytes(4, "big") + kind + body + check

    size = (256).to_bytes(4, "big")
    rows = (b"\0" + bytes((red, green, blue)) * 256) * 256
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size + size + b"\x08\x02\0\0\0")
    data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page of `make run`."""
    path = tmp_path_factory.mktemp("demo") / "demo.html"
    overpasskit.load(ANSWER).write_html(path, "Helsinki")
    with opened(path) as page:
        yield page


def test_the_demo_is_drawn(demo: Page) -> None:
    colors = drawn(demo, "demo")
    assert len(colors) > 500
    assert near(colors, PAPER) > 300_000
    assert near(colors, POINT) > 3_000
    assert near(colors, LINE) > 100
    assert near(colors, (192, 214, 198)) > 10_000  # areas, over the paper


def test_the_demo_needs_no_network(demo: Page) -> None:
    assert [url for url in demo.requests if not url.startswith(("data:", "blob:"))] == []


def test_the_demo_fits_its_features(demo: Page) -> None:
    seen = demo.run("window.overpassMap.map.getBounds().toArray().flat()")
    west, south, east, north = json.loads(overpasskit.load(ANSWER).to_geojson())["bbox"]
    assert seen[0] < west and seen[1] < south and seen[2] > east and seen[3] > north
    assert demo.run("window.overpassMap.map.getZoom()") > 13


def test_the_panel_tells_what_is_seen(demo: Page) -> None:
    text = demo.run("document.getElementById('panel').innerText")
    found = overpasskit.load(ANSWER).features()
    kinds = [feature.geometry_type.removeprefix("Multi") for feature in found]
    lines = [" ".join(each.split()) for each in text.splitlines() if each.strip()]
    assert lines[0] == "Helsinki"
    assert lines[1] == f"{len(found)} features, data of 2019-04-21 09:50 UTC"
    rows = " ".join(lines[2:])
    assert f"points {kinds.count('Point')}" in rows
    assert f"areas {kinds.count('Polygon')}" in rows
    attribution = "document.querySelector('.maplibregl-ctrl-attrib')"
    assert "© OpenStreetMap contributors" in demo.run(f"{attribution}.innerText")
    assert demo.run(f"{attribution}.querySelector('a[href*=copyright]').href") == (
        "https://www.openstreetmap.org/copyright"
    )


def popup(page: Page, lon: float, lat: float) -> dict[str, str]:
    """Clicks on a place; what the popup there says."""
    place = page.run(f"window.overpassMap.map.project([{lon}, {lat}])")
    page.run("document.querySelectorAll('.maplibregl-popup-close-button').forEach(e => e.click())")
    page.click(place["x"], place["y"])
    page.wait("document.querySelector('.popup') !== null")
    rows: dict[str, str] = page.run(
        "Object.fromEntries([...document.querySelectorAll('.popup tr')]"
        ".map(row => [row.cells[0].textContent, row.cells[1].textContent]))"
    )
    return rows


PLACES = [
    node(1, 13.4, 52.5, {"name": "One", "website": "https://example.org/", "@id": "5"}),
    node(2, 13.44, 52.5, {"name": "Two"}, version=3, timestamp="2024-03-31T02:30:00Z", user="me"),
    node(3, 13.44, 52.5, {"amenity": "bench"}),
    way(
        4, None, {"highway": "path", "name": "A path"}, geometry=line((13.4, 52.52), (13.44, 52.52))
    ),
    way(
        5,
        None,
        {"building": "yes"},
        geometry=line((13.4, 52.54), (13.44, 52.54), (13.44, 52.56), (13.4, 52.56), (13.4, 52.54)),
    ),
    way(6, None, {"amenity": "cafe"}, center={"lat": 52.57, "lon": 13.42}),
]


def test_a_click_shows_the_tags(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    features(PLACES).write_html(path)
    with opened(path) as page:
        assert popup(page, 13.4, 52.5) == PLACES[0]["tags"]
        links = "[...document.querySelectorAll('.popup a')].map(each => [each.href, each.rel])"
        assert page.run(links) == [
            ["https://www.openstreetmap.org/node/1", "noopener noreferrer"],
            ["https://example.org/", "noopener noreferrer"],
        ]
        assert popup(page, 13.42, 52.55) == {"building": "yes"}
        assert popup(page, 13.42, 52.52)["name"] == "A path"
        # Two in one place, page by page.
        first = popup(page, 13.44, 52.5)
        page.run("document.querySelector('.popup [aria-label=next]').click()")
        second = popup_text(page)
        assert {first.get("name", "bench"), "2 of 2" in second} == {
            first.get("name", "bench"),
            True,
        }
        text = " ".join((popup_text(page), json.dumps(first)))
        assert "Two" in text and "bench" in text
        popup(page, 13.42, 52.57)
        assert "only its center" in popup_text(page)
        page.settle()
        drawn(page, "popup")


def popup_text(page: Page) -> str:
    return str(page.run("document.querySelector('.popup').innerText"))


def test_nothing_to_show(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    features([]).write_html(path, "Nothing")
    with opened(path) as page:
        drawn(page, "nothing")
        assert "0 features" in page.run("document.getElementById('panel').innerText")


def test_across_the_antimeridian(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    features([node(1, 179.9, 0, {"a": "b"}), node(2, -179.9, 0.1, {"a": "b"})]).write_html(path)
    with opened(path) as page:
        colors = drawn(page, "antimeridian")
        assert near(colors, POINT) > 100
        assert page.run("window.overpassMap.map.getZoom()") > 8


@pytest.mark.parametrize("size", [(390, 720), (240, 160)])
def test_small_windows(size: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    features(PLACES).write_html(path, "A map with a name")
    with opened(path, size) as page:
        colors = drawn(page, f"small-{size[0]}")
        assert near(colors, PAPER) > 1_000
        # The panel leaves room for the map, and opens when asked.
        assert not page.run("document.getElementById('panel').open")
        bounds = page.run("window.overpassMap.map.getBounds().toArray().flat()")
        assert bounds[0] < 13.4 and bounds[2] > 13.44


def test_without_webgl_there_is_a_message(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    features(PLACES).write_html(path)
    with opened(path, flags=("--disable-3d-apis",)) as page:
        assert page.settle() == "failed"
        assert "cannot be drawn" in page.run("document.getElementById('fault').innerText")
        assert page.exceptions == []


def test_basemaps_are_switched(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    style = MapStyle("Basemaps")
    style = style.basemap(Basemap("Green", png(120, 200, 120), "Someone", "https://example.org/"))
    style = style.basemap(Basemap('Blue "<b>', png(90, 90, 220), visible=False))
    style.features("places", features(PLACES)).write_html(path)
    with opened(path) as page:
        assert near(drawn(page, "basemap"), (120, 200, 120)) > 200_000
        assert "Someone" in page.run("document.querySelector('.maplibregl-ctrl-attrib').innerText")
        page.run("document.documentElement.dataset.map = 'loading'")
        page.run("document.querySelectorAll('#panel input')[1].click()")
        page.settle()
        assert near(drawn(page, "basemap-other"), (90, 90, 220)) > 200_000


def test_tiles_that_cannot_be_had_leave_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    # No server listens there.
    features(PLACES).write_html(path, basemap="http://127.0.0.1:9/{z}/{x}/{y}.png")
    with opened(path) as page:
        assert page.settle() == "idle"
        assert near(page.screenshot(PICTURES / "no-tiles.png").colors(), POINT) > 100
        assert page.run("document.getElementById('fault').hidden")


def test_colours_follow_a_tag(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    colors = {"One": "#ff00ff", "A path": "#00ffff"}
    look = Appearance(color_by="name", colors=colors, point_radius=14, labels="name")
    features(PLACES).write_html(path, appearance=look)
    with opened(path) as page:
        seen = drawn(page, "colours")
        assert near(seen, (255, 0, 255)) > 300 and near(seen, (25, 254, 254)) > 300
        legend = " ".join(page.run("document.getElementById('panel').innerText").split())
        assert "name One 1 A path 1 other or none 4" in legend


def test_labels_are_drawn_without_a_network(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    places = [node(1, 13.4, 52.5, {"name": "MMMMMMMM"}), node(2, 13.5, 52.6, {"a": "b"})]
    ink = {}
    for name, look in (("with", Appearance(labels="name")), ("without", Appearance())):
        features(places).write_html(path, appearance=look)
        with opened(path) as page:
            colors = drawn(page, f"labels-{name}")
            ink[name] = sum(count for color, count in colors.items() if max(color) < 130)
    assert ink["with"] > ink["without"] + 100


# Data is data

MARKS = "window.hacked = 1; alert(1)"
HOSTILE = [
    f"</script><script>{MARKS}</script>",
    f"<script>{MARKS}</script>",
    f"<img src=x onerror='{MARKS}'>",
    f'"><svg onload="{MARKS}">',
    f"' onmouseover='{MARKS}' x='",
    f"javascript:{MARKS}",
    "<!-- <script>",
    "--><!--",
    "</style><style>* { display: none }",
    "]]>",
    "</title></textarea></noscript>",
    "&lt;b&gt; &amp; &#60;",
    "\\u003cscript\\u003e \\",
    "{{7*7}} ${7*7} `",
    "\u2028\u2029\u0000\u0001\u001f\ufffe\uffff",
    "https://example.org/\"onclick='alert(1)'",
    "e\u0301 \u202e abc \U0001f600",
    "x" * 5000,
]


def hostile_answer() -> dict[str, Any]:
    elements = [
        node(
            number + 1,
            13.4 + 0.01 * (number % 6),
            52.5 + 0.01 * (number // 6),
            {"name": text, text[:255]: text, "kind": text, "website": text},
            version=1,
            timestamp="2024-03-31T02:30:00Z",
            user=text,
            uid=1,
            changeset=1,
        )
        for number, text in enumerate(HOSTILE)
    ]
    return {
        "generator": HOSTILE[0],
        "osm3s": {"timestamp_osm_base": HOSTILE[0], "copyright": HOSTILE[1]},
        "elements": elements,
        "remark": "runtime error: " + HOSTILE[0],
    }


def hostile_style() -> MapStyle:
    response = overpasskit.loads(json.dumps(hostile_answer()))
    text = HOSTILE[0]
    look = Appearance(color_by="kind", labels=["name"], attribution=HOSTILE[2], point_radius=9)
    style = MapStyle(text).basemap(Basemap(HOSTILE[2], png(250, 250, 250), HOSTILE[3]))
    return style.features(HOSTILE[1], response.features(), look)


def test_hostile_data_is_inert(tmp_path: Path) -> None:
    path = tmp_path / "map.html"
    hostile_style().write_html(path, HOSTILE[0])
    with opened(path) as page:
        scripts = page.run("document.scripts.length")
        for number, text in enumerate(HOSTILE):
            rows = popup(page, 13.4 + 0.01 * (number % 6), 52.5 + 0.01 * (number // 6))
            assert rows["name"] == text and rows["website"] == text
            assert rows[text[:255]] == text or text[:255] == "name"
            hrefs = page.run("[...document.querySelectorAll('.popup a')].map(each => each.href)")
            assert all(each.startswith("https://") for each in hrefs)
            assert (
                page.run("document.querySelectorAll('.popup [onclick], .popup script').length") == 0
            )
        assert page.run("document.title") == HOSTILE[0]
        assert HOSTILE[0] in page.run(
            "document.querySelector('#panel .note:not([hidden])').innerText"
        )
        assert page.run("document.scripts.length") == scripts == 5
        assert (
            page.run(
                "document.querySelectorAll('#panel img, #panel svg, .maplibregl-map img').length"
            )
            == 0
        )
        assert page.run("typeof window.hacked") == "undefined"
        time.sleep(0.5)
        page.settle()
        colors = drawn(page, "hostile")
        assert len(colors) > 100
        assert [each for each in page.requests if not each.startswith(("data:", "blob:"))] == []


def test_the_page_lets_no_other_script_run(tmp_path: Path) -> None:
    """What the test above would see if a text got through; and the last resort, the policy."""
    page_text = features(PLACES).to_html()
    broken = page_text.replace(
        "<body>", f"<body><img src=x onerror='{MARKS}'><script>{MARKS}</script>"
    )
    path = tmp_path / "map.html"
    path.write_text(broken, encoding="utf-8")
    with opened(path) as page:
        assert page.run("typeof window.hacked") == "undefined"
        assert page.dialogs == [] and page.console != []
    open_to_all = re.sub(r"<meta http-equiv[^>]*>", "", broken)
    path.write_text(open_to_all, encoding="utf-8")
    with opened(path) as page:
        assert page.run("window.hacked") == 1
        assert "1" in page.dialogs


# MapLibre GL JS as the judge of styles


def judge(styles: dict[str, str], folder: Path) -> dict[str, list[str]]:
    """What MapLibre GL JS has to say about each style, once it is drawn or refused."""
    script, css, _ = maplibre()
    path = folder / "judge.html"
    data = json.dumps(styles).replace("<", "\\u003c")
    path.write_text(
        f"""<!doctype html><meta charset="utf-8"><style>{css.decode()}
        #map {{ height: 400px }}</style><div id="map"></div>
        <script>{script.decode()}</script>
        <script type="application/json" id="data">{data}</script>
        <script>
        const styles = JSON.parse(document.getElementById("data").textContent);
        window.found = {{}};
        async function judge(text) {{
          const faults = [];
          const map = new maplibregl.Map({{ container: "map", style: JSON.parse(text) }});
          await new Promise((done) => {{
            map.on("idle", done);
            map.on("error", (event) => {{
              // What cannot be fetched is no fault of the style.
              if (event.sourceId === undefined) faults.push(event.error.message);
              setTimeout(done, 500);
            }});
          }});
          map.remove();
          return faults;
        }}
        (async () => {{
          for (const name in styles) window.found[name] = await judge(styles[name]);
          document.documentElement.dataset.map = "idle";
        }})();
        </script>""",
        encoding="utf-8",
    )
    with opened(path) as page:
        found: dict[str, list[str]] = page.run("window.found")
        return found


def test_maplibre_accepts_every_kind_of_style(tmp_path: Path) -> None:
    places = features(PLACES)
    tiles = png(1, 2, 3)
    everything = MapStyle("Everything").background("teal").view(lat=1, lon=2, zoom=3)
    for number in range(5):
        basemap = Basemap(f"map {number}", [tiles, tiles], "A", "https://example.org", scheme="tms")
        everything = everything.basemap(basemap)
    look = Appearance(
        area_color="#abc",
        outline_color="#abcd",
        line_color="#aabbccdd",
        point_color="purple",
        area_opacity=1,
        outline_width=0.5,
        line_width=0,
        point_radius=0,
        label_size=9.5,
        labels=["name:fi", "name", "@id"],
        color_by="name",
        other_color="white",
    )
    styles = {
        "nothing": MapStyle(),
        "no background": MapStyle().background(None),
        "a basemap": MapStyle().basemap(Basemap("a", tiles, opacity=0.5, visible=False)),
        "features": MapStyle().features("places", places),
        "labels": MapStyle().features("places", places, Appearance(labels="name")),
        "colours": MapStyle().features("places", places, Appearance(color_by="name")),
        "colours of nothing": MapStyle().features("places", places, Appearance(color_by="none")),
        "hidden": MapStyle().features("places", places, Appearance(hide=["points", "lines"])),
        "all colours": MapStyle().features("places", places, look),
        "everything": everything.features("a", places, look).features("b", places),
        "by URL": MapStyle().geojson("a", "data.geojson", Appearance(color_by="k", colors=["v"])),
        "hostile": hostile_style(),
        "demo": MapStyle().features("demo", overpasskit.load(ANSWER).features()),
        "nested geometry": MapStyle().features(
            "kinds", overpasskit.load(ROOT / "Tests/Fixtures/overpass-json/derived.json").features()
        ),
    }
    found = judge({name: style.json() for name, style in styles.items()}, tmp_path)
    assert list(found) == list(styles)
    assert found == {name: [] for name in styles}


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('"fill-opacity"', '"fill-opacities"', "unknown property"),
        ('"line-width":3', '"line-width":"wide"', "number expected"),
        ('"source":"places"', '"source":"other"', "not found"),
        ('"tileSize":256', '"tileSize":"big"', "tileSize"),
    ],
)
def test_maplibre_would_complain(right: str, wrong: str, message: str, tmp_path: Path) -> None:
    style = MapStyle().basemap(Basemap("a", png(1, 2, 3))).features("places", features(PLACES))
    text = style.json()
    assert right in text
    found = judge({"broken": text.replace(right, wrong)}, tmp_path)
    assert any(message in each for each in found["broken"])
