"""Capsules: how a C struct is handed to another package in this process.

Source: the Arrow PyCapsule interface,
https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, PYFUNCTYPE, Structure, c_char_p, c_size_t, c_void_p, py_object
from typing import Any

STREAM = b"arrow_array_stream"  # a capsule keeps the address of its name

_api = ctypes.pythonapi


class ArrowArrayStream(Structure):
    """``struct ArrowArrayStream``; its functions are plain addresses."""

    release: int | None
    _fields_ = [
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


def _function(name: str, result: Any, *arguments: Any) -> Any:
    # A prototype of our own: `pythonapi` is shared with whoever else uses it.
    return PYFUNCTYPE(result, *arguments)((name, _api))


_new = _function("PyCapsule_New", py_object, c_void_p, c_char_p, c_void_p)
# The capsule is an address here: when it dies, it must not become a Python object again.
_pointer = _function("PyCapsule_GetPointer", c_void_p, c_void_p, c_char_p)
_allocate = _function("PyMem_RawMalloc", c_void_p, c_size_t)
_free = _function("PyMem_RawFree", None, c_void_p)
_keep = _function("Py_IncRef", None, py_object)
_Release = CFUNCTYPE(None, c_void_p)


def _destroy(
    capsule: int,
    # Bound here, as a capsule may die when this module's names are gone already.
    pointer: Any = _pointer,
    name: bytes = STREAM,
    struct: Any = ArrowArrayStream,
    release: Any = _Release,
    free: Any = _free,
) -> None:
    address = pointer(capsule, name)
    stream = struct.from_address(address)
    if stream.release:  # nobody has taken it
        release(stream.release)(address)
    free(address)


_destructor = PYFUNCTYPE(None, c_void_p)(_destroy)
_keep(_destructor)  # for capsules that outlive the module
_destructor_address = ctypes.cast(_destructor, c_void_p)


def stream_capsule(fill: Callable[[int], None]) -> Any:
    """A capsule with a stream, which the capsule releases unless somebody takes it.

    Parameters
    ----------
    fill
        Fills the ``struct ArrowArrayStream`` at an address; raises when there is no stream.
    """
    address = _allocate(ctypes.sizeof(ArrowArrayStream))
    if not address:
        raise MemoryError
    try:
        fill(address)
    except BaseException:
        _free(address)
        raise
    return _new(address, STREAM, _destructor_address)
