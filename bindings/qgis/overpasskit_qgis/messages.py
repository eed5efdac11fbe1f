"""What is shown of errors and of progress. Knows nothing of QGIS."""

from __future__ import annotations

from . import overpasskit
from .overpasskit import FetchProgress, OverpassKitError

_WAITS = {
    "turn": "another query of this program is at the server",
    "rate_limit": "the server had too many queries from this address",
    "server_busy": "the server is busy",
    "connection": "the server was out of reach",
    "same_query": "the same query is being answered already",
}

# What an error means and what can be done about it, by its kind: the first that fits.
_MEANINGS: tuple[tuple[type[BaseException], str, str], ...] = (
    (
        overpasskit.RateLimitError,
        "The server has had too many queries from this address",
        "Wait a minute, or choose another server.",
    ),
    (
        overpasskit.ServerBusyError,
        "The server is too busy",
        "Try again later, or choose another server.",
    ),
    (
        overpasskit.QueryTimeoutError,
        "The query ran out of time",
        "Ask for a smaller area, allow more time, or divide the area into tiles.",
    ),
    (
        overpasskit.OutOfMemoryError,
        "The query ran out of memory",
        "Ask for a smaller area or for fewer elements, or divide the area into tiles.",
    ),
    (
        overpasskit.RefusedError,
        "The server refuses this program or address",
        "See that the contact in the plugin's settings is right: it wants to know who asks.",
    ),
    (overpasskit.BadRequestError, "The server did not understand the query", ""),
    (overpasskit.ServerError, "The server reports an error", ""),
    (overpasskit.QueryError, "There is a mistake in the query", ""),
    (
        overpasskit.TransportTimeoutError,
        "Nothing came from the server for too long",
        "Try again, or choose another server.",
    ),
    (
        overpasskit.TransportError,
        "The server was not reached, or the connection broke",
        "Check the connection, and the proxy in QGIS's network settings.",
    ),
    (
        overpasskit.TruncatedError,
        "The answer stops in the middle",
        "What there is of it is taken when answers that are not complete are allowed.",
    ),
    (overpasskit.DecodeError, "This is no answer of an Overpass server", ""),
)


def explain(error: BaseException) -> str:
    """What went wrong, where, what the server said, and what can be done."""
    meaning, advice = next(
        ((meaning, advice) for kind, meaning, advice in _MEANINGS if isinstance(error, kind)),
        ("", ""),
    )
    detail = str(error) or type(error).__name__
    lines = [f"{meaning}: {detail}" if meaning else detail]
    if isinstance(error, overpasskit.ServerError):
        said = [each.text for each in error.messages if each.text and each.text not in lines[0]]
        lines += [f"The server says: {each}" for each in dict.fromkeys(said)]
    if isinstance(error, OverpassKitError):
        failures = [each for each in error.attempts if each.error]
        if len(failures) > 1:
            lines += [f"{each.endpoint}: {each.error}" for each in failures]
    return "\n".join([*lines, advice] if advice else lines)


def progress_text(progress: FetchProgress) -> str:
    """What a query is at, in a line.

    >>> progress_text(FetchProgress("running", None, 0, 2, "main", None, 0, None, 0, 0, 0))
    'main: at work (attempt 2)'
    """
    if progress.phase == "waiting":
        reason = _WAITS.get(progress.wait_reason or "", "not yet")
        seconds = progress.wait_seconds
        wait = f", {seconds:.0f} s" if 0 < seconds < float("inf") else ""
        text = f"waiting{wait}: {reason}"
    elif progress.phase == "running":
        text = "at work"
    else:
        text = f"{_size(progress.bytes)}, {progress.elements} elements"
    if progress.attempt > 1:
        text += f" (attempt {progress.attempt})"
    if progress.tiles_done or progress.tiles_left:
        text += f", {progress.tiles_done} tiles done, {progress.tiles_left} left"
    return f"{progress.endpoint}: {text}" if progress.endpoint else text


def percent(progress: FetchProgress) -> float | None:
    """How much is done, where that is known."""
    tiles = progress.tiles_done + progress.tiles_left
    if tiles > 1:
        return 100 * progress.tiles_done / tiles
    if progress.total:
        return min(100.0, 100 * progress.bytes / progress.total)
    return None


def remarks_of(response: overpasskit.Response) -> list[str]:
    """What a user has to know about an answer before relying on it."""
    told = [f"The server remarked: {each}" for each in response.remarks]
    told += list(response.diagnostics)
    if response.is_complete is False:
        told.append("The answer is NOT complete.")
    return told


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 100_000 else f"{count / 1e3:.0f} kB"
