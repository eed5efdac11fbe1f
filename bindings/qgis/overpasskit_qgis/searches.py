"""Queries from rows of keys and values. Knows nothing of QGIS."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from .overpasskit import Bounds, MisuseError, Position, Query, expand_macros, wizard

ElementType = Literal["node", "way", "relation"]
TYPES: tuple[ElementType, ...] = get_args(ElementType)
Out = Literal["geom", "center"]

_PRINTED = "out geom;"


class Row(NamedTuple):
    """A condition: a key, and what its value is to be.

    The value is taken as it is, but ``""`` and ``"*"`` stand for any, a leading ``!`` for all but
    this one, a leading ``~`` for a regular expression.
    """

    key: str
    value: str = ""


def rows_of(cells: Sequence[object]) -> list[Row]:
    """The rows of a table that comes as a flat list; those without a key are left out.

    >>> rows_of(["amenity", "cafe", "", "", "name", None])
    [Row(key='amenity', value='cafe'), Row(key='name', value='')]
    """
    texts = ["" if each is None else str(each).strip() for each in cells]
    return [Row(*pair) for pair in zip(texts[::2], [*texts[1::2], ""]) if pair[0]]  # noqa: B905


def is_search(text: str) -> bool:
    """Whether a text is a search in words, not a query: no query does without these marks.

    >>> is_search("amenity=cafe in Bonn"), is_search("node(1);out;"), is_search("<osm-script/>")
    (True, False, False)
    """
    return bool(text.strip()) and ";" not in text and not text.lstrip().startswith("<")


def query_of(text: str) -> str:
    """The query that a text is, or asks for in words."""
    return wizard(text.strip()) if is_search(text) else text


def in_place(rows: Iterable[Row], types: Iterable[ElementType], place: str, out: Out) -> str:
    """A query for what lies in the area of a name; a macro finds it."""
    return _searched(rows, types, f"in {_quoted(place)}", out)


def near_place(
    rows: Iterable[Row], types: Iterable[ElementType], place: str, radius: float, out: Out
) -> str:
    """A query for what lies around a place with a name; a macro finds it."""
    text = _searched(rows, types, f"around {_quoted(place)}", out)
    return text.replace("{{radius=1000}}", "{{radius=" + f"{radius:.15g}" + "}}")


def in_map(rows: Iterable[Row], types: Iterable[ElementType], out: Out) -> str:
    """A query for what lies in the box that is told when it runs."""
    return _searched(rows, types, "in bbox", out)


def in_box(rows: Iterable[Row], types: Iterable[ElementType], box: Bounds, out: Out) -> str:
    """A query for what lies in a box."""
    return expand_macros(in_map(rows, types, out), bbox=box)


def near_point(
    rows: Iterable[Row], types: Iterable[ElementType], point: Position, radius: float, out: Out
) -> str:
    """A query for what lies within `radius` metres of a point."""
    query = Query.of(*types).around(lat=point.lat, lon=point.lon, radius=radius)
    for row in rows:
        query = _with(query, row)
    return query.out(geometry=out).ql(pretty=True)


def _with(query: Query, row: Row) -> Query:
    mark, rest = row.value[:1], row.value[1:]
    if row.value in ("", "*"):
        return query.tag(row.key)
    if mark == "!":
        return query.tag(row.key, not_=rest)
    return query.tag(row.key, regex=rest) if mark == "~" else query.tag(row.key, row.value)


def _searched(rows: Iterable[Row], types: Iterable[ElementType], where: str, out: Out) -> str:
    conditions = [_condition(row) for row in rows]
    if not conditions:
        raise MisuseError("there is no key to look for")
    wanted = set(types)
    if wanted and wanted != set(TYPES):
        kinds = [f"type:{each}" for each in TYPES if each in wanted]
        conditions.append(f"({' or '.join(kinds)})")
    text = wizard(f"{' and '.join(conditions)} {where}")
    return with_output(text, out)


def with_output(text: str, out: Out) -> str:
    """The query of a search with what it is to print, in place of whole geometries."""
    head, printed, tail = text.rpartition(_PRINTED)
    return f"{head}out {out};{tail}" if printed else text


def _condition(row: Row) -> str:
    mark, rest = row.value[:1], row.value[1:]
    if row.value in ("", "*"):
        return f"{_quoted(row.key)}=*"
    if mark == "!":
        return f"{_quoted(row.key)}!={_quoted(rest)}"
    if mark == "~":
        return f"{_quoted(row.key)}~{_quoted(rest)}"
    return f"{_quoted(row.key)}={_quoted(row.value)}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
