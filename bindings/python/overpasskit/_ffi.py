"""The shared library: its prototypes, all of them here, and checked calls.

``lib`` loads the library when it is first used. Calls release the GIL.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable, Iterable
from ctypes import (
    POINTER,
    byref,
    c_char,
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
from typing import Any

from . import _finder
from ._abi import (
    OPK_ABI_VERSION,
    OPK_AREA,
    OPK_NODE,
    OPK_OK,
    OPK_RELATION,
    OPK_WAY,
    opk_action,
    opk_appearance,
    opk_arrow_options,
    opk_basemap,
    opk_client_options,
    opk_column,
    opk_csv_options,
    opk_decode_options,
    opk_diagnostic,
    opk_element,
    opk_endpoint,
    opk_error,
    opk_feature,
    opk_feature_arrays,
    opk_feature_options,
    opk_features_write_options,
    opk_fetch_attempt,
    opk_fetch_options,
    opk_fetch_tile,
    opk_filter_options,
    opk_geojson_options,
    opk_html_options,
    opk_http_header,
    opk_macro_options,
    opk_measures,
    opk_nearby_place,
    opk_out_options,
    opk_place_options,
    opk_position,
    opk_preset,
    opk_problem,
    opk_server_message,
    opk_slots_info,
    opk_str,
    opk_svg_options,
    opk_table_problem,
    opk_tag,
    opk_visualization,
    opk_write_fn,
    opk_write_options,
)
from .errors import LibraryNotFoundError, MisuseError, class_for

TYPE_NAMES = {OPK_NODE: "node", OPK_WAY: "way", OPK_RELATION: "relation", OPK_AREA: "area"}
TYPE_CODES = {name: code for code, name in TYPE_NAMES.items()}

# Handles are plain pointers here; `Handle` keeps them.
_handle = c_void_p
_out = POINTER(c_void_p)
_err = POINTER(opk_error)
_decode = POINTER(opk_decode_options)
_geojson = POINTER(opk_geojson_options)
_write = POINTER(opk_write_options)
_features_write = POINTER(opk_features_write_options)
_csv = POINTER(opk_csv_options)
_fetch = POINTER(opk_fetch_options)
_count = POINTER(c_size_t)
_look = POINTER(opk_appearance)
_page = POINTER(opk_html_options)
_message = POINTER(opk_server_message)
_texts = POINTER(c_char_p)
_status = c_int32

PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "opk_version_string": (c_char_p, ()),
    "opk_version": (c_uint32, ()),
    "opk_abi_version": (c_uint32, ()),
    "opk_status_name": (c_char_p, (_status,)),
    "opk_bytes_data": (c_void_p, (_handle,)),
    "opk_bytes_size": (c_size_t, (_handle,)),
    "opk_bytes_free": (None, (_handle,)),
    "opk_x_live_handles": (c_int64, ()),
    "opk_query_new": (_handle, (c_uint32,)),
    "opk_query_clone": (_handle, (_handle,)),
    "opk_query_free": (None, (_handle,)),
    "opk_query_add_tag": (_status, (_handle, c_int32, c_char_p, c_char_p, c_uint32, _err)),
    "opk_query_add_tag_one_of": (
        _status,
        (_handle, c_char_p, POINTER(c_char_p), c_size_t, c_uint32, _err),
    ),
    "opk_query_set_bbox": (_status, (_handle, c_double, c_double, c_double, c_double, _err)),
    "opk_query_set_bbox_center": (
        _status,
        (_handle, c_double, c_double, c_double, c_double, _err),
    ),
    "opk_query_set_around": (_status, (_handle, c_double, c_double, c_double, _err)),
    "opk_query_new_amenity": (
        _status,
        (c_char_p, c_char_p, c_double, c_double, c_double, _out, _err),
    ),
    "opk_query_set_timeout": (_status, (_handle, c_int64, _err)),
    "opk_query_set_maxsize": (_status, (_handle, c_int64, _err)),
    "opk_query_set_output": (_status, (_handle, c_int32, _err)),
    "opk_query_render_ql": (_status, (_handle, c_uint32, _out, _err)),
    "opk_query_render_xml": (_status, (_handle, c_uint32, _out, _err)),
    "opk_query_parse": (_status, (c_char_p, c_size_t, _out, _err)),
    "opk_query_check": (_status, (_handle, _out, _err)),
    "opk_query_check_text": (_status, (c_char_p, c_size_t, _out, _err)),
    "opk_set_from_query": (_status, (_handle, _out, _err)),
    "opk_set_from_ids": (
        _status,
        (POINTER(c_uint32), POINTER(c_int64), c_size_t, _out, _err),
    ),
    "opk_set_area_named": (_status, (c_char_p, _texts, _texts, c_size_t, _out, _err)),
    "opk_set_area_of": (_status, (c_uint32, c_int64, _out, _err)),
    "opk_set_areas_at": (_status, (c_double, c_double, _out, _err)),
    "opk_set_free": (None, (_handle,)),
    "opk_set_compose": (_status, (_handle, c_int32, _handle, _out, _err)),
    "opk_set_around": (_status, (_handle, _handle, c_double, _out, _err)),
    "opk_set_only": (_status, (_handle, c_uint32, _out, _err)),
    "opk_set_tag": (_status, (_handle, c_int32, c_char_p, c_char_p, c_uint32, _out, _err)),
    "opk_set_tag_one_of": (
        _status,
        (_handle, c_char_p, _texts, c_size_t, c_uint32, _out, _err),
    ),
    "opk_set_where": (_status, (_handle, c_char_p, _texts, _out, c_size_t, _out, _err)),
    "opk_set_recurse": (_status, (_handle, c_int32, c_int32, _out, _err)),
    "opk_set_step": (_status, (_handle, c_int32, c_uint32, c_char_p, _out, _err)),
    "opk_set_changed": (_status, (_handle, c_char_p, c_char_p, _out, _err)),
    "opk_set_edited_by": (_status, (_handle, _texts, c_size_t, c_int32, _out, _err)),
    "opk_query_new_outputs": (_handle, ()),
    "opk_query_add_output": (_status, (_handle, _handle, POINTER(opk_out_options), _err)),
    "opk_area_id": (c_int64, (c_uint32, c_int64)),
    "opk_query_wizard": (_status, (c_char_p, POINTER(opk_preset), c_size_t, _out, _err)),
    "opk_query_expand_macros": (
        _status,
        (c_char_p, c_size_t, POINTER(opk_macro_options), _out, _err),
    ),
    "opk_diagnostics_count": (c_size_t, (_handle,)),
    "opk_diagnostics_get": (_status, (_handle, c_size_t, POINTER(opk_diagnostic))),
    "opk_diagnostics_free": (None, (_handle,)),
    "opk_response_decode_xml": (_status, (c_char_p, c_size_t, _decode, _out, _err)),
    "opk_response_decode": (_status, (c_char_p, c_size_t, _decode, _out, _err)),
    "opk_response_decode_json": (_status, (c_char_p, c_size_t, _decode, _out, _err)),
    "opk_response_decode_file": (_status, (c_char_p, _decode, _out, _err)),
    "opk_response_decode_fd": (_status, (c_int32, _decode, _out, _err)),
    "opk_response_free": (None, (_handle,)),
    "opk_decoder_new": (_status, (_decode, _out, _err)),
    "opk_decoder_push": (_status, (_handle, c_char_p, c_size_t, _err)),
    "opk_decoder_finish": (_status, (_handle, _out, _err)),
    "opk_decoder_byte_count": (c_uint64, (_handle,)),
    "opk_decoder_element_count": (c_uint64, (_handle,)),
    "opk_decoder_free": (None, (_handle,)),
    "opk_response_is_complete": (c_int32, (_handle,)),
    "opk_response_truncated_at": (c_int64, (_handle,)),
    "opk_response_header": (opk_str, (_handle, c_int32)),
    "opk_response_remark_count": (c_size_t, (_handle,)),
    "opk_response_remark": (opk_str, (_handle, c_size_t)),
    "opk_response_message_count": (c_size_t, (_handle,)),
    "opk_response_message": (_status, (_handle, c_size_t, _message)),
    "opk_reply_classify": (_status, (c_int32, c_char_p, c_char_p, c_size_t, _out, _err)),
    "opk_reply_category": (opk_str, (_handle,)),
    "opk_reply_is_retryable": (c_int32, (_handle,)),
    "opk_reply_message_count": (c_size_t, (_handle,)),
    "opk_reply_message": (_status, (_handle, c_size_t, _message)),
    "opk_reply_free": (None, (_handle,)),
    "opk_slots_parse": (_status, (c_char_p, c_size_t, _out, _err)),
    "opk_slots_get": (_status, (_handle, POINTER(opk_slots_info))),
    "opk_slots_waiting": (_status, (_handle, c_size_t, POINTER(opk_str), POINTER(c_int64))),
    "opk_slots_running": (_status, (_handle, c_size_t, POINTER(opk_str))),
    "opk_slots_free": (None, (_handle,)),
    "opk_response_action_count": (c_size_t, (_handle,)),
    "opk_response_action": (_status, (_handle, c_size_t, POINTER(opk_action))),
    "opk_response_diagnostic_count": (c_size_t, (_handle,)),
    "opk_response_diagnostic": (opk_str, (_handle, c_size_t)),
    "opk_response_element_count": (c_size_t, (_handle, c_uint32)),
    "opk_response_find": (c_int64, (_handle, c_uint32, c_int64)),
    "opk_response_element": (_status, (_handle, c_size_t, POINTER(opk_element))),
    "opk_response_member_geometry": (c_void_p, (_handle, c_size_t, c_size_t, _count)),
    "opk_response_derived_geometry": (_status, (_handle, c_size_t, _out, _err)),
    "opk_response_string_count": (c_size_t, (_handle,)),
    "opk_response_string": (opk_str, (_handle, c_uint32)),
    "opk_is_area": (c_int32, (c_uint32, _texts, _texts, c_size_t)),
    "opk_area_rules": (_status, (c_uint32, _out, _err)),
    "opk_uninteresting_tags": (_status, (c_uint32, _out, _err)),
    "opk_features_build": (_status, (_handle, POINTER(opk_feature_options), _out, _err)),
    "opk_features_free": (None, (_handle,)),
    "opk_features_count": (c_size_t, (_handle,)),
    "opk_features_kinds": (c_size_t, (_handle, POINTER(c_uint8), c_size_t)),
    "opk_features_get": (_status, (_handle, c_size_t, POINTER(opk_feature))),
    "opk_features_find": (c_int64, (_handle, c_uint32, c_int64)),
    "opk_features_tags": (c_size_t, (_handle, c_size_t, POINTER(opk_tag), c_size_t)),
    "opk_features_arrays": (_status, (_handle, c_uint32, _out, _err)),
    "opk_arrays_get": (_status, (_handle, POINTER(opk_feature_arrays))),
    "opk_arrays_free": (None, (_handle,)),
    "opk_features_tag": (
        _status,
        (_handle, c_size_t, c_size_t, POINTER(opk_str), POINTER(opk_str)),
    ),
    "opk_features_geometry": (_status, (_handle, c_size_t, _out, _err)),
    "opk_features_wkb": (_status, (_handle, c_size_t, _out, _err)),
    "opk_features_measure": (_status, (_handle, c_size_t, POINTER(opk_measures))),
    "opk_features_bounds": (_status, (_handle, POINTER(opk_position), POINTER(opk_position))),
    "opk_features_missing": (
        c_size_t,
        (_handle, c_size_t, POINTER(c_uint8), POINTER(c_int64), c_size_t),
    ),
    "opk_geometry_free": (None, (_handle,)),
    "opk_geometry_kind": (c_uint32, (_handle,)),
    "opk_geometry_positions": (c_void_p, (_handle, _count)),
    "opk_geometry_part_ends": (c_void_p, (_handle, _count)),
    "opk_geometry_polygon_ends": (c_void_p, (_handle, _count)),
    "opk_geometry_member_count": (c_size_t, (_handle,)),
    "opk_geometry_member": (_handle, (_handle, c_size_t)),
    "opk_geometry_wkt": (_status, (_handle, _out, _err)),
    "opk_geometry_ewkt": (_status, (_handle, _out, _err)),
    "opk_geometry_wkb": (_status, (_handle, _out, _err)),
    "opk_geometry_ewkb": (_status, (_handle, _out, _err)),
    "opk_geometry_measure": (_status, (_handle, POINTER(opk_measures))),
    "opk_response_merge": (_status, (_out, c_size_t, _out, _err)),
    "opk_response_apply": (_status, (_handle, _out, c_size_t, _out, _err)),
    "opk_response_filter": (_status, (_handle, POINTER(opk_filter_options), _out, _err)),
    "opk_response_write": (_status, (_handle, _write, _out, _err)),
    "opk_response_write_file": (_status, (_handle, _write, c_char_p, _err)),
    "opk_response_write_fd": (_status, (_handle, _write, c_int32, _err)),
    "opk_table_decode_csv": (_status, (c_char_p, c_size_t, _csv, _out, _err)),
    "opk_table_decode_csv_file": (_status, (c_char_p, _csv, _out, _err)),
    "opk_table_free": (None, (_handle,)),
    "opk_table_row_count": (c_size_t, (_handle,)),
    "opk_table_column_count": (c_size_t, (_handle,)),
    "opk_table_is_complete": (c_int32, (_handle,)),
    "opk_table_column": (_status, (_handle, c_size_t, POINTER(opk_column))),
    "opk_table_numbers": (c_size_t, (_handle, c_size_t, POINTER(c_int64), c_size_t)),
    "opk_table_texts": (c_size_t, (_handle, c_size_t, POINTER(opk_str), c_size_t)),
    "opk_table_problem_count": (c_size_t, (_handle,)),
    "opk_table_get_problem": (_status, (_handle, c_size_t, POINTER(opk_table_problem))),
    "opk_features_write_geojson": (_status, (_handle, _geojson, _out, _err)),
    "opk_features_write_geojson_file": (_status, (_handle, _geojson, c_char_p, _err)),
    "opk_features_feature_geojson": (_status, (_handle, c_size_t, _geojson, _out, _err)),
    "opk_features_write": (_status, (_handle, _features_write, _out, _err)),
    "opk_features_write_file": (_status, (_handle, _features_write, c_char_p, _err)),
    "opk_features_write_fd": (_status, (_handle, _features_write, c_int32, _err)),
    "opk_features_write_call": (
        _status,
        (_handle, _features_write, opk_write_fn, c_void_p, _err),
    ),
    "opk_features_arrow": (_status, (_handle, POINTER(opk_arrow_options), c_void_p, _err)),
    "opk_style_new": (_status, (c_char_p, _out, _err)),
    "opk_style_clone": (_handle, (_handle,)),
    "opk_style_free": (None, (_handle,)),
    "opk_style_set_background": (_status, (_handle, c_char_p, _err)),
    "opk_style_set_glyphs": (_status, (_handle, c_char_p, _err)),
    "opk_style_set_view": (_status, (_handle, c_double, c_double, c_double, _err)),
    "opk_style_add_basemap": (_status, (_handle, POINTER(opk_basemap), _err)),
    "opk_style_add_features": (_status, (_handle, c_char_p, _handle, _look, _err)),
    "opk_style_add_geojson_url": (_status, (_handle, c_char_p, c_char_p, _look, _err)),
    "opk_style_render": (_status, (_handle, _out, _err)),
    "opk_style_write_file": (_status, (_handle, c_char_p, _out, _err)),
    "opk_style_file_path": (opk_str, (_handle,)),
    "opk_style_file_url": (opk_str, (_handle,)),
    "opk_style_file_free": (None, (_handle,)),
    "opk_style_write_html": (_status, (_handle, _page, _out, _err)),
    "opk_style_write_html_file": (_status, (_handle, _page, c_char_p, _err)),
    "opk_features_write_svg": (_status, (_handle, POINTER(opk_svg_options), _out, _err)),
    "opk_features_problems": (_status, (_handle, _out, _err)),
    "opk_problems_count": (c_size_t, (_handle,)),
    "opk_problems_get": (_status, (_handle, c_size_t, POINTER(opk_problem))),
    "opk_problems_free": (None, (_handle,)),
    "opk_visualizations_build": (_status, (_handle, _texts, c_size_t, _out, _err)),
    "opk_visualizations_build_one": (
        _status,
        (_handle, c_uint32, c_int64, _texts, c_size_t, _out, _err),
    ),
    "opk_visualizations_count": (c_size_t, (_handle,)),
    "opk_visualizations_get": (_status, (_handle, c_size_t, POINTER(opk_visualization))),
    "opk_visualizations_find": (c_int64, (_handle, c_uint32, c_int64)),
    "opk_visualizations_free": (None, (_handle,)),
    "opk_places_find": (
        _status,
        (_handle, c_double, c_double, POINTER(opk_place_options), _out, _err),
    ),
    "opk_places_count": (c_size_t, (_handle,)),
    "opk_places_get": (_status, (_handle, c_size_t, POINTER(opk_nearby_place))),
    "opk_places_free": (None, (_handle,)),
    # asking servers
    "opk_endpoint_count": (c_size_t, ()),
    "opk_endpoint_get": (_status, (c_size_t, POINTER(opk_endpoint))),
    "opk_http_reply_head": (c_int32, (_handle, c_int32, POINTER(opk_http_header), c_size_t)),
    "opk_http_reply_body": (c_int32, (_handle, c_char_p, c_size_t)),
    "opk_http_reply_wait": (c_int32, (_handle,)),
    "opk_client_new": (_status, (POINTER(opk_client_options), _out, _err)),
    "opk_client_free": (None, (_handle,)),
    "opk_client_fetch": (_status, (_handle, c_char_p, c_size_t, _fetch, _out, _err)),
    "opk_client_status": (_status, (_handle, c_char_p, _out, _err)),
    "opk_client_kill_queries": (_status, (_handle, c_char_p, _err)),
    "opk_fetch_new": (_status, (_handle, c_char_p, c_size_t, _fetch, _out, _err)),
    "opk_fetch_run": (_status, (_handle, _err)),
    "opk_fetch_cancel": (None, (_handle,)),
    "opk_fetch_response": (_status, (_handle, _out, _err)),
    "opk_fetch_body": (_status, (_handle, _out, _err)),
    "opk_fetch_endpoint": (opk_str, (_handle,)),
    "opk_fetch_is_from_cache": (c_int32, (_handle,)),
    "opk_fetch_reply": (_status, (_handle, _out, _err)),
    "opk_fetch_attempt_count": (c_size_t, (_handle,)),
    "opk_fetch_get_attempt": (_status, (_handle, c_size_t, POINTER(opk_fetch_attempt))),
    "opk_fetch_tile_count": (c_size_t, (_handle,)),
    "opk_fetch_get_tile": (_status, (_handle, c_size_t, POINTER(opk_fetch_tile))),
    "opk_fetch_free": (None, (_handle,)),
}


def load(candidates: Callable[[], Iterable[str]] = _finder.candidates) -> ctypes.CDLL:
    """Loads the library and sets its prototypes.

    Raises
    ------
    LibraryNotFoundError
        When no candidate loads, or the one that does is of another ABI.
    """
    tried = []
    for candidate in candidates():
        try:
            library = ctypes.CDLL(candidate)
        except OSError as error:
            tried.append(str(error))
            continue
        bind(library)
        if library.opk_abi_version() != OPK_ABI_VERSION:
            raise LibraryNotFoundError(
                f"{candidate} speaks ABI {library.opk_abi_version()}, "
                f"this package ABI {OPK_ABI_VERSION}"
            )
        return library
    raise LibraryNotFoundError(
        f"the OverpassKit library was not found; set {_finder.VARIABLE} to its file "
        f"(tried: {'; '.join(tried) or 'nothing'})"
    )


def bind(library: ctypes.CDLL) -> None:
    """Sets argument and result types of every function."""
    for name, (result, arguments) in PROTOTYPES.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise LibraryNotFoundError(f"{library._name} has no function {name}") from None
        function.restype = result
        function.argtypes = arguments


class _Library:
    """The library's functions as attributes; loads it at the first look at one of them."""

    _lock = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        if name not in PROTOTYPES:
            raise AttributeError(name)
        with self._lock:
            if name not in self.__dict__:
                library = load()
                self.__dict__.update({each: getattr(library, each) for each in PROTOTYPES})
        return self.__dict__[name]


