"""Features of an answer as the output of an algorithm: a layer a kind of geometry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsWkbTypes,
)

from .columns import chosen_keys, other_tags
from .compat import number_field, text_field
from .overpasskit import Feature, Features, Response
from .styles import Styling

_TYPES = QgsWkbTypes.Type

# The outputs, with their geometries as GeoJSON names them, and how the layer has them.
KINDS = {
    "points": (("Point", "MultiPoint"), _TYPES.Point),
    "lines": (("LineString", "MultiLineString"), _TYPES.MultiLineString),
    "polygons": (("Polygon", "MultiPolygon"), _TYPES.MultiPolygon),
    "collections": (("GeometryCollection",), _TYPES.GeometryCollection),
}
_META = ("version", "timestamp", "changeset", "uid", "user")
_STEP = 1000


@dataclass(frozen=True)
class Layout:
    """What layers have besides geometry.

    Attributes
    ----------
    keys
        The tags that become columns; the most frequent ones when there are none.
    others
        How the other tags are kept: ``"json"``, ``"hstore"`` or ``"none"``.
    meta
        Whether there are columns for version, time and author.
    """

    keys: Sequence[str] = ()
    others: str = "json"
    meta: bool = False


class LayerWriter:
    """Writes the features of one answer to the outputs of an algorithm."""

    def __init__(
        self,
        response: Response,
        layout: Layout,
        context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> None:
        self._features: Features = response.features(collections=True)
        self._layout = layout
        self._context = context
        self._feedback = feedback
        self._history = _history(response)
        self._places: dict[str, list[int]] = {kind: [] for kind in KINDS}
        kind_of = {name: kind for kind, (names, _) in KINDS.items() for name in names}
        for place, feature in enumerate(self._features):
            self._places[kind_of[feature.geometry_type]].append(place)

    def count(self, kind: str) -> int:
        return len(self._places[kind])

    @property
    def problems(self) -> int:
        """How many faults of the data were found."""
        return len(self._features.problems)

    def write(self, kind: str, algorithm: Any, parameters: dict[str, Any]) -> str | None:
        """Writes one output; gives its layer, None where none is wanted.

        Raises
        ------
        QgsProcessingException
            When it cannot be written.
        """
        features = [self._features[place] for place in self._places[kind]]
        names, wkb_type = KINDS[kind]
        if kind == "points" and any(each.geometry_type == names[1] for each in features):
            wkb_type = _TYPES.MultiPoint
        keys = chosen_keys((each.tags for each in features), self._layout.keys, self._meta_names)
        sink, destination = algorithm.parameterAsSink(
            parameters,
            kind.upper(),
            self._context,
            self._fields(keys),
            wkb_type,
            QgsCoordinateReferenceSystem("EPSG:4326"),
        )
        if sink is None:
            if parameters.get(kind.upper()):
                message = algorithm.invalidSinkError(parameters, kind.upper())
                raise QgsProcessingException(message)
            return None
        is_multi = QgsWkbTypes.isMultiType(wkb_type)
        for rows in self._rows(features, keys, is_multi):
            if not sink.addFeatures(rows, QgsFeatureSink.Flag.FastInsert):
                raise QgsProcessingException(f"{kind} cannot be written: {sink.lastError()}")
        sink.flushBuffer()
        del sink
        self._dress(kind, destination)
        return destination

    @property
    def _meta_names(self) -> list[str]:
        return [f"osm_{each}" for each in _META] if self._layout.meta else []

    def _fields(self, keys: Sequence[str]) -> QgsFields:
        fields = QgsFields()
        fields.append(text_field("osm_type"))
        fields.append(number_field("osm_id"))
        for name in [*self._meta_names, *keys]:
            fields.append(text_field(name))
        if self._layout.others != "none":
            fields.append(text_field("other_tags"))
        return fields

    def _rows(
        self, features: Sequence[Feature], keys: Sequence[str], is_multi: bool
    ) -> Iterator[list[QgsFeature]]:
        columns = frozenset(keys)
        rows: list[QgsFeature] = []
        for feature in features:
            geometry = QgsGeometry()
            geometry.fromWkb(feature.wkb)
            if is_multi:
                geometry.convertToMultiType()
            tags = feature.tags
            values: list[object] = [feature.type, feature.number]
            if self._layout.meta:
                values += _meta(feature)
            values += [tags.get(key) for key in keys]
            if self._layout.others != "none":
                values.append(other_tags(tags, columns, self._layout.others))
            row = QgsFeature()
            row.setAttributes(values)
            row.setGeometry(geometry)
            rows.append(row)
            if len(rows) == _STEP:
                if self._feedback.isCanceled():
                    return
                yield rows
                rows = []
        yield rows

    def _dress(self, kind: str, destination: str) -> None:
        """Has the layer styled when it is loaded; an empty one is not."""
        if not self._context.willLoadLayerOnCompletion(destination):
            return
        if not self.count(kind):
            layers = self._context.layersToLoadOnCompletion()
            layers.pop(destination, None)
            self._context.setLayersToLoadOnCompletion(layers)
            return
        details = self._context.layerToLoadOnCompletionDetails(destination)
        details.setPostProcessor(Styling.create(kind, self._history))


def _meta(feature: Feature) -> list[str | None]:
    meta = feature.element.meta if feature.element is not None else {}
    return [None if meta.get(each) is None else str(meta[each]) for each in _META]


def _history(response: Response) -> str:
    """Where the data is from, for the layer's metadata."""
    words = ["Overpass"]
    if response.source is not None and response.source.endpoint:
        words.append(f"from {response.source.endpoint}")
    if response.timestamp is not None:
        words.append(f"data of {response.timestamp:%Y-%m-%d %H:%M} UTC")
    if response.is_complete is False:
        words.append("NOT complete")
    return ", ".join(words)
