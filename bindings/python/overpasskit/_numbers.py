"""Whole numbers for C, where 0 is the default and ctypes cuts off what is beyond."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from .errors import MisuseError


def at_least_one(name: str, number: SupportsIndex | None, bits: int = 32) -> int:
    """The number, or 0 for None."""
    if number is None:
        return 0
    value = operator.index(number)
    if not 1 <= value < 1 << bits:
        raise MisuseError(f"{name} is from 1 to 2**{bits} - 1, not {value}")
    return value
