"""Runs the algorithms in the background and shows what comes out."""

from __future__ import annotations

import textwrap
from typing import Any

from qgis.core import (
    Qgis,
    QgsApplication,
    QgsProcessingAlgRunnerTask,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputLayerDefinition,
    QgsProject,
)
from qgis.PyQt.QtCore import QObject, pyqtSignal

from .layers import KINDS
from .work import log

_TITLE = "OverpassKit"
_SECONDS = 15
_WIDTH = 110


class Feedback(QgsProcessingFeedback):
    """Keeps what there is to tell, and hands on what the work is at."""

    said = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__(False)
        self.errors: list[str] = []
        self.warnings: list[str] = []

    # Called on the thread of the work; the signal goes to that of the windows.

    def reportError(self, error: str, fatalError: bool = False) -> None:
        self.errors.append(error)

    def pushWarning(self, warning: str) -> None:
        self.warnings.append(warning)

    def setProgressText(self, text: str) -> None:
        self.said.emit(text)

    def pushInfo(self, info: str) -> None:
        self.said.emit(info)


class Running(QObject):
    """One algorithm at a time, with its layers in the project at its end."""

    started = pyqtSignal()
    progressed = pyqtSignal(float)
    said = pyqtSignal(str)
    # Whether it went well, and what came out.
    ended = pyqtSignal(bool, dict)

    def __init__(self, iface: Any) -> None:
        super().__init__()
        self._iface = iface
        self._task: QgsProcessingAlgRunnerTask | None = None
        self._algorithm: Any = None
        self._context: QgsProcessingContext | None = None
        self._feedback: Feedback | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None

    def start(self, name: str, parameters: dict[str, Any]) -> None:
        """Starts an algorithm, unless one is running."""
        if self.is_busy:
            self._show("A query is running already.", Qgis.MessageLevel.Info)
            return
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"overpasskit:{name}")
        project = QgsProject.instance()
        for kind in KINDS:
            output = QgsProcessingOutputLayerDefinition("TEMPORARY_OUTPUT", project)
            output.destinationName = f"Overpass {kind}"
            parameters.setdefault(kind.upper(), output)
        self._algorithm = algorithm
        self._context = QgsProcessingContext()
        self._context.setProject(project)
        self._feedback = Feedback()
        self._feedback.said.connect(self.said)
        self._feedback.progressChanged.connect(self.progressed)
        task = QgsProcessingAlgRunnerTask(algorithm, parameters, self._context, self._feedback)
        task.executed.connect(self._end)
        self._task = task
        self.started.emit()
        QgsApplication.taskManager().addTask(task)

    def cancel(self) -> None:
        if self._feedback is not None and self.is_busy:
            self._feedback.cancel()

    def _end(self, is_good: bool, results: dict[str, Any]) -> None:
        feedback, context = self._feedback, self._context
        self._task = None
        if feedback is None or context is None:
            return
        if is_good:
            self._load(context, feedback)
            for each in feedback.warnings:
                self._show(each, Qgis.MessageLevel.Warning)
            count = int(results.get("COUNT", 0))
            if not count:
                self._show("There is nothing that can be drawn.", Qgis.MessageLevel.Info)
            self.said.emit(f"{count} features")
        elif feedback.isCanceled():
            self.said.emit("canceled")
        else:
            message = "\n".join(dict.fromkeys(feedback.errors)) or "It went wrong; see the log."
            self._show(message, Qgis.MessageLevel.Critical)
            self.said.emit(message)
        self.ended.emit(is_good, results)

    def _load(self, context: QgsProcessingContext, feedback: Feedback) -> None:
        layers = context.layersToLoadOnCompletion()
        # The last one is drawn on top: areas first.
        for destination in sorted(layers, key=lambda each: _depth(layers[each])):
            details = layers[destination]
            layer = context.takeResultLayer(destination)
            if layer is None:
                continue
            details.setOutputLayerName(layer)
            dresser = details.postProcessor()
            if dresser is not None:
                dresser.postProcessLayer(layer, context, feedback)
            QgsProject.instance().addMapLayer(layer)

    def _show(self, message: str, level: Any) -> None:
        log(message)
        short, _, rest = message.partition("\n")
        bar = self._iface.messageBar()
        short = textwrap.shorten(short, _WIDTH, placeholder="…")
        if rest or short != message:
            bar.pushMessage(_TITLE, short, message, level, _SECONDS)
        else:
            bar.pushMessage(_TITLE, short, level, _SECONDS)


def _depth(details: Any) -> int:
    order = ("COLLECTIONS", "POLYGONS", "LINES", "POINTS")
    name = details.outputName
    return order.index(name) if name in order else 0
