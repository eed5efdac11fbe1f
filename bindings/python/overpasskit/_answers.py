"""What commands that take an answer share: reading it, and saying what is wrong with it."""

from __future__ import annotations

import sys

from ._console import name_of, say
from ._progress import bar
from .decoding import Progress, load
from .response import Response


def read(source: str) -> Response:
    """The answer in a file, or in standard input for ``-``; of a truncated one, what there is."""
    with bar("reading") as tell:

        def told(progress: Progress) -> None:
            if tell is not None:
                tell(progress.bytes, progress.total)

        progress = None if tell is None else told
        if source == "-":
            return load(sys.stdin.buffer, partial=True, progress=progress)
        return load(source, partial=True, progress=progress)


def warn(source: str, response: Response) -> None:
    """Tells on standard error what the server remarked, and what was mended."""
    for remark in response.remarks:
        say("warning", "yellow", name_of(source), remark)
    if response.truncated_at is not None:
        message = (
            f"the answer is truncated at byte {response.truncated_at}; what came before was read"
        )
        say("warning", "yellow", name_of(source), message)
    for diagnostic in response.diagnostics:
        say("note", "cyan", name_of(source), diagnostic)
