"""Handles are freed: on close, with the last reference, after failures."""

import gc

import overpasskit
import pytest
from conftest import ANSWERS
from overpasskit._ffi import lib


def live() -> int:
    gc.collect()
    return int(lib.opk_x_live_handles())


def test_close_frees_at_once() -> None:
    before = live()
    response = overpasskit.load(ANSWERS / "kinds.json")
    assert live() == before + 1
    response.close()
    assert live() == before


def test_with_block_frees() -> None:
    before = live()
    with overpasskit.load(ANSWERS / "kinds.json") as response:
        assert len(response.elements) == 19
    assert live() == before


def test_forgotten_response_is_freed() -> None:
    before = live()
    overpasskit.load(ANSWERS / "kinds.json").features()
    assert live() == before


def test_what_was_taken_keeps_the_data() -> None:
    before = live()
    element = overpasskit.load(ANSWERS / "kinds.json").elements[8]
    assert live() == before + 1
    assert element.tags["amenity"] == "cafe"
    del element
    assert live() == before


def test_everything_that_makes_handles() -> None:
    before = live()
    for _ in range(3):
        response = overpasskit.load(ANSWERS / "derived.json")
        assert [each.shape for each in response.elements][3] is not None
        response.to_geojson()
        response = overpasskit.load(ANSWERS / "kinds.json")
        for feature in response.features(points="all"):
            feature.wkb, feature.geometry, feature.tags, feature.to_geojson()
        assert response.problems
        overpasskit.Query.nodes().tag("a").ql()
    del response, feature
    assert live() == before


def test_failures_leave_nothing() -> None:
    before = live()
    for broken in ("{", "{}", '{"elements": [1]}'):
        with pytest.raises(overpasskit.DecodeError):
            overpasskit.loads(broken)
    with pytest.raises(overpasskit.QueryError):
        overpasskit.Query.nodes().timeout(0)
    with pytest.raises(overpasskit.QueryError):
        overpasskit.Query.nodes().ql()
    with overpasskit.load(ANSWERS / "kinds.json") as response:
        with pytest.raises(overpasskit.FileError):
            response.write_geojson("/nowhere/at/all")
    assert live() == before


def test_what_is_closed_gives_its_memory_back() -> None:
    before = live()
    response = overpasskit.load(ANSWERS / "kinds.json")
    features, table = response.features(), overpasskit.decode_csv("@id\tname\n1\tKoti\n")
    feature, ids = features[0], features.ids
    assert features.coordinates and table["name"] == ["Koti"] and feature.tags
    for owner in (response, features, table):
        owner.close()
        owner.close()
    del ids
    assert feature.tags and live() == before + 1  # the arrays that the feature reads
    for use in (
        lambda: len(table),
        lambda: table["name"],
        lambda: list(table),
        lambda: len(features),
        lambda: features[0],
        lambda: features.to_gpx(),
        lambda: features.arrow(),
        lambda: features.problems,
        lambda: feature.geometry,
    ):
        with pytest.raises(overpasskit.MisuseError, match="is closed"):
            use()
    del use
    assert live() == before + 1
    del feature
    assert live() == before


def test_with_blocks() -> None:
    before = live()
    with (
        overpasskit.load(ANSWERS / "kinds.json") as response,
        response.features() as features,
        overpasskit.decode_csv("a\n1\n") as table,
    ):
        assert len(features) == 6 and len(table) == 1
    assert live() == before
    assert (repr(features), repr(table)) == ("<features, closed>", "<Table, closed>")


def test_arrays_and_tables_outlive_what_they_were_taken_from() -> None:
    with overpasskit.load(ANSWERS / "kinds.json") as response, response.features() as features:
        ids, table, stream = features.ids, features.arrow(), features.__arrow_c_stream__()
    assert len(ids) == 6
    assert stream is not None and table.__arrow_c_stream__() is not None
