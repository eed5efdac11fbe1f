"""The command that lists places."""

import json
from pathlib import Path

import pytest
from build import node
from click.testing import CliRunner, Result
from conftest import ANSWERS
from overpasskit.cli import main


def run(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=data)


def answer(*elements: object, **more: object) -> bytes:
    return json.dumps({"elements": elements, **more}).encode()


TOILETS = node(
    1, 24.94, 60.171, {"amenity": "toilets", "fee": "yes", "charge": "0.50 EUR", "wheelchair": "no"}
)
CAFE = node(
    2,
    24.93,
    60.17,
    {"amenity": "cafe", "name": "Café", "name:fi": "Kahvila", "opening_hours": "Mo-Su 08:00-18:00"},
)


def test_a_table() -> None:
    result = run(
        "places", "-", "--near", "60.17,24.94", "--language", "fi", data=answer(CAFE, TOILETS)
    )
    assert result.exit_code == 0
    lines = [each.split() for each in result.stdout.splitlines() if each.split()]
    heading, _, toilets, cafe = lines
    assert heading == ["metres", "title", "kind", "fee", "wheelchair", "open", "element"]
    assert toilets == ["111", "N", "Toilets", "-", "yes,", "0.50", "EUR", "no", "-", "node/1"]
    assert cafe == "555 W Kahvila Café - - Mo-Su 08:00-18:00 node/2".split()


def test_json() -> None:
    result = run("places", "-", "--near", "60.17,24.94", "--json", data=answer(CAFE, TOILETS))
    assert result.exit_code == 0
    toilets, cafe = json.loads(result.stdout)
    assert (toilets["id"], toilets["title"], toilets["charge"]) == ("node/1", "Toilets", "0.50 EUR")
    assert (cafe["title"], cafe["fee"], cafe["kind"]) == ("Café", "unknown", "cafe")
    assert '"Café"' in result.stdout
    # Two options in the order of preference.
    again = run(
        "places", "-", "--near", "60.17,24.94", "--json", "--language", "sv", "--language", "fi",
        data=answer(CAFE),
    )  # fmt: skip
    assert json.loads(again.stdout)[0]["title"] == "Kahvila"


def test_a_radius() -> None:
    data = answer(CAFE, TOILETS)
    result = run("places", "-", "--near", "60.17,24.94", "--radius", "200", "--json", data=data)
    assert [each["id"] for each in json.loads(result.stdout)] == ["node/1"]
    none = run("places", "-", "--near", "60.17,24.94", "--radius", "0", data=data)
    assert (none.exit_code, none.stdout) == (0, "no places\n")
    none = run("places", "-", "--near", "60.17,24.94", "--radius", "0", "--json", data=data)
    assert none.stdout == "[]\n"


def test_tags_neither_style_the_table_nor_steer_the_terminal() -> None:
    name = "[red]a[/red] \x1b[31m\x1b]0;x\x07\u202eb\n:smile:"
    result = run(
        "places", "-", "--near", "0,0", data=answer(node(1, 0, 0, {"shop": "x", "name": name}))
    )
    assert result.exit_code == 0
    assert "[red]a[/red]" in result.stdout
    assert ":smile:" in result.stdout
    assert not any(each in result.stdout for each in "\x1b\x07\u202e")


def test_an_answer_that_is_not_whole(tmp_path: Path) -> None:
    remark = 'runtime error: Query timed out in "query" at line 1 after 2 seconds.'
    result = run("places", "-", "--near", "60.17,24.94", data=answer(TOILETS, remark=remark))
    assert result.exit_code == 3
    assert "Toilets" in result.stdout
    assert "timed out" in result.stderr
    result = run("places", str(ANSWERS / "truncated.json"), "--near", "0,0", "--json")
    assert result.exit_code == 3
    json.loads(result.stdout)
    assert "truncated" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["places", "-"], 2),
        (["places", "-", "--near", "60"], 2),
        (["places", "-", "--near", "north,east"], 2),
        (["places", "-", "--near", "91,0"], 2),
        (["places", "-", "--near", "nan,0"], 2),
        (["places", "-", "--near", "1,2", "--radius", "-1"], 2),
        (["places", "/nowhere/answer.json", "--near", "1,2"], 1),
        (["places", str(ANSWERS / "broken.json"), "--near", "1,2"], 1),
    ],
)
def test_refuses(arguments: list[str], code: int) -> None:
    result = run(*arguments, data=answer())
    assert result.exit_code == code
    assert result.stdout == ""
    assert "Traceback" not in result.output
