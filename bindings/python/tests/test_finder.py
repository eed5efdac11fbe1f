"""The order in which the library is looked for."""

from pathlib import Path

import pytest
from overpasskit import _finder

NAMES = _finder.library_names("linux")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree with a built library and one beside the package."""
    package = tmp_path / "bindings" / "python" / "overpasskit"
    build = tmp_path / "build" / "lib"
    for folder in (package, build, tmp_path / "include"):
        folder.mkdir(parents=True)
    (tmp_path / "include" / "overpasskit.h").touch()
    (package / NAMES[1]).touch()
    (build / NAMES[0]).touch()
    return package


def test_variable_comes_first_and_alone(tree: Path) -> None:
    environment = {_finder.VARIABLE: "/somewhere/else.so"}
    assert list(_finder.candidates(environment, tree)) == ["/somewhere/else.so"]


def test_variable_may_name_a_folder(tree: Path) -> None:
    environment = {_finder.VARIABLE: str(tree)}
    assert list(_finder.candidates(environment, tree)) == [str(tree / NAMES[1])]


def test_empty_variable_counts_as_unset(tree: Path) -> None:
    assert len(list(_finder.candidates({_finder.VARIABLE: ""}, tree))) > 1


def test_package_then_build_folder_then_system(tree: Path) -> None:
    found = list(_finder.candidates({}, tree))
    build = tree.parents[2] / "build" / "lib"
    assert found[:2] == [str(tree / NAMES[1]), str(build / NAMES[0])]
    assert found[-2:] == list(NAMES)


def test_installed_package_has_no_build_folder(tree: Path) -> None:
    (tree.parents[2] / "include" / "overpasskit.h").unlink()
    assert [each for each in _finder.candidates({}, tree) if "build" in each] == []


def test_package_at_the_root_of_the_disk() -> None:
    assert list(_finder.candidates({}, Path("/overpasskit")))[-2:] == list(NAMES)


@pytest.mark.parametrize(
    ("platform", "name"),
    [
        ("linux", "liboverpasskit.so"),
        ("darwin", "liboverpasskit.dylib"),
        ("win32", "overpasskit.dll"),
    ],
)
def test_names(platform: str, name: str) -> None:
    assert _finder.library_names(platform)[-1] == name
