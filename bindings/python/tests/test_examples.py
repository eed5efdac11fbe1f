"""EXAMPLES.md: the code runs, prints the query that stands below it, and the query is good.

``OPK_RECORD=1`` writes the queries anew, then fails.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from overpasskit import SetQuery, check_query, format_query

FILE = Path(__file__).resolve().parents[1] / "EXAMPLES.md"
PATTERN = re.compile(
    r"^## \d+\. ([^\n]+)\n\n```python\n(.+?)```\n\n```overpassql\n(.*?)```$",
    re.DOTALL | re.MULTILINE,
)


class Example(NamedTuple):
    question: str
    code: str
    printed: str

    def query(self) -> SetQuery:
        names: dict[str, Any] = {}
        exec("from datetime import datetime, timezone", names)
        exec("from overpasskit import ElementSet, Query", names)
        exec(self.code, names)
        query = names["query"]
        assert isinstance(query, SetQuery)
        return query


TEXT = FILE.read_text(encoding="utf-8")
EXAMPLES = [Example(*each) for each in PATTERN.findall(TEXT)]


def test_all_examples_are_found() -> None:
    assert len(EXAMPLES) == TEXT.count("\n## ") == TEXT.count("```overpassql") >= 20
    assert len({each.question for each in EXAMPLES}) == len(EXAMPLES)
    numbers = [int(each) for each in re.findall(r"^## (\d+)", TEXT, re.MULTILINE)]
    assert numbers == list(range(1, len(EXAMPLES) + 1))


@pytest.mark.skipif(os.environ.get("OPK_RECORD") != "1", reason="only with OPK_RECORD=1")
def test_record() -> None:
    texts = iter([each.query().ql(pretty=True) for each in EXAMPLES])
    fence = re.compile(r"^```overpassql\n.*?```$", re.DOTALL | re.MULTILINE)
    FILE.write_text(fence.sub(lambda _: f"```overpassql\n{next(texts)}```", TEXT), encoding="utf-8")
    pytest.fail(f"{FILE} is written anew; run again without OPK_RECORD")


@pytest.mark.parametrize("example", EXAMPLES, ids=[each.question for each in EXAMPLES])
def test_example(example: Example) -> None:
    query = example.query()
    assert query.ql(pretty=True) == example.printed
    assert query.check() == []
    for text in (query.ql(), query.ql(pretty=True), query.xml(), query.xml(pretty=True)):
        assert not [each for each in check_query(text) if each.is_error]
        assert format_query(text, pretty=False) == query.ql()
