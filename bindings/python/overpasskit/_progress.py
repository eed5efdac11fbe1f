"""Bars on standard error for long work."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TypeAlias

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)

# Told how many bytes, or things, are done with, and of how many, where that is known.
Tell: TypeAlias = Callable[[int, "int | None"], None]

# Work that takes no longer than this needs no bar.
_PATIENCE = 1.0


@contextmanager
def bar(label: str, *, counts_bytes: bool = True) -> Iterator[Tell | None]:
    """A bar that shows when the work takes long; None when standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    amounts: list[ProgressColumn] = [MofNCompleteColumn()]
    if counts_bytes:
        amounts = [DownloadColumn(), TransferSpeedColumn()]
    shown = _Bar(label, amounts)
    try:
        yield shown.tell
    finally:
        shown.stop()


class _Bar:
    def __init__(self, label: str, amounts: list[ProgressColumn]) -> None:
        self._label = label
        self._amounts = amounts
        self._start = time.monotonic()
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def tell(self, done: int, total: int | None) -> None:
        if self._progress is None:
            if time.monotonic() - self._start < _PATIENCE:
                return
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                *self._amounts,
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._progress.add_task(self._label, total=total)
            self._progress.start()
        self._progress.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        if self._progress is not None:
            self._progress.stop()


class CountedFile:
    """A binary file that tells how much was written to it."""

    def __init__(self, file: IO[bytes], tell: Tell) -> None:
        self._file = file
        self._tell = tell
        self._written = 0

    def write(self, portion: memoryview) -> int:
        taken = self._file.write(portion)
        self._written += taken
        self._tell(self._written, None)
        return taken
