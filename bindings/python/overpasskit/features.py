"""Features: what the elements of an answer are on a map."""

from __future__ import annotations

import html
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_int64, c_uint8
from functools import cached_property
from typing import IO, Any, Literal, NamedTuple, SupportsFloat, TypeAlias, overload

from . import _abi, places, visualizations
from ._abi import opk_feature, opk_geojson_options, opk_measures, opk_position, opk_problem
from ._arguments import c_path
from ._arrays import FeatureArrays
from ._ffi import TYPE_NAMES, Handle, call, check, lib, produce, produce_bytes, produce_text, text
from ._packages import package
from ._summaries import counted, printable, rich_table
from .arrow import ArrowTable, to_arrow, to_geopandas, to_pandas
from .elements import Element, ResponseData
from .errors import GeometryError
from .formats import PROPERTIES, Properties, WrittenFeatures
from .geometry import GEOMETRY_TYPES, Bounds, Geometry, Position, position, read_geometry
from .maps import Appearance, Basemap, MapStyle, picture, style_of
from .places import NearbyPlace
from .rules import Antimeridian, Points, Profile, Repair, Rules, choice, feature_options
from .visualizations import Languages, Visualization

Origin: TypeAlias = Literal["element", "center", "bounds"]

_ORIGINS: dict[int, Origin] = {
    _abi.OPK_ORIGIN_ELEMENT: "element",
    _abi.OPK_ORIGIN_CENTER: "center",
    _abi.OPK_ORIGIN_BOUNDS: "bounds",
}


class Problem(NamedTuple):
    """Something that is wrong with the data, found while geometry is put together.

    Attributes
    ----------
    kind : str
        Such as ``"open-ring"`` or ``"missing-nodes"``.
    element : str
        The element whose geometry suffers, such as ``"relation/5"``.
    ways, nodes : tuple of int
        Ids of the ways and nodes concerned.
    position : Position or None
        Where it is, when that is known.
    """

    kind: str
    element: str
    ways: tuple[int, ...]
    nodes: tuple[int, ...]
    position: Position | None


