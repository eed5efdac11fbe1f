"""What a geocoder tells of places. Knows nothing of QGIS."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from .overpasskit import Bounds, NotOverpassError, Place, Position

# Gets an address, gives the body that is there.
Getting = Callable[[str], bytes]

# How many places of one name are asked for.
_COUNT = 10


class Nominatim:
    """Finds places by name; the same name is asked for only once.

    Parameters
    ----------
    url
        Of the search, such as ``"https://nominatim.openstreetmap.org/search"``.
    get
        Sends the requests.
    """

    def __init__(self, url: str, get: Getting) -> None:
        self._url = url
        self._get = get
        self._found: dict[str, list[Place]] = {}

    def __call__(self, name: str) -> list[Place]:
        if name not in self._found:
            mark = "&" if "?" in self._url else "?"
            query = urlencode({"q": name, "format": "jsonv2", "limit": _COUNT})
            self._found[name] = read_places(self._get(f"{self._url}{mark}{query}"))
        return self._found[name]


def read_places(body: bytes) -> list[Place]:
    """The places in an answer of Nominatim.

    Raises
    ------
    NotOverpassError
        When it is none.
    """
    try:
        values = json.loads(body)
        return [_place(each) for each in values]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise NotOverpassError("the search for places was answered by something else") from None


def _place(value: dict[str, Any]) -> Place:
    bounds = None
    if value.get("boundingbox"):
        south, north, west, east = map(float, value["boundingbox"])
        bounds = Bounds(west, south, east, north)
    importance = value.get("importance")
    return Place(
        type=value.get("osm_type"),
        id=int(value.get("osm_id") or 0),
        importance=None if importance is None else float(importance),
        position=Position(float(value["lon"]), float(value["lat"])),
        bounds=bounds,
    )
