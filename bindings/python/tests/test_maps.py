"""Style documents put together in code."""

import json
import stat
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import overpasskit
import pytest
from build import node, way
from overpasskit import Appearance, Basemap, FileError, MapStyle, MapStyleError, MisuseError
from overpasskit._maplibre import FILES, folders, maplibre

TILES = "https://tiles.example.org/{z}/{x}/{y}.png"
PLACES = [
    node(1, 13.4, 52.5, {"amenity": "toilets", "fee": "yes", "name": "A"}),
    node(2, 13.41, 52.5, {"amenity": "toilets", "fee": "no"}),
    node(3, 13.42, 52.51, {"amenity": "toilets", "fee": "no"}),
    way(4, None, {"building": "yes"}, center={"lat": 52.505, "lon": 13.405}),
]


def features(elements: list[dict[str, Any]]) -> overpasskit.Features:
    return overpasskit.loads(json.dumps({"elements": elements})).features()


def document(style: MapStyle) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(style.json())
    return written


def test_a_style_never_changes() -> None:
    empty = MapStyle("A")
    with_tiles = empty.basemap(Basemap("Streets", TILES))
    with_features = with_tiles.features("found", features(PLACES))
    assert document(empty)["sources"] == {}
    assert list(document(with_tiles)["sources"]) == ["Streets"]
    assert list(document(with_features)["sources"]) == ["Streets", "found"]
    assert with_features.json() == with_tiles.features("found", features(PLACES)).json()


def test_a_basemap_has_defaults() -> None:
    source = document(MapStyle().basemap(Basemap("Streets", TILES)))["sources"]["Streets"]
    assert source == {
        "type": "raster",
        "tiles": [TILES],
        "tileSize": 256,
        "minzoom": 0,
        "maxzoom": 18,
    }


def test_a_basemap_has_what_is_asked_for() -> None:
    basemap = Basemap(
        "Hills",
        [TILES, TILES.replace("tiles", "more")],
        attribution="A & B",
        link="https://example.org/?a=b&c",
        tile_size=512,
        min_zoom=2,
        max_zoom=16,
        scheme="tms",
        opacity=0.5,
        visible=False,
    )
    written = document(MapStyle().basemap(Basemap("Streets", TILES)).basemap(basemap))
    source, layer = written["sources"]["Hills"], written["layers"][-1]
    assert source["attribution"] == (
        '<a href="https://example.org/?a=b&amp;c" target="_blank" rel="noopener">A &amp; B</a>'
    )
    assert (source["tileSize"], source["minzoom"], source["maxzoom"]) == (512, 2, 16)
    assert source["scheme"] == "tms" and len(source["tiles"]) == 2
    assert layer["paint"] == {"raster-opacity": 0.5}
    assert layer["layout"] == {"visibility": "none"}


def test_features_are_part_of_the_document() -> None:
    found = features(PLACES)
    written = document(MapStyle().features("found", found))
    source = written["sources"]["found"]
    assert source["data"] == json.loads(found.to_geojson()) | {"generator": None} or (
        source["data"]["features"] == json.loads(found.to_geojson())["features"]
    )
    assert "OpenStreetMap contributors" in source["attribution"]
    assert [layer["id"] for layer in written["layers"]] == [
        "background",
        "found/areas",
        "found/outlines",
        "found/lines",
        "found/points",
    ]
    assert written["center"] == [13.41, 52.505]


def test_features_outlive_their_response() -> None:
    response = overpasskit.loads(json.dumps({"elements": PLACES}))
    style = MapStyle().features("found", response.features())
    response.close()
    del response
    assert len(document(style)["sources"]["found"]["data"]["features"]) == 4


def test_an_appearance_reaches_the_layers() -> None:
    look = Appearance(
        area_color="teal",
        line_color="#123456",
        point_color="#ABC",
        area_opacity=0.0,
        outline_width=4,
        line_width=7.5,
        point_radius=9,
        label_size=15,
        labels=["name:de", "name"],
        attribution="",
    )
    written = document(MapStyle().features("x", features(PLACES), look))
    layers = {layer["id"]: layer for layer in written["layers"]}
    assert layers["x/areas"]["paint"]["fill-color"] == "teal"
    assert layers["x/areas"]["paint"]["fill-opacity"] == ["case", ["has", "@geometry"], 0, 0]
    assert layers["x/outlines"]["paint"] == {"line-color": "teal", "line-width": 4}
    assert layers["x/lines"]["paint"]["line-color"] == "#123456"
    assert layers["x/lines"]["paint"]["line-width"] == 7.5
    assert layers["x/points"]["paint"]["circle-color"] == "#abc"
    assert layers["x/points"]["paint"]["circle-radius"] == 9
    assert layers["x/labels"]["layout"]["text-size"] == 15
    assert layers["x/labels"]["layout"]["text-field"] == [
        "coalesce",
        ["get", "name:de"],
        ["get", "name"],
        "",
    ]
    assert "attribution" not in written["sources"]["x"]


