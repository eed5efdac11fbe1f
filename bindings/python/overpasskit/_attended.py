"""Long calls that Ctrl-C ends.

Python handles signals on the main thread, between its own instructions, so that a call into the
library would hold them up. In a function that the library calls they do come, but at its very first
instruction, where nothing catches what they raise. Therefore the main thread waits, and another one
is in the library.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Protocol


class Asking(Protocol):
    """What is asked while a call lasts."""

    #: Used on the thread of the call; puts the question to the thread that wants the answer.
    ask: Callable[[Any], bool]

    def answer(self, question: Any) -> bool:
        """Called on the thread that wants the answer; raises nothing."""


def attended(
    work: Callable[[], None], asking: Asking | None, stop: Callable[[], None] | None
) -> None:
    """Does the work, and raises what it raises; questions are answered on the calling thread.

    Parameters
    ----------
    stop
        Ends the work, when the wait for it is interrupted; None leaves it to itself.
    """
    if threading.current_thread() is not threading.main_thread():
        work()
        return
    inbox: queue.SimpleQueue[tuple[Any, queue.SimpleQueue[bool]] | None] = queue.SimpleQueue()
    is_over = threading.Event()
    raised: list[BaseException] = []

    def ask(question: Any) -> bool:
        reply: queue.SimpleQueue[bool] = queue.SimpleQueue()
        inbox.put((question, reply))
        while not is_over.is_set():
            try:
                return reply.get(timeout=0.2)
            except queue.Empty:
                # An interrupt may have come between the question and its answer.
                continue
        return False

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)
        inbox.put(None)

    thread = threading.Thread(target=run, name="overpasskit", daemon=True)
    if asking is not None:
        asking.ask = ask
    try:
        thread.start()
        while (question := inbox.get()) is not None and asking is not None:
            question[1].put(asking.answer(question[0]))
        thread.join()
    except BaseException:
        is_over.set()
        if stop is not None:
            stop()
            thread.join()
        raise
    finally:
        if asking is not None:
            asking.ask = asking.answer
    if raised:
        error = raised.pop()
        try:
            raise error
        finally:
            # It holds this frame, which must not hold it.
            del error
