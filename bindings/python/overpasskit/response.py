"""Responses: an answer of Overpass, decoded."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from ctypes import byref
from datetime import datetime
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, SupportsFloat

from . import _abi
from ._abi import opk_action
from ._ffi import TYPE_CODES, check, closed, lib, text
from ._summaries import counted, rich_table
from .combining import Wanted, applied, filtered, merged
from .documents import DocumentFormat, document_text, write_document
from .elements import Element, Elements, ResponseData
from .features import Features, Problem, summary_html
from .formats import Properties
from .geometry import Bounds
from .maps import Appearance, Basemap
from .places import NearbyPlace
from .rules import Antimeridian, Points, Profile, Repair, Rules
from .server import ServerMessage, read_messages
from .visualizations import Languages, Visualization

if TYPE_CHECKING:
    from .fetching import Source


class Action(NamedTuple):
    """One change of an element, in an augmented diff or a change file.

    Attributes
    ----------
    kind : str
        ``"create"``, ``"modify"``, ``"delete"``, or in diffs of a query's result ``"show_initial"``
        (it was in the earlier result only) and ``"show_final"`` (it is in the later one only).
    old, new : Element or None
        The states before and after.
    """

    kind: str
    old: Element | None
    new: Element | None


_ACTIONS = {
    _abi.OPK_ACTION_CREATE: "create",
    _abi.OPK_ACTION_MODIFY: "modify",
    _abi.OPK_ACTION_DELETE: "delete",
    _abi.OPK_ACTION_SHOW_INITIAL: "show_initial",
    _abi.OPK_ACTION_SHOW_FINAL: "show_final",
}


class Response:
    """A decoded answer. Never changes; many threads may read it.

    Made by `load`, `loads` and `fetch`. Its memory is freed when nothing refers to it any more, or
    at the end of a ``with`` block; elements and features taken from it stay valid all the same.

    Examples
    --------
    >>> from overpasskit import loads
    >>> answer = '''{"osm3s": {"timestamp_osm_base": "2024-03-31T02:30:00Z"},
    ...     "elements": [{"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"a": ""}}]}'''
    >>> with loads(answer) as response:
    ...     [element.tags for element in response.elements]
    ...     response.timestamp.isoformat()
    [{'a': ''}]
    '2024-03-31T02:30:00+00:00'

    What an answer says about itself:

    >>> answer = '''{"version": 0.6, "generator": "Overpass API 0.7.62", "osm3s": {
    ...     "timestamp_areas_base": "2024-03-30T00:00:00Z", "copyright": "ODbL"}, "elements": [],
    ...     "remark": "runtime error: Query run out of memory using about 512 MB of RAM."}'''
    >>> response = loads(answer)
    >>> response.version, response.generator, response.copyright, response.areas_timestamp.day
    ('0.6', 'Overpass API 0.7.62', 'ODbL', 30)
    >>> response.is_complete, response.remarks[0][:30], response.messages[0].category
    (False, 'runtime error: Query run out o', 'out_of_memory')
    >>> response.diagnostics, response.truncated_at
    ([], None)
    >>> response.close()
    >>> response.elements
    Traceback (most recent call last):
        ...
    overpasskit.errors.MisuseError: ...
    """

    def __init__(self, data: ResponseData, source: Source | None = None) -> None:
        self._open_data: ResponseData | None = data
        self._source = source

    @property
    def _data(self) -> ResponseData:
        data = self._open_data
        if data is None:
            raise closed("response")
        return data

    # What the answer says about itself

    @property
    def source(self) -> Source | None:
        """Where the answer was fetched from; None for one that was not fetched."""
        return self._source

    @property
    def is_complete(self) -> bool | None:
        """Whether the answer is whole.

        False when the server reported a runtime error or the answer is truncated; None when the
        server added a remark of a kind that is not known.
        """
        state: int = lib.opk_response_is_complete(self._data.handle)
        return None if state < 0 else state == 1

    @property
    def truncated_at(self) -> int | None:
        """Where a truncated answer stopped: a byte of the decompressed answer."""
        offset: int = lib.opk_response_truncated_at(self._data.handle)
        return offset if offset >= 0 else None

    @property
    def remarks(self) -> list[str]:
        """What the server remarked, such as ``"runtime error: Query timed out ..."``."""
        handle = self._data.handle
        count = lib.opk_response_remark_count(handle)
        return [text(lib.opk_response_remark(handle, each)) or "" for each in range(count)]

    @property
    def messages(self) -> list[ServerMessage]:
        """What the remarks say, taken apart: the server joins several messages in one remark."""
        handle = self._data.handle
        return list(read_messages(lib.opk_response_message_count, lib.opk_response_message, handle))

    @property
    def diagnostics(self) -> list[str]:
        """What the decoder had to mend or found contradictory."""
        handle = self._data.handle
        count = lib.opk_response_diagnostic_count(handle)
        return [text(lib.opk_response_diagnostic(handle, each)) or "" for each in range(count)]

    @property
    def timestamp(self) -> datetime | None:
        """The state of the data, in UTC; None where the answer does not say."""
        return self._time(_abi.OPK_HEADER_TIMESTAMP)

    @property
    def areas_timestamp(self) -> datetime | None:
        """The state of the areas, in UTC; only where the query used areas."""
        return self._time(_abi.OPK_HEADER_AREAS_TIMESTAMP)

    @property
    def version(self) -> str | None:
        """The version of the answer's format, such as ``"0.6"``."""
        return self._header(_abi.OPK_HEADER_VERSION)

    @property
    def generator(self) -> str | None:
        """The program that made the answer."""
        return self._header(_abi.OPK_HEADER_GENERATOR)

    @property
    def copyright(self) -> str | None:
        """The notice that goes with the data."""
        return self._header(_abi.OPK_HEADER_COPYRIGHT)

    def _header(self, field: int) -> str | None:
        return text(lib.opk_response_header(self._data.handle, field))

    def _time(self, field: int) -> datetime | None:
        written = self._header(field)
        if written is None or not written.endswith("Z"):
            return None
        try:
            return datetime.fromisoformat(written[:-1] + "+00:00")
        except ValueError:
            return None

    # Its data

    @property
    def elements(self) -> Elements:
        """The elements, in the order of the answer.

        Each (type, id) occurs once, except in documents that list several states of elements
        (augmented diffs, change files).
        """
        return Elements(self._data)

    def __len__(self) -> int:
        """The number of elements."""
        return len(self.elements)

    def __iter__(self) -> Iterator[Element]:
        """The elements, in the order of the answer."""
        return iter(self.elements)

    def __contains__(self, element: object) -> bool:
        """Whether an element is there; see `Elements`."""
        return element in self.elements

    @property
    def actions(self) -> list[Action]:
        """The changes that an augmented diff or a change file lists, in its order.

        Examples
        --------
        >>> from overpasskit import loads
        >>> changes = '<osmChange><create><node id="5" lat="4" lon="4"/></create></osmChange>'
        >>> [(each.kind, each.old, each.new) for each in loads(changes).actions]
        [('create', None, <Element node/5>)]
        """
        data, actions = self._data, []
        for index in range(lib.opk_response_action_count(data.handle)):
            c = opk_action()
            check(lib.opk_response_action(data.handle, index, byref(c)))
            states = [
                Element(data, each) if each >= 0 else None for each in (c.old_index, c.new_index)
            ]
            actions.append(Action(_ACTIONS.get(c.kind, "modify"), *states))
        return actions

    def merge(self, *others: Response) -> Response:
        """This response and others as one; see `overpasskit.merge`."""
        return merge([self, *others])

    def apply(self, changes: Response | Iterable[Response]) -> Response:
        """The response after changes: those of change files or augmented diffs, in their order.

        Creating and modifying puts the state that a change tells in the place of the present one,
        which may be missing; deleting takes the element away. A change of an older version than the
        present one is left out, with a diagnostic. Positions printed with ways and relations follow
        their nodes as far as these are known; bounds and centres of what a change touches are
        dropped. Elements keep their places and new ones follow; all are sorted as servers print
        them where they were before.

        Raises
        ------
        MisuseError
            When this response lists changes itself, or `changes` lists elements instead.

        Examples
        --------
        >>> from overpasskit import loads
        >>> before = loads('{"elements": [{"type": "node", "id": 1, "lat": 2, "lon": 3}]}')
        >>> changes = loads('''<osmChange><create><node id="5" lat="4" lon="4"/></create>
        ...     <delete><node id="1" version="2"/></delete></osmChange>''')
        >>> list(before.apply(changes).elements)
        [<Element node/5>]
        """
        lists = [changes] if isinstance(changes, Response) else changes
        return Response(applied(self._data, [each._data for each in lists]))

    def filter(
        self,
        types: str | Iterable[str] | None = None,
        tags: Mapping[str, Wanted] | None = None,
        bbox: Bounds | tuple[float, float, float, float] | None = None,
        *,
        not_tags: Mapping[str, str | Iterable[str]] | None = None,
        keep_references: bool = False,
    ) -> Response:
        """The elements for which all that is given holds, in their order.

        Parameters
        ----------
        types
            One or several of ``"node"``, ``"way"``, ``"relation"``, ``"area"`` and ``"derived"``
            (counts, and what queries make).
        tags
            For each key a value, several of which one is meant, True for any value, or False where
            the key must be missing.
        bbox
            West, south, east, north in degrees; ``west > east`` crosses the antimeridian. An
            element lies in it when one of its positions does, or lies on the edge: of a way that
            of one of its nodes, of a relation that of one of its members, members of members
            included, as far as the answer has them. Of elements without known positions the
            centre, or bounds that meet the box, decide. A way that crosses the box with no node
            inside is not found.
        not_tags
            For each key a value or several that it must not have; it may be missing.
        keep_references
            Keep also what the elements refer to: nodes of ways, members of relations, their members
            and nodes, so that geometries stay whole.

        Raises
        ------
        MisuseError
            For a box out of range, and when this response lists changes.

        Examples
        --------
        >>> from overpasskit import loads
        >>> response = loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 1, "lon": 1, "tags": {"amenity": "cafe"}},
        ...     {"type": "node", "id": 2, "lat": 1, "lon": 1,
        ...      "tags": {"amenity": "cafe", "name": "Kahvila"}}
        ... ]}''')
        >>> list(response.filter("node", {"amenity": ["cafe", "bar"], "name": True}).elements)
        [<Element node/2>]
        >>> len(response.filter(bbox=(0, 0, 0.5, 0.5)))
        0
        """
        part = filtered(self._data, types, tags or {}, not_tags or {}, bbox, keep_references)
        return Response(part)

    def features(
        self,
        profile: Profile = "default",
        points: Points = "auto",
        *,
        uninteresting: Iterable[str] = (),
        repair: Repair = "largest",
        area_rules: Rules | None = None,
        uninteresting_tags: Rules | None = None,
        antimeridian: Antimeridian = "profile",
        collections: bool = False,
        raw_rings: bool = False,
        omit_parts: bool = False,
        draw_bounds: bool = False,
        stray_rings: bool = False,
        follow_roundabouts: bool = False,
    ) -> Features:
        """What the elements are on a map.

        Parameters
        ----------
        profile
            The rules: ``"default"``, or ``"osmtogeojson"`` for those of that program.
        points
            Which nodes are features: ``"auto"``: tagged and unconnected ones, and those the query
            printed on their own; ``"tagged"``; ``"all"``.
        uninteresting
            Keys that make no node a feature, besides the built-in ones.
        repair
            What becomes of rings that form no sound area: ``"largest"``: those that are valid on
            their own are kept; ``"none"``: any fault leaves the element without an area;
            ``"full"``: ends that lie together are joined and small gaps closed, too.
        area_rules
            Rules for closed ways in place of the profile's, a line a key: ``landuse *`` (every
            value makes an area), ``highway + services platform`` (only these), ``natural -
            cliff`` (all but these), ``decide area=no line`` (settles the matter); or the values or
            the text of JSON, as `overpasskit.area_rules` gives them.
        uninteresting_tags
            Tags that say nothing, in place of the profile's: a line a key, ``source``, ``note +
            fixme todo``; or JSON, as `overpasskit.uninteresting_tags` gives it.
        antimeridian
            What becomes of geometries that cross it: ``"cut"`` (RFC 7946 3.1.9), ``"keep"``, or
            as the profile has it: ``"default"`` cuts, ``"osmtogeojson"`` keeps.
        collections
            Make collections of the members of relations that stand for no area and no line.
        raw_rings
            Give closed ways that should be areas but cross themselves as polygons all the same,
            with `Feature.is_valid` false; otherwise they are lines.
        omit_parts
            Leave out elements that help to draw another one.
        draw_bounds
            Draw elements of which only the bounding box is known as rectangles.
        stray_rings
            Make areas of rings of ``inner`` members outside of all others.
        follow_roundabouts
            Draw routes along closed ways from where they come in to where they go out, instead of
            all around.

        Examples
        --------
        >>> pond = '{"type":"way","id":1,"tags":{"my":"pond"},"geometry":[{"lat":0,"lon":0},\\
        ... {"lat":0,"lon":1},{"lat":1,"lon":1},{"lat":0,"lon":0}]}'
        >>> from overpasskit import loads
        >>> response = loads('{"elements":[' + pond + "]}")
        >>> [feature.geometry_type for feature in response.features()]
        ['LineString']
        >>> [feature.geometry_type for feature in response.features(area_rules="my + pond")]
        ['Polygon']
        """
        flags = 0
        for is_set, flag in (
            (collections, _abi.OPK_FEATURES_COLLECTIONS),
            (raw_rings, _abi.OPK_FEATURES_RAW_RINGS),
            (omit_parts, _abi.OPK_FEATURES_OMIT_PARTS),
            (draw_bounds, _abi.OPK_FEATURES_DRAW_BOUNDS),
            (stray_rings, _abi.OPK_FEATURES_STRAY_RINGS),
            (follow_roundabouts, _abi.OPK_FEATURES_FOLLOW_ROUNDABOUTS),
        ):
            flags |= flag if is_set else 0
        return Features(
            self._data,
            profile,
            points,
            uninteresting,
            repair,
            area_rules,
            uninteresting_tags=uninteresting_tags,
            antimeridian=antimeridian,
            flags=flags,
        )

    def to_geojson(
        self,
        profile: Profile = "default",
        properties: Properties = "flat",
        points: Points = "auto",
    ) -> str:
        """The features as one GeoJSON FeatureCollection.

        Parameters
        ----------
        profile, points
            As for `features`.
        properties
            ``"flat"``: tags as they are, with ``@id``, ``@type`` and so on beside them (with
            profile osmtogeojson: that program's own flat layout); ``"nested"``: ``type``, ``id``,
            ``tags``, ``meta``, ``relations``, ``tainted``, ``geometry``.
        """
        return self.features(profile, points).to_geojson(properties)

    def write_geojson(
        self,
        target: str | os.PathLike[str] | IO[bytes],
        profile: Profile = "default",
        properties: Properties = "flat",
        points: Points = "auto",
    ) -> None:
        """Writes what `to_geojson` gives.

        Parameters
        ----------
        target
            As for `Features.write_geojson`.
        profile, properties, points
            As for `to_geojson`.
        """
        self.features(profile, points).write_geojson(target, properties)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """The features as a table for whatever reads Arrow: id, type, tags and geometry.

        Examples
        --------
        >>> import pyarrow
        >>> from overpasskit import loads
        >>> response = loads('{"elements": [{"type": "node", "id": 1, "lat": 52.5, "lon": 13.4}]}')
        >>> pyarrow.table(response).num_rows
        1
        """
        return self.features().__arrow_c_stream__(requested_schema)

    def to_arrow(
        self,
        columns: Iterable[str] = (),
        *,
        tags: bool = True,
        meta: bool = False,
        profile: Profile = "default",
        points: Points = "auto",
    ) -> Any:
        """The features as a `pyarrow.Table`.

        Parameters
        ----------
        columns
            Keys of tags that get columns of their own.
        tags
            Whether there is a column ``tags`` with all tags as a map.
        meta
            Whether there are columns ``version``, ``timestamp``, ``changeset``, ``uid``, ``user``.
        profile, points
            As for `features`.

        Raises
        ------
        MissingPackageError
            When pyarrow is not installed.
        """
        return self.features(profile, points).to_arrow(columns, tags=tags, meta=meta)

    def to_pandas(
        self,
        columns: Iterable[str] = (),
        *,
        tags: bool = True,
        meta: bool = False,
        profile: Profile = "default",
        points: Points = "auto",
    ) -> Any:
        """The features as a `pandas.DataFrame`, as `Features.to_pandas` has it.

        The parameters are those of `to_arrow`.
        """
        return self.features(profile, points).to_pandas(columns, tags=tags, meta=meta)

    def to_geopandas(
        self,
        columns: Iterable[str] = (),
        *,
        tags: bool = True,
        meta: bool = False,
        profile: Profile = "default",
        points: Points = "auto",
    ) -> Any:
        """The features as a `geopandas.GeoDataFrame`, as `Features.to_geopandas` has it.

        The parameters are those of `to_arrow`.

        Examples
        --------
        >>> from overpasskit import loads
        >>> response = loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe"}}
        ... ]}''')
        >>> frame = response.to_geopandas(["amenity", "name"], tags=False)
        >>> list(frame.columns), frame.crs.to_string()
        (['id', 'type', 'amenity', 'name', 'geometry'], 'EPSG:4326')
        """
        return self.features(profile, points).to_geopandas(columns, tags=tags, meta=meta)

    def visualizations(self, language: Languages = ()) -> dict[tuple[str, int], Visualization]:
        """What a map shows, by type and number; `Features.visualizations` explains."""
        return self.features().visualizations(language)

    def visualization(
        self, type: str, number: int, language: Languages = ()
    ) -> Visualization | None:
        """What a map shows of one element, as `Features.visualization` has it."""
        return self.features().visualization(type, number, language)

    def places(
        self,
        *,
        lat: SupportsFloat,
        lon: SupportsFloat,
        language: Languages = (),
        radius: SupportsFloat | None = None,
        keys: Iterable[str] | None = None,
    ) -> list[NearbyPlace]:
        """The amenities, shops and sights near a position, the nearest first.

        Parameters
        ----------
        lat, lon
            Where from, in degrees.
        language
            Of titles and descriptions: a code such as ``"fi"``, or several, the preferred one
            first.
        radius
            Metres; however far away when omitted.
        keys
            The keys that make a feature a place, in place of amenity, shop and tourism; the first
            that it has tells its kind.

        Examples
        --------
        >>> from overpasskit import loads
        >>> response = loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 60.17, "lon": 24.94,
        ...      "tags": {"amenity": "toilets", "fee": "yes", "charge": "0.50 EUR"}},
        ...     {"type": "node", "id": 2, "lat": 60.1701, "lon": 24.94,
        ...      "tags": {"amenity": "cafe", "name": "Kahvila", "wheelchair": "limited"}}
        ... ]}''')
        >>> for place in response.places(lat=60.171, lon=24.94, language=["fi", "en"]):
        ...     print(place.title, round(place.distance), place.bearing, place.fee)
        Kahvila 100 180.0 unknown
        Toilets 111 180.0 yes
        """
        return self.features().places(lat=lat, lon=lon, language=language, radius=radius, keys=keys)

    def to_html(
        self,
        title: str = "Map",
        *,
        basemap: Basemap | str | None = None,
        appearance: Appearance | None = None,
    ) -> str:
        """The features as a map in one HTML page, as `Features.to_html` has it.

        Examples
        --------
        >>> from overpasskit import loads
        >>> page = loads('''{"elements": [{"type": "node", "id": 1, "lat": 52.5, "lon": 13.4,
        ...     "tags": {"name": "A <b>"}}]}''').to_html("My map")
        >>> page[:15], "A <b>" in page
        ('<!doctype html>', False)
        """
        return self.features().to_html(title, basemap=basemap, appearance=appearance)

    def write_html(
        self,
        path: str | os.PathLike[str],
        title: str = "Map",
        *,
        basemap: Basemap | str | None = None,
        appearance: Appearance | None = None,
    ) -> None:
        """Writes what `to_html` gives into a file, as `Features.write_html` does."""
        self.features().write_html(path, title, basemap=basemap, appearance=appearance)

    def to_svg(
        self,
        *,
        width: int = 640,
        height: int = 420,
        appearance: Appearance | None = None,
        background: str | None = None,
        limit: int | None = None,
    ) -> str:
        """The features as a picture in SVG, as `Features.to_svg` has it.

        Examples
        --------
        >>> from overpasskit import loads
        >>> loads('{"elements": []}').to_svg(width=100, height=80)[:50]
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0'
        """
        return self.features().to_svg(
            width=width,
            height=height,
            appearance=appearance,
            background=background,
            limit=limit,
        )

    def _repr_html_(self) -> str:
        """A picture with what there is to know, for notebooks."""
        if self._open_data is None:
            return html.escape(repr(self))
        features = self.features()
        facts = [counted(len(self.elements), "element"), counted(len(features), "feature")]
        if self.timestamp is not None:
            facts.append(f"data of {self.timestamp:%Y-%m-%d %H:%M} UTC")
        if self.truncated_at is not None:
            facts.append("the answer was cut off")
        return summary_html(features, "; ".join([", ".join(facts), *self.remarks]))

    def __rich__(self) -> object:
        """What there is to know, where rich prints."""
        if self._open_data is None:
            return rich_table(repr(self), ())
        counts = [(each, self.elements.count_of(each)) for each in (*TYPE_CODES, "derived")]
        facts: list[tuple[str, object]] = [(each, count) for each, count in counts if count]
        facts.append(("data of", self.timestamp))
        facts.append(("cut off at byte", self.truncated_at))
        facts += [("remark", each) for each in self.remarks]
        return rich_table(repr(self)[1:-1], [each for each in facts if each[1] is not None])

    def to_overpass_json(self, *, compact: bool = False, lossy: bool = False) -> str:
        """The answer as Overpass JSON, as a server prints it.

        Parameters
        ----------
        compact
            Without line breaks and blanks.
        lossy
            Leave out what the format cannot say, instead of raising `WriteError`.

        Examples
        --------
        >>> from overpasskit import loads
        >>> response = loads('<osm version="0.6"><node id="1" lat="1.50" lon="2"/></osm>')
        >>> response.to_overpass_json(compact=True)
        '{"version":0.6,"elements":[{"type":"node","id":1,"lat":1.5,"lon":2}]}\\n'
        """
        return document_text(self._data.handle, "json", compact, lossy)

    def to_osm_xml(self, *, lossy: bool = False) -> str:
        """The answer as OSM XML, as a server prints it; changes as an augmented diff.

        Parameters
        ----------
        lossy
            As for `to_overpass_json`.
        """
        return document_text(self._data.handle, "osm", False, lossy)

    def to_osc(self, *, lossy: bool = False) -> str:
        """The changes as a change file (OsmChange).

        Parameters
        ----------
        lossy
            As for `to_overpass_json`. Of an augmented diff, states before a change are left out.
        """
        return document_text(self._data.handle, "osc", False, lossy)

    def write(
        self,
        target: str | os.PathLike[str] | IO[bytes],
        format: DocumentFormat | None = None,
        *,
        compact: bool = False,
        lossy: bool = False,
    ) -> None:
        """Writes the answer in a format of answers, so that `load` gives the same again.

        Parameters
        ----------
        target
            A path, whose file is created or replaced; or a binary file that is open for writing.
        format
            ``"json"``, ``"osm"`` or ``"osc"``; if left out, what the path ends in.
        compact, lossy
            As for `to_overpass_json`.

        Raises
        ------
        WriteError
            When the format has no words for something; it names it, and nothing is written.
        FileError
            When the file cannot be created or written.

        Examples
        --------
        >>> import io
        >>> from overpasskit import load, loads
        >>> file = io.BytesIO()
        >>> loads('{"elements": [{"type": "node", "id": 1}]}').write(file, "osm")
        >>> list(load(io.BytesIO(file.getvalue())))
        [<Element node/1>]
        """
        write_document(self._data.handle, target, format, compact, lossy)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the data, found by putting every geometry together."""
        return self.features().problems

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The features as GeoJSON values, for shapely, GeoPandas and others."""
        collection: dict[str, Any] = json.loads(self.to_geojson())
        return collection

    # Its life

    def close(self) -> None:
        """Lets go of the answer. Using the response afterwards raises `MisuseError`."""
        self._open_data = None

    def __enter__(self) -> Response:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open_data is None:
            return "<Response, closed>"
        state = {True: "complete", False: "not complete", None: "perhaps not complete"}
        return f"<Response: {len(self.elements)} elements, {state[self.is_complete]}>"


