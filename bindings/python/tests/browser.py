"""Headless Chromium, driven through pipes: what a page draws, says, fetches and runs.

Speaks the Chrome DevTools Protocol over ``--remote-debugging-pipe``: messages of JSON, each ended
by NUL. Without Chromium the tests that need it are skipped; with ``CI`` set they fail.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# SwiftShader by ANGLE. `--use-gl=swiftshader` gives an empty picture without a word.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
)
LIMIT = 120.0  # seconds for one page; machines may be busy


class Page:
    """One page in a browser of its own."""

    def __init__(self, folder: Path, size: tuple[int, int], flags: tuple[str, ...] = ()) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise FileNotFoundError("chromium is not installed")
        self.dialogs: list[str] = []  # what alert() and its like showed
        self.requests: list[str] = []  # what was fetched, but the page itself
        self.console: list[str] = []  # errors and warnings
        self.exceptions: list[str] = []
        self._numbers = itertools.count(1)
        self._rest = b""
        # The browser reads from descriptor 3 and writes to 4.
        for_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        command = " ".join(
            (
                f"exec 3<&{for_browser} 4>&{from_browser};",
                'exec "$@"',
            )
        )
        arguments = (program, *FLAGS, *flags, f"--window-size={size[0]},{size[1]}")
        self._process = subprocess.Popen(
            ["bash", "-c", command, "bash", *arguments, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(for_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(for_browser)
        os.close(from_browser)
        self._session = ""
        self._deadline = time.monotonic() + LIMIT
        targets = self.send("Target.getTargets")["targetInfos"]
        target = next(each for each in targets if each["type"] == "page")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=size[0],
            height=size[1],
            deviceScaleFactor=1,
            mobile=False,
        )

    def send(self, method: str, **parameters: Any) -> Any:
        """Sends a command and waits for its answer; events before it are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            left = self._deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            block = os.read(self._read, 1 << 20)
            if not block:
                raise ConnectionError("the browser has ended")
            self._rest += block
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        details = message.get("params", {})
        match message.get("method"):
            case "Page.javascriptDialogOpening":
                self.dialogs.append(details["message"])
                number = next(self._numbers)
                command = {"id": number, "method": "Page.handleJavaScriptDialog"}
                command |= {"params": {"accept": True}, "sessionId": self._session}
                os.write(self._write, json.dumps(command).encode() + b"\0")
            case "Network.requestWillBeSent":
                if details["type"] != "Document":
                    self.requests.append(details["request"]["url"])
            case "Runtime.exceptionThrown":
                shown = details["exceptionDetails"]
                self.exceptions.append(shown.get("exception", shown).get("description", str(shown)))
            case "Log.entryAdded":
                if details["entry"]["level"] in ("error", "warning"):
                    self.console.append(details["entry"]["text"])
            case "Runtime.consoleAPICalled":
                if details["type"] in ("error", "warning", "assert"):
                    self.console.append(str(details["args"]))

    def open(self, path: Path) -> None:
        """Opens a file and waits until its map is drawn, or has failed."""
        self._deadline = time.monotonic() + LIMIT
        self.send("Page.navigate", url=path.resolve().as_uri())
        self.wait("document.readyState === 'complete'")
        self.settle()

    def settle(self) -> str:
        """Waits until the map is drawn, or has failed; tells which."""
        self.wait("['idle', 'failed'].includes(document.documentElement.dataset.map)")
        return str(self.run("document.documentElement.dataset.map"))

    def wait(self, condition: str) -> None:
        while not self.run(condition):
            time.sleep(0.1)

    def run(self, script: str) -> Any:
        """The value of an expression; promises are awaited."""
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def click(self, x: float, y: float) -> None:
        """Presses and releases the left button."""
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path: Path) -> Picture:
        """Saves what is seen as PNG."""
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return Picture(data)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._session = ""
            self._deadline = time.monotonic() + 5
            self.send("Browser.close")
            self._process.wait(10)
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._read)
        os.close(self._write)


class Picture:
    """The pixels of a PNG as Chromium writes it: eight bits, no interlace."""

    def __init__(self, png: bytes) -> None:
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        place, packed = 8, b""
        self.width = self.height = channels = 0
        while place < len(png):
            length = int.from_bytes(png[place : place + 4], "big")
            kind, body = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
            if kind == b"IHDR":
                self.width, self.height = (
                    int.from_bytes(body[at : at + 4], "big") for at in (0, 4)
                )
                assert body[8] == 8 and body[12] == 0
                channels = {2: 3, 6: 4}[body[9]]
            elif kind == b"IDAT":
                packed += body
            place += 12 + length
        self.rows = _unfilter(zlib.decompress(packed), self.width, channels)

    def colors(self, left: int = 0) -> dict[tuple[int, int, int], int]:
        """How many pixels have each colour, from a column on."""
        counts: dict[tuple[int, int, int], int] = {}
        for row in self.rows:
            for pixel in row[left:]:
                counts[pixel] = counts.get(pixel, 0) + 1
        return counts


def _unfilter(data: bytes, width: int, channels: int) -> list[list[tuple[int, int, int]]]:
    stride = width * channels
    above = bytearray(stride)
    rows = []
    for start in range(0, len(data), stride + 1):
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + stride])
        for at in range(stride):
            left = row[at - channels] if at >= channels else 0
            up = above[at]
            corner = above[at - channels] if at >= channels else 0
            if kind == 1:
                row[at] = row[at] + left & 255
            elif kind == 2:
                row[at] = row[at] + up & 255
            elif kind == 3:
                row[at] = row[at] + (left + up) // 2 & 255
            elif kind == 4:
                estimate = left + up - corner
                near = min((left, up, corner), key=lambda each: abs(estimate - each))
                row[at] = row[at] + near & 255
        rows.append([(row[at], row[at + 1], row[at + 2]) for at in range(0, stride, channels)])
        above = row
    return rows


@contextlib.contextmanager
def opened(
    path: Path, size: tuple[int, int] = (1000, 700), flags: tuple[str, ...] = ()
) -> Iterator[Page]:
    """A page in a browser, drawn."""
    # Chromium may write on while it ends.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            page = Page(Path(folder), size, flags)
        except (OSError, RuntimeError, TimeoutError, ConnectionError) as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(f"Chromium cannot be started: {error}")
        try:
            page.open(path)
            yield page
        finally:
            page.close()
