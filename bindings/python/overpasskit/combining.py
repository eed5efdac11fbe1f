"""What makes responses of other responses; `Response` and `merge` show it to users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from ctypes import Array, byref, c_char_p, c_void_p, cast
from typing import NamedTuple, TypeAlias

from . import _abi
from ._abi import opk_filter_options, opk_tag_condition
from ._arguments import KINDS, c_text, c_texts
from ._ffi import Handle, lib, produce
from .elements import ResponseData
from .errors import MisuseError
from .geometry import Bounds

Wanted: TypeAlias = "str | bool | Iterable[str]"

_TYPES: dict[str, int] = {**KINDS, "area": _abi.OPK_AREAS, "derived": _abi.OPK_OTHERS}


def merged(parts: Sequence[ResponseData]) -> ResponseData:
    """What `merge` gives."""
    return _adopt(produce(lib.opk_response_merge, _handles(parts), len(parts)))


def applied(base: ResponseData, changes: Sequence[ResponseData]) -> ResponseData:
    """What `Response.apply` gives."""
    pointer = produce(lib.opk_response_apply, base.handle, _handles(changes), len(changes))
    return _adopt(pointer)


def filtered(
    whole: ResponseData,
    types: Iterable[str] | None,
    tags: Mapping[str, Wanted],
    not_tags: Mapping[str, str | Iterable[str]],
    bbox: Bounds | tuple[float, float, float, float] | None,
    keep_references: bool,
) -> ResponseData:
    """What `Response.filter` gives."""
    conditions = [_condition(key, wanted) for key, wanted in tags.items()]
    for key, unwanted in not_tags.items():
        if isinstance(unwanted, bool):
            raise MisuseError(f"not_tags takes values of {key!r}; for the key alone, use tags")
        conditions.append(_values(_abi.OPK_TAG_NOT_EQUALS, key, unwanted))
    # The structs refer to texts that must live as long as they.
    structs = (opk_tag_condition * len(conditions))(*(each.struct for each in conditions))
    c = opk_filter_options(tags=cast(structs, c_void_p).value, tag_count=len(conditions))
    if keep_references:
        c.flags |= _abi.OPK_FILTER_KEEP_REFERENCES
    if bbox is not None:
        c.flags |= _abi.OPK_FILTER_BOX
        c.west, c.south, c.east, c.north = bbox
    if types is not None:
        c.types = _type_bits(types)
        if not c.types:
            raise MisuseError("no element types to keep")
    return _adopt(produce(lib.opk_response_filter, whole.handle, byref(c)))


def _type_bits(types: Iterable[str]) -> int:
    bits = 0
    for each in [types] if isinstance(types, str) else types:
        if each not in _TYPES:
            raise MisuseError(f"{each!r} is none of {', '.join(map(repr, _TYPES))}")
        bits |= _TYPES[each]
    return bits


class _Condition(NamedTuple):
    struct: opk_tag_condition
    texts: tuple[object, ...]


def _condition(key: str, wanted: Wanted) -> _Condition:
    if isinstance(wanted, bool):
        return _values(_abi.OPK_TAG_EXISTS if wanted else _abi.OPK_TAG_NOT_EXISTS, key, ())
    return _values(_abi.OPK_TAG_EQUALS, key, wanted)


def _values(comparison: int, key: str, values: str | Iterable[str]) -> _Condition:
    name = c_char_p(c_text(key))
    texts, count = c_texts([values] if isinstance(values, str) else values)
    struct = opk_tag_condition(
        comparison=comparison,
        key=cast(name, c_void_p).value,
        values=cast(texts, c_void_p).value,
        value_count=count,
    )
    return _Condition(struct, (name, texts))


def _handles(parts: Sequence[ResponseData]) -> Array[c_void_p]:
    """The handles of responses for C; valid as long as the caller holds `parts`."""
    return (c_void_p * len(parts))(*(each.handle._as_parameter_ for each in parts))


def _adopt(pointer: int | None) -> ResponseData:
    return ResponseData(Handle(pointer or 0, lib.opk_response_free))
