"""No file ends QGIS: each gives layers, or a message."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from conftest import ANSWERS, ROOT
from qgis_program import Qgis

# Texts that break formats, as tags.
HOSTILE = ["\0", "\ud800", "\ufffe", '"=>"', "\\", "a\nb", "<![CDATA[", "😀", "x" * 70_000]


def test_malformed_files(qgis: Qgis, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    subprocess.run([sys.executable, ROOT / "Tests" / "Fuzz" / "seeds.py", answers], check=True)
    for harness in list(answers.iterdir()):
        if not harness.name.startswith("decode"):
            harness.rename(tmp_path / harness.name)
    whole = (ANSWERS / "kinds.json").read_bytes()
    for end in range(0, len(whole), 97):
        (answers / f"cut-{end}.json").write_bytes(whole[:end])
    tags = {f"key {text}": text for text in HOSTILE} | {text: "1" for text in HOSTILE}
    node = {"type": "node", "id": 1, "lat": 1, "lon": 2, "tags": tags}
    (answers / "hostile.json").write_text(json.dumps({"elements": [node]}))
    outcome = qgis.script(Path(__file__).with_name("malformed.py"), answers)
    assert outcome.code == 0 and "Traceback" not in outcome.errors, outcome.text
    told = json.loads(outcome.output.splitlines()[-1])
    assert len(told) > 60
    for name, is_good, _, log in told:
        assert is_good or log.strip(), name
        assert "Traceback" not in log, log
    assert [count for name, _, count, _ in told if name == "hostile.json"] == [1]
    assert any(is_good for _, is_good, _, _ in told) and not all(each[1] for each in told)
