"""OverpassKit: from a question about OpenStreetMap to features.

Build a query, decode the server's answer, get features with geometry::

    import overpasskit

    query = overpasskit.Query.nodes().tag("amenity", "cafe").around(lat=50.73, lon=7.1, radius=500)
    print(query.ql())
    response = overpasskit.load("answer.json.gz")
    for feature in response.features():
        print(feature.id, feature.geometry_type, feature.tags.get("name"))

Objects that do not change (everything here) may be shared between threads. Calls into the library
release the GIL.
"""

from ._abi import OPK_VERSION_STRING as __version__
from .arrow import ArrowTable
from .decoding import Decoder, Limits, Progress, load, loads
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
from .table import Column, Table, TableProblem, decode_csv, load_csv
from .visualizations import Visualization

__all__ = [
    "Action",
    "Appearance",
    "ArrowTable",
    "BadRequestError",
    "Basemap",
    "Bounds",
    "CancelledError",
    "ClientError",
    "Column",
    "CompressionError",
    "DecodeError",
    "Decoder",
    "Diagnostic",
    "Element",
    "ElementSet",
    "Elements",
    "Feature",
    "Features",
    "FileError",
    "FormatError",
    "Geometry",
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
    "StyleFile",
    "Table",
    "TableProblem",
    "TextError",
    "TransportError",
    "TransportTimeoutError",
    "TruncatedError",
    "WriteError",
    "Visualization",
    "__version__",
    "area_id",
    "area_rules",
    "check_query",
    "classify",
    "decode_csv",
    "expand_macros",
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
