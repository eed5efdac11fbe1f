"""The end of the interpreter: whatever is still alive then neither crashes nor complains."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import overpasskit
import pytest
from conftest import ANSWERS

PACKAGES = Path(overpasskit.__file__).parent.parent
START = "import overpasskit as opk, sys\nresponse = opk.load(sys.argv[1])\n"

ENDINGS = {
    "everything alive": """
        features = response.features()
        kept = [response, features, features[0], features.ids, features.arrow()]
        kept += [response.elements[0], opk.MapStyle(), opk.Decoder(), opk.ElementSet.area("A")]
        kept += [opk.decode_csv("a\\n1\\n"), opk.Client("test/1.0 (me@example.org)")]
        print("end")
    """,
    "a reference to itself": """
        class Loop: pass
        loop = Loop()
        loop.self, loop.response, loop.features = loop, response, response.features()
        print("end")
    """,
    "an object that closes when it goes": """
        class Owner:
            def __del__(self): response_of_owner.close()
        response_of_owner, owner = response, Owner()
        print("end")
    """,
    "an object that reads when it goes": """
        class Owner:
            def __init__(self): self.response = response
            def __del__(self):
                self.response.elements, self.response.features().to_geojson()
        sys.modules["kept alive"] = Owner()
        print("end")
    """,
    "a capsule that nobody takes": """
        capsule = response.__arrow_c_stream__()
        sys.modules["kept alive"] = capsule
        print("end")
    """,
    "an error that holds on to it all": """
        try:
            response.features(points="none at all")
        except opk.MisuseError as error:
            kept = error
        print("end")
    """,
}


def run(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", *options, "-c", code, ANSWERS / "kinds.json"],
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        capture_output=True,
        text=True,
        check=False,
    )


def unindented(code: str) -> str:
    return "\n".join(line[8:] for line in code.splitlines())


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_ends_in_silence(ending: str) -> None:
    done = run(START + unindented(ending))
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_functions_that_run_at_the_end_may_read() -> None:
    """They run last that were registered first, when all finalizers have had their turn."""
    code = f"""import atexit
def read():
    print(len(response), len(features), response.to_geojson() == features.to_geojson())
atexit.register(read)
{START}features = response.features()
"""
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "19 6 True\n", "")


def test_daemon_threads_may_still_read() -> None:
    code = f"""{START}
import threading, time
ready = threading.Barrier(5)
def read():
    ready.wait()
    while True:
        response.to_geojson(), response.elements[8].tags, response.features().bounds
for _ in range(4):
    threading.Thread(target=read, daemon=True).start()
ready.wait()
time.sleep(0.05)
"""
    for _ in range(5):
        done = run(code)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_exit_in_the_middle_of_a_callback() -> None:
    code = f"""{START}
def stop(progress): sys.exit(7)
opk.load(sys.argv[1], progress=stop)
"""
    done = run(code)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
