"""What is named otherwise in other versions of QGIS and Qt."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsField,
    QgsProcessing,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterNumber,
)
from qgis.PyQt import QtCore

ADVANCED = QgsProcessingParameterDefinition.FlagAdvanced
POINTS = QgsProcessing.TypeVectorPoint
LINES = QgsProcessing.TypeVectorLine
POLYGONS = QgsProcessing.TypeVectorPolygon
ANY_GEOMETRY = QgsProcessing.TypeVectorAnyGeometry
INTEGER = QgsProcessingParameterNumber.Integer
DOUBLE = QgsProcessingParameterNumber.Double

# Fields got new names of their types with QGIS 3.38.
if Qgis.QGIS_VERSION_INT >= 33800:
    _TEXT, _NUMBER = QtCore.QMetaType.Type.QString, QtCore.QMetaType.Type.LongLong
else:
    _TEXT, _NUMBER = QtCore.QVariant.String, QtCore.QVariant.LongLong


def text_field(name: str) -> QgsField:
    return QgsField(name, _TEXT)


def number_field(name: str) -> QgsField:
    return QgsField(name, _NUMBER)


def number(value: Any) -> int:
    """An enumeration's number: in PyQt6 its members are no integers."""
    return int(getattr(value, "value", value))
