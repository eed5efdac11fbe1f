"""The algorithm that asks a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from qgis.core import (
    QgsProcessingException,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterExtent,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from . import network
from .algorithm import ANY_FILE, LayerAlgorithm
from .build_query import box_of
from .compat import INTEGER
from .files import is_file, query_text, refuse_data
from .messages import explain
from .overpasskit import (
    Bounds,
    Cancellation,
    Client,
    FetchProgress,
    LimitError,
    QueryError,
    Response,
    ServerError,
    TransportError,
    expand_macros,
)
from .places import Nominatim
from .searches import query_of
from .settings import Settings, endpoint_names
from .work import Work, load_file, log


class RunQuery(LayerAlgorithm):
    NAME = "runquery"
    TITLE = "Run a query"
    HELP = (
        "Asks an Overpass server. The query is text in Overpass QL or XML, or a search in words. "
        "The macros of overpass turbo are replaced: {{bbox}} and {{center}} by the extent, "
        "{{date:...}}, {{geocodeArea:...}} and the like with the help of Nominatim.\n"
        "The server is one of " + ", ".join(endpoint_names()) + ", or a URL; the path of a file "
        "with an answer opens that file, without asking anybody. Without a server, contact or "
        "search for places, those of the plugin's settings are taken; without a time limit, that "
        "of the query.\n"
        "Tiles divide the extent where a server runs out of time or memory."
    )

    def initAlgorithm(self, config: Any = None) -> None:
        self.addParameter(
            QgsProcessingParameterString(
                "QUERY", self.tr("Query or search in words"), multiLine=True, optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterFile(
                "QUERY_FILE",
                self.tr("Or a file with the query"),
                optional=True,
                fileFilter=ANY_FILE,
            )
        )
        self.addParameter(
            QgsProcessingParameterExtent(
                "EXTENT", self.tr("Extent, for {{bbox}} and {{center}}"), optional=True
            )
        )
        self.addParameter(
            QgsProcessingParameterString(
                "ENDPOINT",
                self.tr("Server (name, URL or file)"),
                optional=True,
            )
        )
        self.addParameter(
            QgsProcessingParameterNumber(
                "TIMEOUT",
                self.tr("Time limit in seconds"),
                INTEGER,
                optional=True,
                minValue=1,
            )
        )
        self.addParameter(
            QgsProcessingParameterBoolean("TILES", self.tr("Tiles when needed"), defaultValue=False)
        )
        self.addAdvanced(QgsProcessingParameterString("CONTACT", self.tr("Contact"), optional=True))
        self.addAdvanced(
            QgsProcessingParameterString(
                "GEOCODER",
                self.tr("URL of Nominatim's search"),
                optional=True,
            )
        )
        self.addAdvanced(
            QgsProcessingParameterNumber(
                "ATTEMPTS",
                self.tr("Attempts at most"),
                INTEGER,
                optional=True,
                minValue=1,
            )
        )
        self.addLayers()
        self.addOutput(QgsProcessingOutputNumber("COUNT", self.tr("Number of features")))
        self.addOutput(QgsProcessingOutputString("SENT", self.tr("The query without macros")))

    def work(self, parameters: dict[str, Any], context: Any, feedback: Any) -> dict[str, Any]:
        settings = self._settings(parameters, context)
        if is_file(settings.endpoint):
            refuse_data(settings.endpoint)
            feedback.pushWarning(
                f"{settings.endpoint} is an answer and is opened as it is: "
                "the query is not run on it"
            )
            partial = self.parameterAsBoolean(parameters, "PARTIAL", context)
            with load_file(settings.endpoint, partial, feedback) as response:
                return self.layers(response, parameters, context, feedback)
        # Before anything else is asked for, too.
        agent = settings.agent
        box = box_of(self, parameters, context)
        text = self._query(parameters, context)
        text = _without_macros(text, box, self._geocoder(settings, agent, feedback))
        feedback.pushDebugInfo(text)
        with self._fetched(text, box, settings, parameters, context, feedback) as response:
            results = self.layers(response, parameters, context, feedback)
        return {**results, "SENT": text}

    def _settings(self, parameters: dict[str, Any], context: Any) -> Settings:
        settings = Settings.read()
        for name in ("contact", "endpoint", "geocoder"):
            value = self.parameterAsString(parameters, name.upper(), context).strip()
            if value:
                settings = replace(settings, **{name: value})
        return settings

    def _query(self, parameters: dict[str, Any], context: Any) -> str:
        text = self.parameterAsString(parameters, "QUERY", context)
        path = self.parameterAsFile(parameters, "QUERY_FILE", context)
        if text.strip() and path:
            raise QgsProcessingException("there are a query and a file with a query; one is needed")
        if path:
            text = query_text(path)
        if not text.strip():
            raise QgsProcessingException("there is no query (QUERY or QUERY_FILE)")
        return query_of(text)

    def _geocoder(self, settings: Settings, agent: str, feedback: Any) -> Nominatim:
        def get(url: str) -> bytes:
            feedback.setProgressText(f"looking for a place: {url}")
            return network.get(url, agent, feedback)

        return Nominatim(settings.geocoder, get)

    def _fetched(
        self,
        text: str,
        box: Bounds | None,
        settings: Settings,
        parameters: dict[str, Any],
        context: Any,
        feedback: Any,
    ) -> Response:
        attempts = self.parameterAsInt(parameters, "ATTEMPTS", context)
        timeout = self.parameterAsInt(parameters, "TIMEOUT", context) or None
        partial = self.parameterAsBoolean(parameters, "PARTIAL", context)
        in_tiles = self.parameterAsBoolean(parameters, "TILES", context)
        client = Client(
            settings.agent,
            endpoints=settings.endpoint,
            max_attempts=attempts or None,
            transport=None
            if settings.network == "libcurl"
            else network.QgisTransport(settings.authentication),
        )

        def ask(cancel: Cancellation, told: Callable[[FetchProgress], None]) -> Response:
            if in_tiles:
                try:
                    return client.fetch_tiled(
                        text, box, timeout=timeout, progress=told, cancel=cancel
                    )
                except (ServerError, TransportError, LimitError) as error:
                    if not partial or error.partial is None:
                        raise
                    shortfalls.append(explain(error))
                    return error.partial
            return client.fetch(
                text, partial=partial, timeout=timeout, progress=told, cancel=cancel
            )

        shortfalls: list[str] = []
        with client:
            response = Work(ask).run(feedback)
        for each in shortfalls:
            feedback.pushWarning(f"Tiles are missing, the answer is NOT complete. {each}")
        if response.source is not None:
            for each in response.source.attempts:
                log(f"{each.url}: {each.error or 'answered'} after {each.seconds:.1f} s")
        return response


def _without_macros(text: str, box: Bounds | None, geocoder: Nominatim) -> str:
    try:
        return expand_macros(text, bbox=box, now=datetime.now(timezone.utc), geocode=geocoder)
    except QueryError as error:
        if box is None and ("bbox" in error.message or "center" in error.message):
            raise QgsProcessingException(
                f"{error}. The macro needs an extent: zoom the map to a place, or give EXTENT."
            ) from error
        raise
