"""The finder of places: amenities, shops and sights near a position."""

from __future__ import annotations

import math
from collections.abc import Iterable
from ctypes import byref, c_void_p, cast
from typing import Any, Literal, NamedTuple, SupportsFloat, TypeAlias

from . import _abi
from ._abi import opk_nearby_place, opk_place_options
from ._arguments import c_texts
from ._ffi import TYPE_NAMES, check, lib, produce, text
from .errors import MisuseError
from .geometry import Position, position
from .visualizations import Languages, language_codes

Fee: TypeAlias = Literal["yes", "no", "unknown"]
Access: TypeAlias = Literal["yes", "limited", "no", "unknown"]

_FEES: dict[int, Fee] = {
    _abi.OPK_FEE_UNKNOWN: "unknown",
    _abi.OPK_FEE_YES: "yes",
    _abi.OPK_FEE_NO: "no",
}
_ACCESS: dict[int, Access] = {
    _abi.OPK_WHEELCHAIR_UNKNOWN: "unknown",
    _abi.OPK_WHEELCHAIR_YES: "yes",
    _abi.OPK_WHEELCHAIR_LIMITED: "limited",
    _abi.OPK_WHEELCHAIR_NO: "no",
}


class NearbyPlace(NamedTuple):
    """One place. It says what the tags say and nothing more.

    Attributes
    ----------
    type : str
        ``"node"``, ``"way"``, ``"relation"``, or ``"derived"`` for what a query made.
    number : int
        The id without the type.
    title : str
        The name in a language asked for, otherwise ``name``, otherwise `kind_title`.
    is_named : bool
        Whether `title` is a name.
    key, kind : str
        What it is: ``"amenity"``, ``"shop"`` or ``"tourism"``, and its value.
    kind_title : str
        That in English words, such as ``"Drinking water"``.
    description : str or None
        ``description``, in a language asked for where there is one.
    position : Position
        Of a node; on the surface of an area; on a line.
    is_placeholder : bool
        Whether `position` is only the centre of the bounding box, which may lie outside.
    distance : float
        Metres from the position asked about.
    bearing : float or None
        The direction towards the place, in degrees clockwise from north, at least 0 and below 360;
        None when the distance is 0.
    fee : str
        Whether one has to pay: ``"yes"``, ``"no"``, or ``"unknown"``.
    charge : str or None
        The amount, such as ``"0.50 EUR"``.
    fee_text : str or None
        What ``fee`` says that is neither yes nor no, or ``fee:conditional``.
    wheelchair : str
        ``"yes"``, ``"limited"``, ``"no"``, or ``"unknown"``. Of toilets, ``toilets:wheelchair``
        counts where ``wheelchair`` does not tell.
    toilets_wheelchair : str
        The same about the toilets there.
    opening_hours : str or None
        ``opening_hours``, as it is.
    """

    type: str
    number: int
    title: str
    is_named: bool
    key: str
    kind: str
    kind_title: str
    description: str | None
    position: Position
    is_placeholder: bool
    distance: float
    bearing: float | None
    fee: Fee
    charge: str | None
    fee_text: str | None
    wheelchair: Access
    toilets_wheelchair: Access
    opening_hours: str | None

    @property
    def id(self) -> str:
        """Type and number, such as ``"node/123"``."""
        return f"{self.type}/{self.number}"

    def to_dict(self) -> dict[str, Any]:
        """All of it as values for JSON, with `id` in place of type and number.

        Examples
        --------
        >>> from overpasskit import loads
        >>> (place,) = loads('''{"elements": [{"type": "node", "id": 1, "lat": 60.17, "lon": 24.94,
        ...     "tags": {"amenity": "cafe", "name": "Kahvila"}}]}''').places(lat=60.17, lon=24.94)
        >>> values = place.to_dict()
        >>> values["id"], values["title"], values["distance"]
        ('node/1', 'Kahvila', 0.0)
        """
        values = self._asdict()
        del values["type"], values["number"]
        values["position"] = self.position._asdict()
        return {"id": self.id, **values}


def find(
    features: Any,
    lat: SupportsFloat,
    lon: SupportsFloat,
    language: Languages,
    radius: SupportsFloat | None,
    keys: Iterable[str] | None,
) -> list[NearbyPlace]:
    """The places of an `opk_features`, the nearest first."""
    if isinstance(keys, str):
        raise MisuseError("keys takes several keys, not one text")
    languages, language_count = c_texts(language_codes(language))
    kind_keys, kind_key_count = c_texts(() if keys is None else keys)
    options = opk_place_options(
        languages=cast(languages, c_void_p),
        language_count=language_count,
        kind_keys=None if keys is None else cast(kind_keys, c_void_p),
        kind_key_count=kind_key_count,
        radius_m=math.nan if radius is None else float(radius),
    )
    handle = produce(lib.opk_places_find, features, float(lat), float(lon), byref(options))
    try:
        found = []
        for index in range(lib.opk_places_count(handle)):
            c = opk_nearby_place()
            check(lib.opk_places_get(handle, index, byref(c)))
            found.append(_place(c))
        return found
    finally:
        lib.opk_places_free(handle)


def _place(c: opk_nearby_place) -> NearbyPlace:
    return NearbyPlace(
        type=TYPE_NAMES.get(c.type, "derived"),
        number=c.id,
        title=text(c.title) or "",
        is_named=bool(c.is_named),
        key=text(c.kind_key) or "",
        kind=text(c.kind) or "",
        kind_title=text(c.kind_title) or "",
        description=text(c.description),
        position=position(c.position) or Position(math.nan, math.nan),
        is_placeholder=c.origin != _abi.OPK_ORIGIN_ELEMENT,
        distance=c.distance_m,
        bearing=None if math.isnan(c.bearing_deg) else c.bearing_deg,
        fee=_FEES[c.fee],
        charge=text(c.charge),
        fee_text=text(c.fee_text),
        wheelchair=_ACCESS[c.wheelchair],
        toilets_wheelchair=_ACCESS[c.toilets_wheelchair],
        opening_hours=text(c.opening_hours),
    )
