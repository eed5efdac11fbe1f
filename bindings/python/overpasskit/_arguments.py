"""What Python hands to the query functions of the library: types, texts, numbers, tag filters."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from ctypes import Array, c_char_p
from typing import Any, Literal, NamedTuple, NoReturn, SupportsIndex, TypeAlias

from . import _abi
from ._ffi import status_name
from .errors import MisuseError, QueryError

Path: TypeAlias = "str | bytes | os.PathLike[str] | os.PathLike[bytes]"
ElementKind: TypeAlias = Literal["node", "way", "relation"]

KINDS: dict[str, int] = {
    "node": _abi.OPK_NODES,
    "way": _abi.OPK_WAYS,
    "relation": _abi.OPK_RELATIONS,
}
ONE_OF = 0  # beside OPK_TAG_...: has functions of its own


class TagFilter(NamedTuple):
    """One condition on the value of one key."""

    key: str
    comparison: int
    values: tuple[str, ...]
    ignore_case: bool

    @property
    def flags(self) -> int:
        """What the library calls it."""
        return _abi.OPK_TAG_IGNORE_CASE if self.ignore_case else 0


def tag_filter(
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
) -> TagFilter:
    """The filter for the keywords of `Query.tag`."""
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
        return TagFilter(key, ONE_OF, tuple(one_of), ignore_case)
    if not given:
        return TagFilter(key, _abi.OPK_TAG_EXISTS, (), ignore_case)
    _, code, text = given[0]
    return TagFilter(key, code, (text,), ignore_case)


def not_tag_filter(
    key: str,
    value: str | None = None,
    *,
    contains: str | None = None,
    regex: str | None = None,
    ignore_case: bool = False,
) -> TagFilter:
    """The filter for the keywords of `Query.not_tag`."""
    if value is None and contains is None and regex is None:
        return TagFilter(key, _abi.OPK_TAG_NOT_EXISTS, (), ignore_case)
    return tag_filter(
        key, not_=value, not_contains=contains, not_regex=regex, ignore_case=ignore_case
    )


def type_bits(types: Iterable[str]) -> int:
    """The library's number for some element types; 0 for none."""
    bits = 0
    for kind in types:
        if kind not in KINDS:
            raise MisuseError(f"{kind!r} is none of {', '.join(map(repr, KINDS))}")
        bits |= KINDS[kind]
    return bits


def c_text(text: str) -> bytes:
    """Bytes for C. A NUL would end the text early; the library refuses lone surrogates itself."""
    encoded = text.encode("utf-8", "surrogatepass")
    if b"\0" in encoded:
        refuse(_abi.OPK_ERR_QUERY_VALUE, "a text with a NUL character")
    return encoded


def c_path(path: Path) -> bytes:
    """A path for C, where a NUL would end it early and another file would be meant."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise MisuseError("a path with a NUL character")
    return encoded


def c_texts(texts: Iterable[str]) -> tuple[Array[c_char_p], int]:
    """A list of texts for C, and how many they are."""
    encoded = [c_text(each) for each in texts]
    return (c_char_p * len(encoded))(*encoded), len(encoded)


def int64(number: SupportsIndex, name: str, status: int = _abi.OPK_ERR_QUERY_SETTING) -> int:
    """A whole number that C can take; ctypes would cut off what is beyond 64 bits."""
    value = operator.index(number)
    if not -(2**63) <= value < 2**63:
        refuse(status, f"{name} is beyond 64 bits")
    return value


def refuse(status: int, message: str) -> NoReturn:
    """Raises as if the library had refused."""
    raise QueryError(message, status=status, status_name=status_name(status))


def choose(value: Any, choices: dict[Any, int]) -> int:
    """The library's number for a choice."""
    if value not in choices:
        raise MisuseError(f"{value!r} is none of {', '.join(map(repr, choices))}")
    return choices[value]
