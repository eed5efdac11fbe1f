"""The prototypes, constants and structs are those of the header."""

import ctypes

import pytest
from header import constants, functions, structs
from overpasskit import _abi, _ffi, errors


def test_functions_are_those_of_the_header() -> None:
    assert sorted(_ffi.PROTOTYPES) == sorted(functions())


@pytest.mark.parametrize("name", sorted(_ffi.PROTOTYPES))
def test_prototype(name: str) -> None:
    assert _ffi.PROTOTYPES[name] == functions()[name]
    result, arguments = _ffi.PROTOTYPES[name]
    function = getattr(_ffi.lib, name)
    assert function.restype is result
    assert tuple(function.argtypes) == arguments


def test_constants_are_those_of_the_header() -> None:
    ours = {name: value for name, value in vars(_abi).items() if name.startswith("OPK_")}
    assert ours == constants()


@pytest.mark.parametrize("name", sorted(structs()))
def test_struct(name: str) -> None:
    assert getattr(_abi, name)._fields_ == structs()[name]


def test_no_other_structs() -> None:
    ours = {name for name in vars(_abi) if name.startswith("opk_")}
    callbacks = {name for name in ours if name.endswith("_fn")}
    assert ours - callbacks == {*structs(), "opk_geocoder"}


def test_struct_size_is_set() -> None:
    assert _abi.opk_element().struct_size == ctypes.sizeof(_abi.opk_element) == 184


def test_unknown_function() -> None:
    with pytest.raises(AttributeError):
        _ffi.lib.opk_no_such_function  # noqa: B018


def test_load_tries_one_after_the_other() -> None:
    with pytest.raises(errors.LibraryNotFoundError, match="tried: .*nowhere"):
        _ffi.load(lambda: iter(["/nowhere/liboverpasskit.so"]))
    with pytest.raises(errors.LibraryNotFoundError, match="OVERPASSKIT_LIBRARY"):
        _ffi.load(lambda: iter(()))


def test_another_library_is_refused() -> None:
    with pytest.raises(errors.LibraryNotFoundError, match="has no function opk_"):
        _ffi.load(lambda: iter(["libc.so.6"]))
