"""`fetch` without a client of one's own."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from . import _abi
from ._arguments import Path
from ._fetching import AnyQuery, Told
from .client import Client
from .decoding import Limits
from .errors import ClientError
from .fetching import Cancellation, Stop
from .response import Response
from .settings import Cache
from .transport import Performing, Transport

VARIABLE = "OVERPASSKIT_APP"

_lock = threading.Lock()
_configured: dict[str, Any] = {}
# One client for equal settings, so that connections are kept between calls.
_clients: dict[tuple[str, str | tuple[str, ...]], Client] = {}


def configure(
    app: str | None = None,
    *,
    endpoints: str | Sequence[str] | None = None,
    headers: Mapping[str, str] | None = None,
    cache: Cache | None = None,
    max_attempts: int | None = None,
    busy_wait: float | None = None,
    max_wait: float | None = None,
    connect_timeout: float | None = None,
    ca_file: Path | None = None,
    kill_on_cancel: bool | None = None,
    transport: Transport | Performing | None = None,
) -> None:
    """Sets how `fetch` asks; what is left out is as it is for a new `Client`.

    Parameters
    ----------
    app
        Who asks, such as ``"my-app/1.0 (me@example.org)"``; if left out, what the environment's
        variable OVERPASSKIT_APP says.
    endpoints, headers, cache, max_attempts, busy_wait, max_wait, connect_timeout
        As for `Client`.
    ca_file, kill_on_cancel, transport
        As for `Client`.

    Raises
    ------
    ClientError, MisuseError
        As `Client` does.
    """
    given = {
        "endpoints": endpoints,
        "headers": headers,
        "cache": cache,
        "max_attempts": max_attempts,
        "busy_wait": busy_wait,
        "max_wait": max_wait,
        "connect_timeout": connect_timeout,
        "ca_file": ca_file,
        "kill_on_cancel": kill_on_cancel,
        "transport": transport,
    }
    settings: dict[str, Any] = {name: each for name, each in given.items() if each is not None}
    if app is not None:
        # What is wrong is told here, not by the first query.
        Client(app, **settings).close()
        settings["app"] = app
    with _lock:
        _configured.clear()
        _configured.update(settings)
    _close_all()


def fetch(
    query: AnyQuery,
    app: str | None = None,
    *,
    endpoints: str | Sequence[str] | None = None,
    partial: bool = False,
    strict: bool = False,
    limits: Limits | None = None,
    progress: Told | None = None,
    cancel: Cancellation | Stop | None = None,
    unchecked: bool = False,
    timeout: float | None = None,
) -> Response:
    """Runs a query at an Overpass server and gives the answer.

    Parameters
    ----------
    query
        Text in Overpass QL or XML, or a query from `Query`.
    app
        Who asks, such as ``"my-app/1.0 (me@example.org)"``. Servers block programs that do not say.
        If left out, what `configure` was told, or what the environment's variable OVERPASSKIT_APP
        says.
    endpoints
        As for `Client`; if left out, what `configure` was told.
    partial, strict, limits, progress, cancel, unchecked, timeout
        As for `Client.fetch`.

    Raises
    ------
    ClientError
        When nothing tells who asks, and as `Client` does.
    QueryError, ServerError, TransportError, DecodeError, LimitError, CancelledError
        As `Client.fetch` does.

    Examples
    --------
    >>> def answer(request, reply):
    ...     reply.head(200, {"Content-Type": "application/json"})
    ...     reply.body(b'{"elements": []}')
    >>> configure("my-app/1.0 (me@example.org)", transport=answer)
    >>> len(fetch("[out:json]; node(1); out;").elements)
    0
    >>> configure()
    """
    return _client(app, endpoints).fetch(
        query,
        partial=partial,
        strict=strict,
        limits=limits,
        progress=progress,
        cancel=cancel,
        unchecked=unchecked,
        timeout=timeout,
    )


def _client(app: str | None, endpoints: str | Sequence[str] | None) -> Client:
    with _lock:
        settings = dict(_configured)
        app = app or settings.pop("app", None) or os.environ.get(VARIABLE)
        settings.pop("app", None)
        if not app:
            raise ClientError(
                "servers want to know who asks: give fetch an app like "
                '"my-app/1.0 (me@example.org)", call overpasskit.configure with one, '
                f"or set {VARIABLE}",
                status=_abi.OPK_ERR_CLIENT_APPLICATION,
                status_name="OPK_ERR_CLIENT_APPLICATION",
            )
        if endpoints is not None:
            settings["endpoints"] = endpoints
        chosen = settings.get("endpoints", "main")
        # The other settings change with `configure` only, which forgets all clients.
        key = (app, chosen if isinstance(chosen, str) else tuple(chosen))
        if key not in _clients:
            _clients[key] = Client(app, **settings)
        return _clients[key]


@atexit.register
def _close_all() -> None:
    with _lock:
        _clients.clear()
