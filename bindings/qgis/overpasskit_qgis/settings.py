"""What the user has set, in QGIS's own settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from qgis.core import QgsSettings

from .overpasskit import ClientError, __version__, endpoints

_GROUP = "overpasskit/"

APPLICATION = f"overpasskit-qgis/{__version__}"
CONTACT_NEEDED = (
    "Overpass servers want to know who asks, and block programs that do not say. "
    "Fill in a contact, an e-mail address or a web page: in the settings of the plugin "
    "(Web > OverpassKit > Settings), or as the parameter CONTACT."
)


@dataclass(frozen=True)
class Settings:
    """How servers are asked.

    Attributes
    ----------
    contact
        An e-mail address or web page of the user, for the operators of servers.
    endpoint
        Name or URL of the server that is asked unless another one is chosen.
    geocoder
        URL of the search of a Nominatim server.
    network
        ``"qgis"``: through QGIS, with its proxy and certificates; ``"libcurl"``: around it.
    authentication
        The id of an authentication of QGIS that the server wants.
    """

    contact: str = ""
    endpoint: str = "main"
    geocoder: str = "https://nominatim.openstreetmap.org/search"
    network: str = "qgis"
    authentication: str = ""

    @staticmethod
    def read() -> Settings:
        stored, settings = QgsSettings(), Settings()
        for field in fields(Settings):
            value = stored.value(_GROUP + field.name, None)
            if value is not None:
                settings = replace(settings, **{field.name: str(value).strip()})
        return settings

    def store(self) -> None:
        stored = QgsSettings()
        for field in fields(Settings):
            stored.setValue(_GROUP + field.name, getattr(self, field.name))

    @property
    def agent(self) -> str:
        """Who asks.

        Raises
        ------
        ClientError
            When there is no contact.
        """
        contact = " ".join(self.contact.split())
        if not contact:
            raise ClientError(CONTACT_NEEDED)
        return f"{APPLICATION} ({contact})"


def endpoint_names() -> list[str]:
    """The servers that are known by name."""
    return [each.name for each in endpoints()]
