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
from .decoding import Decoder, Limits, Progress, load, loads
from .elements import Element, Elements, Member
from .errors import (
    BadRequestError,
    CancelledError,
    CompressionError,
    DecodeError,
    FileError,
    FormatError,
    LibraryNotFoundError,
    LimitError,
    MapStyleError,
    MisuseError,
    NotOverpassError,
    OutOfMemoryError,
    OverpassKitError,
    QueryError,
    QueryTimeoutError,
    RateLimitError,
    ServerBusyError,
    ServerError,
    TextError,
    TruncatedError,
)
from .features import Feature, Features, Problem, is_area
from .geometry import Bounds, Geometry, Position
from .language import Diagnostic, ParsedQuery, check_query, format_query
from .macros import Place, Preset, area_id, expand_macros, wizard
from .maps import Appearance, Basemap, MapStyle, StyleFile
from .query import Query
from .response import Action, Response
from .server import Reply, ServerMessage, Slot, Slots, classify, read_slots
from .sets import ElementSet, SetQuery

__all__ = [
    "Action",
    "Appearance",
    "BadRequestError",
    "Basemap",
    "Bounds",
    "CancelledError",
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
    "MisuseError",
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
    "Reply",
    "Response",
    "ServerBusyError",
    "ServerError",
    "ServerMessage",
    "SetQuery",
    "Slot",
    "Slots",
    "StyleFile",
    "TextError",
    "TruncatedError",
    "__version__",
    "area_id",
    "check_query",
    "classify",
    "expand_macros",
    "format_query",
    "is_area",
    "load",
    "loads",
    "read_slots",
    "wizard",
]
