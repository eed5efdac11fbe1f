"""The panel with a query, or a search in words, and the buttons for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsProject,
)
from qgis.gui import QgsDockWidget
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from .overpasskit import QueryError, check_query
from .running import Running
from .searches import is_search, query_of
from .settings import Settings, endpoint_names

_HINT = (
    "amenity=cafe in Bonn\n\n"
    "or a query in Overpass QL or XML, with the macros of overpass turbo:\n\n"
    '[out:json][timeout:25];\nnwr["amenity"="cafe"]({{bbox}});\nout geom;'
)
_WGS84 = "EPSG:4326"


class Panel(QgsDockWidget):
    """A dock: its buttons do nothing themselves, but start algorithms.

    Parameters
    ----------
    change_settings
        Asks for the settings, and tells whether they were changed.
    choose_answer
        Asks for a file and opens it.
    """

    def __init__(
        self,
        iface: Any,
        running: Running,
        change_settings: Callable[[], bool],
        choose_answer: Callable[[], None],
    ) -> None:
        super().__init__("Overpass", iface.mainWindow())
        self.setObjectName("OverpassKitPanel")
        self._canvas = iface.mapCanvas()
        self._running = running
        self._change_settings = change_settings
        self.query = QPlainTextEdit()
        self.query.setPlaceholderText(_HINT)
        self.endpoint = QComboBox()
        self.endpoint.setEditable(True)
        self.columns = QLineEdit()
        self.columns.setPlaceholderText("name, amenity (empty: the most frequent tags)")
        self.tiles = QCheckBox("Divide the map into tiles when needed")
        self.partial = QCheckBox("Take answers that are not complete")
        self.run = _button("Run", self.start)
        self.cancel = _button("Cancel", running.cancel)
        self.to_query = _button("As query", self.write_query)
        self.bar = QProgressBar()
        self.bar.hide()
        self.status = QLabel()
        self.status.setWordWrap(True)
        self.cancel.setEnabled(False)

        form = QFormLayout()
        form.addRow("Server", self.endpoint)
        form.addRow("Columns", self.columns)
        first, second = QHBoxLayout(), QHBoxLayout()
        for each in (self.run, self.cancel, self.to_query):
            first.addWidget(each)
        second.addWidget(_button("Open an answer…", choose_answer))
        second.addWidget(_button("Settings…", change_settings))
        layout = QVBoxLayout()
        layout.addWidget(self.query, 1)
        layout.addLayout(form)
        layout.addWidget(self.tiles)
        layout.addWidget(self.partial)
        layout.addLayout(first)
        layout.addLayout(second)
        layout.addWidget(self.bar)
        layout.addWidget(self.status)
        content = QWidget()
        content.setLayout(layout)
        self.setWidget(content)

        running.started.connect(self._begin)
        running.progressed.connect(self._show_progress)
        running.said.connect(self.status.setText)
        running.ended.connect(self._end)
        self.show_settings()

    def show_settings(self) -> None:
        self.endpoint.clear()
        self.endpoint.addItems(endpoint_names())
        self.endpoint.setEditText(Settings.read().endpoint)

    def start(self) -> None:
        """Runs what is in the text box, for what the map shows."""
        text = self.query.toPlainText()
        if not text.strip():
            self.status.setText("There is no query.")
            return
        if not Settings.read().contact and not (
            self._change_settings() and Settings.read().contact
        ):
            self.status.setText("Servers want to know who asks: a contact is needed.")
            return
        try:
            extent = self._extent()
        except QgsCsException:
            self.status.setText("What the map shows cannot be expressed in degrees.")
            return
        self._running.start(
            "runquery",
            {
                "QUERY": text,
                "EXTENT": extent,
                "ENDPOINT": self.endpoint.currentText().strip(),
                "COLUMNS": self.columns.text(),
                "TILES": self.tiles.isChecked(),
                "PARTIAL": self.partial.isChecked(),
            },
        )

    def write_query(self) -> None:
        """Puts the query in place of a search in words, or tells what is wrong with a query."""
        text = self.query.toPlainText()
        try:
            if is_search(text):
                self.query.setPlainText(query_of(text))
                self.status.setText("")
            else:
                # With macros, only what they stand for would be checked.
                mistakes = check_query(text) if "{{" not in text else []
                told = [f"line {each.line}: {each.message}" for each in mistakes]
                self.status.setText("\n".join(told) or "This is a query already.")
        except QueryError as error:
            self.status.setText(str(error))

    def _extent(self) -> str:
        """What the map shows, in degrees; empty in an empty project, whose map shows nothing."""
        shown = self._canvas.extent()
        if shown.isEmpty() or not shown.isFinite():
            return ""
        project = QgsProject.instance()
        transform = QgsCoordinateTransform(
            self._canvas.mapSettings().destinationCrs(),
            QgsCoordinateReferenceSystem(_WGS84),
            project,
        )
        box = transform.transformBoundingBox(shown)
        return f"{box.xMinimum()},{box.xMaximum()},{box.yMinimum()},{box.yMaximum()} [{_WGS84}]"

    def _show_progress(self, done: float) -> None:
        self.bar.setRange(0, 100)
        self.bar.setValue(int(done))

    def _begin(self) -> None:
        self.run.setEnabled(False)
        self.cancel.setEnabled(True)
        # It moves until it is known how much there is to do.
        self.bar.setRange(0, 0)
        self.bar.show()

    def _end(self, *_: object) -> None:
        self.run.setEnabled(True)
        self.cancel.setEnabled(False)
        self.bar.hide()


def _button(title: str, function: Callable[[], object]) -> QPushButton:
    button = QPushButton(title)
    button.clicked.connect(lambda *_: function())
    return button
