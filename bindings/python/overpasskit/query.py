"""Building queries: which elements, with which tags, where, printed how."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import c_char_p
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, NoReturn, SupportsFloat, SupportsIndex, TypeAlias

from . import _abi
from ._ffi import call, lib, produce_text, status_name
from .errors import MisuseError, QueryError

ElementKind: TypeAlias = Literal["node", "way", "relation"]
Output: TypeAlias = Literal[
    "body", "center", "geom", "recurse_down", "recurse_up", "recurse_up_and_down"
]

_KINDS: dict[str, int] = {
    "node": _abi.OPK_NODES,
    "way": _abi.OPK_WAYS,
    "relation": _abi.OPK_RELATIONS,
}
_OUTPUTS: dict[str, int] = {
    "body": _abi.OPK_OUTPUT_STANDARD,
    "center": _abi.OPK_OUTPUT_CENTER,
    "geom": _abi.OPK_OUTPUT_GEOMETRY,
    "recurse_down": _abi.OPK_OUTPUT_RECURSE_DOWN,
    "recurse_up": _abi.OPK_OUTPUT_RECURSE_UP,
    "recurse_up_and_down": _abi.OPK_OUTPUT_RECURSE_UP_AND_DOWN,
}
_ONE_OF = 0  # beside OPK_TAG_...: has a function of its own


class _Filter(NamedTuple):
    key: str
    comparison: int
    values: tuple[str, ...]
    ignore_case: bool


class _Area(NamedTuple):
    function: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Query:
    """A query for an Overpass server. Never changes: each method gives a new one.

    Start with `nodes`, `ways`, `relations`, `nwr` or `of`; add filters, all of which must hold;
    print it with `ql` or `xml`. What cannot be is refused at once with `QueryError`. Queries that
    were built alike are equal and can be keys of a dict.

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
    _filters: tuple[_Filter, ...] = ()
    _box: _Area | None = None
    _around: _Area | None = None
    _timeout: int | None = None
    _maxsize: int | None = None
    _output: int = _abi.OPK_OUTPUT_STANDARD

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
        bits = 0
        for kind in types:
            if kind not in _KINDS:
                raise MisuseError(f"{kind!r} is none of {', '.join(map(repr, _KINDS))}")
            bits |= _KINDS[kind]
        return cls(bits)

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
        given: list[tuple[str, int, str]] = [
            (name, code, text)
            for name, code, text in (
                ("value", _abi.OPK_TAG_EQUALS, value),
                ("contains", _abi.OPK_TAG_CONTAINS, contains),
                ("starts_with", _abi.OPK_TAG_STARTS_WITH, starts_with),
                ("regex", _abi.OPK_TAG_MATCHES, regex),
                ("not_", _abi.OPK_TAG_NOT_EQUALS, not_),
                ("not_contains", _abi.OPK_TAG_NOT_CONTAINS, not_contains),
                ("not_regex", _abi.OPK_TAG_NOT_MATCHES, not_regex),
            )
            if text is not None
        ]
        names = [name for name, _, _ in given] + (["one_of"] if one_of is not None else [])
        if len(names) > 1:
            raise MisuseError(f"one comparison at a time, not {' and '.join(names)}")
        if one_of is not None:
            if isinstance(one_of, str):
                raise MisuseError("one_of takes several values, not one text")
            return self._with_filter(key, _ONE_OF, tuple(one_of), ignore_case)
        if not given:
            return self._with_filter(key, _abi.OPK_TAG_EXISTS, (), ignore_case)
        _, code, text = given[0]
        return self._with_filter(key, code, (text,), ignore_case)

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

        >>> Query.ways().not_tag("area", "yes") == Query.ways().tag("area", not_="yes")
        True
        """
        if value is None and contains is None and regex is None:
            return self._with_filter(key, _abi.OPK_TAG_NOT_EXISTS, (), ignore_case)
        return self.tag(
            key, not_=value, not_contains=contains, not_regex=regex, ignore_case=ignore_case
        )

    def _with_filter(
        self, key: str, comparison: int, values: tuple[str, ...], ignore_case: bool
    ) -> Query:
        added = _Filter(key, comparison, values, ignore_case)
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
        """Limits the query to a box, in degrees; ``west > east`` crosses the antimeridian.

        Replaces an earlier box.
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
        """
        return self._with_box("opk_query_set_bbox_center", lat, lon, width, height)

    def _with_box(self, function: str, *numbers: SupportsFloat) -> Query:
        return replace(self, _box=_Area(function, tuple(map(float, numbers))))

    def around(self, *, lat: SupportsFloat, lon: SupportsFloat, radius: SupportsFloat) -> Query:
        """Limits the query to what lies within `radius` metres of a position in degrees.

        Replaces an earlier one.
        """
        numbers = (float(lat), float(lon), float(radius))
        return replace(self, _around=_Area("opk_query_set_around", numbers))

    # Settings

    def timeout(self, seconds: SupportsIndex) -> Query:
        """Sets how long the server may work on the query: whole seconds, at least 1."""
        return replace(self, _timeout=_int64(seconds, "timeout"))

    def maxsize(self, size: SupportsIndex) -> Query:
        """Sets how much memory the server may use for the query: bytes, at least 1."""
        return replace(self, _maxsize=_int64(size, "maxsize"))

    def out(self, output: Output) -> Query:
        """Chooses what is printed.

        Parameters
        ----------
        output
            ``"body"``: elements with tags, node refs and members (the default); ``"center"``: and
            the centre of their bounding box; ``"geom"``: and all positions; ``"recurse_down"``:
            and everything they consist of; ``"recurse_up"``: and everything they are part of;
            ``"recurse_up_and_down"``: both.
        """
        if output not in _OUTPUTS:
            raise MisuseError(f"{output!r} is none of {', '.join(map(repr, _OUTPUTS))}")
        return replace(self, _output=_OUTPUTS[output])

    # Text

    def ql(self, *, pretty: bool = False) -> str:
        """The query as Overpass QL. Equal queries give equal text.

        Parameters
        ----------
        pretty
            A statement a line, indented.

        Raises
        ------
        QueryError
            When no element type was chosen, or neither a filter nor a place.
        """
        with self._native() as query:
            return produce_text(lib.opk_query_render_ql, query, _flags(pretty))

    def xml(self, *, pretty: bool = False) -> str:
        """The query in Overpass's XML form; raises as `ql` does."""
        with self._native() as query:
            return produce_text(lib.opk_query_render_xml, query, _flags(pretty))

    @contextmanager
    def _native(self) -> Iterator[int]:
        """The library's form of the query, for the time of a call or two."""
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
            call(lib.opk_query_set_output, query, self._output)
            yield query
        finally:
            lib.opk_query_free(query)


