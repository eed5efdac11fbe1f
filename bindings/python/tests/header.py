"""What include/overpasskit.h declares, as ctypes would say it."""

from __future__ import annotations

import ast
import ctypes
import re
from pathlib import Path
from typing import Any

from overpasskit import _abi

HEADER = Path(__file__).resolve().parents[3] / "include" / "overpasskit.h"
TEXT = re.sub(r"/\*.*?\*/", " ", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)

_SCALARS: dict[str, Any] = {
    "void": None,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint8_t": ctypes.c_uint8,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "char": ctypes.c_char,
    "opk_status": ctypes.c_int32,
}
_LIMITS = {"INT32_MAX": 2**31 - 1, "INT64_MIN": -(2**63)}
# Texts for C and bytes to decode are Python bytes; arrays that come out are plain addresses.
_BORROWED_RESULTS = {"const uint8_t *", "const opk_position *", "const size_t *"}


def ctype(declared: str, *, is_result: bool = False) -> Any:
    """The ctypes type for a C type such as ``const opk_error *``."""
    spelled = " ".join(declared.replace("*", " * ").split()).replace("* *", "**")
    if is_result and spelled in _BORROWED_RESULTS:
        return ctypes.c_void_p
    if spelled == "uint8_t *":
        return ctypes.POINTER(ctypes.c_uint8)
    if spelled in ("const char *", "const uint8_t *"):
        return ctypes.c_char_p
    if spelled == "const char * const *":
        return ctypes.POINTER(ctypes.c_char_p)
    base = spelled.replace("const", "").replace("*", "").strip()
    stars = spelled.count("*")
    if base in _SCALARS:
        return ctypes.POINTER(_SCALARS[base]) if stars else _SCALARS[base]
    if base == "opk_geocoder" or base.endswith("_fn"):
        return getattr(_abi, base)
    structure = getattr(_abi, base, None)
    if structure is not None:
        return ctypes.POINTER(structure) if stars else structure
    # A handle, or a place for one.
    return ctypes.c_void_p if stars == 1 else ctypes.POINTER(ctypes.c_void_p)


def functions() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Name -> result and arguments, of every exported function."""
    found = {}
    pattern = r"OPK_API\s+([\w\s*]+?)\b(opk_\w+)\(([^)]*)\);"
    for result, name, parameters in re.findall(pattern, TEXT):
        arguments = ()
        if parameters.strip() != "void":
            types = (re.sub(r"\w+\s*$", "", each) for each in parameters.split(","))
            arguments = tuple(ctype(each) for each in types)
        found[name] = (ctype(result, is_result=True), arguments)
    return found


def constants() -> dict[str, int | str]:
    """Name -> value, of enumerators and of macros that are a plain number or text."""
    found: dict[str, int | str] = {}
    for body in re.findall(r"enum\s*\{([^}]*)\}", TEXT):
        found.update(
            (name, int(value)) for name, value in re.findall(r"(OPK_\w+)\s*=\s*(\d+)", body)
        )
    for name, value in re.findall(r"#define (OPK_\w+) ([\w.\"]+)\s*$", TEXT, flags=re.MULTILINE):
        if name != "OPK_API":
            found[name] = _LIMITS.get(value) or ast.literal_eval(value)
    return found


def structs() -> dict[str, list[tuple[str, Any]]]:
    """Name -> fields, of every struct with a body. Pointers are plain addresses."""
    found = {}
    for name, body in re.findall(r"typedef struct (opk_\w+) \{([^}]*)\}", TEXT):
        fields = []
        for declaration in filter(None, (each.strip() for each in body.split(";"))):
            match = re.fullmatch(r"(.*?[\s*])(\w+(?:, \w+)*)(?:\[(\w+)\])?", declaration, re.DOTALL)
            assert match, declaration
            declared, names, length = match.groups()
            kind = ctypes.c_void_p if "*" in declared else ctype(declared)
            if length:
                kind *= int(constants().get(length, 0)) or int(length)
            fields += [(field, kind) for field in names.split(", ")]
        found[name] = fields
    return found
