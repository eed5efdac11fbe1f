"""Requests through QGIS, so that its proxies, certificates and authentications hold.

Nothing here is a slot: what Python raises in a slot would end QGIS.
"""

from __future__ import annotations

import socket
import time
from typing import Any

from qgis.core import QgsApplication, QgsBlockingNetworkRequest, QgsNetworkAccessManager
from qgis.PyQt.QtCore import QByteArray, QEventLoop, QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkReply, QNetworkRequest

from .compat import number
from .overpasskit import CancelledError, HTTPReply, HTTPRequest, TransportError

# QGIS puts its own name in place of ours; the name travels under this header until then.
_AGENT = b"X-OverpassKit-Agent"
_TICK = 100  # milliseconds; how soon a wish to stop is seen
_QUIET = 1.0  # seconds, after which the library is told that nothing comes

_ATTRIBUTE = QNetworkRequest.Attribute
_ERROR = QNetworkReply.NetworkError


def install_agent() -> Any:
    """Has requests keep the name of who asks; gives what `remove_agent` takes."""
    return QgsNetworkAccessManager.setRequestPreprocessor(_restore_agent)


def remove_agent(installed: Any) -> None:
    QgsNetworkAccessManager.removeRequestPreprocessor(installed)


def _restore_agent(request: QNetworkRequest) -> None:
    agent = request.rawHeader(_AGENT)
    if not agent.isEmpty():
        request.setRawHeader(b"User-Agent", agent)
        request.setRawHeader(_AGENT, QByteArray())


def request_for(url: str, agent: str, authentication: str) -> QNetworkRequest:
    """A request that says who asks.

    Raises
    ------
    TransportError
        When QGIS does not have the authentication.
    """
    request = QNetworkRequest(QUrl(url))
    request.setRawHeader(_AGENT, agent.encode())
    if authentication:
        done = QgsApplication.authManager().updateNetworkRequest(request, authentication)
        if not (done[0] if isinstance(done, tuple) else done):
            raise TransportError(f"QGIS has no authentication {authentication!r}")
    return request


class QgisTransport:
    """Sends the requests of a client, each in an event loop of the thread that it comes on.

    Parameters
    ----------
    authentication
        The id of an authentication that QGIS keeps. It is for the server that is asked first, and
        for no other to which that one redirects.
    """

    def __init__(self, authentication: str = "") -> None:
        self._authentication = authentication
        self._home: tuple[str, str, int] | None = None
        self._interrupted: set[int] = set()

    def interrupt(self, number: int) -> None:
        self._interrupted.add(number)

    def perform(self, asked: HTTPRequest, taker: HTTPReply) -> None:
        try:
            self._perform(asked, taker)
        finally:
            self._interrupted.discard(asked.number)

    def _perform(self, asked: HTTPRequest, taker: HTTPReply) -> None:
        headers = dict(asked.headers)
        agent = headers.pop("User-Agent", "")
        request = request_for(asked.url, agent, self._authentication_for(QUrl(asked.url)))
        for name, value in headers.items():
            request.setRawHeader(name.encode("latin-1", "replace"), value.encode())
        # The client follows redirects, and has a cache of its own.
        request.setAttribute(
            _ATTRIBUTE.RedirectPolicyAttribute,
            number(QNetworkRequest.RedirectPolicy.ManualRedirectPolicy),
        )
        request.setAttribute(
            _ATTRIBUTE.CacheLoadControlAttribute,
            number(QNetworkRequest.CacheLoadControl.AlwaysNetwork),
        )
        request.setAttribute(_ATTRIBUTE.CacheSaveControlAttribute, False)
        # The timer below needs the dispatcher of events that comes with the loop.
        loop = QEventLoop()
        manager = QgsNetworkAccessManager.instance()
        if asked.method == "POST":
            reply = manager.post(request, QByteArray(asked.body))
        else:
            reply = manager.get(request)
        _end_patience(reply)
        ticks = QTimer()
        ticks.start(_TICK)
        try:
            self._take(asked, taker, reply, loop)
        finally:
            ticks.stop()
            if not reply.isFinished():
                reply.abort()
            reply.deleteLater()
            loop.processEvents()

    def _authentication_for(self, url: QUrl) -> str:
        origin = (url.scheme(), url.host(), url.port())
        if self._home is None:
            self._home = origin
        return self._authentication if origin == self._home else ""

    def _take(
        self, asked: HTTPRequest, taker: HTTPReply, reply: QNetworkReply, loop: QEventLoop
    ) -> None:
        """Hands over the reply as it comes."""
        has_head = False
        last = told = time.monotonic()
        while True:
            is_finished = reply.isFinished()
            if not has_head and (status := reply.attribute(_ATTRIBUTE.HttpStatusCodeAttribute)):
                has_head = True
                if not taker.head(int(status), _headers(reply)):
                    return
            portion = reply.readAll().data() if has_head else b""
            if portion:
                last = told = time.monotonic()
                if not taker.body(portion):
                    return
            if is_finished:
                break
            now = time.monotonic()
            if now - last > asked.idle_timeout > 0:
                raise TimeoutError(f"nothing came for {asked.idle_timeout:.0f} seconds")
            if now - told > _QUIET:
                told = now
                if not taker.wait():
                    return
            if asked.number in self._interrupted:
                raise ConnectionAbortedError("the request was interrupted")
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        _raise_for(reply, has_head)


