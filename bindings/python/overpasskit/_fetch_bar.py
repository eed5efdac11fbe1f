"""What is shown on standard error while a query is on its way."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from ._console import plain, say
from .fetching import FetchProgress

_REASONS = {
    "turn": "another query is at the server",
    "rate_limit": "the server had too many queries from here",
    "server_busy": "the server is busy",
    "connection": "the server was out of reach",
    "same_query": "the same query is being answered",
}


@contextmanager
def shown(is_quiet: bool) -> Iterator[Callable[[FetchProgress], None]]:
    """A function that is told of progress: a bar on a terminal, otherwise lines about trouble."""
    if is_quiet or not sys.stderr.isatty():
        yield _Lines().tell
        return
    console = Console(stderr=True)
    label, amount = (
        TextColumn(f"{{task.fields[{name}]}}", markup=False) for name in ("label", "amount")
    )
    columns = (label, BarColumn(), amount, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(progress).tell


class _Bar:
    """One bar, whose meaning changes with the phase."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = self._new_task()
        self._wait = 0.0
        self._phase = ""

    def tell(self, told: FetchProgress) -> None:
        if told.phase != self._phase or (
            told.phase == "waiting" and told.wait_seconds > self._wait
        ):
            self._phase = told.phase
            self._wait = told.wait_seconds if told.phase == "waiting" else 0
            self._progress.remove_task(self._task)
            self._task = self._new_task()
        total: float | None = None
        done: float = 0
        if told.phase == "waiting" and math.isfinite(self._wait):
            total, done = self._wait, self._wait - told.wait_seconds
        elif told.phase == "downloading":
            total, done = told.total, told.bytes
        self._progress.update(
            self._task, total=total, completed=done, label=_label(told), amount=_amount(told)
        )

    def _new_task(self) -> TaskID:
        """A bar that pulses, because its total is not known."""
        return self._progress.add_task("", total=None, label="", amount="")


def _label(told: FetchProgress) -> str:
    tiles = told.tiles_done + told.tiles_left
    prefix = f"tile {told.tiles_done + 1} of {tiles}: " if tiles > 1 else ""
    return f"{prefix}{told.phase} ({plain(told.endpoint).plain})"


def _amount(told: FetchProgress) -> str:
    if told.phase == "waiting":
        left = f"{math.ceil(told.wait_seconds)} s" if math.isfinite(told.wait_seconds) else ""
        return "; ".join(each for each in (left, _REASONS.get(told.wait_reason or "")) if each)
    if told.phase == "running":
        return ""
    elements = f"{told.elements:,} element{'' if told.elements == 1 else 's'}"
    return f"{size_of(told.bytes)}, {elements}" if told.phase == "downloading" else elements


class _Lines:
    """A line for each request that failed, and for each wait."""

    def __init__(self) -> None:
        self._attempt = 1
        self._wait = 0.0

    def tell(self, told: FetchProgress) -> None:
        if told.last_error is None:
            # The next tile counts from 1 again.
            self._attempt, self._wait = 1, 0.0
            return
        wait = told.wait_seconds if math.isfinite(told.wait_seconds) else 0.0
        is_new = told.attempt > self._attempt
        # The wait may turn out to be longer than was thought.
        if not is_new and wait < self._wait + 1:
            return
        self._attempt, self._wait = told.attempt, wait
        then = f"waiting {math.ceil(wait)} s" if wait else f"asking {told.endpoint}"
        say("note", "cyan", f"request {told.attempt - 1}", f"{told.last_error}; {then}")


def size_of(count: int) -> str:
    """Bytes for people.

    >>> size_of(999), size_of(12_345), size_of(3_000_000_000)
    ('999 bytes', '12.3 kB', '3,000.0 MB')
    """
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:,.1f} MB"
