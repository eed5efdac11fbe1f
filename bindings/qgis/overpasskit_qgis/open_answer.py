"""The algorithm that opens an answer in a file."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingOutputNumber, QgsProcessingParameterFile

from .algorithm import ANY_FILE, LayerAlgorithm
from .files import refuse_data
from .work import load_file


class OpenAnswer(LayerAlgorithm):
    NAME = "openanswer"
    TITLE = "Open an answer"
    HELP = (
        "Opens an answer of an Overpass server that is in a file: JSON or XML (also out geom and "
        "out center, which GDAL loses), plain or compressed with gzip or bzip2. Each kind of "
        "geometry becomes a layer with a style."
    )

    def initAlgorithm(self, config: Any = None) -> None:
        self.addParameter(
            QgsProcessingParameterFile(
                "INPUT", self.tr("Answer (JSON, XML, .gz, .bz2)"), fileFilter=ANY_FILE
            )
        )
        self.addLayers()
        self.addOutput(QgsProcessingOutputNumber("COUNT", self.tr("Number of features")))

    def work(self, parameters: dict[str, Any], context: Any, feedback: Any) -> dict[str, Any]:
        path = self.parameterAsFile(parameters, "INPUT", context)
        refuse_data(path)
        partial = self.parameterAsBoolean(parameters, "PARTIAL", context)
        with load_file(path, partial, feedback) as response:
            return self.layers(response, parameters, context, feedback)