lib: Any = _Library()


class Handle:
    """An owned handle. The library's object is freed with the last reference to this one.

    That makes closing safe while other threads read: each of them holds a reference for the time
    of its call. What is still referred to when the interpreter ends is left to the system: daemon
    threads and functions of ``atexit`` may yet use it.
    """

    __slots__ = ("__weakref__", "_as_parameter_")

    def __init__(self, pointer: int, free: Callable[[int], None]) -> None:
        self._as_parameter_ = c_void_p(pointer)
        weakref.finalize(self, free, pointer).atexit = False


def check(status: int, error: opk_error | None = None) -> None:
    """Raises the exception for a status, unless it is OPK_OK."""
    if status == OPK_OK:
        return
    name = status_name(status)
    if error is None or error.status != status:
        raise class_for(status)(name, status=status, status_name=name)
    message = error.message.decode("utf-8", "replace")
    element = None
    if error.element_type:
        element = f"{TYPE_NAMES.get(error.element_type, 'derived')}/{error.element_id}"
    raise class_for(status)(
        message or name,
        status=status,
        status_name=name,
        offset=error.byte_offset if error.byte_offset >= 0 else None,
        line=error.line or None,
        column=error.column or None,
        element=element,
    )


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is an `opk_error`; raises when it fails."""
    error = opk_error()
    check(function(*arguments, byref(error)), error)


def produce(function: Any, *arguments: Any) -> int | None:
    """Calls a function that gives out a handle through its last parameter but one."""
    out = c_void_p()
    call(function, *arguments, byref(out))
    return out.value


def produce_bytes(function: Any, *arguments: Any) -> bytes:
    """Calls a function that gives out an `opk_bytes`, and copies it."""
    block = produce(function, *arguments)
    try:
        return ctypes.string_at(lib.opk_bytes_data(block), lib.opk_bytes_size(block))
    finally:
        lib.opk_bytes_free(block)


def produce_text(function: Any, *arguments: Any) -> str:
    """Like `produce_bytes`, as text; large texts are copied only once."""
    block = produce(function, *arguments)
    try:
        size = lib.opk_bytes_size(block)
        if size == 0:
            return ""
        return str((c_char * size).from_address(lib.opk_bytes_data(block)), "utf-8")
    finally:
        lib.opk_bytes_free(block)


def text(borrowed: opk_str) -> str | None:
    """A copy of a borrowed text; None where there is none."""
    if borrowed.ptr is None:
        return None
    return ctypes.string_at(borrowed.ptr, borrowed.len).decode("utf-8", "replace")


def status_name(status: int) -> str:
    """The name of a status, such as ``"OPK_ERR_MISUSE"``."""
    name = lib.opk_status_name(status)
    return name.decode("ascii") if name is not None else f"status {status}"


def closed(what: str) -> MisuseError:
    """The exception for using what was closed."""
    return MisuseError(f"the {what} is closed")
