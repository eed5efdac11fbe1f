"""The QGIS plugin of OverpassKit."""

from __future__ import annotations

from typing import Any


def classFactory(iface: Any) -> Any:
    """What QGIS calls; `iface` is None where there is no desktop."""
    try:
        from .plugin import Plugin
    except ImportError as error:
        # The shared library inside is for another system, say.
        from .absent import Absent

        return Absent(iface, error)
    return Plugin(iface)
