"""Constants and structs of ``include/overpasskit.h``, under the names they have there.

``tests/test_ffi.py`` compares them with the header.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)

from ._abi_base import OPK_ERROR_MESSAGE_SIZE as OPK_ERROR_MESSAGE_SIZE
from ._abi_base import SizedStructure as SizedStructure
from ._abi_base import opk_error as opk_error
from ._abi_base import opk_str as opk_str
from ._abi_client import *  # noqa: F403

OPK_VERSION_MAJOR = 0
OPK_VERSION_MINOR = 1
OPK_VERSION_PATCH = 0
OPK_VERSION_STRING = "0.1.0"
OPK_ABI_VERSION = 0

OPK_OK = 0
OPK_ERR_QUERY_NO_TYPE = 101
OPK_ERR_QUERY_NO_FILTER = 102
OPK_ERR_QUERY_SETTING = 103
OPK_ERR_QUERY_COORDINATE = 104
OPK_ERR_QUERY_VALUE = 105
OPK_ERR_QUERY_UNSUPPORTED = 106
OPK_ERR_QUERY_SYNTAX = 107
OPK_ERR_DECODE_SYNTAX = 201
OPK_ERR_DECODE_TRUNCATED = 202
OPK_ERR_DECODE_NOT_OVERPASS = 203
OPK_ERR_DECODE_VALUE = 204
OPK_ERR_DECODE_FORMAT = 205
OPK_ERR_DECODE_COMPRESSION = 206
OPK_ERR_DECODE_TEXT = 207
OPK_ERR_SERVER_BAD_REQUEST = 401
OPK_ERR_SERVER_RATE_LIMITED = 402
OPK_ERR_SERVER_BUSY = 403
OPK_ERR_SERVER_TIMEOUT = 404
OPK_ERR_SERVER_MEMORY = 405
OPK_ERR_SERVER_RUNTIME = 406
OPK_ERR_SERVER_OTHER = 407
OPK_ERR_SERVER_REFUSED = 408
OPK_ERR_FILE_OPEN = 501
OPK_ERR_FILE_READ = 502
OPK_ERR_FILE_WRITE = 503
OPK_ERR_TRANSPORT_UNAVAILABLE = 511
OPK_ERR_TRANSPORT_RESOLVE = 512
OPK_ERR_TRANSPORT_CONNECT = 513
OPK_ERR_TRANSPORT_TLS = 514
OPK_ERR_TRANSPORT_TIMEOUT = 515
OPK_ERR_TRANSPORT_INTERRUPTED = 516
OPK_ERR_TRANSPORT_OTHER = 517
OPK_ERR_CLIENT_APPLICATION = 521
OPK_ERR_CLIENT_ENDPOINT = 522
OPK_ERR_CLIENT_QUERY = 523
OPK_ERR_WRITE_LOSS = 601

OPK_ERR_MAP_NAME = 621
OPK_ERR_MAP_DUPLICATE = 622
OPK_ERR_MAP_TILES = 623
OPK_ERR_MAP_ZOOM = 624
OPK_ERR_MAP_COLOR = 625
OPK_ERR_MAP_URL = 626
OPK_ERR_MAP_VALUE = 627
OPK_ERR_LIMIT = 801
OPK_ERR_CANCELLED = 802
OPK_ERR_MISUSE = 901
OPK_STATUS_END = 902


OPK_NODE = 1
OPK_WAY = 2
OPK_RELATION = 3
OPK_AREA = 4
OPK_DERIVED = 5

OPK_NODES = 1
OPK_WAYS = 2
OPK_RELATIONS = 4

OPK_TAG_EXISTS = 1
OPK_TAG_NOT_EXISTS = 2
OPK_TAG_EQUALS = 3
OPK_TAG_NOT_EQUALS = 4
OPK_TAG_CONTAINS = 5
OPK_TAG_NOT_CONTAINS = 6
OPK_TAG_STARTS_WITH = 7
OPK_TAG_MATCHES = 8
OPK_TAG_NOT_MATCHES = 9
OPK_TAG_IGNORE_CASE = 1

OPK_OUTPUT_STANDARD = 0
OPK_OUTPUT_CENTER = 1
OPK_OUTPUT_GEOMETRY = 2
OPK_OUTPUT_RECURSE_DOWN = 3
OPK_OUTPUT_RECURSE_UP = 4
OPK_OUTPUT_RECURSE_UP_AND_DOWN = 5

OPK_RENDER_PRETTY = 1

OPK_SET_UNION = 1
OPK_SET_DIFFERENCE = 2
OPK_SET_INTERSECTION = 3
OPK_SET_WITHIN = 4

OPK_RECURSE_DOWN = 1
OPK_RECURSE_DOWN_RELATIONS = 2
OPK_RECURSE_UP = 3
OPK_RECURSE_UP_RELATIONS = 4

OPK_STEP_WAY_NODES = 1
OPK_STEP_MEMBERS = 2
OPK_STEP_WAYS = 3
OPK_STEP_RELATIONS = 4
OPK_STEP_AREAS = 5
OPK_STEP_ENCLOSING = 6
OPK_STEP_PIVOTS = 7

OPK_VERBOSITY_BODY = 0
OPK_VERBOSITY_IDS = 1
OPK_VERBOSITY_SKEL = 2
OPK_VERBOSITY_TAGS = 3
OPK_VERBOSITY_META = 4
OPK_VERBOSITY_COUNT = 5

OPK_OUT_NONE = 0
OPK_OUT_CENTER = 1
OPK_OUT_GEOM = 2
OPK_OUT_BB = 3

OPK_MACROS_REMOVE_UNKNOWN = 1
OPK_MACROS_REFUSE_AMBIGUITY = 2

OPK_DECODE_ALLOW_TRUNCATED = 1
OPK_DECODE_STRICT_TEXT = 2

OPK_HEADER_VERSION = 1
OPK_HEADER_GENERATOR = 2
OPK_HEADER_TIMESTAMP = 3
OPK_HEADER_AREAS_TIMESTAMP = 4
OPK_HEADER_COPYRIGHT = 5

OPK_ACTION_CREATE = 1
OPK_ACTION_MODIFY = 2
OPK_ACTION_DELETE = 3
OPK_ACTION_SHOW_INITIAL = 4
OPK_ACTION_SHOW_FINAL = 5

OPK_POSITION_UNDEFINED = 0x7FFFFFFF

OPK_HAS_POSITION = 1
OPK_HAS_CENTER = 2
OPK_HAS_BOUNDS = 4
OPK_HAS_GEOMETRY = 8
OPK_HAS_VERSION = 16
OPK_HAS_TIMESTAMP = 32
OPK_HAS_CHANGESET = 64
OPK_HAS_UID = 128
OPK_HAS_USER = 256
OPK_HAS_ID = 512
OPK_HAS_VISIBLE = 1024

OPK_PROFILE_DEFAULT = 0
OPK_PROFILE_OSMTOGEOJSON = 1

OPK_POINTS_AUTO = 0
OPK_POINTS_TAGGED = 1
OPK_POINTS_ALL = 2

OPK_REPAIR_LARGEST = 0
OPK_REPAIR_NONE = 1
OPK_REPAIR_FULL = 2

OPK_ANTIMERIDIAN_PROFILE = 0
OPK_ANTIMERIDIAN_CUT = 1
OPK_ANTIMERIDIAN_KEEP = 2

OPK_AREAS = 8
OPK_OTHERS = 16
OPK_FILTER_BOX = 1
OPK_FILTER_KEEP_REFERENCES = 2
OPK_FEATURES_COLLECTIONS = 1
OPK_FEATURES_RAW_RINGS = 2
OPK_FEATURES_OMIT_PARTS = 4
OPK_FEATURES_DRAW_BOUNDS = 8
OPK_FEATURES_STRAY_RINGS = 16
OPK_FEATURES_FOLLOW_ROUNDABOUTS = 32

OPK_GEOMETRY_NONE = 0
OPK_GEOMETRY_POINT = 1
OPK_GEOMETRY_LINESTRING = 2
OPK_GEOMETRY_POLYGON = 3
OPK_GEOMETRY_MULTIPOINT = 4
OPK_GEOMETRY_MULTILINESTRING = 5
OPK_GEOMETRY_MULTIPOLYGON = 6
OPK_GEOMETRY_COLLECTION = 7

OPK_ORIGIN_ELEMENT = 0
OPK_ORIGIN_CENTER = 1
OPK_ORIGIN_BOUNDS = 2

OPK_PROPERTIES_FLAT = 0
OPK_PROPERTIES_NESTED = 1

OPK_SHAPE_ANNOTATION = 1
OPK_SHAPE_POLYLINE = 2
OPK_SHAPE_POLYLINES = 3
OPK_SHAPE_POLYGON = 4
OPK_SHAPE_POLYGONS = 5
OPK_SHAPE_ANNOTATIONS = 6
OPK_SHAPE_COLLECTION = 7

OPK_FEE_UNKNOWN = 0
OPK_FEE_YES = 1
OPK_FEE_NO = 2

OPK_WHEELCHAIR_UNKNOWN = 0
OPK_WHEELCHAIR_YES = 1
OPK_WHEELCHAIR_NO = 2
OPK_WHEELCHAIR_LIMITED = 3

OPK_FORMAT_OVERPASS_JSON = 0
OPK_FORMAT_OSM_XML = 1
OPK_FORMAT_OSM_CHANGE = 2

OPK_WRITE_COMPACT = 1
OPK_WRITE_ALLOW_LOSS = 2

OPK_FORMAT_GEOJSON = 16
OPK_FORMAT_GEOJSON_SEQ = 17
OPK_FORMAT_GEOJSON_LINES = 18
OPK_FORMAT_GPX = 19
OPK_FORMAT_KML = 20
OPK_FORMAT_CSV = 21
OPK_FORMAT_TSV = 22
OPK_FORMAT_CSVT = 23
OPK_FORMAT_WKT = 24
OPK_FORMAT_EWKT = 25
OPK_FORMAT_WKB = 26
OPK_FORMAT_EWKB = 27

OPK_WRITE_ROUTES = 4
OPK_WRITE_NO_HEADINGS = 8
OPK_WRITE_KEEP_FORMULAS = 16

OPK_CSV_NO_HEAD = 1

OPK_COLUMN_TEXT = 0
OPK_COLUMN_INTEGER = 1
OPK_COLUMN_DEGREES = 2
OPK_COLUMN_TIMESTAMP = 3

OPK_NO_NUMBER = -(2**63)

OPK_TABLE_CELL_COUNT = 0
OPK_TABLE_VALUE = 1
OPK_TABLE_TEXT = 2

OPK_TILES_XYZ = 0
OPK_TILES_TMS = 1

OPK_HIDE_AREAS = 1
OPK_HIDE_LINES = 2
OPK_HIDE_POINTS = 4

OPK_ARRAYS_COORDINATES = 1

OPK_ARROW_WITHOUT_TAGS = 1
OPK_ARROW_METADATA = 2


class opk_diagnostic(SizedStructure):
    is_error: int
    code: int
    line: int
    column: int
    length: int
    byte_offset: int
    message: opk_str
    found: opk_str
    expected: opk_str
    suggestion: opk_str
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_error", c_uint32),
        ("code", c_uint32),
        ("line", c_uint32),
        ("column", c_uint32),
        ("length", c_uint32),
        ("byte_offset", c_int64),
        ("message", opk_str),
        ("found", opk_str),
        ("expected", opk_str),
        ("suggestion", opk_str),
    ]


class opk_out_options(SizedStructure):
    verbosity: int
    geometry: int
    by_place: int
    limit: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("verbosity", c_uint32),
        ("geometry", c_uint32),
        ("by_place", c_uint32),
        ("limit", c_int64),
    ]


class opk_preset(SizedStructure):
    types: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("types", c_uint32),
        ("name", c_void_p),
        ("terms", c_void_p),
        ("term_count", c_size_t),
        ("keys", c_void_p),
        ("values", c_void_p),
        ("tag_count", c_size_t),
    ]


class opk_place(SizedStructure):
    type: int
    id: int
    importance: float
    lat: float
    lon: float
    south: float
    west: float
    north: float
    east: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("type", c_uint32),
        ("id", c_int64),
        ("importance", c_double),
        ("lat", c_double),
        ("lon", c_double),
        ("south", c_double),
        ("west", c_double),
        ("north", c_double),
        ("east", c_double),
    ]


opk_geocoder = CFUNCTYPE(c_size_t, c_void_p, c_char_p, POINTER(opk_place), c_size_t)


class opk_macro_options(SizedStructure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("south", c_double),
        ("west", c_double),
        ("north", c_double),
        ("east", c_double),
        ("center_lat", c_double),
        ("center_lon", c_double),
        ("now", c_int64),
        ("names", c_void_p),
        ("values", c_void_p),
        ("constant_count", c_size_t),
        ("geocode", opk_geocoder),
        ("context", c_void_p),
    ]


class opk_server_message(SizedStructure):
    line: int
    category: opk_str
    text: opk_str
    statement: opk_str
    seconds: int
    megabytes: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("line", c_uint32),
        ("category", opk_str),
        ("text", opk_str),
        ("statement", opk_str),
        ("seconds", c_int64),
        ("megabytes", c_int64),
    ]


class opk_slots_info(SizedStructure):
    rate_limit: int
    free_slots: int
    wait_seconds: int
    waiting_count: int
    running_count: int
    announced_endpoint: opk_str
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("rate_limit", c_int64),
        ("free_slots", c_int64),
        ("wait_seconds", c_int64),
        ("waiting_count", c_size_t),
        ("running_count", c_size_t),
        ("announced_endpoint", opk_str),
    ]


class opk_action(SizedStructure):
    kind: int
    old_index: int
    new_index: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_uint32),
        ("old_index", c_int64),
        ("new_index", c_int64),
    ]


class opk_decode_progress(SizedStructure):
    bytes: int
    total_bytes: int
    elements: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("bytes", c_uint64),
        ("total_bytes", c_uint64),
        ("elements", c_uint64),
    ]


opk_decode_progress_fn = CFUNCTYPE(c_int32, c_void_p, POINTER(opk_decode_progress))


class opk_decode_options(SizedStructure):
    flags: int
    max_bytes: int
    max_depth: int
    max_threads: int
    max_elements: int
    max_text_bytes: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("max_bytes", c_uint64),
        ("max_depth", c_uint32),
        ("max_threads", c_uint32),
        ("max_elements", c_uint64),
        ("max_text_bytes", c_uint64),
        ("progress", opk_decode_progress_fn),
        ("progress_context", c_void_p),
    ]


class opk_tag(Structure):
    key: int
    value: int
    _fields_ = [("key", c_uint32), ("value", c_uint32)]


class opk_member(Structure):
    ref: int
    role: int
    type: int
    _fields_ = [
        ("ref", c_int64),
        ("role", c_uint32),
        ("type", c_uint8),
        ("reserved", c_uint8 * 3),
    ]


class opk_position(Structure):
    lon_e7: int
    lat_e7: int
    _fields_ = [("lon_e7", c_int32), ("lat_e7", c_int32)]


class opk_element(SizedStructure):
    type: int
    has: int
    version: int
    id: int
    timestamp: int
    changeset: int
    uid: int
    user: opk_str
    type_name: opk_str
    position: opk_position
    center: opk_position
    southwest: opk_position
    northeast: opk_position
    tags: int | None
    tag_count: int
    nodes: int | None
    node_count: int
    members: int | None
    member_count: int
    geometry: int | None
    geometry_count: int
    visible: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("type", c_uint32),
        ("has", c_uint32),
        ("version", c_int32),
        ("id", c_int64),
        ("timestamp", c_int64),
        ("changeset", c_int64),
        ("uid", c_int64),
        ("user", opk_str),
        ("type_name", opk_str),
        ("position", opk_position),
        ("center", opk_position),
        ("southwest", opk_position),
        ("northeast", opk_position),
        ("tags", c_void_p),
        ("tag_count", c_size_t),
        ("nodes", c_void_p),
        ("node_count", c_size_t),
        ("members", c_void_p),
        ("member_count", c_size_t),
        ("geometry", c_void_p),
        ("geometry_count", c_size_t),
        ("visible", c_uint32),
        ("reserved", c_uint32),
    ]


class opk_feature_options(SizedStructure):
    profile: int
    points: int
    repair: int
    uninteresting_keys: int | None
    uninteresting_key_count: int
    area_rules: int | None
    uninteresting_tags: int | None
    flags: int
    antimeridian: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("profile", c_uint32),
        ("points", c_uint32),
        ("repair", c_uint32),
        ("uninteresting_keys", c_void_p),
        ("uninteresting_key_count", c_size_t),
        ("area_rules", c_void_p),
        ("uninteresting_tags", c_void_p),
        ("flags", c_uint32),
        ("antimeridian", c_uint32),
    ]


class opk_feature(SizedStructure):
    type: int
    id: int
    type_name: opk_str
    element_index: int
    geometry_kind: int
    origin: int
    is_tainted: int
    is_invalid: int
    tag_count: int
    label: opk_position
    admin_centre: opk_position
    _fields_ = [
        ("struct_size", c_uint32),
        ("type", c_uint32),
        ("id", c_int64),
        ("type_name", opk_str),
        ("element_index", c_int64),
        ("geometry_kind", c_uint32),
        ("origin", c_uint32),
        ("is_tainted", c_uint32),
        ("is_invalid", c_uint32),
        ("tag_count", c_size_t),
        ("label", opk_position),
        ("admin_centre", opk_position),
    ]


class opk_feature_arrays(SizedStructure):
    count: int
    indices: int | None
    ids: int | None
    types: int | None
    kinds: int | None
    tag_ends: int | None
    tags: int | None
    position_ends: int | None
    coordinates: int | None
    text_count: int
    text_starts: int | None
    texts: int | None
    _fields_ = [
        ("struct_size", c_uint32),
        ("count", c_size_t),
        ("indices", c_void_p),
        ("ids", c_void_p),
        ("types", c_void_p),
        ("kinds", c_void_p),
        ("tag_ends", c_void_p),
        ("tags", c_void_p),
        ("position_ends", c_void_p),
        ("coordinates", c_void_p),
        ("text_count", c_size_t),
        ("text_starts", c_void_p),
        ("texts", c_void_p),
        ("part_ends", c_void_p),
        ("feature_part_ends", c_void_p),
        ("polygon_ends", c_void_p),
        ("feature_polygon_ends", c_void_p),
    ]


class opk_arrow_options(SizedStructure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("columns", c_void_p),
        ("column_count", c_size_t),
        ("batch_size", c_size_t),
    ]


class opk_measures(SizedStructure):
    length: float
    area: float
    centroid: opk_position
    point_on_surface: opk_position
    southwest: opk_position
    northeast: opk_position
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("length", c_double),
        ("area", c_double),
        ("centroid", opk_position),
        ("point_on_surface", opk_position),
        ("southwest", opk_position),
        ("northeast", opk_position),
    ]


class opk_geojson_options(SizedStructure):
    properties: int
    _fields_ = [("struct_size", c_uint32), ("properties", c_uint32)]


class opk_features_write_options(SizedStructure):
    format: int
    flags: int
    properties: int
    columns: int | None
    column_count: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("format", c_uint32),
        ("flags", c_uint32),
        ("properties", c_uint32),
        ("columns", c_void_p),
        ("column_count", c_size_t),
    ]


opk_write_fn = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)


class opk_basemap(SizedStructure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("tile_size", c_uint32),
        ("min_zoom", c_uint32),
        ("max_zoom", c_uint32),
        ("scheme", c_uint32),
        ("is_hidden", c_uint32),
        ("opacity", c_double),
        ("name", c_void_p),
        ("tiles", c_void_p),
        ("tile_count", c_size_t),
        ("attribution", c_void_p),
        ("attribution_link", c_void_p),
    ]


class opk_appearance(SizedStructure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("area_color", c_void_p),
        ("outline_color", c_void_p),
        ("line_color", c_void_p),
        ("point_color", c_void_p),
        ("area_opacity", c_double),
        ("outline_width", c_double),
        ("line_width", c_double),
        ("point_radius", c_double),
        ("label_size", c_double),
        ("label_keys", c_void_p),
        ("label_key_count", c_size_t),
        ("color_key", c_void_p),
        ("color_values", c_void_p),
        ("colors", c_void_p),
        ("color_count", c_size_t),
        ("other_color", c_void_p),
        ("attribution", c_void_p),
        ("attribution_link", c_void_p),
    ]


class opk_html_options(SizedStructure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("script", c_void_p),
        ("script_size", c_size_t),
        ("css", c_void_p),
        ("css_size", c_size_t),
        ("licence", c_void_p),
        ("licence_size", c_size_t),
        ("title", c_void_p),
    ]


class opk_svg_options(SizedStructure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("width", c_uint32),
        ("height", c_uint32),
        ("reserved", c_uint32),
        ("limit", c_size_t),
        ("background", c_void_p),
        ("appearance", c_void_p),
    ]


class opk_problem(SizedStructure):
    element_type: int
    element_id: int
    kind: opk_str
    ways: int | None
    way_count: int
    nodes: int | None
    node_count: int
    position: opk_position
    _fields_ = [
        ("struct_size", c_uint32),
        ("element_type", c_uint32),
        ("element_id", c_int64),
        ("kind", opk_str),
        ("ways", c_void_p),
        ("way_count", c_size_t),
        ("nodes", c_void_p),
        ("node_count", c_size_t),
        ("position", opk_position),
    ]


class opk_visualization(SizedStructure):
    type: int
    id: int
    title: opk_str
    shape: int
    origin: int
    is_tainted: int
    position: opk_position
    geometry: int | None
    _fields_ = [
        ("struct_size", c_uint32),
        ("type", c_uint32),
        ("id", c_int64),
        ("title", opk_str),
        ("shape", c_uint32),
        ("origin", c_uint32),
        ("is_tainted", c_uint32),
        ("reserved", c_uint32),
        ("position", opk_position),
        ("geometry", c_void_p),
    ]


class opk_place_options(SizedStructure):
    languages: int | None
    language_count: int
    kind_keys: int | None
    kind_key_count: int
    radius_m: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("languages", c_void_p),
        ("language_count", c_size_t),
        ("kind_keys", c_void_p),
        ("kind_key_count", c_size_t),
        ("radius_m", c_double),
    ]


class opk_nearby_place(SizedStructure):
    type: int
    id: int
    feature_index: int
    position: opk_position
    distance_m: float
    bearing_deg: float
    origin: int
    is_named: int
    fee: int
    wheelchair: int
    toilets_wheelchair: int
    title: opk_str
    kind_key: opk_str
    kind: opk_str
    kind_title: opk_str
    description: opk_str
    charge: opk_str
    fee_text: opk_str
    opening_hours: opk_str
    _fields_ = [
        ("struct_size", c_uint32),
        ("type", c_uint32),
        ("id", c_int64),
        ("feature_index", c_size_t),
        ("position", opk_position),
        ("distance_m", c_double),
        ("bearing_deg", c_double),
        ("origin", c_uint32),
        ("is_named", c_uint32),
        ("fee", c_uint32),
        ("wheelchair", c_uint32),
        ("toilets_wheelchair", c_uint32),
        ("reserved", c_uint32),
        ("title", opk_str),
        ("kind_key", opk_str),
        ("kind", opk_str),
        ("kind_title", opk_str),
        ("description", opk_str),
        ("charge", opk_str),
        ("fee_text", opk_str),
        ("opening_hours", opk_str),
    ]


class opk_tag_condition(Structure):
    comparison: int
    key: int | None
    values: int | None
    value_count: int
    _fields_ = [
        ("comparison", c_int32),
        ("reserved", c_uint32),
        ("key", c_void_p),
        ("values", c_void_p),
        ("value_count", c_size_t),
    ]


class opk_filter_options(SizedStructure):
    types: int
    tags: int | None
    tag_count: int
    south: float
    west: float
    north: float
    east: float
    flags: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("types", c_uint32),
        ("tags", c_void_p),
        ("tag_count", c_size_t),
        ("south", c_double),
        ("west", c_double),
        ("north", c_double),
        ("east", c_double),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class opk_write_options(SizedStructure):
    format: int
    flags: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("format", c_uint32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
    ]


class opk_csv_options(SizedStructure):
    flags: int
    separator: int | None
    columns: int | None
    column_count: int
    decode_flags: int
    max_bytes: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("separator", c_void_p),
        ("columns", c_void_p),
        ("column_count", c_size_t),
        ("decode_flags", c_uint32),
        ("reserved", c_uint32),
        ("max_bytes", c_uint64),
    ]


class opk_column(SizedStructure):
    kind: int
    name: opk_str
    is_field: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_uint32),
        ("name", opk_str),
        ("is_field", c_uint32),
        ("reserved", c_uint32),
    ]


class opk_table_problem(SizedStructure):
    kind: int
    row: int
    number: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_uint32),
        ("row", c_uint64),
        ("number", c_uint64),
    ]
