"""Runs QGIS without a window, with a profile of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Debian's wrapper `qgis_process` adds an option that the program does not know.
PROGRAM = "qgis_process.bin"
PYTHON = "/usr/bin/python3"
LIMIT = 120.0


@dataclass(frozen=True)
class Outcome:
    """What became of an algorithm."""

    code: int
    output: str
    errors: str
    seconds: float

    @property
    def results(self) -> dict[str, Any]:
        """The results that the program printed as JSON."""
        assert self.code == 0, self.text
        results: dict[str, Any] = json.loads(self.output)["results"]
        return results

    @property
    def text(self) -> str:
        return self.output + self.errors


class Qgis:
    def __init__(self, folder: Path, plugins: Path) -> None:
        self._profile = folder / "profile"
        runtime = folder / "runtime"
        self._profile.mkdir()
        runtime.mkdir(mode=0o700)
        self.environment = {
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "XDG_RUNTIME_DIR": str(runtime),
            "QGIS_CUSTOM_CONFIG_PATH": str(self._profile),
            "QGIS_PLUGINPATH": str(plugins),
            "PYTHONPATH": "/usr/share/qgis/python/plugins",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def enable(self, plugin: str, **settings: str) -> None:
        """Has QGIS load a plugin, with its settings."""
        outcome = self._run([PROGRAM, "plugins", "enable", plugin])
        assert outcome.code == 0 and "Traceback" not in outcome.errors, outcome.text
        self.set("overpasskit", **settings)

    def set(self, group: str, **settings: object) -> None:
        """Adds a group to the settings of the profile."""
        (ini,) = self._profile.glob("profiles/default/QGIS/QGIS3.ini")
        lines = [f"{name}={value}" for name, value in settings.items()]
        ini.write_text("\n".join([ini.read_text(), f"[{group}]", *lines, ""]))

    def run(
        self, algorithm: str, *, interrupt_when: Callable[[], bool] | None = None, **inputs: object
    ) -> Outcome:
        """Runs an algorithm; SIGINT, which is Ctrl-C, comes as soon as a condition holds."""
        pairs = [f"{name}={value}" for name, value in inputs.items()]
        command = [PROGRAM, "--json", "run", f"overpasskit:{algorithm}", "--", *pairs]
        return self._run(command, interrupt_when)

    def script(self, path: Path, *arguments: object) -> Outcome:
        """Runs a script of ours in PyQGIS."""
        return self._run([PYTHON, "-B", str(path), *map(str, arguments)])

    def _run(self, command: list[str], interrupt_when: Callable[[], bool] | None = None) -> Outcome:
        start = time.monotonic()
        with subprocess.Popen(
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                if interrupt_when is not None:
                    _wait_until(interrupt_when, process)
                    start = time.monotonic()
                    process.send_signal(signal.SIGINT)
                output, errors = process.communicate(timeout=LIMIT)
            except BaseException:
                process.kill()
                raise
        return Outcome(process.returncode, output, errors, time.monotonic() - start)


def _wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"it never came so far; {process.communicate()}")
        time.sleep(0.02)
