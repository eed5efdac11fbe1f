"""The algorithm that writes a query."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessingException,
    QgsProcessingOutputString,
    QgsProcessingParameterEnum,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterMatrix,
    QgsProcessingParameterNumber,
    QgsProcessingParameterPoint,
    QgsProcessingParameterString,
)

from . import searches
from .algorithm import Algorithm
from .compat import DOUBLE
from .overpasskit import Bounds, Position, expand_macros, wizard

WGS84 = "EPSG:4326"


def box_of(algorithm: Algorithm, parameters: dict[str, Any], context: Any) -> Bounds | None:
    """The extent that is given, in degrees."""
    if not parameters.get("EXTENT"):
        return None
    box = algorithm.parameterAsExtent(
        parameters, "EXTENT", context, QgsCoordinateReferenceSystem(WGS84)
    )
    if box.isNull() or not box.isFinite():
        raise QgsProcessingException("the extent cannot be expressed in degrees")
    south, north = max(box.yMinimum(), -90.0), min(box.yMaximum(), 90.0)
    west, east = max(box.xMinimum(), -180.0), min(box.xMaximum(), 180.0)
    if south > north or west > east:
        raise QgsProcessingException("the extent is not on the earth")
    return Bounds(west, south, east, north)


class BuildQuery(Algorithm):
    NAME = "buildquery"
    TITLE = "Build a query"
    HELP = (
        "Writes a query in Overpass QL, from rows of keys and values or from a search in words "
        'like "amenity=cafe and name=* in Bonn". All rows must hold. A value of * or nothing '
        "stands for any; !value for all but this one; ~text for a regular expression.\n"
        "Without an extent, the query has the macro {{bbox}}; places by name become macros, too. "
        "Both are replaced when the query is run."
    )
    WHERE = ("extent", "in a place", "around a place", "around a point")
    OUT: tuple[searches.Out, ...] = ("geom", "center")

    def initAlgorithm(self, config: Any = None) -> None:
        self.addParameter(
            QgsProcessingParameterString(
                "SEARCH", self.tr("Search in words, in place of all below"), optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterMatrix(
                "TAGS",
                self.tr("Tags"),
                numberRows=1,
                headers=[self.tr("Key"), self.tr("Value")],
                defaultValue=["amenity", "cafe"],
                optional=True,
            )
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                "TYPES",
                self.tr("Elements"),
                options=list(searches.TYPES),
                allowMultiple=True,
                defaultValue=[0, 1, 2],
            )
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                "WHERE",
                self.tr("Where"),
                options=[self.tr(each) for each in self.WHERE],
                defaultValue=0,
            )
        )
        self.addParameter(QgsProcessingParameterExtent("EXTENT", self.tr("Extent"), optional=True))
        self.addParameter(
            QgsProcessingParameterString("PLACE", self.tr("Name of a place"), optional=True)
        )
        self.addParameter(QgsProcessingParameterPoint("POINT", self.tr("Point"), optional=True))
        self.addParameter(
            QgsProcessingParameterNumber(
                "RADIUS",
                self.tr("Radius in metres"),
                DOUBLE,
                defaultValue=1000,
                minValue=0.1,
            )
        )
        self.addParameter(
            QgsProcessingParameterEnum(
                "OUT",
                self.tr("Geometry"),
                options=[self.tr("whole geometry"), self.tr("one point each")],
                defaultValue=0,
            )
        )
        self.addParameter(
            QgsProcessingParameterFileDestination(
                "OUTPUT",
                self.tr("File with the query"),
                fileFilter="Overpass QL (*.overpassql)",
                optional=True,
                createByDefault=False,
            )
        )
        self.addOutput(QgsProcessingOutputString("QUERY", self.tr("Query")))

    def work(self, parameters: dict[str, Any], context: Any, feedback: Any) -> dict[str, Any]:
        text = self._text(parameters, context)
        feedback.pushInfo(text)
        results: dict[str, Any] = {"QUERY": text}
        path = self.parameterAsFileOutput(parameters, "OUTPUT", context)
        if path:
            try:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise QgsProcessingException(f"{path}: {error.strerror}") from error
            results["OUTPUT"] = path
        return results

    def _text(self, parameters: dict[str, Any], context: Any) -> str:
        out = self.OUT[self.parameterAsEnum(parameters, "OUT", context)]
        box = box_of(self, parameters, context)
        search = self.parameterAsString(parameters, "SEARCH", context).strip()
        if search:
            text = searches.with_output(wizard(search), out)
            return expand_macros(text, bbox=box) if box and "{{bbox}}" in text else text
        rows = searches.rows_of(self.parameterAsMatrix(parameters, "TAGS", context))
        if not rows:
            raise QgsProcessingException("there is neither a search nor a key to look for")
        chosen = self.parameterAsEnums(parameters, "TYPES", context)
        types = [searches.TYPES[each] for each in chosen]
        if not types:
            raise QgsProcessingException("no type of elements is chosen")
        radius = self.parameterAsDouble(parameters, "RADIUS", context)
        where = self.parameterAsEnum(parameters, "WHERE", context)
        if where == 0:
            if box is None:
                return searches.in_map(rows, types, out)
            return searches.in_box(rows, types, box, out)
        if where == 3:
            return searches.near_point(rows, types, self._point(parameters, context), radius, out)
        place = self.parameterAsString(parameters, "PLACE", context).strip()
        if not place:
            raise QgsProcessingException("the name of a place is missing (PLACE)")
        if where == 1:
            return searches.in_place(rows, types, place, out)
        return searches.near_place(rows, types, place, radius, out)

    def _point(self, parameters: dict[str, Any], context: Any) -> Position:
        if not parameters.get("POINT"):
            raise QgsProcessingException("the point is missing (POINT)")
        point = self.parameterAsPoint(
            parameters, "POINT", context, QgsCoordinateReferenceSystem(WGS84)
        )
        return Position(point.x(), point.y())
