"""What is public is documented: a text, an example that runs, and a word about each parameter."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import overpasskit
import pytest

README = Path(__file__).resolve().parents[1] / "README.md"


def examples() -> Iterator[doctest.Example]:
    """All that pytest runs: those of the package's modules and of the README."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for each in pkgutil.iter_modules(overpasskit.__path__):
        if each.name != "__main__":
            for found in finder.find(importlib.import_module(f"overpasskit.{each.name}")):
                yield from found.examples
    yield from doctest.DocTestParser().get_examples(README.read_text(encoding="utf-8"))


CODE = "\n".join(each.source for each in examples())
NAMES = set(re.findall(r"\b[A-Za-z_]\w*", CODE))
# Members that are looked at, called, or given by name.
MEMBERS = set(re.findall(r"\.(\w+)", CODE)) | set(re.findall(r"\b(\w+)=", CODE))
PUBLIC = {name: getattr(overpasskit, name) for name in overpasskit.__all__ if name[0] != "_"}


class Public(NamedTuple):
    """A member of a public class, under the class of ours that defines it."""

    owner: type
    name: str
    value: Any

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.value) or ""


def is_data(kind: type) -> bool:
    """Whether its fields are explained in a section of the class's text."""
    return hasattr(kind, "_fields") or hasattr(kind, "__dataclass_fields__")


def members() -> dict[str, Public]:
    found = {}
    for kind in (each for each in PUBLIC.values() if inspect.isclass(each)):
        for name in dir(kind):
            owner = next((each for each in kind.__mro__ if name in vars(each)), object)
            value = inspect.getattr_static(kind, name)
            is_member = isinstance(value, (property, classmethod, staticmethod)) or (
                inspect.isroutine(value) or type(value).__name__ == "cached_property"
            )
            if name[0] != "_" and is_member and owner.__module__.startswith("overpasskit"):
                call = getattr(value, "__func__", value)
                found[f"{owner.__name__}.{name}"] = Public(owner, name, call)
    return found


ALL = members()


@pytest.mark.parametrize("name", PUBLIC)
def test_names_are_documented_and_shown(name: str) -> None:
    value = PUBLIC[name]
    doc = inspect.getdoc(value) or ""
    # What dataclasses make up is no text.
    assert doc and not doc.startswith(f"{name}("), "no text"
    if not inspect.isclass(value):
        assert name in NAMES, "no example calls it"
    elif is_data(value):
        section = doc.partition("Attributes\n---")[2] + doc.partition("Parameters\n---")[2]
        for field in getattr(value, "_fields", None) or value.__dataclass_fields__:
            if field[0] != "_":
                is_told = re.search(rf"\b{field}\b", section or doc)
                assert is_told, f"nothing about {field}"
    elif not issubclass(value, BaseException):
        used = [each.name for each in ALL.values() if each.owner in value.__mro__]
        assert ">>>" in doc or name in NAMES or MEMBERS & set(used), "no example uses it"


@pytest.mark.parametrize("name", ALL)
def test_members_are_documented_and_shown(name: str) -> None:
    member = ALL[name]
    assert member.doc, "no text"
    assert member.name in MEMBERS, "no example uses it"


def calls() -> dict[str, Any]:
    plain = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
    return plain | {
        name: each.value for name, each in ALL.items() if inspect.isfunction(each.value)
    }


CALLS = calls()


def told(doc: str, owner: str, parameter: str, depth: int = 3) -> bool:
    """Whether a text names a parameter, or refers to a function (in backticks) whose text does."""
    if re.search(rf"\b{parameter}\b", doc):
        return True
    for reference in re.findall(r"`~?([\w.]+)`", doc) if depth else ():
        names = [each for each in CALLS if each.rpartition(".")[2] == reference.rpartition(".")[2]]
        same = [each for each in names if each in (reference, f"{owner}.{reference}")] or names
        if any(
            told(inspect.getdoc(CALLS[each]) or "", each.rpartition(".")[0], parameter, depth - 1)
            for each in same
        ):
            return True
    return False


@pytest.mark.parametrize("name", CALLS)
def test_parameters_are_told(name: str) -> None:
    doc = inspect.getdoc(CALLS[name]) or ""
    for parameter in inspect.signature(CALLS[name]).parameters:
        if parameter not in ("self", "cls"):
            owner = name.rpartition(".")[0]
            assert told(doc, owner, parameter), f"nothing about {parameter}"
