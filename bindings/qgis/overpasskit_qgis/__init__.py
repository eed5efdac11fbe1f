"""The QGIS plugin of OverpassKit."""

from __future__ import annotations

from typing import Any


def classFactory(iface: Any) -> Any:
    """What QGIS calls; `iface` is None where there is no desktop."""
    from .plugin import Plugin

    return Plugin(iface)
