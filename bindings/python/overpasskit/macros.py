"""What overpass turbo adds to the language: searches in words, and macros in double braces."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import Array, byref, c_char_p, c_void_p, cast
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from . import _abi
from ._abi import opk_geocoder, opk_macro_options, opk_place, opk_preset
from ._ffi import TYPE_CODES, lib, produce_text
from .geometry import Bounds, Position

_BITS = {"node": _abi.OPK_NODES, "way": _abi.OPK_WAYS, "relation": _abi.OPK_RELATIONS}


@dataclass(frozen=True)
class Preset:
    """A word that stands for tags in searches, such as "Hospital".

    Attributes
    ----------
    name : str
        The word.
    tags : mapping of str to str
        What it stands for; ``"*"`` for any value.
    terms : sequence of str
        Other words for it.
    types : sequence of str
        The element types it applies to.
    """

    name: str
    tags: Mapping[str, str]
    terms: Sequence[str] = ()
    types: Sequence[str] = ("node", "way", "relation")


class Place(NamedTuple):
    """A place that a geocoder has found; what is not known is None.

    Attributes
    ----------
    type, id
        The element: ``"node"``, ``"way"`` or ``"relation"``, and its number.
    importance
        From 0 to 1; the most important of several places is taken.
    position, bounds
        Where it is.
    """

    type: str | None = None
    id: int = 0
    importance: float | None = None
    position: Position | None = None
    bounds: Bounds | None = None


Geocoder = Callable[[str], Iterable[Place]]


def area_id(type: str, id: int) -> int | None:
    """The number of the area that servers make from a way or relation.

    Parameters
    ----------
    type, id
        The element: ``"way"`` or ``"relation"``, and its number. For others there is None.

    Examples
    --------
    >>> area_id("relation", 62422), area_id("way", 7), area_id("node", 7)
    (3600062422, 2400000007, None)
    """
    if type not in TYPE_CODES or not 0 <= id < 2**63:
        return None
    number: int = lib.opk_area_id(TYPE_CODES[type], id)
    return number if number >= 0 else None


def wizard(search: str, presets: Iterable[Preset] = ()) -> str:
    """Writes the query for a search, with macros for `expand_macros`.

    Parameters
    ----------
    search
        Such as ``"amenity=cafe in Berlin"``.
    presets
        Words that the search may use for tags.

    Raises
    ------
    QueryError
        With the place in the search.

    Examples
    --------
    >>> "{{bbox}}" in wizard("amenity=cafe and wheelchair=yes")
    True
    """
    kept: list[Any] = []  # what C borrows for the call
    structs = [_c_preset(each, kept) for each in presets]
    array = (opk_preset * len(structs))(*structs)
    return produce_text(lib.opk_query_wizard, search.encode(), array, len(structs))


def _c_preset(preset: Preset, kept: list[Any]) -> opk_preset:
    bits = 0
    for each in preset.types:
        bits |= _BITS.get(each, 0)
    return opk_preset(
        types=bits,
        name=cast(_c_text(preset.name, kept), c_void_p),
        terms=cast(_c_texts(preset.terms, kept), c_void_p),
        term_count=len(preset.terms),
        keys=cast(_c_texts(list(preset.tags), kept), c_void_p),
        values=cast(_c_texts(list(preset.tags.values()), kept), c_void_p),
        tag_count=len(preset.tags),
    )


def expand_macros(
    query: str,
    *,
    bbox: Bounds | None = None,
    center: Position | None = None,
    now: datetime | None = None,
    constants: Mapping[str, str] | None = None,
    geocode: Geocoder | None = None,
    remove_unknown: bool = False,
    refuse_ambiguity: bool = False,
) -> str:
    """Replaces the macros of overpass turbo in the text of a query.

    Parameters
    ----------
    query
        Text in Overpass QL or XML.
    bbox, center
        What ``{{bbox}}`` and ``{{center}}`` stand for; without a centre, the middle of the box.
    now
        What ``{{date:...}}`` counts from.
    constants
        What other names in braces stand for.
    geocode
        Finds places by name, for ``{{geocodeArea:...}}`` and the like.
    remove_unknown
        Take out macros that have no value, instead of raising.
    refuse_ambiguity
        Raise when there are several places of one name, instead of taking the most important.

    Raises
    ------
    QueryError
        With the place of the first macro that has no value.

    Examples
    --------
    >>> expand_macros("node({{bbox}});out;", bbox=Bounds(west=7, south=50, east=8, north=51))
    'node(50.0000000,7.0000000,51.0000000,8.0000000);out;'
    """
    kept: list[Any] = []
    failures: list[BaseException] = []
    constants = constants or {}
    unknown = Bounds(math.nan, math.nan, math.nan, math.nan)
    box = bbox or unknown
    options = opk_macro_options(
        flags=(_abi.OPK_MACROS_REMOVE_UNKNOWN if remove_unknown else 0)
        | (_abi.OPK_MACROS_REFUSE_AMBIGUITY if refuse_ambiguity else 0),
        south=box.south,
        west=box.west,
        north=box.north,
        east=box.east,
        center_lat=center.lat if center else math.nan,
        center_lon=center.lon if center else math.nan,
        now=math.floor(now.timestamp()) if now else -(2**63),
        names=cast(_c_texts(list(constants), kept), c_void_p),
        values=cast(_c_texts(list(constants.values()), kept), c_void_p),
        constant_count=len(constants),
    )
    if geocode is not None:
        options.geocode = _c_geocoder(geocode, failures)
    encoded = query.encode("utf-8", "surrogatepass")
    try:
        return produce_text(lib.opk_query_expand_macros, encoded, len(encoded), byref(options))
    except Exception:
        if failures:
            raise failures[0] from None
        raise


def _c_geocoder(geocode: Geocoder, failures: list[BaseException]) -> Any:
    """A geocoder for C. Exceptions cannot pass through C; they are kept in `failures`."""

    def found(context: object, name: bytes, places: Any, capacity: int) -> int:
        try:
            results = list(geocode(name.decode()))[:capacity]
        except BaseException as error:
            failures.append(error)
            return 0
        for index, place in enumerate(results):
            places[index] = _c_place(place)
        return len(results)

    return opk_geocoder(found)


def _c_place(place: Place) -> opk_place:
    box = place.bounds or Bounds(math.nan, math.nan, math.nan, math.nan)
    position = place.position or Position(math.nan, math.nan)
    return opk_place(
        type=TYPE_CODES.get(place.type or "", 0),
        id=place.id,
        importance=math.nan if place.importance is None else place.importance,
        lat=position.lat,
        lon=position.lon,
        south=box.south,
        west=box.west,
        north=box.north,
        east=box.east,
    )


def _c_texts(texts: Sequence[str], kept: list[Any]) -> Array[c_char_p]:
    array = (c_char_p * len(texts))(*(each.encode() for each in texts))
    kept.append(array)
    return array


def _c_text(text: str, kept: list[Any]) -> c_char_p:
    pointer = c_char_p(text.encode())
    kept.append(pointer)
    return pointer