def test_kinds_are_hidden() -> None:
    look = Appearance(hide=["areas", "lines"], labels="name")
    layers = document(MapStyle().features("x", features(PLACES), look))["layers"]
    assert [layer["id"] for layer in layers] == ["background", "x/points", "x/labels"]
    with pytest.raises(MisuseError, match="hide is one of"):
        MapStyle().features("x", features(PLACES), Appearance(hide=["all"]))  # type: ignore[list-item]


def test_colours_follow_a_tag() -> None:
    def colours(look: Appearance) -> Any:
        written = document(MapStyle().features("x", features(PLACES), look))
        return written["layers"][-1]["paint"]["circle-color"]

    assert colours(Appearance(color_by="fee")) == [
        "match", ["get", "fee"], "no", "#0b6fb8", "yes", "#d9591a", "#8a8f98",
    ]  # fmt: skip
    chosen = Appearance(color_by="fee", colors={"yes": "red", "no": "green"}, other_color="#000")
    assert colours(chosen) == ["match", ["get", "fee"], "yes", "red", "no", "green", "#000"]
    assert colours(Appearance(color_by="fee", colors=["no"])) == [
        "match", ["get", "fee"], "no", "#0b6fb8", "#8a8f98",
    ]  # fmt: skip
    assert colours(Appearance(color_by="nothing")) == "#8a8f98"


def test_geojson_by_url() -> None:
    style = MapStyle().geojson("x", "toilets.geojson", Appearance(color_by="fee", colors=["yes"]))
    assert document(style)["sources"]["x"]["data"] == "toilets.geojson"
    with pytest.raises(MapStyleError, match="need their values"):
        MapStyle().geojson("x", "toilets.geojson", Appearance(color_by="fee"))


def test_background_glyphs_and_view() -> None:
    style = MapStyle("A").background("#fff").glyphs("https://example.org/{fontstack}/{range}.pbf")
    style = style.view(lat=50.5, lon=-7, zoom=3.25)
    written = document(style)
    assert written["layers"][0]["paint"] == {"background-color": "#fff"}
    assert written["glyphs"] == "https://example.org/{fontstack}/{range}.pbf"
    assert (written["center"], written["zoom"]) == ([-7, 50.5], 3.25)
    assert document(style.background(None))["layers"] == []


