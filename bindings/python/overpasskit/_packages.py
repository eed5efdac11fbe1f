"""Packages that are imported only when they are asked for."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import MissingPackageError


def package(name: str, use: str) -> Any:
    """A package that is not needed otherwise.

    >>> package("no_such_package", "to_nothing()")
    Traceback (most recent call last):
    overpasskit.errors.MissingPackageError: to_nothing() needs the package no_such_package...
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0]:
            raise
        message = f"{use} needs the package {name}, which is not installed"
        raise MissingPackageError(message) from None
