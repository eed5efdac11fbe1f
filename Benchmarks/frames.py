"""Benchmark: an Overpass JSON answer becomes what Python programs work with. Prints the seconds of one
run; imports are done, and each way has been gone once with an answer of one node.

usage: frames.py geopandas|arrow|read|osm2geojson|overpy ANSWER.json
"""

import importlib
import logging
import sys
import time

NODE = b'{"version":0.6,"elements":[{"type":"node","id":1,"lat":1,"lon":2,"tags":{"a":"b"}}]}'


def read(data):
    """Id, type, tags and type of geometry of every feature."""
    features = overpasskit.loads(data).features()
    return [(each.id, each.type, each.tags, each.geometry_type) for each in features]


def osm2geojson_and_geopandas(data):
    collection = osm2geojson.json2geojson(data.decode())
    return geopandas.GeoDataFrame.from_features(collection["features"], crs="EPSG:4326")


WAYS = {
    "geopandas": lambda data: overpasskit.loads(data).to_geopandas(),
    "arrow": lambda data: overpasskit.loads(data).to_arrow(),
    "read": read,
    "osm2geojson": osm2geojson_and_geopandas,
    "overpy": lambda data: overpy.Overpass().parse_json(data),
}
NEEDS = {
    "geopandas": ["overpasskit", "geopandas", "pyarrow"],
    "arrow": ["overpasskit", "pyarrow"],
    "read": ["overpasskit"],
    "osm2geojson": ["osm2geojson", "geopandas"],
    "overpy": ["overpy"],
}

way, path = sys.argv[1:]
for name in NEEDS[way]:
    globals()[name] = importlib.import_module(name)
logging.disable()  # osm2geojson's many warnings are no part of its work
with open(path, "rb") as file:
    data = file.read()
WAYS[way](NODE)
start = time.perf_counter()
result = WAYS[way](data)
print(time.perf_counter() - start, len(getattr(result, "nodes", result)))
