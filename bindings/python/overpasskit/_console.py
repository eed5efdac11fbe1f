"""What the commands share: exit codes, messages on standard error, files that are replaced whole."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ._summaries import printable
from .errors import FileError

EXIT_FAILED = 1
EXIT_PARTIAL = 3
# What shells give a program that Ctrl-C ended.
EXIT_CANCELLED = 130


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A file to write that takes the place of `path` once it is whole.

    What is no plain file, such as a pipe, is written directly. A link stays one.
    """
    path = path.resolve()
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | (0o666 & ~_umask())
    if not stat.S_ISREG(mode):
        yield path
        return
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def name_of(source: str) -> str:
    return "standard input" if source == "-" else source


def say(kind: str, style: str, subject: str, message: object) -> None:
    """One line on standard error."""
    if isinstance(message, OSError) and message.strerror and message.filename:
        message = f"{message.filename}: {message.strerror}"
    line = " ".join(str(message).removeprefix(f"{subject}: ").split())
    console = Console(stderr=True, soft_wrap=True)
    console.print(Text.assemble((kind, style), f": {subject}: {line}"))


def plain(text: str | None) -> Text:
    """Plain text: what tags say must neither style the table nor steer the terminal."""
    if text is None:
        return Text("-", style="dim")
    return Text(printable(text))
