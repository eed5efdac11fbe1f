"""The commands about queries."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from overpasskit import format_query
from overpasskit.cli import main

QL = "node [ amenity = cafe ] (50.7,7.0,50.8,7.2) ; out ;\n"


def run(*arguments: str, data: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=data)


def test_check_is_silent_about_good_queries(tmp_path: Path) -> None:
    file = tmp_path / "good.ql"
    file.write_text(QL, encoding="utf-8")
    result = run("check", str(file), "-", data=QL)
    assert (result.exit_code, result.output) == (0, "")


def test_check_names_file_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.ql"
    file.write_text("node[amenity=cafe](50.7,7.0,50.8,7.2);\nuot;\nout;", encoding="utf-8")
    result = run("check", str(file))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].startswith(f"{file}:2:1: error: ")


def test_check_warns_without_failing() -> None:
    result = run("check", "-", data="node[amenity=cafe](50.7,7.0,50.8,7.2);")
    assert result.exit_code == 0
    assert ": warning: " in result.stdout


@pytest.mark.parametrize("content", [b"\xff", None])
def test_check_of_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "query.ql"
    if content is not None:
        file.write_bytes(content)
    result = run("check", str(file))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


def test_fmt_keeps_or_changes_the_form(tmp_path: Path) -> None:
    pretty = format_query(QL)
    assert run("fmt", "-", data=QL).stdout == pretty + ("" if pretty.endswith("\n") else "\n")
    xml = run("fmt", "-", "--xml", data=QL)
    assert xml.stdout.startswith("<osm-script")
    assert run("fmt", "-", data=xml.stdout).stdout == xml.stdout
    target = tmp_path / "out.ql"
    result = run("fmt", "-", "--ql", "--compact", "-o", str(target), data=xml.stdout)
    assert (result.exit_code, result.stdout) == (0, "")
    assert target.read_text() == format_query(QL, pretty=False) + "\n"


def test_fmt_tells_where_a_mistake_is() -> None:
    result = run("fmt", "-", data="node;;;(")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: standard input:1:")


def test_query_from_a_search() -> None:
    result = run("query", "amenity=cafe in Bonn")
    assert result.exit_code == 0
    assert "{{geocodeArea:Bonn}}" in result.stdout
    boxed = run("query", "amenity=cafe", "--bbox", "50.7,7.0,50.8,7.2", "--compact")
    assert "{{" not in boxed.stdout
    assert "50.7,7" in boxed.stdout.replace("0000000", "0")
    xml = run("query", "amenity=cafe", "--bbox", "50.7,7.0,50.8,7.2", "--xml")
    assert xml.stdout.startswith("<osm-script")


def test_query_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "query.ql"
    file.write_text("node[amenity=cafe]({{bbox}});out;", encoding="utf-8")
    result = run("query", "-f", str(file), "--bbox", "50.7,7.0,50.8,7.2")
    assert result.exit_code == 0
    assert "{{" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["query"], 2),
        (["query", "a=b", "-f", "x"], 2),
        (["query", "a=b", "--bbox", "1,2,3"], 2),
        (["query", "amenity=", "in"], 2),
        (["query", "a=b in Bonn", "--xml"], 1),
        (["query", "((("], 1),
        (["query", "a=b", "--bbox", "9,2,3,4"], 1),
        (["check"], 2),
    ],
)
def test_query_refuses(arguments: list[str], code: int) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stdout == ""
    assert "Traceback" not in result.output
