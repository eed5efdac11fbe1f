"""Long work of algorithms: it ends when the user wants it to, and blocks no window."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from qgis.core import QgsApplication, QgsProcessingFeedback
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QThread

from .messages import percent, progress_text
from .overpasskit import Cancellation, CancelledError, FetchProgress, Progress, Response, load

_LOOK = 0.05  # seconds between looks at whether it was canceled

T = TypeVar("T")


class Work(Generic[T]):
    """Asking a server, on a thread of its own; this one looks after feedback and wishes to stop.

    Parameters
    ----------
    ask
        Does the work. It gets what cancels it, and a function that is to be told of progress.
    """

    def __init__(self, ask: Callable[[Cancellation, Callable[[FetchProgress], None]], T]) -> None:
        self._ask = ask
        self._cancellation = Cancellation()
        self._is_over = threading.Event()
        self._progress: FetchProgress | None = None
        self._outcome: list[T] = []
        self._raised: list[BaseException] = []

    def run(self, feedback: QgsProcessingFeedback) -> T:
        """Gives what comes out, or raises what was raised."""
        # The main thread goes on to handle events: QGIS may ask there for passwords and proxies.
        is_main = QThread.currentThread() == QgsApplication.instance().thread()
        threading.Thread(target=self._work, name="overpasskit", daemon=True).start()
        shown = None
        try:
            while not self._is_over.wait(_LOOK):
                if feedback.isCanceled():
                    self._cancellation.cancel()
                if self._progress is not shown:
                    shown = self._show(feedback)
                if is_main:
                    flags = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents
                    QCoreApplication.processEvents(flags)
        except BaseException:
            self._cancellation.cancel()
            raise
        if self._raised:
            raise self._raised.pop()
        return self._outcome[0]

    def _work(self) -> None:
        try:
            self._outcome.append(self._ask(self._cancellation, self._tell))
        except BaseException as error:
            self._raised.append(error)
        finally:
            self._is_over.set()

    def _tell(self, progress: FetchProgress) -> None:
        self._progress = progress

    def _show(self, feedback: QgsProcessingFeedback) -> FetchProgress | None:
        progress = self._progress
        if progress is not None:
            feedback.setProgressText(progress_text(progress))
            done = percent(progress)
            if done is not None:
                feedback.setProgress(done)
        return progress


def load_file(path: str, partial: bool, feedback: QgsProcessingFeedback) -> Response:
    """Decodes an answer in a file."""

    def tell(progress: Progress) -> None:
        if feedback.isCanceled():
            raise CancelledError("canceled while the file was read")
        if progress.total:
            feedback.setProgress(100 * progress.bytes / progress.total)

    return load(path, partial=partial, progress=tell)


def log(message: Any) -> None:
    """Adds to the plugin's page of QGIS's log."""
    QgsApplication.messageLog().logMessage(str(message), "OverpassKit")
