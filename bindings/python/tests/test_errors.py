"""Statuses become exceptions: one class per meaning, with the position."""

import pickle

import overpasskit
import pytest
from header import constants
from overpasskit import _ffi, errors
from overpasskit._abi import opk_error

STATUSES = {name: value for name, value in constants().items() if name.startswith("OPK_ERR_")}
CLASSES = {
    "OPK_ERR_QUERY_NO_TYPE": errors.QueryError,
    "OPK_ERR_QUERY_NO_FILTER": errors.QueryError,
    "OPK_ERR_QUERY_SETTING": errors.QueryError,
    "OPK_ERR_QUERY_COORDINATE": errors.QueryError,
    "OPK_ERR_QUERY_VALUE": errors.QueryError,
    "OPK_ERR_QUERY_UNSUPPORTED": errors.QueryError,
    "OPK_ERR_QUERY_SYNTAX": errors.QueryError,
    "OPK_ERR_DECODE_SYNTAX": errors.DecodeError,
    "OPK_ERR_DECODE_TRUNCATED": errors.TruncatedError,
    "OPK_ERR_DECODE_NOT_OVERPASS": errors.NotOverpassError,
    "OPK_ERR_DECODE_VALUE": errors.DecodeError,
    "OPK_ERR_DECODE_FORMAT": errors.FormatError,
    "OPK_ERR_DECODE_COMPRESSION": errors.CompressionError,
    "OPK_ERR_DECODE_TEXT": errors.TextError,
    "OPK_ERR_SERVER_BAD_REQUEST": errors.BadRequestError,
    "OPK_ERR_SERVER_RATE_LIMITED": errors.RateLimitError,
    "OPK_ERR_SERVER_BUSY": errors.ServerBusyError,
    "OPK_ERR_SERVER_TIMEOUT": errors.QueryTimeoutError,
    "OPK_ERR_SERVER_MEMORY": errors.OutOfMemoryError,
    "OPK_ERR_SERVER_RUNTIME": errors.ServerError,
    "OPK_ERR_SERVER_OTHER": errors.ServerError,
    "OPK_ERR_SERVER_REFUSED": errors.RefusedError,
    "OPK_ERR_TRANSPORT_UNAVAILABLE": errors.TransportError,
    "OPK_ERR_TRANSPORT_RESOLVE": errors.TransportError,
    "OPK_ERR_TRANSPORT_CONNECT": errors.TransportError,
    "OPK_ERR_TRANSPORT_TLS": errors.TransportError,
    "OPK_ERR_TRANSPORT_TIMEOUT": errors.TransportTimeoutError,
    "OPK_ERR_TRANSPORT_INTERRUPTED": errors.TransportError,
    "OPK_ERR_TRANSPORT_OTHER": errors.TransportError,
    "OPK_ERR_CLIENT_APPLICATION": errors.ClientError,
    "OPK_ERR_CLIENT_ENDPOINT": errors.ClientError,
    "OPK_ERR_CLIENT_QUERY": errors.ClientError,
    "OPK_ERR_FILE_OPEN": errors.FileError,
    "OPK_ERR_FILE_READ": errors.FileError,
    "OPK_ERR_FILE_WRITE": errors.FileError,
    "OPK_ERR_WRITE_LOSS": errors.WriteError,
    "OPK_ERR_MAP_NAME": errors.MapStyleError,
    "OPK_ERR_MAP_DUPLICATE": errors.MapStyleError,
    "OPK_ERR_MAP_TILES": errors.MapStyleError,
    "OPK_ERR_MAP_ZOOM": errors.MapStyleError,
    "OPK_ERR_MAP_COLOR": errors.MapStyleError,
    "OPK_ERR_MAP_URL": errors.MapStyleError,
    "OPK_ERR_MAP_VALUE": errors.MapStyleError,
    "OPK_ERR_LIMIT": errors.LimitError,
    "OPK_ERR_CANCELLED": errors.CancelledError,
    "OPK_ERR_MISUSE": errors.MisuseError,
}


def test_each_status_has_a_row() -> None:
    assert sorted(CLASSES) == sorted(STATUSES)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_status(name: str) -> None:
    status = STATUSES[name]
    assert isinstance(status, int)
    assert errors.class_for(status) is CLASSES[name]
    assert _ffi.status_name(status) == name
    with pytest.raises(CLASSES[name]) as caught:
        _ffi.check(status)
    assert caught.value.status == status
    assert caught.value.status_name == name


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (199, errors.QueryError),
        (299, errors.DecodeError),
        (399, errors.GeometryError),
        (499, errors.ServerError),
        (599, errors.FileError),
        (699, errors.WriteError),
        (799, errors.EngineError),
        (899, errors.LimitError),
        (999, errors.MisuseError),
        (12345, errors.OverpassKitError),
    ],
)
def test_unknown_status_gets_its_family(status: int, expected: type) -> None:
    assert errors.class_for(status) is expected


def test_ok_raises_nothing() -> None:
    _ffi.check(0)


def test_error_carries_all() -> None:
    error = opk_error(
        status=201,
        byte_offset=0,
        line=1,
        column=1,
        element_type=2,
        element_id=5,
        message="naïve".encode(),
    )
    with pytest.raises(errors.DecodeError) as caught:
        _ffi.check(201, error)
    assert caught.value.message == "naïve"
    assert caught.value.element == "way/5"
    assert str(caught.value) == "naïve (line 1, column 1, byte 0)"


def test_unknown_positions_are_none() -> None:
    with pytest.raises(errors.LimitError) as caught:
        _ffi.check(801, opk_error(status=801, byte_offset=-1, message=b"too much"))
    error = caught.value
    assert (error.offset, error.line, error.column, error.element) == (None, None, None, None)
    assert str(error) == "too much"


def test_position_of_a_mistake() -> None:
    with pytest.raises(overpasskit.DecodeError) as caught:
        overpasskit.loads('{\n"elements": [\n{"type" "node"}]}')
    assert (caught.value.line, caught.value.column, caught.value.offset) == (3, 9, 24)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", errors.TruncatedError),
        (b'{"elements": [', errors.TruncatedError),
        (b"{}", errors.NotOverpassError),
        (b"<html></html>", errors.ServerError),
        (b"\x1f\x8b\x08\x00garbage that is no deflate stream", errors.CompressionError),
        (b'{"elements": [{"type": "node", "id": 1.5}]}', errors.DecodeError),
        (b"{elements: []}", errors.DecodeError),
    ],
)
def test_bad_input(data: bytes, expected: type) -> None:
    with pytest.raises(expected) as caught:
        overpasskit.loads(data)
    assert caught.value.message and "\n" not in str(caught.value)


def test_missing_file() -> None:
    with pytest.raises(overpasskit.FileError, match="/nowhere/at/all") as caught:
        overpasskit.load("/nowhere/at/all.json")
    assert isinstance(caught.value, OSError)
    assert caught.value.status_name == "OPK_ERR_FILE_OPEN"


@pytest.mark.parametrize(
    "kind", [errors.DecodeError, errors.FileError, errors.LibraryNotFoundError]
)
def test_errors_survive_pickling(kind: type[errors.OverpassKitError]) -> None:
    error = kind("no", status=1, status_name="X", offset=3, line=2, column=1)
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert (str(copy), copy.status, copy.status_name) == (str(error), 1, "X")


def test_all_errors_are_of_one_family() -> None:
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    assert all(issubclass(each, errors.OverpassKitError) for each in classes)
