"""How do the answers for two boxes become one file, without doubles where the boxes overlap?

Writes cafes.gpkg, for QGIS, and cafes.gpx, for a device, into the folder that is given.

Prints:

    51 + 42 = 89 elements
    cafes.gpkg: 89 cafés, 85 with a name
    cafes.gpx: 89 waypoints
"""

import sys
from pathlib import Path

import overpasskit as opk

DATA = Path(__file__).resolve().parents[1] / "data"


def main(folder: str = ".") -> None:
    tiles = [opk.load(DATA / f"helsinki-cafes-{side}.json.gz") for side in ("west", "east")]
    whole = opk.merge(tiles)
    print(" + ".join(str(len(tile)) for tile in tiles), "=", len(whole), "elements")

    features = whole.features()
    frame = features.to_geopandas(["name", "cuisine", "opening_hours", "website"], tags=False)
    frame["geometry"] = frame.representative_point()
    target = Path(folder, "cafes.gpkg")
    frame.to_file(target, layer="cafes", engine="pyogrio")
    print(f"{target.name}: {len(frame)} cafés, {frame.name.notna().sum()} with a name")

    features.write(Path(folder, "cafes.gpx"))
    print(f"cafes.gpx: {features.to_gpx().count('<wpt ')} waypoints")


if __name__ == "__main__":
    main(*sys.argv[1:])
