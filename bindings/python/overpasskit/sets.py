"""Sets of elements as values, and the queries that print them.

One file, for the two need each other: a set starts a query with `out`, and a query takes sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from ctypes import byref, c_int64, c_uint32, c_void_p
from dataclasses import dataclass, replace
from datetime import date, datetime, timezone
from functools import cached_property
from typing import Any, Literal, NoReturn, SupportsFloat, SupportsIndex, TypeAlias

from . import _abi
from ._abi import opk_out_options
from ._arguments import (
    ONE_OF,
    ElementKind,
    TagFilter,
    c_text,
    c_texts,
    choose,
    int64,
    not_tag_filter,
    refuse,
    tag_filter,
    type_bits,
)
from ._ffi import TYPE_CODES, Handle, call, lib, produce
from ._summaries import code_html
from .errors import MisuseError, QueryError
from .language import PrintableQuery

Verbosity: TypeAlias = Literal["body", "ids", "skel", "tags", "meta", "count"]
OutGeometry: TypeAlias = Literal["center", "geom", "bb"]
Moment: TypeAlias = "str | date | datetime"
Numbers: TypeAlias = "SupportsIndex | Iterable[SupportsIndex]"

_VERBOSITIES: dict[Any, int] = {
    "body": _abi.OPK_VERBOSITY_BODY,
    "ids": _abi.OPK_VERBOSITY_IDS,
    "skel": _abi.OPK_VERBOSITY_SKEL,
    "tags": _abi.OPK_VERBOSITY_TAGS,
    "meta": _abi.OPK_VERBOSITY_META,
    "count": _abi.OPK_VERBOSITY_COUNT,
}
_GEOMETRIES: dict[Any, int] = {
    "center": _abi.OPK_OUT_CENTER,
    "geom": _abi.OPK_OUT_GEOM,
    "bb": _abi.OPK_OUT_BB,
}


class SetOperations:
    """What sets and queries for a set have in common. Each method gives a new set.

    Examples
    --------
    >>> from overpasskit import Query
    >>> def shown(set):
    ...     return set.out().ql().removeprefix("[out:json];").removesuffix(";out;")
    >>> routes = ElementSet.ids(relation=7)
    >>> for set in (routes.down(), routes.down_relations(), routes.with_down_relations()):
    ...     shown(set)
    'relation(7);>'
    'relation(7);>>'
    'relation(7);(._;>>;)'
    >>> stops, track = routes.members("node", role="stop"), routes.members("way", role="")
    >>> for set in (stops.up(), stops.up_relations(), stops.with_up(), stops.with_up_relations()):
    ...     shown(set)
    'relation(7);node(r:"stop");<'
    'relation(7);node(r:"stop");<<'
    'relation(7);node(r:"stop");(._;<;)'
    'relation(7);node(r:"stop");(._;<<;)'
    >>> shown(routes.with_down())
    'relation(7);(._;>;)'
    >>> for set in (stops, track.way_nodes(), stops.ways_containing(), stops.enclosing_areas()):
    ...     shown(set)
    'relation(7);node(r:"stop")'
    'relation(7);way(r:"");node(w)'
    'relation(7);node(r:"stop");way(bn)'
    'relation(7);node(r:"stop");is_in'
    >>> shown(track.relations_containing(role="outer").only("relation").as_areas())
    'relation(7);way(r:"");relation(bw:"outer");map_to_area'
    >>> shown(ElementSet.area("Rauma").pivots("relation"))
    'area["name"="Rauma"];relation(pivot)'
    >>> shown(stops.where("count_tags() > 6").changed(since="2024-05-01T00:00:00Z"))
    'relation(7);node(r:"stop")(if:count_tags()>6)(changed:"2024-05-01T00:00:00Z")'
    >>> stops.edited_by("somebody", ever=True).count().ql()
    '[out:json];relation(7);node(r:"stop")(user_touched:"somebody");out count;'
    """

    __slots__ = ()

    def _set(self) -> ElementSet:
        raise NotImplementedError

    # Composing

    def __add__(self, other: SetOperations) -> ElementSet:
        """The elements of both."""
        return self._composed(_abi.OPK_SET_UNION, other)

    def __sub__(self, other: SetOperations) -> ElementSet:
        """The elements that are not in the other."""
        return self._composed(_abi.OPK_SET_DIFFERENCE, other)

    def __and__(self, other: SetOperations) -> ElementSet:
        """The elements that are in both."""
        return self._composed(_abi.OPK_SET_INTERSECTION, other)

    def _composed(self, operation: int, other: SetOperations) -> ElementSet:
        if not isinstance(other, SetOperations):
            return NotImplemented
        return _made(lib.opk_set_compose, self._set(), operation, other._set())

    def within(self, areas: SetOperations) -> ElementSet:
        """What lies in areas: those of `ElementSet.area`, or closed ways and relations.

        >>> from overpasskit import Query
        >>> parks = Query.ways().tag("leisure", "park").bbox(south=60, west=24, north=61, east=25)
        >>> Query.nodes().tag("amenity", "bench").within(parks).out().ql()
        '[out:json];way["leisure"="park"](60,24,61,25);node["amenity"="bench"](area);out;'
        """
        return _made(
            lib.opk_set_compose, self._set(), _abi.OPK_SET_WITHIN, _operand(areas, "areas")
        )

    def near(self, other: SetOperations, *, radius: SupportsFloat) -> ElementSet:
        """What lies near the elements of another set.

        Parameters
        ----------
        other
            The set; of its nodes and the lines of its ways.
        radius
            In metres.

        Examples
        --------
        >>> from overpasskit import Query
        >>> stops = Query.nodes().tag("highway", "bus_stop").within(ElementSet.area("Kuopio"))
        >>> Query.nodes().tag("amenity", "pub").near(stops, radius=100).out().ql()[-38:]
        'node["amenity"="pub"](around:100);out;'
        """
        return _made(lib.opk_set_around, self._set(), _operand(other, "other"), float(radius))

    # Filters

    def only(self, *types: ElementKind) -> ElementSet:
        """The elements of some `types`."""
        return _made(lib.opk_set_only, self._set(), type_bits(types))

    def where(self, condition: str, /, **sets: SetOperations) -> ElementSet:
        """The elements for which a condition in Overpass QL holds.

        Parameters
        ----------
        condition
            An evaluator such as ``"count_tags() > 6"``.
        **sets
            Sets that the condition refers to by these names, as in ``"stops.count(nodes) > 2"``.
        """
        names, count = c_texts(sets)
        operands = [_operand(each, name) for name, each in sets.items()]
        array = (c_void_p * count)(*(each._handle._as_parameter_ for each in operands))
        return _made(lib.opk_set_where, self._set(), c_text(condition), names, array, count)

    def changed(self, *, since: Moment, until: Moment | None = None) -> ElementSet:
        """What was changed in a span of time; without its end, until now.

        Parameters
        ----------
        since, until
            A datetime with a time zone, a date (the start of that day in UTC), or text such as
            ``"2024-05-01T00:00:00Z"``.
        """
        end = None if until is None else _moment(until, "until")
        return _made(lib.opk_set_changed, self._set(), _moment(since, "since"), end)

    def edited_by(self, *users: str, ever: bool = False) -> ElementSet:
        """What one of some users was the last to edit; with `ever`, has edited at any time."""
        return _made(lib.opk_set_edited_by, self._set(), *c_texts(users), int(ever))

    # Recursion

    def down(self) -> ElementSet:
        """What the elements consist of (``>``): nodes, members of relations, nodes of those."""
        return self._recursed(_abi.OPK_RECURSE_DOWN)

    def down_relations(self) -> ElementSet:
        """Like `down`, also through member relations (``>>``)."""
        return self._recursed(_abi.OPK_RECURSE_DOWN_RELATIONS)

    def up(self) -> ElementSet:
        """The ways and relations that refer to the elements (``<``)."""
        return self._recursed(_abi.OPK_RECURSE_UP)

    def up_relations(self) -> ElementSet:
        """Like `up`, also through relations of relations (``<<``)."""
        return self._recursed(_abi.OPK_RECURSE_UP_RELATIONS)

    def with_down(self) -> ElementSet:
        """The elements together with `down`."""
        return self._recursed(_abi.OPK_RECURSE_DOWN, keep=True)

    def with_down_relations(self) -> ElementSet:
        """The elements together with `down_relations`."""
        return self._recursed(_abi.OPK_RECURSE_DOWN_RELATIONS, keep=True)

    def with_up(self) -> ElementSet:
        """The elements together with `up`."""
        return self._recursed(_abi.OPK_RECURSE_UP, keep=True)

    def with_up_relations(self) -> ElementSet:
        """The elements together with `up_relations`."""
        return self._recursed(_abi.OPK_RECURSE_UP_RELATIONS, keep=True)

    def _recursed(self, recursion: int, keep: bool = False) -> ElementSet:
        return _made(lib.opk_set_recurse, self._set(), recursion, int(keep))

    # Single steps

    def way_nodes(self) -> ElementSet:
        """The nodes of the ways."""
        return self._step(_abi.OPK_STEP_WAY_NODES)

    def members(self, *types: ElementKind, role: str | None = None) -> ElementSet:
        """The members of the relations: of some types, with some role; ``""`` is a role, too."""
        return self._step(_abi.OPK_STEP_MEMBERS, types, role)

    def ways_containing(self) -> ElementSet:
        """The ways that have one of the nodes."""
        return self._step(_abi.OPK_STEP_WAYS)

    def relations_containing(self, *, role: str | None = None) -> ElementSet:
        """The relations that have one of the elements as a member, with some role."""
        return self._step(_abi.OPK_STEP_RELATIONS, role=role)

    def as_areas(self) -> ElementSet:
        """The areas that the ways and relations make."""
        return self._step(_abi.OPK_STEP_AREAS)

    def enclosing_areas(self) -> ElementSet:
        """The areas in which the nodes lie."""
        return self._step(_abi.OPK_STEP_ENCLOSING)

    def pivots(self, *types: ElementKind) -> ElementSet:
        """The ways and relations that the areas were made of; of some `types` alone."""
        return self._step(_abi.OPK_STEP_PIVOTS, types)

    def _step(self, step: int, types: Iterable[str] = (), role: str | None = None) -> ElementSet:
        text = None if role is None else c_text(role)
        return _made(lib.opk_set_step, self._set(), step, type_bits(types), text)

    # Output

    def out(
        self,
        verbosity: Verbosity | OutGeometry = "body",
        geometry: OutGeometry | None = None,
        *,
        limit: SupportsIndex | None = None,
        by_place: bool = False,
    ) -> SetQuery:
        """A query that prints the elements. `SetQuery.out` explains the parameters."""
        return SetQuery().out(self, verbosity, geometry, limit=limit, by_place=by_place)

    def count(self) -> SetQuery:
        """A query that prints how many elements there are."""
        return SetQuery().count(self)


class ElementSet(SetOperations):
    """Some of OpenStreetMap's elements, described by what is asked for. Never changes.

    Sets come from a `Query`, from `ids`, `area`, `area_of` and `areas_at`. They are composed with
    ``+``, ``-`` and ``&``; methods filter them or lead on to other sets; `out` makes a query that
    prints them. The query names the sets by itself and asks for equal parts once. What no query can
    say is refused at once with `QueryError`.

    Examples
    --------
    >>> from overpasskit import Query
    >>> town = ElementSet.area("Kuopio")
    >>> restaurants = Query.nodes().tag("amenity", "restaurant").within(town)
    >>> stops = Query.nodes().tag("highway", "bus_stop").within(town)
    >>> print((restaurants - restaurants.near(stops, radius=500)).out().ql(pretty=True))
    [out:json];
    area["name"="Kuopio"];
    node["amenity"="restaurant"](area)->.a;
    node["highway"="bus_stop"](area)->.b;
    (
      .a;
      - node.a(around.b:500);
    );
    out;
    <BLANKLINE>
    """

    __slots__ = ("__dict__", "_handle")

    _handle: Handle

    def __init__(self) -> None:
        raise MisuseError("sets are made by Query, or by ElementSet.ids, area, area_of, areas_at")

    def _set(self) -> ElementSet:
        return self

    @classmethod
    def ids(
        cls, *, node: Numbers = (), way: Numbers = (), relation: Numbers = (), area: Numbers = ()
    ) -> ElementSet:
        """Elements by their numbers.

        Parameters
        ----------
        node, way, relation, area
            One number, or several.

        Examples
        --------
        >>> ElementSet.ids(way=[4, 5], relation=6).out("ids").ql()
        '[out:json];(way(id:4,5);relation(6););out ids;'
        """
        types: list[int] = []
        numbers: list[int] = []
        given = {"node": node, "way": way, "relation": relation, "area": area}
        for name, some in given.items():
            for number in some if isinstance(some, Iterable) else [some]:
                types.append(TYPE_CODES[name])
                numbers.append(int64(number, "an id", _abi.OPK_ERR_QUERY_VALUE))
        count = len(numbers)
        return _made(
            lib.opk_set_from_ids, (c_uint32 * count)(*types), (c_int64 * count)(*numbers), count
        )

    @classmethod
    def area(
        cls, name: str, /, tags: Mapping[str, str] | None = None, **more_tags: str
    ) -> ElementSet:
        """The areas with a name and, to tell equal names apart, with other tags.

        Parameters
        ----------
        name
            As in the tag ``name``.
        tags, **more_tags
            Other tags; those by name for keys that Python can spell.

        Examples
        --------
        >>> ElementSet.area("Bremen", admin_level="4").out("tags").ql()
        '[out:json];area["name"="Bremen"]["admin_level"="4"];out tags;'
        """
        wanted = {**(tags or {}), **more_tags}
        keys, count = c_texts(wanted)
        values, _ = c_texts(wanted.values())
        return _made(lib.opk_set_area_named, c_text(name), keys, values, count)

    @classmethod
    def area_of(cls, type: Literal["way", "relation"], id: SupportsIndex) -> ElementSet:
        """The area that servers make of a way or relation.

        Parameters
        ----------
        type
            ``"way"`` or ``"relation"``.
        id
            Its number.

        Examples
        --------
        >>> from overpasskit import Query
        >>> Query.nodes().tag("shop").within(ElementSet.area_of("relation", 62422)).out().ql()
        '[out:json];node["shop"](area:3600062422);out;'
        """
        code = choose(type, {name: TYPE_CODES[name] for name in ("way", "relation")})
        number = int64(id, "an id", _abi.OPK_ERR_QUERY_VALUE)
        return _made(lib.opk_set_area_of, code, number)

    @classmethod
    def areas_at(cls, *, lat: SupportsFloat, lon: SupportsFloat) -> ElementSet:
        """The areas in which a position lies.

        Parameters
        ----------
        lat, lon
            In degrees.

        Examples
        --------
        >>> ElementSet.areas_at(lat=60.17, lon=24.94).tag("admin_level", "8").out("tags").ql()
        '[out:json];is_in(60.17,24.94);area._["admin_level"="8"];out tags;'
        """
        return _made(lib.opk_set_areas_at, float(lat), float(lon))

    def tag(
        self,
        key: str,
        value: str | None = None,
        *,
        contains: str | None = None,
        starts_with: str | None = None,
        regex: str | None = None,
        one_of: Iterable[str] | None = None,
        not_: str | None = None,
        not_contains: str | None = None,
        not_regex: str | None = None,
        ignore_case: bool = False,
    ) -> ElementSet:
        """The elements with a tag. The parameters are those of `Query.tag`."""
        return self._tagged(
            tag_filter(
                key,
                value,
                contains=contains,
                starts_with=starts_with,
                regex=regex,
                one_of=one_of,
                not_=not_,
                not_contains=not_contains,
                not_regex=not_regex,
                ignore_case=ignore_case,
            )
        )

    def not_tag(
        self,
        key: str,
        value: str | None = None,
        *,
        contains: str | None = None,
        regex: str | None = None,
        ignore_case: bool = False,
    ) -> ElementSet:
        """The elements without a tag; the parameters are those of `Query.not_tag`."""
        return self._tagged(
            not_tag_filter(key, value, contains=contains, regex=regex, ignore_case=ignore_case)
        )

    def _tagged(self, each: TagFilter) -> ElementSet:
        key = c_text(each.key)
        if each.comparison == ONE_OF:
            return _made(lib.opk_set_tag_one_of, self, key, *c_texts(each.values), each.flags)
        value = c_text(each.values[0]) if each.values else None
        return _made(lib.opk_set_tag, self, each.comparison, key, value, each.flags)

    @cached_property
    def _text(self) -> str | None:
        """What the set is to a server; None for one that cannot be printed by itself."""
        try:
            return self.out("ids").ql()
        except QueryError:
            return None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ElementSet):
            return NotImplemented
        return self is other or (self._text is not None and self._text == other._text)

    def __hash__(self) -> int:
        return hash(self._text)

    def __copy__(self) -> ElementSet:
        return self

    def __deepcopy__(self, memo: object) -> ElementSet:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("an ElementSet cannot be pickled; send the query's text instead")

    def __repr__(self) -> str:
        return f"<ElementSet {self._text or 'that cannot be printed by itself'}>"

    def _repr_html_(self) -> str:
        """The set as a server would be asked for it, for notebooks."""
        return code_html(repr(self))


@dataclass(frozen=True)
class _Out:
    """One set that a query prints, and how."""

    set: ElementSet
    verbosity: int
    geometry: int
    by_place: bool
    limit: int


@dataclass(frozen=True, repr=False)
class SetQuery(PrintableQuery):
    """A query that prints sets one after the other. Never changes: each method gives a new one.

    Made by `ElementSet.out` and `Query.out`. Queries that ask for the same are equal.

    Examples
    --------
    >>> from overpasskit import Query
    >>> tram = Query.relations().tag("route", "tram").within(ElementSet.area("Helsinki"))
    >>> query = tram.out("tags").out(tram.members("node", role="stop"), "skel").timeout(60)
    >>> print(query.ql())
    [out:json][timeout:60];area["name"="Helsinki"];relation["route"="tram"](area);out tags;\