class Feature:
    """One feature: an element with its geometry. Stays valid when the response is closed.

    Examples
    --------
    >>> import overpasskit
    >>> (feature,) = overpasskit.loads('''{"elements": [
    ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe"}}
    ... ]}''').features()
    >>> feature.id, feature.geometry_type, feature.tags
    ('node/1', 'Point', {'amenity': 'cafe'})
    >>> feature.coordinates
    Position(lon=13.4, lat=52.5)
    >>> feature.bounds
    Bounds(west=13.4, south=52.5, east=13.4, north=52.5)
    >>> feature.number, feature.origin, feature.wkb.hex()
    (1, 'element', '0101000000cdcccccccccc2a400000000000404a40')
    >>> feature.ewkb == feature.geometry.ewkb
    True

    Of a boundary whose seat is known, and which lacks a way:

    >>> (region,) = [each for each in overpasskit.loads('''{"elements": [
    ...     {"type": "node", "id": 1, "lat": 0.5, "lon": 0.25, "tags": {"place": "town"}},
    ...     {"type": "way", "id": 2, "nodes": [3, 4, 5, 3],
    ...      "geometry": [{"lat": 0, "lon": 0}, {"lat": 0, "lon": 1}, {"lat": 1, "lon": 0},
    ...                   {"lat": 0, "lon": 0}]},
    ...     {"type": "relation", "id": 6,
    ...      "tags": {"type": "boundary", "boundary": "administrative"},
    ...      "members": [{"type": "way", "ref": 2, "role": "outer"},
    ...                  {"type": "way", "ref": 9, "role": "outer"},
    ...                  {"type": "node", "ref": 1, "role": "admin_centre"}]}
    ... ]}''').features() if each.id == "relation/6"]
    >>> round(region.area / 1e6), round(region.length / 1e3)
    (6155, 379)
    >>> region.centroid, region.point_on_surface is not None
    (Position(lon=0.3333498, lat=0.3333445), True)
    >>> region.admin_centre, region.label, region.missing, region.is_tainted, region.is_valid
    (Position(lon=0.25, lat=0.5), None, ('way/9',), True, True)
    """

    def __init__(self, features: Features, place: int) -> None:
        self._features = features
        self._arrays = features._arrays
        self._place = place
        self._tags: dict[str, str] | None = None

    @property
    def _index(self) -> int:
        """Its place among all features of the library, of which some cannot be drawn."""
        return self._arrays.indices[self._place]  # type: ignore[no-any-return]

    @cached_property
    def _c(self) -> opk_feature:
        c = opk_feature()
        check(lib.opk_features_get(self._features._handle, self._index, byref(c)))
        return c

    @property
    def id(self) -> str:
        """Type and number, such as ``"way/123"``."""
        return f"{self.type}/{self._arrays.ids[self._place]}"

    @property
    def type(self) -> str:
        """``"node"``, ``"way"``, ``"relation"``, or what a query named it."""
        name = TYPE_NAMES.get(self._arrays.types[self._place])
        return name or text(self._c.type_name) or "derived"

    @property
    def number(self) -> int:
        """The id without the type."""
        return self._arrays.ids[self._place]  # type: ignore[no-any-return]

    @property
    def element(self) -> Element | None:
        """The element; None where the answer only mentions it, as a member of another."""
        index = self._c.element_index
        data = self._features._data
        return Element(data, index) if index >= 0 and data is not None else None

    @property
    def tags(self) -> dict[str, str]:
        """The tags. A multipolygon tagged on its outer way has that way's."""
        tags = self._tags
        if tags is None:
            tags = self._tags = self._arrays.tags_of(self._place)
        return tags

    @property
    def geometry_type(self) -> str:
        """The kind of geometry as GeoJSON names it."""
        return GEOMETRY_TYPES[self._arrays.kinds[self._place]]

    @property
    def is_tainted(self) -> bool:
        """Whether parts of the geometry were missing in the answer."""
        return bool(self._c.is_tainted)

    @property
    def is_valid(self) -> bool:
        """False for a raw ring that crosses itself, which is given with ``raw_rings`` alone."""
        return not self._c.is_invalid

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """What the answer lacks for this feature: nodes and members, such as ``"way/5"``."""
        handle, index = self._features._handle, self._index
        count: int = lib.opk_features_missing(handle, index, None, None, 0)
        types, ids = (c_uint8 * count)(), (c_int64 * count)()
        lib.opk_features_missing(handle, index, types, ids, count)
        return tuple(
            f"{TYPE_NAMES.get(kind, 'derived')}/{number}"
            for kind, number in zip(types, ids, strict=True)
        )

    @property
    def label(self) -> Position | None:
        """Where a relation's name is to be written: its member with the role ``label``."""
        return position(self._c.label)

    @property
    def admin_centre(self) -> Position | None:
        """The seat of a relation's area: its member with the role ``admin_centre``."""
        return position(self._c.admin_centre)

    @property
    def origin(self) -> Origin:
        """``"center"`` or ``"bounds"`` for a mere placeholder, else ``"element"``."""
        return _ORIGINS.get(self._c.origin, "element")

    @cached_property
    def geometry(self) -> Geometry:
        """The geometry."""
        pointer = produce(lib.opk_features_geometry, self._features._handle, self._index)
        try:
            geometry = read_geometry(pointer)
            if geometry is None:
                raise GeometryError(f"{self.id} has no geometry")
            return geometry
        finally:
            lib.opk_geometry_free(pointer)

    @cached_property
    def _measures(self) -> opk_measures:
        c = opk_measures()
        check(lib.opk_features_measure(self._features._handle, self._index, byref(c)))
        return c

    @property
    def length(self) -> float:
        """Metres on the ellipsoid WGS84: of lines, and of the boundaries of areas, holes included."""
        return self._measures.length

    @property
    def area(self) -> float:
        """Square metres on the ellipsoid WGS84, holes subtracted; 0 for points and lines."""
        return self._measures.area

    @property
    def centroid(self) -> Position | None:
        """The centre of gravity; it may lie outside."""
        return position(self._measures.centroid)

    @property
    def point_on_surface(self) -> Position | None:
        """A position inside of the area, or on the line."""
        return position(self._measures.point_on_surface)

    @property
    def bounds(self) -> Bounds | None:
        """The smallest box around the geometry; ``west > east`` crosses the antimeridian."""
        southwest = position(self._measures.southwest)
        northeast = position(self._measures.northeast)
        if southwest is None or northeast is None:
            return None
        return Bounds(southwest.lon, southwest.lat, northeast.lon, northeast.lat)

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """Positions nested as in GeoJSON."""
        return self.geometry.coordinates

    @property
    def wkb(self) -> bytes:
        """The geometry as OGC well-known binary."""
        return produce_bytes(lib.opk_features_wkb, self._features._handle, self._index)

    @property
    def ewkb(self) -> bytes:
        """Well-known binary with the reference system, SRID 4326, as PostGIS has it."""
        return self._form(lib.opk_geometry_ewkb)

    @property
    def wkt(self) -> str:
        """The geometry as OGC well-known text, such as ``"POINT (13.4 52.5)"``."""
        return self._form(lib.opk_geometry_wkt).decode("ascii")

    @property
    def ewkt(self) -> str:
        """Well-known text with the reference system, such as ``"SRID=4326;POINT (13.4 52.5)"``."""
        return self._form(lib.opk_geometry_ewkt).decode("ascii")

    def _form(self, function: Any) -> bytes:
        pointer = produce(lib.opk_features_geometry, self._features._handle, self._index)
        try:
            return produce_bytes(function, pointer)
        finally:
            lib.opk_geometry_free(pointer)

    def to_shapely(self) -> Any:
        """The geometry as one of shapely's."""
        return package("shapely", "to_shapely()").from_wkb(self.wkb)

    def to_geojson(self, properties: Properties = "flat") -> str:
        """The feature as GeoJSON text; `properties` as for `Response.to_geojson`."""
        options = _geojson_options(properties)
        return produce_text(
            lib.opk_features_feature_geojson,
            self._features._handle,
            self._index,
            byref(options),
        )

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The feature as GeoJSON values, with flat properties."""
        feature: dict[str, Any] = json.loads(self.to_geojson())
        return feature

    def __repr__(self) -> str:
        return f"<Feature {self.id} {self.geometry_type}>"


class Features(WrittenFeatures, Sequence[Feature]):
    """The features of an answer, in its order: what can be drawn, the same as in GeoJSON.

    Elements without a geometry are in `problems`. A way that is nothing but the outline of a
    relation's area is in neither: the relation stands for it.

    Made by `Response.features`. Stays valid when the response is closed. Memory is given back at
    the end of a ``with`` block, or when nothing refers to it any more. Never changes; many threads
    may read it.

    Examples
    --------
    >>> import overpasskit
    >>> answer = '{"elements": [{"type": "node", "id": 1, "lat": 52.5, "lon": 13.4}]}'
    >>> with overpasskit.loads(answer) as response, response.features() as features:
    ...     features[0], features.counts()
    (<Feature node/1 Point>, {'Point': 1})
    """

    def __init__(
        self,
        data: ResponseData,
        profile: Profile = "default",
        points: Points = "auto",
        uninteresting: Iterable[str] = (),
        repair: Repair = "largest",
        area_rules: Rules | None = None,
        *,
        uninteresting_tags: Rules | None = None,
        antimeridian: Antimeridian = "profile",
        flags: int = 0,
    ) -> None:
        options, kept = feature_options(
            profile,
            points,
            uninteresting,
            repair,
            area_rules,
            uninteresting_tags,
            antimeridian,
            flags,
        )
        pointer = produce(lib.opk_features_build, data.handle, byref(options))
        del kept
        self._data: ResponseData | None = data
        self._open_handle = Handle(pointer or 0, lib.opk_features_free)

    @cached_property
    def _arrays(self) -> FeatureArrays:
        """The features that can be drawn."""
        return FeatureArrays(self._handle)

    @cached_property
    def _positions(self) -> FeatureArrays:
        return FeatureArrays(self._handle, with_coordinates=True)

    def __len__(self) -> int:
        return len(self._arrays.ids)

    @overload
    def __getitem__(self, index: int) -> Feature: ...
    @overload
    def __getitem__(self, index: slice) -> list[Feature]: ...
    def __getitem__(self, index: int | slice) -> Feature | list[Feature]:
        if isinstance(index, slice):
            return [Feature(self, each) for each in range(*index.indices(len(self)))]
        return Feature(self, range(len(self))[index])

    def __iter__(self) -> Iterator[Feature]:
        return (Feature(self, each) for each in range(len(self)))

    @property
    def ids(self) -> memoryview:
        """The numbers of all features, 0 where the answer names none.

        Like `types` and `coordinates` an array in the library's memory, for ``numpy.asarray``: it
        is not copied, and lives as long as anything refers to it.

        Examples
        --------
        >>> import numpy, overpasskit
        >>> features = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4},
        ...     {"type": "way", "id": 7, "geometry": [{"lat": 0, "lon": 1}, {"lat": 2, "lon": 3}]}
        ... ]}''').features()
        >>> numpy.asarray(features.ids)
        array([1, 7])
        >>> numpy.asarray(features.types), numpy.asarray(features.coordinate_ends)
        (array([1, 2], dtype=uint8), array([1, 3], dtype=uint64))
        >>> numpy.asarray(features.coordinates).tolist()
        [[13.4, 52.5], [1.0, 0.0], [3.0, 2.0]]
        """
        return self._arrays.ids  # type: ignore[no-any-return]

    @property
    def types(self) -> memoryview:
        """The types of all features: 1 for nodes, 2 ways, 3 relations, 5 what a query made."""
        return self._arrays.types  # type: ignore[no-any-return]

    @property
    def coordinates(self) -> memoryview:
        """The positions of all features in order: longitude and latitude in degrees."""
        return self._positions.coordinates  # type: ignore[no-any-return]

    @property
    def coordinate_ends(self) -> memoryview:
        """The end of each feature's positions in `coordinates`."""
        return self._positions.position_ends  # type: ignore[no-any-return]

    def arrow(
        self,
        columns: Iterable[str] = (),
        *,
        tags: bool = True,
        meta: bool = False,
        batch_size: int | None = None,
    ) -> ArrowTable:
        """The features as a table for whatever reads Arrow: see `ArrowTable`.

        Parameters
        ----------
        columns
            Keys of tags that get columns of their own: ``["name", "highway"]``. A key that is the
            name of another column gets one named ``tag:`` and the key.
        tags
            Whether there is a column ``tags`` with all tags as a map.
        meta
            Whether there are columns ``version``, ``timestamp``, ``changeset``, ``uid``, ``user``.
        batch_size
            How many rows are handed over at once at most.
        """
        return ArrowTable(self._handle, columns, tags, meta, batch_size)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """The table of `arrow`: id, type, tags and geometry."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    def to_arrow(
        self, columns: Iterable[str] = (), *, tags: bool = True, meta: bool = False
    ) -> Any:
        """The features as a `pyarrow.Table`, with the columns of `arrow`.

        The geometry is WKB, marked as GeoArrow's ``geoarrow.wkb``. The schema's metadata tells whom
        to name, the state of the data, and what the server remarked.

        Examples
        --------
        >>> import overpasskit
        >>> table = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe"}}
        ... ]}''').features().to_arrow(["amenity"])
        >>> table.column_names
        ['id', 'type', 'amenity', 'tags', 'geometry']
        >>> table["tags"].to_pylist()
        [[('amenity', 'cafe')]]
        """
        return to_arrow(self.arrow(columns, tags=tags, meta=meta))

    def to_pandas(
        self, columns: Iterable[str] = (), *, tags: bool = True, meta: bool = False
    ) -> Any:
        """The features as a `pandas.DataFrame`, with the columns of `arrow`; geometry is WKB.

        ``attrs`` of the frame have ``attribution``, ``timestamp`` and ``remarks``, as far as the
        answer has them.

        Examples
        --------
        >>> import overpasskit
        >>> frame = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe"}}
        ... ]}''').features().to_pandas(["amenity"], tags=False)
        >>> frame.amenity.tolist(), frame.id.tolist()
        (['cafe'], [1])
        """
        return to_pandas(self.arrow(columns, tags=tags, meta=meta))

    def to_geopandas(
        self, columns: Iterable[str] = (), *, tags: bool = True, meta: bool = False
    ) -> Any:
        """The features as a `geopandas.GeoDataFrame` in EPSG:4326, with the columns of `arrow`.

        ``attrs`` are as for `to_pandas`.

        Examples
        --------
        >>> import overpasskit
        >>> frame = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe"}}
        ... ]}''').features().to_geopandas(["amenity"])
        >>> frame.geometry[0]
        <POINT (13.4 52.5)>
        >>> dict(frame.tags[0])
        {'amenity': 'cafe'}
        """
        return to_geopandas(self.arrow(columns, tags=tags, meta=meta))

    def to_geojson(self, properties: Properties = "flat") -> str:
        """All features as a GeoJSON FeatureCollection; `properties` as for `Response.to_geojson`."""
        options = _geojson_options(properties)
        return produce_text(lib.opk_features_write_geojson, self._handle, byref(options))

    def write_geojson(
        self, target: str | os.PathLike[str] | IO[bytes], properties: Properties = "flat"
    ) -> None:
        """Writes all features as one GeoJSON FeatureCollection.

        Parameters
        ----------
        target
            A path, whose file is created or replaced and written piece by piece; or a binary file
            that is open for writing.
        properties
            As for `Response.to_geojson`.

        Raises
        ------
        FileError
            When the file cannot be created or written.

        Examples
        --------
        >>> import io, overpasskit
        >>> file = io.BytesIO()
        >>> overpasskit.loads('{"elements": []}').features().write_geojson(file)
        >>> file.getvalue()[:28]
        b'{"type":"FeatureCollection",'
        """
        options = byref(_geojson_options(properties))
        if isinstance(target, (str, os.PathLike)):
            path = c_path(target)
            call(lib.opk_features_write_geojson_file, self._handle, options, path)
        else:
            target.write(produce_bytes(lib.opk_features_write_geojson, self._handle, options))

    def counts(self) -> dict[str, int]:
        """How many features there are of each kind of geometry, in the order of OGC's numbers."""
        kinds = Counter(self._arrays.kinds)
        return {name: kinds[kind] for kind, name in GEOMETRY_TYPES.items() if kinds[kind]}

    @property
    def bounds(self) -> Bounds | None:
        """The smallest box around all features; ``west > east`` crosses the antimeridian.

        Puts every geometry together. None when nothing is drawn.
        """
        low, high = opk_position(), opk_position()
        check(lib.opk_features_bounds(self._handle, byref(low), byref(high)))
        corners = position(low), position(high)
        if corners[0] is None or corners[1] is None:
            return None
        return Bounds(*corners[0], *corners[1])

    def to_html(
        self,
        title: str = "Map",
        *,
        basemap: Basemap | str | None = None,
        appearance: Appearance | None = None,
    ) -> str:
        """The features as a map in one HTML page, which needs no network but for a basemap's tiles.

        Parameters
        ----------
        title
            What the page is called.
        basemap
            A basemap, or the template of its tiles' URLs; none by default.
        appearance
            How features are drawn; see `Appearance`. By default, names are labels.
        """
        return self._map(title, basemap, appearance).to_html()

    def write_html(
        self,
        path: str | os.PathLike[str],
        title: str = "Map",
        *,
        basemap: Basemap | str | None = None,
        appearance: Appearance | None = None,
    ) -> None:
        """Writes what `to_html` gives into a file, which is replaced when it is whole.

        Parameters
        ----------
        path
            The file.
        title, basemap, appearance
            As for `to_html`.

        Examples
        --------
        >>> import overpasskit, pathlib, tempfile
        >>> features = overpasskit.loads('{"elements": []}').features()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     features.write_html(pathlib.Path(folder, "map.html"), "Nothing")
        ...     [each.name for each in pathlib.Path(folder).iterdir()]
        ['map.html']
        """
        self._map(title, basemap, appearance).write_html(path)

    def _map(
        self, title: str, basemap: Basemap | str | None, appearance: Appearance | None
    ) -> MapStyle:
        look = Appearance(labels="name") if appearance is None else appearance
        return style_of(self, title, basemap, look)

    def to_svg(
        self,
        *,
        width: int = 640,
        height: int = 420,
        appearance: Appearance | None = None,
        background: str | None = None,
        limit: int | None = None,
    ) -> str:
        """The features as a picture in SVG.

        Parameters
        ----------
        width, height
            In pixels, 32 to 10000.
        appearance
            How features are drawn; see `Appearance`.
        background
            A colour; a light one by default, none for ``""``.
        limit
            At most so many features are drawn, the first ones.
        """
        return picture(self, width, height, appearance, background, limit)

    def _repr_html_(self) -> str:
        """A picture, for notebooks."""
        if self._open_handle is None:
            return html.escape(repr(self))
        return summary_html(self, counted(len(self), "feature"))

    def __rich__(self) -> object:
        """How many there are of each kind, where rich prints."""
        if self._open_handle is None:
            return rich_table(repr(self), ())
        return rich_table(counted(len(self), "feature"), self.counts().items())

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The FeatureCollection as GeoJSON values."""
        collection: dict[str, Any] = json.loads(self.to_geojson())
        return collection

    def visualizations(self, language: Languages = ()) -> dict[tuple[str, int], Visualization]:
        """What a map shows, by type and number: a pin, lines or areas for each element.

        Elements that say nothing, and parts that another element is drawn of, are not in it; nor is
        what has no identity: what a query made, and elements without numbers (``out noids``).

        Parameters
        ----------
        language
            Of titles: a code such as ``"fi"``, or several, the preferred one first; then ``name``.

        Examples
        --------
        >>> import overpasskit
        >>> response = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 60.2, "lon": 24.9,
        ...      "tags": {"place": "city", "name": "Helsinki", "name:sv": "Helsingfors"}}
        ... ]}''')
        >>> seen = response.features().visualizations(language="sv")
        >>> seen["node", 1].shape, seen["node", 1].title, seen["node", 1].position
        ('annotation', 'Helsingfors', Position(lon=24.9, lat=60.2))
        """
        return visualizations.build(self._handle, language)

    def visualization(
        self, type: str, number: int, language: Languages = ()
    ) -> Visualization | None:
        """What a map shows of one element; None when nothing is drawn for it.

        Parameters
        ----------
        type, number
            The element's type, such as ``"way"``, and its id.
        language
            As for `visualizations`.

        Examples
        --------
        >>> import overpasskit
        >>> features = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 60.2, "lon": 24.9, "tags": {"amenity": "cafe"}}
        ... ]}''').features()
        >>> features.visualization("node", 1).shape, features.visualization("way", 1)
        ('annotation', None)
        """
        return visualizations.build_one(self._handle, type, number, language)

    def places(
        self,
        *,
        lat: SupportsFloat,
        lon: SupportsFloat,
        language: Languages = (),
        radius: SupportsFloat | None = None,
        keys: Iterable[str] | None = None,
    ) -> list[NearbyPlace]:
        """The amenities, shops and sights among the features; `Response.places` explains."""
        return places.find(self._handle, lat, lon, language, radius, keys)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the data of all features. Puts every geometry together."""
        pointer = produce(lib.opk_features_problems, self._handle)
        try:
            found = []
            for index in range(lib.opk_problems_count(pointer)):
                c = opk_problem()
                check(lib.opk_problems_get(pointer, index, byref(c)))
                found.append(_problem(c))
            return found
        finally:
            lib.opk_problems_free(pointer)

    def close(self) -> None:
        """Gives their memory back. Using them afterwards raises `MisuseError`.

        So does reading the geometry of a feature that was taken from them. Arrays and tables that
        were taken keep what they need.
        """
        super().close()
        self._data = None
        for cached in ("_arrays", "_positions"):
            self.__dict__.pop(cached, None)

    def __repr__(self) -> str:
        if self._open_handle is None:
            return "<features, closed>"
        return f"<{len(self)} features>"


def _problem(c: opk_problem) -> Problem:
    return Problem(
        kind=text(c.kind) or "",
        element=f"{TYPE_NAMES.get(c.element_type, 'derived')}/{c.element_id}",
        ways=_ids(c.ways, c.way_count),
        nodes=_ids(c.nodes, c.node_count),
        position=position(c.position),
    )


def _ids(address: int | None, count: int) -> tuple[int, ...]:
    return tuple((c_int64 * count).from_address(address)) if address else ()


def _geojson_options(properties: str) -> opk_geojson_options:
    return opk_geojson_options(properties=choice(properties, PROPERTIES, "properties"))


# A notebook keeps what it shows; a picture of everything could make it very large.
_SHOWN = 2000


def summary_html(features: Features, caption: str) -> str:
    """A picture with a line below, as HTML for notebooks."""
    shown = features.to_svg(width=560, height=340, limit=_SHOWN)
    if lib.opk_features_count(features._handle) > _SHOWN:
        caption += f"; the first {_SHOWN} are drawn"
    return (
        '<figure style="margin:0;max-width:560px;font:13px system-ui,sans-serif">'
        f"{shown}<figcaption>{html.escape(printable(caption))}</figcaption></figure>"
    )
