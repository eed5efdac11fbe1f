"""Where is coffee, within two minutes? Asks a server, and says meanwhile how far it has come.

    ask_server.py NAME [--endpoint NAME-OR-URL] [--near LAT LON]

NAME is who asks, such as "my-coffee/1.0 (me@example.org)"; servers want to know.

Prints, for an answer that was recorded:

       26 m  Robert's Coffee  node/317766538
       83 m  Amin's cafe  node/1369465542
       93 m  Espresso House  node/5566807323
      102 m  Isabella Cafe  node/4220218148
      126 m  Espresso House  node/1378064344
      143 m  Coffee house  node/1369465571
      146 m  fazer cafe  node/6328879941
    data of 2019-04-21, © OpenStreetMap contributors, ODbL
"""

import argparse
import sys

import overpasskit as opk


def told(progress: opk.FetchProgress) -> None:
    """Called about once a second, and when something happens."""
    words = f"{progress.phase} at {progress.endpoint}"
    if progress.wait_reason:
        words += f", {progress.wait_seconds:.0f} s more ({progress.wait_reason})"
    elif progress.bytes:
        words += f", {progress.bytes:,} bytes, {progress.elements} elements"
    print(words, file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description="Lists cafés near a position.")
    parser.add_argument("name", help="who asks")
    parser.add_argument("--endpoint", default="main")
    parser.add_argument("--near", nargs=2, type=float, default=(60.171, 24.9414))
    given = parser.parse_args()

    lat, lon = given.near
    query = opk.Query.amenity("cafe", lat=lat, lon=lon, radius=150)
    with opk.Client(given.name, endpoints=given.endpoint) as client:
        try:
            response = client.fetch(query, progress=told)
        except opk.OverpassKitError as error:  # a server's words, a time-out, no network, ...
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
            return 1
    for place in response.places(lat=lat, lon=lon, radius=150):
        print(f"{place.distance:5.0f} m  {place.title}  {place.id}")
    print(f"data of {response.timestamp:%Y-%m-%d}, © OpenStreetMap contributors, ODbL")
    return 0


if __name__ == "__main__":
    sys.exit(main())
