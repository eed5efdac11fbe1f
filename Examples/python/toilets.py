"""Where is the next toilet, and can I use it?

    toilets.py [LAT LON [METRES]]

Prints, for the railway station:

    toilets within 200 m, data of 2019-04-21, © OpenStreetMap contributors, ODbL
      metres  towards  fee      wheelchair  what
          17  NE       yes      unknown     node/5673089621
          52  NW       unknown  unknown     node/4642563720
          54  NW       unknown  yes         node/4642563719
          55  NW       unknown  unknown     node/4642563718
         114  SE       unknown  yes         node/6328892649
         195  NE       unknown  unknown     node/251337995
"""

import sys
from pathlib import Path

import overpasskit as opk

DATA = Path(__file__).resolve().parents[1] / "data" / "helsinki-amenities.json.gz"
WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def main(lat: float = 60.1710, lon: float = 24.9414, radius: float = 200) -> None:
    with opk.load(DATA) as response:
        toilets = response.filter(tags={"amenity": "toilets"}, keep_references=True)
        places = toilets.places(lat=lat, lon=lon, radius=radius, language=["en", "fi"])
        print(
            f"toilets within {radius:g} m, data of {response.timestamp:%Y-%m-%d}, "
            "© OpenStreetMap contributors, ODbL"
        )
    print("  metres  towards  fee      wheelchair  what")
    for place in places:
        wind = "-" if place.bearing is None else WINDS[round(place.bearing / 45) % 8]
        print(f"{place.distance:8.0f}  {wind:7}  {place.fee:7}  {place.wheelchair:10}  {place.id}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
