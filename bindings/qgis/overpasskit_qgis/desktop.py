"""The plugin's place in the windows of QGIS: a menu, a panel, settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction, QFileDialog

from .panel import Panel
from .provider import ICON
from .running import Running
from .settings_dialog import SettingsDialog

_MENU = "OverpassKit"
_FILTER = "Answers (*.json *.xml *.osm *.gz *.bz2);;All files (*)"


class Desktop:
    """All that the plugin adds to the main window, until `remove`."""

    def __init__(self, iface: Any) -> None:
        self._iface = iface
        self._window = iface.mainWindow()
        self.running = Running(iface)
        self.panel = Panel(iface, self.running, self.change_settings, self.choose_answer)
        iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.panel)
        self.panel.hide()
        shown = self.panel.toggleViewAction()
        shown.setText("Ask Overpass…")
        shown.setIcon(QIcon(ICON))
        iface.addWebToolBarIcon(shown)
        self._shown = shown
        self._actions = [
            shown,
            self._action("Open an answer…", self.choose_answer),
            self._action("Build a query…", lambda: self._dialog("buildquery")),
            self._action("Run a query…", lambda: self._dialog("runquery")),
            self._action("Settings…", self.change_settings),
        ]
        for each in self._actions:
            iface.addPluginToWebMenu(_MENU, each)

    def remove(self) -> None:
        self.running.cancel()
        for each in self._actions:
            self._iface.removePluginWebMenu(_MENU, each)
        self._iface.removeWebToolBarIcon(self._shown)
        self._iface.removeDockWidget(self.panel)
        self.panel.deleteLater()

    def choose_answer(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self._window, "Open an answer", "", _FILTER)
        if path:
            self.running.start("openanswer", {"INPUT": path})

    def change_settings(self) -> bool:
        """Asks for settings; whether they were changed."""
        dialog = SettingsDialog(self._window)
        if not dialog.exec():
            return False
        dialog.settings.store()
        self.panel.show_settings()
        return True

    def _action(self, title: str, function: Callable[[], object]) -> QAction:
        action = QAction(title, self._window)
        # Qt tells whether the action is checked, which nobody wants to know.
        action.triggered.connect(lambda *_: function())
        return action

    def _dialog(self, algorithm: str) -> None:
        from processing import execAlgorithmDialog

        execAlgorithmDialog(f"overpasskit:{algorithm}", {})
