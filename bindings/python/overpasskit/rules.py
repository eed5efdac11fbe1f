"""Rules about tags, and the other choices about how elements become features."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from ctypes import c_char_p, c_void_p, cast
from typing import Any, Literal, TypeAlias

from . import _abi
from ._abi import opk_feature_options
from ._ffi import lib, produce_text
from .errors import MisuseError

Profile: TypeAlias = Literal["default", "osmtogeojson"]
Points: TypeAlias = Literal["auto", "tagged", "all"]
Repair: TypeAlias = Literal["largest", "none", "full"]
Antimeridian: TypeAlias = Literal["profile", "cut", "keep"]
# A table of lines, JSON text, or the values of that JSON.
Rules: TypeAlias = "str | Mapping[str, Any] | list[Any]"

PROFILES: dict[str, int] = {
    "default": _abi.OPK_PROFILE_DEFAULT,
    "osmtogeojson": _abi.OPK_PROFILE_OSMTOGEOJSON,
}
POINTS: dict[str, int] = {
    "auto": _abi.OPK_POINTS_AUTO,
    "tagged": _abi.OPK_POINTS_TAGGED,
    "all": _abi.OPK_POINTS_ALL,
}
REPAIRS: dict[str, int] = {
    "largest": _abi.OPK_REPAIR_LARGEST,
    "none": _abi.OPK_REPAIR_NONE,
    "full": _abi.OPK_REPAIR_FULL,
}
ANTIMERIDIANS: dict[str, int] = {
    "profile": _abi.OPK_ANTIMERIDIAN_PROFILE,
    "cut": _abi.OPK_ANTIMERIDIAN_CUT,
    "keep": _abi.OPK_ANTIMERIDIAN_KEEP,
}


def area_rules(profile: Profile = "default") -> dict[str, Any]:
    """A profile's rules for closed ways, to change and give to `Response.features`.

    >>> rules = area_rules()
    >>> rules["keys"]["landuse"], rules["keys"]["telecom"]
    (True, {'only': ['data_center', 'exchange']})
    >>> rules["keys"]["my_key"] = {"except": ["line"]}
    """
    text = produce_text(lib.opk_area_rules, choice(profile, PROFILES, "profile"))
    rules: dict[str, Any] = json.loads(text)
    return rules


def uninteresting_tags(profile: Profile = "default") -> dict[str, Any]:
    """A profile's tags that say nothing about the world, to change and give to `Response.features`.

    >>> uninteresting_tags()["tags"]["source"]
    True
    """
    text = produce_text(lib.opk_uninteresting_tags, choice(profile, PROFILES, "profile"))
    rules: dict[str, Any] = json.loads(text)
    return rules


def is_area(tags: Mapping[str, str], profile: Profile = "default") -> bool:
    """Whether a closed way with these tags is an area.

    >>> is_area({"barrier": "wall"}), is_area({"barrier": "wall", "area": "yes"})
    (False, True)
    >>> is_area({"barrier": "wall"}, profile="osmtogeojson")
    True
    """
    keys = [key.encode("utf-8", "replace") for key in tags]
    values = [value.encode("utf-8", "replace") for value in tags.values()]
    count = len(keys)
    code = choice(profile, PROFILES, "profile")
    return bool(
        lib.opk_is_area(code, (c_char_p * count)(*keys), (c_char_p * count)(*values), count)
    )


def feature_options(
    profile: str,
    points: str,
    uninteresting: Iterable[str],
    repair: str,
    area_rules: Rules | None,
    uninteresting_tags: Rules | None,
    antimeridian: str,
    flags: int,
) -> tuple[opk_feature_options, list[Any]]:
    """The options for the library, and what has to stay alive as long as they are used."""
    keys = [key.encode() for key in uninteresting]
    array = (c_char_p * len(keys))(*keys)
    areas, tags = _rules(area_rules), _rules(uninteresting_tags)
    options = opk_feature_options(
        profile=choice(profile, PROFILES, "profile"),
        points=choice(points, POINTS, "points"),
        repair=choice(repair, REPAIRS, "repair"),
        uninteresting_keys=cast(array, c_void_p) if keys else None,
        uninteresting_key_count=len(keys),
        area_rules=cast(areas, c_void_p) if areas else None,
        uninteresting_tags=cast(tags, c_void_p) if tags else None,
        flags=flags,
        antimeridian=choice(antimeridian, ANTIMERIDIANS, "antimeridian"),
    )
    return options, [keys, array, areas, tags]


def _rules(rules: Rules | None) -> c_char_p | None:
    if rules is None:
        return None
    text = rules if isinstance(rules, str) else json.dumps(rules, ensure_ascii=False, default=dict)
    return c_char_p(text.encode())


def choice(value: str, choices: dict[str, int], what: str) -> int:
    """The library's number for a choice."""
    if value not in choices:
        raise MisuseError(f"{what} is one of {', '.join(map(repr, choices))}, not {value!r}")
    return choices[value]