def _add_filter(query: int, each: _Filter) -> None:
    key = _c_text(each.key)
    values = [_c_text(value) for value in each.values]
    flags = _abi.OPK_TAG_IGNORE_CASE if each.ignore_case else 0
    if each.comparison == _ONE_OF:
        array = (c_char_p * len(values))(*values)
        call(lib.opk_query_add_tag_one_of, query, key, array, len(values), flags)
    else:
        value = values[0] if values else None
        call(lib.opk_query_add_tag, query, each.comparison, key, value, flags)


def _flags(pretty: bool) -> int:
    return _abi.OPK_RENDER_PRETTY if pretty else 0


def _c_text(text: str) -> bytes:
    """Bytes for C. A NUL would end the text early; the library refuses lone surrogates itself."""
    encoded = text.encode("utf-8", "surrogatepass")
    if b"\0" in encoded:
        _refuse(_abi.OPK_ERR_QUERY_VALUE, "a key or value with a NUL character")
    return encoded


def _int64(number: SupportsIndex, name: str) -> int:
    """A whole number that C can take; ctypes would cut off what is beyond 64 bits."""
    value = operator.index(number)
    if not -(2**63) <= value < 2**63:
        _refuse(_abi.OPK_ERR_QUERY_SETTING, f"{name} is beyond 64 bits")
    return value


def _refuse(status: int, message: str) -> NoReturn:
    raise QueryError(message, status=status, status_name=status_name(status))
