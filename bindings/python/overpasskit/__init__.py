"""OverpassKit: from a question about OpenStreetMap to features.

Build a query, ask a server, get features with geometry::

    import overpasskit

    query = overpasskit.Query.nodes().tag("amenity", "cafe").around(lat=50.73, lon=7.1, radius=500)
    response = overpasskit.fetch(query, app="my-app/1.0 (me@example.org)")
    for feature in response.features():
        print(feature.id, feature.geometry_type, feature.tags.get("name"))

Objects that do not change (everything here) may be shared between threads. Calls into the library
release the GIL.
"""

from ._abi import OPK_VERSION_STRING as __version__
from .arrow import ArrowTable
from .asynchronous import AsyncClient
from .client import Client
from .decoding import Decoder, Limits, Progress, load, loads
from .defaults import configure, fetch
from .elements import Element, Elements, Member
from .errors import (
    BadRequestError,
    CancelledError,
    ClientError,
    CompressionError,
    DecodeError,
    FileError,
    FormatError,
    LibraryNotFoundError,
    LimitError,
    MapStyleError,
    MissingPackageError,
    MisuseError,
    NotOverpassError,
    OutOfMemoryError,
    OverpassKitError,
    QueryError,
    QueryTimeoutError,
    RateLimitError,
    RefusedError,
    ServerBusyError,
    ServerError,
    TextError,
    TransportError,
    TransportTimeoutError,
    TruncatedError,
    WriteError,
)
from .features import Feature, Features, Problem
from .fetching import Attempt, Cancellation, FetchProgress, Source, Tile
from .geometry import Bounds, Geometry, Position
from .language import Diagnostic, ParsedQuery, check_query, format_query
from .macros import Place, Preset, area_id, expand_macros, wizard
from .maps import Appearance, Basemap, MapStyle, StyleFile
from .places import NearbyPlace
from .query import Query
from .response import Action, Response, merge
from .rules import area_rules, is_area, uninteresting_tags
from .server import Reply, ServerMessage, Slot, Slots, classify, read_slots
from .sets import ElementSet, SetQuery
from .settings import Cache, Endpoint, endpoints
from .table import Column, Table, TableProblem, decode_csv, load_csv
from .transport import HTTPReply, HTTPRequest, Transport
from .visualizations import Visualization

__all__ = [
    "Action",
    "Appearance",
    "ArrowTable",
    "AsyncClient",
    "Attempt",
    "BadRequestError",
    "Basemap",
    "Bounds",
    "Cache",
    "Cancellation",
    "CancelledError",
    "Client",
    "ClientError",
    "Column",
    "CompressionError",
    "DecodeError",
    "Decoder",
    "Diagnostic",
    "Element",
    "ElementSet",
    "Elements",
    "Endpoint",
    "Feature",
    "Features",
    "FetchProgress",
    "FileError",
    "FormatError",
    "Geometry",
    "HTTPReply",
    "HTTPRequest",
    "LibraryNotFoundError",
    "LimitError",
    "Limits",
    "MapStyle",
    "MapStyleError",
    "Member",
    "MissingPackageError",
    "MisuseError",
    "NearbyPlace",
    "NotOverpassError",
    "OutOfMemoryError",
    "OverpassKitError",
    "ParsedQuery",
    "Place",
    "Position",
    "Preset",
    "Problem",
    "Progress",
    "Query",
    "QueryError",
    "QueryTimeoutError",
    "RateLimitError",
    "RefusedError",
    "Reply",
    "Response",
    "ServerBusyError",
    "ServerError",
    "ServerMessage",
    "SetQuery",
    "Slot",
    "Slots",
    "Source",
    "StyleFile",
    "Table",
    "TableProblem",
    "TextError",
    "Tile",
    "Transport",
    "TransportError",
    "TransportTimeoutError",
    "TruncatedError",
    "Visualization",
    "WriteError",
    "__version__",
    "area_id",
    "area_rules",
    "check_query",
    "classify",
    "configure",
    "decode_csv",
    "endpoints",
    "expand_macros",
    "fetch",
    "format_query",
    "is_area",
    "load",
    "load_csv",
    "loads",
    "merge",
    "read_slots",
    "uninteresting_tags",
    "wizard",
]
