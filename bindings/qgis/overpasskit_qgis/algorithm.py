"""What the algorithms have in common."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterString,
)
from qgis.PyQt.QtCore import QCoreApplication

from .columns import keys_from_text
from .compat import ADVANCED, ANY_GEOMETRY, LINES, POINTS, POLYGONS
from .layers import KINDS, LayerWriter, Layout
from .messages import explain, remarks_of
from .overpasskit import CancelledError, OverpassKitError, Response
from .work import log

# QGIS's own filter for all files refuses names without a dot.
ANY_FILE = "All files (*)"

_OTHERS = ("json", "hstore", "none")
_KINDS = {
    "points": ("Points", POINTS, True),
    "lines": ("Lines", LINES, True),
    "polygons": ("Polygons", POLYGONS, True),
    "collections": ("Collections", ANY_GEOMETRY, False),
}


class Algorithm(QgsProcessingAlgorithm):
    """An algorithm of this plugin: `initAlgorithm`, `work` and the names are its own."""

    NAME = ""
    TITLE = ""
    HELP = ""

    def name(self) -> str:
        return self.NAME

    def displayName(self) -> str:
        return self.tr(self.TITLE)

    def shortHelpString(self) -> str:
        return self.tr(self.HELP)

    def group(self) -> str:
        return ""

    def groupId(self) -> str:
        return ""

    def createInstance(self) -> Algorithm:
        return type(self)()

    def tr(self, text: str) -> str:
        return QCoreApplication.translate("OverpassKit", text)

    def addAdvanced(self, parameter: Any) -> None:
        parameter.setFlags(parameter.flags() | ADVANCED)
        self.addParameter(parameter)

    def work(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        raise NotImplementedError

    def processAlgorithm(
        self,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        try:
            return self.work(parameters, context, feedback)
        except CancelledError:
            raise QgsProcessingException(self.tr("Canceled.")) from None
        except OverpassKitError as error:
            message = explain(error)
            log(message)
            raise QgsProcessingException(message) from error


class LayerAlgorithm(Algorithm):
    """An algorithm whose output are the layers of an answer."""

    def addLayers(self) -> None:
        """Adds the parameters for what layers have, and the layers."""
        self.addParameter(
            QgsProcessingParameterString(
                "COLUMNS",
                self.tr("Tags as columns (empty: the most frequent)"),
                optional=True,
            )
        )
        self.addAdvanced(
            QgsProcessingParameterEnum(
                "OTHER_TAGS",
                self.tr("Other tags"),
                options=["JSON", "hstore", self.tr("leave out")],
                defaultValue=0,
            )
        )
        self.addAdvanced(
            QgsProcessingParameterBoolean(
                "META", self.tr("Columns for version, time and author"), defaultValue=False
            )
        )
        self.addAdvanced(
            QgsProcessingParameterBoolean(
                "PARTIAL", self.tr("Take answers that are not complete"), defaultValue=False
            )
        )
        for kind in KINDS:
            title, source, is_default = _KINDS[kind]
            self.addParameter(
                QgsProcessingParameterFeatureSink(
                    kind.upper(),
                    self.tr(title),
                    type=source,
                    optional=True,
                    createByDefault=is_default,
                )
            )

    def layers(
        self,
        response: Response,
        parameters: dict[str, Any],
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> dict[str, Any]:
        """Writes the layers, and tells what is to be known about the answer."""
        for each in remarks_of(response):
            feedback.pushWarning(each)
        layout = Layout(
            keys=keys_from_text(self.parameterAsString(parameters, "COLUMNS", context)),
            others=_OTHERS[self.parameterAsEnum(parameters, "OTHER_TAGS", context)],
            meta=self.parameterAsBoolean(parameters, "META", context),
        )
        writer = LayerWriter(response, layout, context, feedback)
        results: dict[str, Any] = {}
        for kind in KINDS:
            destination = writer.write(kind, self, parameters)
            if feedback.isCanceled():
                raise CancelledError("canceled while layers were written")
            if destination is not None:
                results[kind.upper()] = destination
            elif writer.count(kind):
                feedback.pushWarning(f"{writer.count(kind)} {kind} are in no layer")
        counts = ", ".join(f"{writer.count(kind)} {kind}" for kind in KINDS if writer.count(kind))
        feedback.pushInfo(counts or self.tr("The answer has nothing that can be drawn."))
        if writer.problems:
            feedback.pushInfo(f"{writer.problems} faults of the data were found.")
        return {**results, "COUNT": sum(writer.count(kind) for kind in KINDS)}