def merge(responses: Iterable[Response]) -> Response:
    """Unites responses, such as those for the tiles of a large box, by (type, id).

    Of copies the highest version wins; among copies of that version, or without one, each part
    (tags, metadata, nodes, members, position, centre) comes from the first that has it. Bounds are
    united, and so are the positions of ``out geom``, so that the gaps that a clipping box leaves
    are filled. Areas are united by id, too; other derived elements, such as counts, are all kept.

    The elements stand as servers print them (nodes, ways, relations, by ascending ids) where those
    of all responses do; otherwise each stands where it came first. The result tells the oldest
    state of the data, with a diagnostic where states differ, and is complete where all are.

    Raises
    ------
    MisuseError
        For a response that lists changes (an augmented diff, a change file).
    LimitError
        For more than 2**32 elements, tags, nodes of ways or members.

    Examples
    --------
    >>> from overpasskit import loads
    >>> skeleton = loads('{"elements": [{"type": "node", "id": 1, "lat": 2, "lon": 3}]}')
    >>> tags = loads('{"elements": [{"type": "node", "id": 1, "tags": {"amenity": "cafe"}}]}')
    >>> for element in merge([skeleton, tags]).elements:
    ...     element.lat, element.tags
    (2.0, {'amenity': 'cafe'})
    """
    return Response(merged([each._data for each in responses]))
