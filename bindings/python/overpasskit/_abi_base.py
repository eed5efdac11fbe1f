"""What all structs of ``include/overpasskit.h`` are made of."""

from __future__ import annotations

from ctypes import Structure, c_char, c_int32, c_int64, c_size_t, c_uint32, c_void_p, sizeof

OPK_ERROR_MESSAGE_SIZE = 240


class SizedStructure(Structure):
    """A struct that starts with ``struct_size``, which new objects have set."""

    struct_size: int

    def __init__(self, **fields: object) -> None:
        super().__init__(struct_size=sizeof(type(self)), **fields)


class opk_str(Structure):
    ptr: int | None
    len: int
    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]


class opk_error(SizedStructure):
    status: int
    byte_offset: int
    line: int
    column: int
    element_type: int
    element_id: int
    message: bytes
    _fields_ = [
        ("struct_size", c_uint32),
        ("status", c_int32),
        ("byte_offset", c_int64),
        ("line", c_uint32),
        ("column", c_uint32),
        ("element_type", c_uint32),
        ("reserved", c_uint32),
        ("element_id", c_int64),
        ("message", c_char * OPK_ERROR_MESSAGE_SIZE),
    ]
