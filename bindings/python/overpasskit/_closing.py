"""Objects whose memory may be given back before their end: by `close`, or a ``with`` block."""

from __future__ import annotations

from types import TracebackType
from typing import ClassVar, TypeVar

from ._ffi import Handle, closed

Self = TypeVar("Self", bound="Closing")


class Closing:
    """Holds a handle until it is closed, or forgotten."""

    _what: ClassVar[str]
    _open_handle: Handle | None

    @property
    def _handle(self) -> Handle:
        handle = self._open_handle
        if handle is None:
            raise closed(self._what)
        return handle

    def close(self) -> None:
        """Gives its memory back. Using it afterwards raises `MisuseError`."""
        self._open_handle = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
