"""Real answers convert. They stand beside the repository; without them these tests are skipped."""

import json
import os
from pathlib import Path

import overpasskit
import pytest
import shapely
import shapely.geometry
from conftest import ROOT

SHARED = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared"))
ANSWERS = sorted((SHARED / "data" / "responses").glob("*.json.gz"))
EXAMPLES = sorted((ROOT / "Examples" / "data").glob("*.json.gz"))


@pytest.mark.skipif(not ANSWERS, reason=f"no answers under {SHARED}")
def test_answers_are_there() -> None:
    assert len(ANSWERS) >= 10


@pytest.mark.parametrize("path", [*EXAMPLES, *ANSWERS], ids=lambda path: path.name)
def test_answer(path: Path) -> None:
    response = overpasskit.load(path)
    assert response.is_complete and response.timestamp is not None
    elements = response.elements
    assert sum(elements.count_of(each) for each in ("node", "way", "relation")) == len(elements)
    features = response.features()
    assert len({feature.id for feature in features}) == len(features) > 0
    collection = json.loads(features.to_geojson())["features"]
    assert [each["id"] for each in collection] == [feature.id for feature in features]
    for each, feature in zip(collection, features, strict=True):
        shape = shapely.geometry.shape(each["geometry"])
        assert shapely.equals_exact(shapely.from_wkb(feature.wkb), shape, 0)
