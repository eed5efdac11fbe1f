"""The plugin: algorithms, and on a desktop a menu and a panel."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsApplication

from . import network
from .provider import Provider


class Plugin:
    def __init__(self, iface: Any) -> None:
        self._iface = iface
        self._provider: Provider | None = None
        self._agent: Any = None
        self._desktop: Any = None

    def initProcessing(self) -> None:
        """All that `qgis_process` calls."""
        self._agent = network.install_agent()
        self._provider = Provider()
        QgsApplication.processingRegistry().addProvider(self._provider)

    def initGui(self) -> None:
        from .desktop import Desktop

        self.initProcessing()
        self._desktop = Desktop(self._iface)

    @property
    def panel(self) -> Any:
        """The panel of the desktop."""
        return self._desktop.panel

    def unload(self) -> None:
        if self._desktop is not None:
            self._desktop.remove()
            self._desktop = None
        if self._provider is not None:
            QgsApplication.processingRegistry().removeProvider(self._provider)
            self._provider = None
        if self._agent is not None:
            network.remove_agent(self._agent)
            self._agent = None
