"""Works the panel as a user would, without a screen. Run by test_windows.py in PyQGIS.

windows.py ANSWER FILE    what the server answers, and another answer
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsProject,
    QgsRectangle,
    QgsSettings,
)
from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtWidgets import QMainWindow

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "build" / "qgis"), str(ROOT / "Tests" / "Server")]
LIMIT = 60.0


class Window:
    """What the plugin uses of QGIS's own main window."""

    def __init__(self) -> None:
        self._window = QMainWindow()
        self._canvas = QgsMapCanvas(self._window)
        self._bar = QgsMessageBar(self._window)
        self.menu: list[object] = []

    def mainWindow(self) -> QMainWindow:
        return self._window

    def mapCanvas(self) -> QgsMapCanvas:
        return self._canvas

    def messageBar(self) -> QgsMessageBar:
        return self._bar

    def addDockWidget(self, area: object, dock: object) -> None:
        self._window.addDockWidget(area, dock)

    def removeDockWidget(self, dock: object) -> None:
        self._window.removeDockWidget(dock)

    def addPluginToWebMenu(self, menu: str, action: object) -> None:
        self.menu.append(action)

    def removePluginWebMenu(self, menu: str, action: object) -> None:
        self.menu.remove(action)

    def addWebToolBarIcon(self, action: object) -> None:
        self.menu.append(action)

    def removeWebToolBarIcon(self, action: object) -> None:
        self.menu.remove(action)


def wait(application: QgsApplication, condition: Callable[[], bool]) -> float:
    """Handles events until a condition holds; gives the longest time between two looks."""
    end = time.monotonic() + LIMIT
    longest, last = 0.0, time.monotonic()
    while not condition():
        application.processEvents()
        now = time.monotonic()
        longest, last = max(longest, now - last), now
        assert now < end, "it took too long"
        time.sleep(0.005)
    return longest


def main() -> None:
    from overpass_server import OverpassServer, Reply

    application = QgsApplication([], True)
    application.initQgis()
    from overpasskit_qgis import classFactory

    told: dict[str, object] = {}
    answer = Path(sys.argv[1]).read_text()
    window = Window()
    window.mapCanvas().setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    window.mapCanvas().resize(400, 400)
    QgsSettings().remove("overpasskit/contact")
    plugin = classFactory(window)
    plugin.initGui()
    panel, project = plugin.panel, QgsProject.instance()
    # In an empty project, the map shows nothing.
    told["empty map"] = panel._extent()
    window.mapCanvas().setExtent(QgsRectangle(779236, 6446275, 890555, 6621293))
    told["menu"] = [each.text() for each in window.menu]

    def run(query: str) -> float:
        panel.query.setPlainText(query)
        panel.run.click()
        assert panel.cancel.isEnabled()
        return wait(application, panel.run.isEnabled)

    def colour(layer: object) -> str | None:
        symbol = layer.renderer().symbol() if layer.renderer() else None
        return symbol.color().name() if symbol else None

    def layers() -> list[list[object]]:
        nodes = project.layerTreeRoot().findLayers()
        return [
            [each.layer().name(), each.layer().featureCount(), colour(each.layer()),
             each.layer().labelsEnabled(), each.layer().metadata().rights()]
            for each in nodes
        ]  # fmt: skip

    # Without a contact, the settings are asked for; here nobody answers.
    asked = []
    panel._change_settings = lambda: asked.append(True) or False
    panel.query.setPlainText("node(1);out;")
    panel.run.click()
    told["no contact"] = [len(asked), panel.status.text()]
    QgsSettings().setValue("overpasskit/contact", "tests@example.org")

    with OverpassServer() as server:
        panel.endpoint.setEditText(server.url)
        server.answers([Reply.json(answer, delay=2)])
        told["longest pause"] = run("amenity=cafe")
        told["sent"] = server.requests[0].data
        told["layers"] = layers()
        told["status"] = panel.status.text()
        project.clear()

        server.answers([Reply(403)])
        run("node(1);out;")
        item = window.messageBar().currentItem()
        told["error"] = [item.title(), item.text(), panel.status.text()]

        server.reset()
        server.answers([Reply(hang=True)])
        panel.query.setPlainText("node(1);out;")
        panel.run.click()
        wait(application, lambda: len(server.requests) == 1)
        start = time.monotonic()
        panel.cancel.click()
        wait(application, panel.run.isEnabled)
        told["canceled after"] = time.monotonic() - start
        told["canceled"] = panel.status.text()

    panel.query.setPlainText("amenity=cafe in Bonn")
    panel.to_query.click()
    told["query"] = panel.query.toPlainText()
    panel.query.setPlainText("nod(1);out;")
    panel.to_query.click()
    told["mistake"] = panel.status.text()

    plugin._desktop.running.start("openanswer", {"INPUT": sys.argv[2]})
    wait(application, panel.run.isEnabled)
    told["opened"] = len(layers())

    from overpasskit_qgis.settings import Settings
    from overpasskit_qgis.settings_dialog import SettingsDialog

    dialog = SettingsDialog()
    dialog.contact.setText(" you@example.org ")
    dialog.endpoint.setEditText("")
    dialog.settings.store()
    told["settings"] = [Settings.read().contact, Settings.read().endpoint, Settings.read().agent]

    plugin.unload()
    told["menu at the end"] = len(window.menu)
    project.clear()
    print(json.dumps(told))
    sys.stdout.flush()
    application.exitQgis()


if __name__ == "__main__":
    main()
