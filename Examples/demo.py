"""What `make run` shows: a recorded answer becomes GeoJSON and a map, with a summary of both."""

import collections
import pathlib
import sys

import overpasskit as opk
from rich.console import Console
from rich.table import Table

HERE = pathlib.Path(__file__).resolve().parent
ANSWER = HERE / "data" / "helsinki-relations.json.gz"
TARGET = HERE.parent / "build" / "demo" / "demo.geojson"
PAGE = TARGET.with_suffix(".html")


def main() -> int:
    query = (
        opk.Query.nodes()
        .tag("amenity", "toilets")
        .around(lat=52.51633, lon=13.37751, radius=800)
    )
    console = Console()
    console.print("A query, built in code:", query.ql(), markup=False, highlight=False)

    response = opk.load(ANSWER)
    features = response.features()
    elements = collections.Counter(element.type for element in response.elements)
    kinds = collections.Counter(feature.geometry_type for feature in features)
    problems = collections.Counter(problem.kind for problem in features.problems)

    table = Table(title=f"{ANSWER.name}, data of {response.timestamp}")
    table.add_column("what")
    table.add_column("kind")
    table.add_column("count", justify="right")
    for what, counts in (("elements", elements), ("features", kinds), ("problems", problems)):
        for kind, count in counts.most_common():
            table.add_row(what, kind, str(count))
        table.add_section()
    console.print(table)

    TARGET.parent.mkdir(parents=True, exist_ok=True)
    features.write_geojson(TARGET)
    features.write_html(PAGE, "Helsinki")
    for path in (TARGET, PAGE):
        console.print(f"wrote {path.relative_to(HERE.parent)} ({path.stat().st_size} bytes)")
    console.print("© OpenStreetMap contributors, ODbL 1.0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
