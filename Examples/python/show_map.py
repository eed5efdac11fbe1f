"""What does it look like? Opens a map of an answer in the browser; it needs no network.

    show_map.py [ANSWER] [--save FILE]

Prints, with --save map.html:

    map.html: 444 Point, 42 LineString, 3 Polygon, 1 MultiLineString
"""

import argparse
import tempfile
import webbrowser
from pathlib import Path

import overpasskit as opk

DATA = Path(__file__).resolve().parents[1] / "data" / "helsinki-amenities.json.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description="Shows an answer of Overpass as a map.")
    parser.add_argument("answer", nargs="?", default=DATA, type=Path)
    parser.add_argument("--save", type=Path, help="write the page here, and do not open it")
    given = parser.parse_args()

    response = opk.load(given.answer)
    look = opk.Appearance(color_by="amenity", labels=["name:en", "name"])
    target = given.save or Path(tempfile.mkdtemp(), "map.html")
    response.write_html(target, given.answer.name, appearance=look)
    kinds = ", ".join(f"{count} {kind}" for kind, count in response.features().counts().items())
    print(f"{target.name}: {kinds}")
    if given.save is None:
        webbrowser.open(target.as_uri())


if __name__ == "__main__":
    main()
