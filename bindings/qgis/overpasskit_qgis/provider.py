"""The algorithms, as QGIS's Processing finds them."""

from __future__ import annotations

from pathlib import Path

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .build_query import BuildQuery
from .open_answer import OpenAnswer
from .overpasskit import __version__
from .run_query import RunQuery

ICON = str(Path(__file__).resolve().parent / "icon.svg")


class Provider(QgsProcessingProvider):
    def id(self) -> str:
        return "overpasskit"

    def name(self) -> str:
        return "OverpassKit"

    def longName(self) -> str:
        return "OverpassKit: OpenStreetMap data from Overpass servers"

    def versionInfo(self) -> str:
        return __version__

    def icon(self) -> QIcon:
        return QIcon(ICON)

    def loadAlgorithms(self) -> None:
        for algorithm in (BuildQuery(), RunQuery(), OpenAnswer()):
            self.addAlgorithm(algorithm)
