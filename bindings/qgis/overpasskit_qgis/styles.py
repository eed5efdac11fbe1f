"""What layers look like: a colour a kind of geometry, names as labels."""

from __future__ import annotations

from collections import deque
from typing import Any, ClassVar

from qgis.core import (
    QgsFillSymbol,
    QgsLayerMetadata,
    QgsLineSymbol,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsProcessingLayerPostProcessorInterface,
    QgsSingleSymbolRenderer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0"

_LABELS_FROM = 10_000  # the smallest scale with labels
_NAME = "name"


def symbol_of(kind: str) -> Any:
    """The symbol for a kind of output; None for what cannot be drawn."""
    if kind == "points":
        return QgsMarkerSymbol.createSimple(
            {
                "name": "circle", "size": "2.8", "color": "226,87,43,255",
                "outline_color": "255,255,255,255", "outline_width": "0.4",
            }
        )  # fmt: skip
    if kind == "lines":
        return QgsLineSymbol.createSimple(
            {"line_color": "27,108,168,255", "line_width": "0.7", "capstyle": "round"}
        )
    if kind == "polygons":
        return QgsFillSymbol.createSimple(
            {"color": "72,145,82,80", "outline_color": "46,110,58,255", "outline_width": "0.4"}
        )
    return None


class Styling(QgsProcessingLayerPostProcessorInterface):
    """Dresses a layer when it is loaded.

    Nothing in QGIS holds on to a Python object of this kind; `kept` does.
    """

    kept: ClassVar[deque[Styling]] = deque(maxlen=200)

    def __init__(self, kind: str, history: str) -> None:
        super().__init__()
        self._kind = kind
        self._history = history

    @classmethod
    def create(cls, kind: str, history: str) -> Styling:
        styling = cls(kind, history)
        cls.kept.append(styling)
        return styling

    def postProcessLayer(self, layer: Any, context: Any, feedback: Any) -> None:
        if not isinstance(layer, QgsVectorLayer):
            return
        symbol = symbol_of(self._kind)
        if symbol is not None:
            layer.setRenderer(QgsSingleSymbolRenderer(symbol))
        if layer.fields().lookupField(_NAME) >= 0:
            layer.setLabeling(QgsVectorLayerSimpleLabeling(_labels()))
            layer.setLabelsEnabled(True)
        metadata = QgsLayerMetadata(layer.metadata())
        metadata.setRights([ATTRIBUTION])
        metadata.setHistory([self._history])
        layer.setMetadata(metadata)
        layer.triggerRepaint()


def _labels() -> QgsPalLayerSettings:
    settings, form, halo = QgsPalLayerSettings(), QgsTextFormat(), QgsTextBufferSettings()
    halo.setEnabled(True)
    halo.setSize(0.8)
    halo.setColor(QColor(255, 255, 255, 210))
    form.setSize(8)
    form.setColor(QColor(40, 40, 40))
    form.setBuffer(halo)
    settings.setFormat(form)
    settings.fieldName = _NAME
    settings.scaleVisibility = True
    settings.minimumScale = _LABELS_FROM
    settings.maximumScale = 0
    return settings
