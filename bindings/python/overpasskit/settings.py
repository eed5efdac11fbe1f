"""What a client is told: who asks, which servers, what is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from ctypes import Array, byref, c_char_p, c_void_p, cast
from dataclasses import dataclass
from typing import NamedTuple

from . import _abi
from ._abi import opk_client_options, opk_endpoint
from ._arguments import Path, c_path
from ._ffi import Handle, check, lib, produce, text
from ._numbers import at_least_one
from .errors import ClientError, MisuseError
from .transport import Performing, Transport, address_of, forget, header_lines, register


class Endpoint(NamedTuple):
    """A public server that is known by name.

    Attributes
    ----------
    name : str
        Such as ``"main"``.
    url : str
        Where queries go.
    coverage : str
        The part of the world that it has data of.
    provider : str
        Who runs it.
    """

    name: str
    url: str
    coverage: str
    provider: str


def endpoints() -> list[Endpoint]:
    """The public servers that are known by name; the first is asked by default.

    Examples
    --------
    >>> endpoints()[0].name
    'main'
    """
    found = []
    for index in range(lib.opk_endpoint_count()):
        c = opk_endpoint()
        check(lib.opk_endpoint_get(index, byref(c)))
        texts = (c.name, c.url, c.coverage, c.provider)
        found.append(Endpoint(*(text(each) or "" for each in texts)))
    return found


@dataclass(frozen=True)
class Cache:
    """A folder in which answers are kept. Several programs may use one at the same time.

    Parameters
    ----------
    folder
        Made when it is missing.
    max_age
        How old an answer may be, in seconds.
    max_bytes
        What all answers together may take; by default 2**30.
    """

    folder: Path
    max_age: float
    max_bytes: int | None = None


class Numbers(NamedTuple):
    """Numbers of a client, as C has them."""

    max_attempts: int
    busy_wait_s: float
    max_wait_s: float
    connect_timeout_s: float


def new_client(
    application: str,
    endpoints: Sequence[str],
    headers: Mapping[str, str],
    cache: Cache | None,
    numbers: Numbers,
    ca_file: Path | None,
    kill_on_cancel: bool,
    transport: Transport | Performing | None,
) -> Handle:
    """Makes a client in the library; raises as `Client` does."""
    if not endpoints:
        raise ClientError(
            "there is no server to ask",
            status=_abi.OPK_ERR_CLIENT_ENDPOINT,
            status_name="OPK_ERR_CLIENT_ENDPOINT",
        )
    lines, line_count, _kept = header_lines(headers)
    urls, applicant = _texts(endpoints), _text(application)
    options = opk_client_options(
        flags=_abi.OPK_CLIENT_KILL_ON_CANCEL if kill_on_cancel else 0,
        application=cast(applicant, c_void_p),
        endpoints=cast(urls, c_void_p),
        endpoint_count=len(endpoints),
        headers=cast(lines, c_void_p),
        header_count=line_count,
        **numbers._asdict(),
    )
    # Where the paths are, for the time of the call.
    folder, certificates = c_char_p(), c_char_p()
    if cache is not None:
        folder = c_char_p(c_path(cache.folder))
        options.cache_folder = cast(folder, c_void_p).value
        options.cache_max_age_s = cache.max_age
        options.cache_max_bytes = at_least_one("max_bytes", cache.max_bytes, 64)
    if ca_file is not None:
        certificates = c_char_p(c_path(ca_file))
        options.ca_file = cast(certificates, c_void_p).value
    own = None if transport is None else register(transport)
    if own is not None:
        options.transport = address_of(own)
    try:
        return Handle(produce(lib.opk_client_new, byref(options)) or 0, lib.opk_client_free)
    except BaseException:
        if own is not None:
            forget(own)
        raise


def _text(value: str) -> c_char_p:
    """A text for C, where a NUL would end it early."""
    encoded = value.encode("utf-8", "surrogatepass")
    if b"\0" in encoded:
        raise MisuseError("a text with a NUL character")
    return c_char_p(encoded)


def _texts(values: Iterable[str]) -> Array[c_char_p]:
    encoded = [_text(each).value for each in values]
    return (c_char_p * len(encoded))(*encoded)


def optional(value: str | None) -> c_char_p | None:
    return None if value is None else _text(value)


def seconds(value: float | None) -> float:
    """Seconds for C, where 0 is the default."""
    if value is None:
        return 0
    return value if value != 0 else 1e-9