node(r:"stop");out skel;
    """

    _outs: tuple[_Out, ...] = ()
    _timeout: int | None = None
    _maxsize: int | None = None

    def __post_init__(self) -> None:
        with self._native():
            pass

    def out(
        self,
        set: SetOperations,
        verbosity: Verbosity | OutGeometry = "body",
        geometry: OutGeometry | None = None,
        *,
        limit: SupportsIndex | None = None,
        by_place: bool = False,
    ) -> SetQuery:
        """Prints a set after what is printed already.

        Parameters
        ----------
        set
            A set, or a `Query` for one.
        verbosity
            ``"body"``: tags, node refs and members; ``"ids"``; ``"skel"``: without tags;
            ``"tags"``: without refs; ``"meta"``: body with version, time and user; ``"count"``:
            how many there are. The words for geometry are understood here, too: ``out("geom")``.
        geometry
            ``"center"``: the centre of the bounding box; ``"geom"``: all positions; ``"bb"``: the
            bounding box.
        limit
            At most so many elements.
        by_place
            In order of place (``qt``), which is quicker for the server, not of number.
        """
        if geometry is None and verbosity in _GEOMETRIES:
            verbosity, geometry = "body", verbosity  # type: ignore[assignment]
        words = {**_VERBOSITIES, **({} if geometry else _GEOMETRIES)}
        added = _Out(
            _operand(set, "set"),
            choose(verbosity, words),
            0 if geometry is None else choose(geometry, _GEOMETRIES),
            by_place,
            0 if limit is None else _limit(limit),
        )
        return replace(self, _outs=(*self._outs, added))

    def count(self, set: SetOperations) -> SetQuery:
        """Prints how many elements a set has, after what is printed already.

        Examples
        --------
        >>> from overpasskit import Query
        >>> cafes = Query.nodes().tag("amenity", "cafe")
        >>> print(cafes.out().count(cafes.tag("name")).maxsize(2**20).ql(pretty=True))
        [out:json][maxsize:1048576];
        node["amenity"="cafe"];
        out;
        node["amenity"="cafe"]["name"];
        out count;
        <BLANKLINE>
        >>> cafes.count().xml()[-42:]
        '</query><print mode="count"/></osm-script>'
        """
        return self.out(set, "count")

    def timeout(self, seconds: SupportsIndex) -> SetQuery:
        """Sets how long the server may work on the query: whole `seconds`, at least 1."""
        return replace(self, _timeout=int64(seconds, "timeout"))

    def maxsize(self, size: SupportsIndex) -> SetQuery:
        """Sets how much memory the server may use for the query: `size` bytes, at least 1."""
        return replace(self, _maxsize=int64(size, "maxsize"))

    @contextmanager
    def _native(self) -> Iterator[int]:
        query: int = lib.opk_query_new_outputs()
        try:
            for each in self._outs:
                options = opk_out_options(
                    verbosity=each.verbosity,
                    geometry=each.geometry,
                    by_place=int(each.by_place),
                    limit=each.limit,
                )
                call(lib.opk_query_add_output, query, each.set._handle, byref(options))
            if self._timeout is not None:
                call(lib.opk_query_set_timeout, query, self._timeout)
            if self._maxsize is not None:
                call(lib.opk_query_set_maxsize, query, self._maxsize)
            yield query
        finally:
            lib.opk_query_free(query)

    def __repr__(self) -> str:
        try:
            return f"<SetQuery {self.ql()}>"
        except QueryError as error:
            return f"<SetQuery ({error.message})>"


def set_of(query: int) -> ElementSet:
    """The set of what a query of the library looks for."""
    return _made(lib.opk_set_from_query, query)


def _made(function: Any, *arguments: Any) -> ElementSet:
    """A set that a function of the library gives out."""
    handles = [each._handle if isinstance(each, ElementSet) else each for each in arguments]
    made = ElementSet.__new__(ElementSet)
    made._handle = Handle(produce(function, *handles) or 0, lib.opk_set_free)
    return made


def _operand(value: SetOperations, name: str) -> ElementSet:
    if not isinstance(value, SetOperations):
        raise TypeError(f"{name} is a set or a query for one, not {type(value).__name__}")
    return value._set()


def _moment(moment: Moment, name: str) -> bytes:
    if isinstance(moment, datetime):
        if moment.utcoffset() is None:
            raise MisuseError(f"{name} needs a time zone, such as datetime.timezone.utc")
        moment = moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    elif isinstance(moment, date):
        moment = moment.isoformat()
    return c_text(moment)


def _limit(limit: SupportsIndex) -> int:
    number = int64(limit, "limit")
    if number < 1:
        refuse(_abi.OPK_ERR_QUERY_SETTING, f"a limit of {number} elements; it has to be positive")
    return number
