"""Building queries: which elements, with which tags, where, printed how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple, SupportsFloat, SupportsIndex

from . import _abi
from ._arguments import (
    ONE_OF,
    ElementKind,
    TagFilter,
    c_text,
    c_texts,
    int64,
    not_tag_filter,
    tag_filter,
    type_bits,
)
from ._ffi import call, lib
from .language import ParsedQuery, PrintableQuery
from .sets import (
    ElementSet,
    OutGeometry,
    SetOperations,
    SetQuery,
    Verbosity,
    set_of,
)


class _Area(NamedTuple):
    function: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Query(SetOperations, PrintableQuery):
    """A query for an Overpass server. Never changes: each method gives a new one.

    Start with `nodes`, `ways`, `relations`, `nwr` or `of`; add filters, all of which must hold;
    say with `out` what is printed of the elements; print the query with `ql` or `xml`. What cannot
    be is refused at once with `QueryError`. Queries that were built alike are equal and can be keys
    of a dict.

    A query without settings stands for the set of elements it looks for: it is composed with
    ``+``, ``-`` and ``&``, and its methods `within`, `near`, `members` and the like give an
    `ElementSet`.

    Examples
    --------
    >>> query = Query.nodes().tag("amenity", "toilets").around(lat=52.52, lon=13.38, radius=800)
    >>> "amenity" in query.ql()
    True
    >>> Query.ways().timeout(0)
    Traceback (most recent call last):
        ...
    overpasskit.errors.QueryError: ...
    """

    _types: int = 0
    _filters: tuple[TagFilter, ...] = ()
    _box: _Area | None = None
    _around: _Area | None = None
    _timeout: int | None = None
    _maxsize: int | None = None

    def __post_init__(self) -> None:
        with self._native():
            pass

    # What is asked for

    @classmethod
    def nodes(cls) -> Query:
        """A query for nodes."""
        return cls(_abi.OPK_NODES)

    @classmethod
    def ways(cls) -> Query:
        """A query for ways."""
        return cls(_abi.OPK_WAYS)

    @classmethod
    def relations(cls) -> Query:
        """A query for relations."""
        return cls(_abi.OPK_RELATIONS)

    @classmethod
    def nwr(cls) -> Query:
        """A query for nodes, ways and relations."""
        return cls(_abi.OPK_NODES | _abi.OPK_WAYS | _abi.OPK_RELATIONS)

    @classmethod
    def of(cls, *types: ElementKind) -> Query:
        """A query for some element types.

        >>> Query.of("way", "node") == Query.of("node", "way")
        True
        """
        return cls(type_bits(types))

    @staticmethod
    def amenity(
        value: str,
        *,
        lat: SupportsFloat,
        lon: SupportsFloat,
        radius: SupportsFloat,
        key: str = "amenity",
    ) -> SetQuery:
        """The query of an amenities app: what there is of one kind within `radius` metres.

        It prints nodes, ways and relations with their geometry, as `Response.places` wants them.
        Its `xml` is a whole document, to be posted as it is with the content type ``text/xml``.

        Parameters
        ----------
        value
            Such as ``"toilets"``, ``"drinking_water"``, ``"cafe"``.
        lat, lon
            The position, in degrees.
        radius
            Metres.
        key
            Another key whose value is meant, such as ``"shop"`` or ``"tourism"``.

        Examples
        --------
        >>> Query.amenity("toilets", lat=60.1699, lon=24.9384, radius=500).ql()
        '[out:json];nwr["amenity"="toilets"](around:500,60.1699,24.9384);out geom;'
        """
        return Query.nwr().tag(key, value).around(lat=lat, lon=lon, radius=radius).out("geom")

    # Filters

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
    ) -> Query:
        """Asks for a tag; with the key alone, any value will do.

        Parameters
        ----------
        key
            The tag's key.
        value
            Exactly this value.
        contains, not_contains
            This literal text anywhere in the value, or nowhere.
        starts_with
            This literal text at the beginning of the value.
        regex, not_regex
            A POSIX extended regular expression that is found in the value, or is not.
        one_of
            Any of these values.
        not_
            Any value but this one; elements without the key match, too.
        ignore_case
            Whether upper and lower case are the same. Not for the key.

        Examples
        --------
        >>> query = Query.nwr().tag("name", contains="(alt)", ignore_case=True)
        >>> Query.nodes().tag("name", "a", regex="b")
        Traceback (most recent call last):
            ...
        overpasskit.errors.MisuseError: one comparison at a time, not value and regex
        """
        added = tag_filter(
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
        return replace(self, _filters=(*self._filters, added))

    def not_tag(
        self,
        key: str,
        value: str | None = None,
        *,
        contains: str | None = None,
        regex: str | None = None,
        ignore_case: bool = False,
    ) -> Query:
        """Asks for elements without a tag: without the key, or without such a value.

        Parameters
        ----------
        key
            The key.
        value, contains, regex
            At most one: the value, a part of it, or a regular expression for it.
        ignore_case
            Whether capital letters make no difference to `contains` and `regex`.

        Examples
        --------
        >>> Query.ways().not_tag("area", "yes") == Query.ways().tag("area", not_="yes")
        True
        """
        added = not_tag_filter(key, value, contains=contains, regex=regex, ignore_case=ignore_case)
        return replace(self, _filters=(*self._filters, added))

    # Where

    def bbox(
        self,
        *,
        south: SupportsFloat,
        west: SupportsFloat,
        north: SupportsFloat,
        east: SupportsFloat,
    ) -> Query:
        """Limits the query to a box.

        Replaces an earlier box.

        Parameters
        ----------
        south, west, north, east
            In degrees; ``west > east`` crosses the antimeridian.
        """
        return self._with_box("opk_query_set_bbox", south, west, north, east)

    def bbox_center(
        self,
        *,
        lat: SupportsFloat,
        lon: SupportsFloat,
        width: SupportsFloat,
        height: SupportsFloat,
    ) -> Query:
        """Limits the query to a box around a centre in degrees.

        Parameters
        ----------
        lat, lon
            The centre, in degrees.
        width, height
            Of the whole box, in metres: east-west and north-south. It may cross the antimeridian,
            and takes in a pole that is near enough.

        Examples
        --------
        >>> query = Query.nodes().tag("shop").bbox_center(lat=60, lon=25, width=1000, height=500)
        >>> query.maxsize(2**20).count().ql().removeprefix("[out:json]")
        '[maxsize:1048576];node["shop"](59.99775,24.9909994,60.00225,25.0090006);out count;'
        """
        return self._with_box("opk_query_set_bbox_center", lat, lon, width, height)

    def _with_box(self, function: str, *numbers: SupportsFloat) -> Query:
        return replace(self, _box=_Area(function, tuple(map(float, numbers))))

    def around(self, *, lat: SupportsFloat, lon: SupportsFloat, radius: SupportsFloat) -> Query:
        """Limits the query to what lies within some metres of a position.

        Replaces an earlier one.

        Parameters
        ----------
        lat, lon
            The position, in degrees.
        radius
            In metres.
        """
        numbers = (float(lat), float(lon), float(radius))
        return replace(self, _around=_Area("opk_query_set_around", numbers))

    # Settings

    def timeout(self, seconds: SupportsIndex) -> Query:
        """Sets how long the server may work on the query: whole `seconds`, at least 1."""
        return replace(self, _timeout=int64(seconds, "timeout"))

    def maxsize(self, size: SupportsIndex) -> Query:
        """Sets how much memory the server may use for the query: `size` bytes, at least 1."""
        return replace(self, _maxsize=int64(size, "maxsize"))

    # As a set

    def _set(self) -> ElementSet:
        with self._native() as query:
            return set_of(query)

    def out(
        self,
        verbosity: Verbosity | OutGeometry = "body",
        geometry: OutGeometry | None = None,
        *,
        limit: SupportsIndex | None = None,
        by_place: bool = False,
    ) -> SetQuery:
        """Says what is printed; settings are kept. `SetQuery.out` explains the parameters.

        >>> Query.ways().tag("building").around(lat=60, lon=25, radius=50).out("ids", "center").ql()
        '[out:json];way["building"](around:50,60,25);out ids center;'
        """
        outputs = SetQuery(_timeout=self._timeout, _maxsize=self._maxsize)
        return outputs.out(
            replace(self, _timeout=None, _maxsize=None),
            verbosity,
            geometry,
            limit=limit,
            by_place=by_place,
        )

    def count(self) -> SetQuery:
        """Asks only how many elements there are; settings are kept."""
        return self.out("count")

    # Text

    @staticmethod
    def parse(text: str) -> ParsedQuery:
        """Reads any query from text, in Overpass QL or XML by its look.

        Raises
        ------
        QueryError
            With the position of the first mistake; `check_query` finds all of them.

        Examples
        --------
        >>> query = Query.parse("node [ amenity = cafe ] (50.7,7.0,50.8,7.2) ; out ;")
        >>> query.ql()
        'node["amenity"="cafe"](50.7,7,50.8,7.2);out;'
        """
        return ParsedQuery(text)

    @contextmanager
    def _native(self) -> Iterator[int]:
        query: int = lib.opk_query_new(self._types)
        try:
            for each in self._filters:
                _add_filter(query, each)
            for area in (self._box, self._around):
                if area is not None:
                    call(getattr(lib, area.function), query, *area.numbers)
            if self._timeout is not None:
                call(lib.opk_query_set_timeout, query, self._timeout)
            if self._maxsize is not None:
                call(lib.opk_query_set_maxsize, query, self._maxsize)
            yield query
        finally:
            lib.opk_query_free(query)


def _add_filter(query: int, each: TagFilter) -> None:
    key = c_text(each.key)
    if each.comparison == ONE_OF:
        call(lib.opk_query_add_tag_one_of, query, key, *c_texts(each.values), each.flags)
    else:
        value = c_text(each.values[0]) if each.values else None
        call(lib.opk_query_add_tag, query, each.comparison, key, value, each.flags)
