"""Features as arrays of the library, which Python reads in place."""

from __future__ import annotations

from ctypes import byref, c_double, c_int64, c_long, c_size_t, c_uint8, c_uint32, sizeof
from typing import Any

from ._abi import OPK_ARRAYS_COORDINATES, opk_feature_arrays
from ._ffi import Handle, check, lib, produce

# Of the codes for 64 bits, NumPy's own names belong to those of C's long, where it has as many.
_INT64 = "l" if sizeof(c_long) == 8 else "q"
_CODES = {c_double: "d", c_int64: _INT64, c_size_t: _INT64.upper(), c_uint8: "B", c_uint32: "I"}


class FeatureArrays:
    """Identities, kinds and tags of features. Each array keeps the library's memory alive."""

    def __init__(self, features: Handle, with_coordinates: bool = False) -> None:
        flags = OPK_ARRAYS_COORDINATES if with_coordinates else 0
        pointer = produce(lib.opk_features_arrays, features, flags)
        owner = Handle(pointer or 0, lib.opk_arrays_free)
        c = opk_feature_arrays()
        check(lib.opk_arrays_get(owner, byref(c)))
        count = c.count
        self.indices = _view(owner, c_size_t, c.indices, count)
        self.ids = _view(owner, c_int64, c.ids, count)
        self.types = _view(owner, c_uint8, c.types, count)
        self.kinds = _view(owner, c_uint8, c.kinds, count)
        self.tag_ends = _view(owner, c_size_t, c.tag_ends, count)
        self.tags = _view(owner, c_uint32, c.tags, 2 * (self.tag_ends[-1] if count else 0))
        self._text_of = Texts(owner, c).__getitem__
        self.position_ends = _view(owner, c_size_t, c.position_ends, count)
        positions = self.position_ends[-1] if count and with_coordinates else 0
        self.coordinates = _view(owner, c_double, c.coordinates, positions, 2)

    def tags_of(self, place: int) -> dict[str, str]:
        """The tags of a feature. Called very often: one slice, no call of the library."""
        ends = self.tag_ends
        start = ends[place - 1] if place else 0
        texts = map(self._text_of, self.tags[2 * start : 2 * ends[place]])
        return dict(zip(texts, texts, strict=True))


class Texts(dict[int, str]):
    """The response's texts by number; each becomes a Python text only once."""

    def __init__(self, owner: Handle, c: opk_feature_arrays) -> None:
        super().__init__()
        self._starts = _view(owner, c_uint32, c.text_starts, c.text_count + 1)
        count = self._starts[c.text_count] if c.text_starts else 0
        self._bytes = _view(owner, c_uint8, c.texts, count)

    def __missing__(self, number: int) -> str:
        starts = self._starts
        value = self[number] = str(self._bytes[starts[number] : starts[number + 1]], "utf-8")
        return value


def _view(owner: Handle, kind: Any, address: int | None, count: int, width: int = 1) -> Any:
    """An array in the library's memory, not to be written to; NumPy takes it as it is."""
    if not address:
        count = 0
    if count:
        array = (kind * (count * width)).from_address(address)
        array._owner = owner  # the view keeps the array, the array the memory
    else:
        array = (kind * width)()
    view: Any = memoryview(array).toreadonly().cast("B")
    shape = (max(count, 1), width) if width > 1 else (max(count, 1),)
    return view.cast(_CODES[kind], shape)[:count]