def get(url: str, agent: str, feedback: Any) -> bytes:
    """What is at an address; blocks until it has come, or the feedback is canceled.

    Raises
    ------
    TransportError
        When nothing came, or an error.
    CancelledError
        After the feedback was canceled.
    """
    blocking = QgsBlockingNetworkRequest()
    result = blocking.get(request_for(url, agent, ""), False, feedback)
    if feedback is not None and feedback.isCanceled():
        raise CancelledError("canceled while a place was looked for")
    if number(result) != number(QgsBlockingNetworkRequest.ErrorCode.NoError):
        host = QUrl(url).host()
        raise TransportError(f"looking for a place at {host}: {blocking.errorMessage()}")
    return blocking.reply().content().data()


def _end_patience(reply: QNetworkReply) -> None:
    """Stops QGIS's own clock, which gives up after a minute without a byte: queries need more."""
    clock = reply.findChild(QTimer, "timeoutTimer")
    if clock is not None:
        clock.setInterval(2**31 - 1)


def _headers(reply: QNetworkReply) -> list[tuple[str, str]]:
    return [
        (name.data().decode("latin-1"), value.data().decode("utf-8", "replace"))
        for name, value in reply.rawHeaderPairs()
    ]


def _raise_for(reply: QNetworkReply, has_head: bool) -> None:
    """Raises what the end of a reply means to the client; HTTP's own errors are replies."""
    code = number(reply.error())
    if code == number(_ERROR.NoError) or (has_head and _is_of_http(code)):
        return
    message = reply.errorString()
    if code == number(_ERROR.HostNotFoundError):
        raise socket.gaierror(message)
    if code == number(_ERROR.ConnectionRefusedError):
        raise ConnectionRefusedError(message)
    if code == number(_ERROR.TimeoutError):
        raise TimeoutError(message)
    if code == number(_ERROR.SslHandshakeFailedError):
        import ssl

        raise ssl.SSLError(message)
    if code < number(_ERROR.ProxyConnectionRefusedError) or code == number(_ERROR.ProtocolFailure):
        raise ConnectionError(message)
    raise TransportError(message)


def _is_of_http(code: int) -> bool:
    """Whether the server told of the error in a reply."""
    content = range(number(_ERROR.ContentAccessDenied), number(_ERROR.ProtocolUnknownError))
    return code in content or code >= number(_ERROR.InternalServerError)
