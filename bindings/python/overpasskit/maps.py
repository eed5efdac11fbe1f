"""Maps: style documents for MapLibre and Mapbox viewers, pages that show themselves, pictures."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from ctypes import Array, byref, c_char_p, c_void_p, cast
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeAlias

from . import _abi
from ._abi import opk_appearance, opk_basemap, opk_html_options, opk_svg_options
from ._arguments import c_path
from ._ffi import Handle, call, lib, produce, produce_text, status_name, text
from ._maplibre import maplibre
from .errors import MapStyleError, MisuseError

if TYPE_CHECKING:
    from .features import Features

TileScheme: TypeAlias = Literal["xyz", "tms"]
Kind: TypeAlias = Literal["areas", "lines", "points"]

_SCHEMES: dict[str, int] = {"xyz": _abi.OPK_TILES_XYZ, "tms": _abi.OPK_TILES_TMS}
_HIDDEN: dict[str, int] = {
    "areas": _abi.OPK_HIDE_AREAS,
    "lines": _abi.OPK_HIDE_LINES,
    "points": _abi.OPK_HIDE_POINTS,
}


@dataclass(frozen=True)
class Basemap:
    """A map of pictures, fetched tile by tile.

    Parameters
    ----------
    name
        Shown to people; each part of a map has a name of its own.
    tiles
        A template of URLs with ``{z}``, ``{x}`` and ``{y}``, or several that are asked in turn;
        ``{quadkey}`` and ``{bbox-epsg-3857}`` are known as well.
    attribution, link
        Who made it, and a URL that tells more.
    tile_size
        In pixels.
    min_zoom, max_zoom
        Zooms for which there are tiles, 0 to 24; beyond ``max_zoom``, tiles are magnified.
    scheme
        How rows are counted: ``"xyz"`` from the north, ``"tms"`` from the south.
    opacity
        0 to 1.
    visible
        Whether it is shown when the map opens.
    """

    name: str
    tiles: str | Sequence[str]
    attribution: str | None = None
    link: str | None = None
    tile_size: int = 256
    min_zoom: int = 0
    max_zoom: int = 18
    scheme: TileScheme = "xyz"
    opacity: float = 1.0
    visible: bool = True


@dataclass(frozen=True)
class Appearance:
    """How features look, by the kind of their geometry and by a tag.

    Colours are ``"#rrggbb"`` or names as in CSS, sizes are in pixels. None stands for the default.

    Parameters
    ----------
    area_color, outline_color, line_color, point_color
        The colours of the kinds.
    area_opacity
        0 to 1.
    outline_width, line_width, point_radius, label_size
        The sizes.
    hide
        Kinds that are not drawn: ``"areas"``, ``"lines"``, ``"points"``.
    labels
        A tag to take labels from, or several, such as ``["name:de", "name"]``: the first that a
        feature has wins. Pictures have no labels.
    color_by
        A tag whose values choose the colours, in place of the kinds.
    colors
        The colours of its values; or the values alone. By default, the most frequent values of the
        features get one each, at most 12.
    other_color
        For all other values, and features without the tag.
    attribution, link
        Who has to be named for the features: by default the contributors of OpenStreetMap; nobody
        for ``""``.
    """

    area_color: str | None = None
    outline_color: str | None = None
    line_color: str | None = None
    point_color: str | None = None
    area_opacity: float | None = None
    outline_width: float | None = None
    line_width: float | None = None
    point_radius: float | None = None
    label_size: float | None = None
    hide: Sequence[Kind] = ()
    labels: str | Sequence[str] = ()
    color_by: str | None = None
    colors: Mapping[str, str] | Sequence[str] = ()
    other_color: str | None = None
    attribution: str | None = None
    link: str | None = None


class StyleFile(NamedTuple):
    """A style document in a file.

    Attributes
    ----------
    path : Path
        From the root.
    url : str
        The same as a ``file://`` URL, percent-encoded.
    """

    path: Path
    url: str


class MapStyle:
    """A map put together in code. Never changes: each method gives a new one.

    Basemaps lie above each other in the order in which they are added; above them areas, lines,
    points and labels of all features. What no viewer would draw is refused at once with
    `MapStyleError`: a viewer that finds one fault in a style draws nothing at all.

    Examples
    --------
    >>> style = MapStyle("Toilets").basemap(
    ...     Basemap("Streets", "https://tiles.example.org/{z}/{x}/{y}.png"))
    >>> style = style.geojson("toilets", "https://example.org/toilets.geojson",
    ...     Appearance(point_color="teal", labels=["name"]))
    >>> style.json()[:30]
    '{"version":8,"name":"Toilets",'
    >>> plain = style.background("white").glyphs("https://example.org/{fontstack}/{range}.pbf")
    >>> view = plain.view(lat=60.17, lon=24.94, zoom=12)
    >>> "glyphs" in view.json(), '"zoom":12' in view.json()
    (True, True)
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     style.write(Path(folder, "style.json")).url[:8]
    ...     style.write_html(Path(folder, "map.html"))
    ...     sorted(each.name for each in Path(folder).iterdir())
    'file:///'
    ['map.html', 'style.json']
    >>> style.basemap(Basemap("Other", "https://{s}.example.org/{z}/{x}/{y}.png"))
    Traceback (most recent call last):
        ...
    overpasskit.errors.MapStyleError: ...
    """

    def __init__(self, name: str = "Map") -> None:
        pointer = produce(lib.opk_style_new, _text(name))
        self._handle = Handle(pointer or 0, lib.opk_style_free)

    def _changed(self, function: Any, *arguments: Any) -> MapStyle:
        changed = object.__new__(MapStyle)
        changed._handle = Handle(lib.opk_style_clone(self._handle) or 0, lib.opk_style_free)
        call(function, changed._handle, *arguments)
        return changed

    def basemap(self, basemap: Basemap) -> MapStyle:
        """The map with a basemap above those it has."""
        tiles = [basemap.tiles] if isinstance(basemap.tiles, str) else list(basemap.tiles)
        memory = _Memory()
        c = opk_basemap(
            tile_size=_uint32(basemap.tile_size, "tile_size", _abi.OPK_ERR_MAP_VALUE),
            min_zoom=_uint32(basemap.min_zoom, "min_zoom", _abi.OPK_ERR_MAP_ZOOM),
            max_zoom=_uint32(basemap.max_zoom, "max_zoom", _abi.OPK_ERR_MAP_ZOOM),
            scheme=_choice(basemap.scheme, _SCHEMES, "scheme"),
            is_hidden=0 if basemap.visible else 1,
            opacity=basemap.opacity,
            name=memory.text(basemap.name),
            tiles=memory.texts(tiles),
            tile_count=len(tiles),
            attribution=memory.text(basemap.attribution),
            attribution_link=memory.text(basemap.link),
        )
        return self._changed(lib.opk_style_add_basemap, byref(c))

    def features(
        self, name: str, features: Features, appearance: Appearance | None = None
    ) -> MapStyle:
        """The map with features, which become part of the document.

        Parameters
        ----------
        name
            Shown to people; each part of a map has a name of its own.
        features
            What is drawn.
        appearance
            How; see `Appearance`.
        """
        memory = _Memory()
        look = byref(memory.look(appearance))
        return self._changed(lib.opk_style_add_features, _text(name), features._handle, look)

    def geojson(self, name: str, url: str, appearance: Appearance | None = None) -> MapStyle:
        """The map with features that the viewer fetches as GeoJSON.

        Parameters
        ----------
        name
            As for `features`.
        url
            Complete, or relative to where the viewer is.
        appearance
            Colours by a tag need its values.
        """
        memory = _Memory()
        look = byref(memory.look(appearance))
        return self._changed(lib.opk_style_add_geojson_url, _text(name), _text(url), look)

    def background(self, color: str | None) -> MapStyle:
        """The map with another `color` below everything, or with none for None."""
        return self._changed(lib.opk_style_set_background, None if color is None else _text(color))

    def glyphs(self, url: str) -> MapStyle:
        """The map with a URL for the shapes of letters.

        MapLibre GL JS from 5.11 on draws labels without; other viewers need it for labels.

        Parameters
        ----------
        url
            With ``{fontstack}`` and ``{range}``.
        """
        return self._changed(lib.opk_style_set_glyphs, _text(url))

    def view(self, *, lat: float, lon: float, zoom: float) -> MapStyle:
        """The map as it opens; otherwise it shows all features that are part of it.

        Parameters
        ----------
        lat, lon
            The middle, in degrees.
        zoom
            0 to 24.
        """
        return self._changed(lib.opk_style_set_view, lat, lon, zoom)

    # Output

    def json(self) -> str:
        """The style document, version 8 of the MapLibre style specification."""
        return produce_text(lib.opk_style_render, self._handle)

    def write(self, path: str | os.PathLike[str] | None = None) -> StyleFile:
        """Writes the style document into a file.

        Parameters
        ----------
        path
            The file, which takes the place of an older one when it is whole. None for a new file in
            the system's folder for temporary files; who asks for it removes it.

        Raises
        ------
        FileError
            When the file cannot be created or written.
        """
        target = None if path is None else c_path(path)
        pointer = produce(lib.opk_style_write_file, self._handle, target)
        try:
            written = text(lib.opk_style_file_path(pointer)) or ""
            return StyleFile(Path(written), text(lib.opk_style_file_url(pointer)) or "")
        finally:
            lib.opk_style_file_free(pointer)

    def to_html(self, title: str | None = None) -> str:
        """The map as one page that opens in a browser, without a network unless tiles need one.

        A click on a feature shows its tags; they are text, whatever they hold.

        Parameters
        ----------
        title
            What the page is called; by default as the style.
        """
        memory = _Memory()
        return produce_text(lib.opk_style_write_html, self._handle, byref(memory.page(title)))

    def write_html(self, path: str | os.PathLike[str], title: str | None = None) -> None:
        """Writes what `to_html` gives into a file, which is replaced when it is whole.

        Parameters
        ----------
        path, title
            The file, and as for `to_html`.

        Raises
        ------
        FileError
            When the file cannot be created or written, or MapLibre GL JS is not there.
        """
        memory = _Memory()
        page = byref(memory.page(title))
        call(lib.opk_style_write_html_file, self._handle, page, c_path(path))

    def __repr__(self) -> str:
        return f"<MapStyle: {len(self.json())} characters>"


def style_of(
    features: Features, title: str, basemap: Basemap | str | None, appearance: Appearance | None
) -> MapStyle:
    """A map of some features; a template alone makes a basemap, too."""
    style = MapStyle(title)
    if isinstance(basemap, str):
        basemap = Basemap("Basemap", basemap)
    if basemap is not None:
        style = style.basemap(basemap)
    return style.features("features", features, appearance)


def picture(
    features: Features,
    width: int,
    height: int,
    appearance: Appearance | None,
    background: str | None,
    limit: int | None,
) -> str:
    """Features as SVG."""
    memory = _Memory()
    c = opk_svg_options(
        width=_uint32(width, "width", _abi.OPK_ERR_MAP_VALUE),
        height=_uint32(height, "height", _abi.OPK_ERR_MAP_VALUE),
        limit=0 if limit is None else max(limit, 0),
        background=memory.text(background),
        appearance=memory.address(memory.look(appearance)),
    )
    return produce_text(lib.opk_features_write_svg, features._handle, byref(c))


class _Memory:
    """Keeps what C structs point to for as long as they are used."""

    def __init__(self) -> None:
        self._kept: list[object] = []

    def text(self, value: str | None) -> int | None:
        return None if value is None else self._address(c_char_p(_text(value)))

    def texts(self, values: Sequence[str]) -> int | None:
        array: Array[c_char_p] = (c_char_p * len(values))(*(_text(each) for each in values))
        self._kept.append(array)
        return cast(array, c_void_p).value if values else None

    def address(self, structure: object) -> int | None:
        self._kept.append(structure)
        return cast(byref(structure), c_void_p).value  # type: ignore[arg-type]

    def _address(self, pointer: c_char_p) -> int | None:
        self._kept.append(pointer)
        return cast(pointer, c_void_p).value

    def data(self, data: bytes) -> int | None:
        return self._address(c_char_p(data))

    def look(self, appearance: Appearance | None) -> opk_appearance:
        given = appearance or Appearance()
        flags = 0
        for kind in given.hide:
            flags |= _choice(kind, _HIDDEN, "hide")
        labels = [given.labels] if isinstance(given.labels, str) else list(given.labels)
        colors = given.colors
        values = list(colors)
        chosen = list(colors.values()) if isinstance(colors, Mapping) else []
        return opk_appearance(
            flags=flags,
            area_color=self.text(given.area_color),
            outline_color=self.text(given.outline_color),
            line_color=self.text(given.line_color),
            point_color=self.text(given.point_color),
            area_opacity=_number(given.area_opacity, "area_opacity"),
            outline_width=_number(given.outline_width, "outline_width"),
            line_width=_number(given.line_width, "line_width"),
            point_radius=_number(given.point_radius, "point_radius"),
            label_size=_number(given.label_size, "label_size"),
            label_keys=self.texts(labels),
            label_key_count=len(labels),
            color_key=self.text(given.color_by),
            color_values=self.texts(values),
            colors=self.texts(chosen),
            color_count=len(values),
            other_color=self.text(given.other_color),
            attribution=self.text(given.attribution),
            attribution_link=self.text(given.link),
        )

    def page(self, title: str | None) -> opk_html_options:
        script, css, licence = maplibre()
        return opk_html_options(
            script=self.data(script),
            script_size=len(script),
            css=self.data(css),
            css_size=len(css),
            licence=self.data(licence),
            licence_size=len(licence),
            title=self.text(title),
        )


def _text(value: str) -> bytes:
    """Bytes for C. A NUL would end the text early; the library refuses lone surrogates itself."""
    encoded = value.encode("utf-8", "surrogatepass")
    if b"\0" in encoded:
        _refuse(_abi.OPK_ERR_MAP_VALUE, "a text with a NUL character")
    return encoded


def _number(value: float | None, name: str) -> float:
    """A number for C, where NAN stands for the default."""
    if value is None:
        return math.nan
    if math.isnan(value):
        _refuse(_abi.OPK_ERR_MAP_VALUE, f"{name} is not a number")
    return value


def _uint32(value: int, name: str, status: int) -> int:
    """A whole number that C can take; ctypes would cut off what is beyond 32 bits."""
    if not 0 <= value < 2**32:
        _refuse(status, f"{name} is {value}")
    return value


def _refuse(status: int, message: str) -> NoReturn:
    raise MapStyleError(message, status=status, status_name=status_name(status))


def _choice(value: str, choices: dict[str, int], what: str) -> int:
    if value not in choices:
        raise MisuseError(f"{what} is one of {', '.join(map(repr, choices))}, not {value!r}")
    return choices[value]
