"""What stands in for the plugin where it cannot work."""

from __future__ import annotations

import platform
from typing import Any

from qgis.core import Qgis, QgsApplication

_TITLE = "OverpassKit"


class Absent:
    """Tells why there is no plugin, once, and does nothing else."""

    def __init__(self, iface: Any, error: ImportError) -> None:
        self._iface = iface
        system = f"{platform.system()} on {platform.machine()}"
        self._message = f"OverpassKit does not work here ({system}): {error}"

    def initProcessing(self) -> None:
        QgsApplication.messageLog().logMessage(self._message, _TITLE, Qgis.MessageLevel.Critical)

    def initGui(self) -> None:
        self.initProcessing()
        self._iface.messageBar().pushMessage(_TITLE, self._message, Qgis.MessageLevel.Critical)

    def unload(self) -> None:
        pass