FAULTS = {
    "no name": ("NAME", lambda: MapStyle("")),
    "a line in a name": ("NAME", lambda: MapStyle("a\nb")),
    "a NUL": ("VALUE", lambda: MapStyle("a\0b")),
    "half a pair of surrogates": ("VALUE", lambda: MapStyle("a\ud800")),
    "a basemap without a name": ("NAME", lambda: MapStyle().basemap(Basemap("", TILES))),
    "a name twice": (
        "DUPLICATE",
        lambda: MapStyle().basemap(Basemap("a", TILES)).basemap(Basemap("a", TILES)),
    ),
    "no tiles": ("TILES", lambda: MapStyle().basemap(Basemap("a", []))),
    "half a template": (
        "TILES",
        lambda: MapStyle().basemap(Basemap("a", "https://a.org/{z}/{x}.png")),
    ),
    "subdomains": (
        "TILES",
        lambda: MapStyle().basemap(Basemap("a", "https://{s}.a.org/{z}/{x}/{y}.png")),
    ),
    "a zoom below 0": ("ZOOM", lambda: MapStyle().basemap(Basemap("a", TILES, min_zoom=-1))),
    "a zoom above 24": ("ZOOM", lambda: MapStyle().basemap(Basemap("a", TILES, max_zoom=25))),
    "a zoom beyond 32 bits": (
        "ZOOM",
        lambda: MapStyle().basemap(Basemap("a", TILES, min_zoom=2**32)),
    ),
    "zooms the wrong way round": (
        "ZOOM",
        lambda: MapStyle().basemap(Basemap("a", TILES, min_zoom=9, max_zoom=8)),
    ),
    "no size": ("VALUE", lambda: MapStyle().basemap(Basemap("a", TILES, tile_size=0))),
    "too much opacity": ("VALUE", lambda: MapStyle().basemap(Basemap("a", TILES, opacity=2))),
    "a link that is a script": (
        "URL",
        lambda: MapStyle().basemap(Basemap("a", TILES, "x", "javascript:alert(1)")),
    ),
    "a view beyond the pole": ("ZOOM", lambda: MapStyle().view(lat=91, lon=0, zoom=1)),
    "no colour": ("COLOR", lambda: MapStyle().background("redd")),
    "a colour with more": ("COLOR", lambda: MapStyle().background("red; x: y")),
    "a colour of points": (
        "COLOR",
        lambda: MapStyle().geojson("x", "a.json", Appearance(point_color="rgb(0,0,0)")),
    ),
    "two colours of a value": (
        "DUPLICATE",
        lambda: MapStyle().geojson("x", "a", Appearance(color_by="k", colors=["a", "a"])),
    ),
    "not a number": (
        "VALUE",
        lambda: MapStyle().geojson("x", "a", Appearance(line_width=float("nan"))),
    ),
    "no URL": ("URL", lambda: MapStyle().geojson("x", "javascript:alert(1)")),
    "glyphs without range": ("URL", lambda: MapStyle().glyphs("https://a.org/{fontstack}.pbf")),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be(name: str) -> None:
    status, make = FAULTS[name]
    with pytest.raises(MapStyleError) as caught:
        make()
    assert caught.value.status_name == f"OPK_ERR_MAP_{status}"
    assert isinstance(caught.value, ValueError)


def test_unknown_scheme() -> None:
    with pytest.raises(MisuseError, match="scheme is one of"):
        MapStyle().basemap(Basemap("a", TILES, scheme="wms"))  # type: ignore[arg-type]


# Files


def test_a_file(tmp_path: Path) -> None:
    style = MapStyle("A").features("found", features(PLACES))
    target = tmp_path / "with space #1 é.json"
    file = style.write(target)
    assert file.path == target
    assert file.url == "file://" + urllib.parse.quote(str(target))
    with urllib.request.urlopen(file.url) as opened:
        assert opened.read().decode() == style.json()
    assert list(tmp_path.iterdir()) == [target]


def test_a_path_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert MapStyle("A").write("a.json").path == tmp_path / "a.json"


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "style.json"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(target.name)
    MapStyle("A").write(link)
    assert link.is_symlink() and json.loads(target.read_text())["name"] == "A"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.json", "style.json"]


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    path = MapStyle("A").write(tmp_path / "style.json").path
    assert path.stat().st_mode == other.stat().st_mode


def test_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    one, two = MapStyle("A").write(), MapStyle("A").write()
    assert one.path != two.path and one.path.parent == two.path.parent == tmp_path
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o600
    assert one.url == one.path.as_uri()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="nowhere"):
        MapStyle("A").write(tmp_path / "nowhere" / "a.json")


# MapLibre GL JS


def test_maplibre_is_found_and_has_its_licence() -> None:
    script, css, licence = maplibre()
    assert b"MapLibre GL JS" in script[:200] and b".maplibregl-map" in css
    assert b"Redistribution and use in source and binary forms" in licence


def test_the_environment_says_where_it_is(tmp_path: Path) -> None:
    assert list(folders({"OVERPASSKIT_MAPLIBRE": str(tmp_path)})) == [tmp_path]
    places = list(folders({"OVERPASSKIT_LIBRARY": "/opt/x/lib/liboverpasskit.so.0"}))
    assert places[0].name == "maplibre-gl" and places[0].parent.name == "overpasskit"
    assert Path("/opt/x/share/overpasskit/maplibre-gl") in places


def test_without_maplibre_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERPASSKIT_MAPLIBRE", str(tmp_path))
    with pytest.raises(FileError, match="OVERPASSKIT_MAPLIBRE") as caught:
        MapStyle("A").to_html()
    assert caught.value.status_name == "OPK_ERR_FILE_OPEN"
    for name in FILES:
        (tmp_path / name).write_text(f"/* {name} */")
    page = MapStyle("A").to_html()
    assert all(f"/* {name} */" in page for name in FILES)
