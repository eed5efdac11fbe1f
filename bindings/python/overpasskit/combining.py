"""What makes responses of other responses; `Response` and `merge` show it to users."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import Array, c_void_p

from ._ffi import Handle, lib, produce
from .elements import ResponseData


def merged(parts: Sequence[ResponseData]) -> ResponseData:
    """What `merge` gives."""
    return _adopt(produce(lib.opk_response_merge, _handles(parts), len(parts)))


def _handles(parts: Sequence[ResponseData]) -> Array[c_void_p]:
    """The handles of responses for C; valid as long as the caller holds `parts`."""
    return (c_void_p * len(parts))(*(each.handle._as_parameter_ for each in parts))


def _adopt(pointer: int | None) -> ResponseData:
    return ResponseData(Handle(pointer or 0, lib.opk_response_free))
