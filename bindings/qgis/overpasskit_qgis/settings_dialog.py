"""The window with the settings."""

from __future__ import annotations

from typing import Any

from qgis.gui import QgsAuthConfigSelect
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
)

from .settings import Settings, endpoint_names

_WHY = (
    "Overpass servers are run by volunteers. They want to know who asks, and block programs that "
    "do not say: your e-mail address or web page is sent along with queries, to nobody else."
)
_NETWORKS = (("qgis", "QGIS (its proxy, certificates)"), ("libcurl", "libcurl (around QGIS)"))


class SettingsDialog(QDialog):
    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("OverpassKit")
        settings = Settings.read()
        why = QLabel(_WHY)
        why.setWordWrap(True)
        self.contact = QLineEdit(settings.contact)
        self.contact.setPlaceholderText("me@example.org")
        self.endpoint = QComboBox()
        self.endpoint.setEditable(True)
        self.endpoint.addItems(endpoint_names())
        self.endpoint.setEditText(settings.endpoint)
        self.geocoder = QLineEdit(settings.geocoder)
        self.network = QComboBox()
        for name, title in _NETWORKS:
            self.network.addItem(title, name)
        self.network.setCurrentIndex(max(self.network.findData(settings.network), 0))
        self.authentication = QgsAuthConfigSelect()
        self.authentication.setConfigId(settings.authentication)

        form = QFormLayout()
        form.addRow("Contact", self.contact)
        form.addRow("Server", self.endpoint)
        form.addRow("Search for places", self.geocoder)
        form.addRow("Network", self.network)
        form.addRow("Authentication", self.authentication)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(why)
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.resize(520, self.sizeHint().height())
        self.contact.setFocus()

    @property
    def settings(self) -> Settings:
        """What was entered; what was left empty is as it is without settings."""
        usual = Settings()
        return Settings(
            contact=self.contact.text().strip(),
            endpoint=self.endpoint.currentText().strip() or usual.endpoint,
            geocoder=self.geocoder.text().strip() or usual.geocoder,
            network=self.network.currentData(),
            authentication=self.authentication.configId(),
        )
