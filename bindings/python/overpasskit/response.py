"""Responses: an answer of Overpass, decoded."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from ctypes import byref
from datetime import datetime
from types import TracebackType
from typing import IO, Any, NamedTuple

from . import _abi
from ._abi import opk_action
from ._ffi import check, closed, lib, text
from .elements import Element, Elements, ResponseData
from .features import Features, Points, Problem, Profile, Properties, Repair, counted, summary_html
from .maps import Appearance, Basemap
from .server import ServerMessage, read_messages


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

    Made by `load` and `loads`. Its memory is freed when nothing refers to it any more, or at the
    end of a ``with`` block; elements and features taken from it stay valid all the same.

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
    """

    def __init__(self, data: ResponseData) -> None:
        self._open_data: ResponseData | None = data

    @property
    def _data(self) -> ResponseData:
        data = self._open_data
        if data is None:
            raise closed("response")
        return data

    # What the answer says about itself

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
        """The elements, in the order of the answer; each (type, id) occurs once."""
        return Elements(self._data)

    @property
    def actions(self) -> list[Action]:
        """The changes that an augmented diff or a change file lists, in its order."""
        data, actions = self._data, []
        for index in range(lib.opk_response_action_count(data.handle)):
            c = opk_action()
            check(lib.opk_response_action(data.handle, index, byref(c)))
            states = [
                Element(data, each) if each >= 0 else None for each in (c.old_index, c.new_index)
            ]
            actions.append(Action(_ACTIONS.get(c.kind, "modify"), *states))
        return actions

    def features(
        self,
        profile: Profile = "default",
        points: Points = "auto",
        *,
        uninteresting: Iterable[str] = (),
        repair: Repair = "largest",
        area_rules: str | None = None,
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
            cliff`` (all but these), ``decide area=no line`` (settles the matter).

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
        return Features(self._data, profile, points, uninteresting, repair, area_rules)

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
        """Writes what `to_geojson` gives to a path or into a binary file."""
        self.features(profile, points).write_geojson(target, properties)

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
        """Writes what `to_html` gives into a file, which is replaced when it is whole."""
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
        features = self.features()
        facts = [counted(len(self.elements), "element"), counted(len(features), "feature")]
        if self.timestamp is not None:
            facts.append(f"data of {self.timestamp:%Y-%m-%d %H:%M} UTC")
        if self.truncated_at is not None:
            facts.append("the answer was cut off")
        return summary_html(features, "; ".join([", ".join(facts), *self.remarks]))

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
