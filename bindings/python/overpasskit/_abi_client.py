"""Constants and structs of ``include/overpasskit.h``, section "asking servers".

`_abi` has them, too, where ``tests/test_ffi.py`` compares them with the header.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_double,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from ._abi_base import SizedStructure, opk_error, opk_str

OPK_CLIENT_KILL_ON_CANCEL = 1

OPK_PHASE_WAITING = 1
OPK_PHASE_RUNNING = 2
OPK_PHASE_DOWNLOADING = 3
OPK_PHASE_DECODING = 4

OPK_WAIT_TURN = 1
OPK_WAIT_RATE_LIMIT = 2
OPK_WAIT_SERVER_BUSY = 3
OPK_WAIT_CONNECTION = 4
OPK_WAIT_SAME_QUERY = 5

OPK_FETCH_UNCHECKED = 1
OPK_FETCH_BYTES = 2
OPK_FETCH_TILED = 4


class opk_endpoint(SizedStructure):
    name: opk_str
    url: opk_str
    coverage: opk_str
    provider: opk_str
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("name", opk_str),
        ("url", opk_str),
        ("coverage", opk_str),
        ("provider", opk_str),
    ]


class opk_http_header(Structure):
    name: opk_str
    value: opk_str
    _fields_ = [
        ("name", opk_str),
        ("value", opk_str),
    ]


class opk_http_request(SizedStructure):
    number: int
    method: int | None
    url: int | None
    headers: int | None
    header_count: int
    body: int | None
    body_size: int
    connect_timeout_s: float
    idle_timeout_s: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("number", c_uint64),
        ("method", c_void_p),
        ("url", c_void_p),
        ("headers", c_void_p),
        ("header_count", c_size_t),
        ("body", c_void_p),
        ("body_size", c_size_t),
        ("connect_timeout_s", c_double),
        ("idle_timeout_s", c_double),
    ]


opk_transport_perform_fn = CFUNCTYPE(
    c_int32, c_void_p, POINTER(opk_http_request), c_void_p, POINTER(opk_error)
)
opk_transport_interrupt_fn = CFUNCTYPE(None, c_void_p, c_uint64)
opk_transport_release_fn = CFUNCTYPE(None, c_void_p)


class opk_transport(SizedStructure):
    context: int | None
    perform: Any
    interrupt: Any
    release: Any
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("context", c_void_p),
        ("perform", opk_transport_perform_fn),
        ("interrupt", opk_transport_interrupt_fn),
        ("release", opk_transport_release_fn),
    ]


class opk_client_options(SizedStructure):
    flags: int
    application: int | None
    endpoints: int | None
    endpoint_count: int
    headers: int | None
    header_count: int
    max_attempts: int
    busy_wait_s: float
    max_wait_s: float
    connect_timeout_s: float
    cache_folder: int | None
    cache_max_age_s: float
    cache_max_bytes: int
    ca_file: int | None
    transport: int | None
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("application", c_void_p),
        ("endpoints", c_void_p),
        ("endpoint_count", c_size_t),
        ("headers", c_void_p),
        ("header_count", c_size_t),
        ("max_attempts", c_uint32),
        ("reserved", c_uint32),
        ("busy_wait_s", c_double),
        ("max_wait_s", c_double),
        ("connect_timeout_s", c_double),
        ("cache_folder", c_void_p),
        ("cache_max_age_s", c_double),
        ("cache_max_bytes", c_uint64),
        ("ca_file", c_void_p),
        ("transport", c_void_p),
    ]


class opk_fetch_progress(SizedStructure):
    phase: int
    wait_reason: int
    attempt: int
    wait_seconds: float
    endpoint: opk_str
    last_error: opk_str
    bytes: int
    total_bytes: int
    elements: int
    tiles_done: int
    tiles_left: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("phase", c_uint32),
        ("wait_reason", c_uint32),
        ("attempt", c_uint32),
        ("wait_seconds", c_double),
        ("endpoint", opk_str),
        ("last_error", opk_str),
        ("bytes", c_uint64),
        ("total_bytes", c_uint64),
        ("elements", c_uint64),
        ("tiles_done", c_uint64),
        ("tiles_left", c_uint64),
    ]


opk_fetch_progress_fn = CFUNCTYPE(c_int32, c_void_p, POINTER(opk_fetch_progress))


class opk_fetch_options(SizedStructure):
    flags: int
    decode: int | None
    progress: Any
    progress_context: int | None
    timeout_s: float
    south: float
    west: float
    north: float
    east: float
    max_tile_depth: int
    max_tiles: int
    _fields_ = [
        ("struct_size", c_uint32),
        ("flags", c_uint32),
        ("decode", c_void_p),
        ("progress", opk_fetch_progress_fn),
        ("progress_context", c_void_p),
        ("timeout_s", c_double),
        ("south", c_double),
        ("west", c_double),
        ("north", c_double),
        ("east", c_double),
        ("max_tile_depth", c_uint32),
        ("max_tiles", c_uint32),
    ]


class opk_fetch_attempt(SizedStructure):
    status: int
    endpoint: opk_str
    url: opk_str
    seconds: float
    message: opk_str
    _fields_ = [
        ("struct_size", c_uint32),
        ("status", c_int32),
        ("endpoint", opk_str),
        ("url", opk_str),
        ("seconds", c_double),
        ("message", opk_str),
    ]


class opk_fetch_tile(SizedStructure):
    depth: int
    is_answered: int
    south: float
    west: float
    north: float
    east: float
    _fields_ = [
        ("struct_size", c_uint32),
        ("depth", c_uint32),
        ("is_answered", c_uint32),
        ("reserved", c_uint32),
        ("south", c_double),
        ("west", c_double),
        ("north", c_double),
        ("east", c_double),
    ]
