#!/usr/bin/env python3
# gdal: DRIVER_NAME = "OVERPASS"
# gdal: DRIVER_SUPPORTED_API_VERSION = [1]
# gdal: DRIVER_DCAP_VECTOR = "YES"
# gdal: DRIVER_DMD_LONGNAME = "OpenStreetMap answers of the Overpass API"
# gdal: DRIVER_DMD_EXTENSIONS = "json osm xml"
# gdal: DRIVER_DMD_CONNECTION_PREFIX = "OVERPASS:"
# gdal: DRIVER_DMD_OPENOPTIONLIST = "<OpenOptionList><Option name='LAYERS' type='string-select' default='KINDS'><Value>KINDS</Value><Value>ALL</Value></Option><Option name='TAGS' type='string'/><Option name='TAGS_FORMAT' type='string-select' default='HSTORE'><Value>HSTORE</Value><Value>JSON</Value></Option><Option name='METADATA' type='boolean' default='NO'/><Option name='STRICT' type='boolean' default='NO'/><Option name='APP' type='string'/><Option name='CACHE' type='string'/><Option name='CACHE_MAX_AGE' type='float'/><Option name='MAX_WAIT' type='float'/></OpenOptionList>"
"""The driver OVERPASS in Python, for GDALs that no compiled driver is at hand for, such as those in
wheels. Layers, fields, open options and errors are those of the compiled driver.

GDAL finds it by GDAL_PYTHON_DRIVER_PATH. The package `overpasskit` is imported; where it is not
installed, it is looked for beside this file and in the source tree.
"""

import bz2
import csv
import json
import os
import re
import sys
import warnings
import zlib
from collections import Counter
from pathlib import Path

from gdal_python_driver import BaseDataset, BaseDriver, BaseLayer

try:
    import overpasskit
except ImportError:
    _here = Path(__file__).resolve().parent
    sys.path[:0] = [str(_here), str(_here.parent.parent / "python")]
    import overpasskit

PREFIX = "OVERPASS:"
HEAD = 1 << 16
MAX_COLUMNS, FREQUENT_COLUMNS = 1000, 20

# As in the compiled driver (dataset.cpp).
KINDS = {
    "points": ("Point", {"Point"}, "name,barrier,highway,ref,address,is_in,place,man_made"),
    "lines": (
        "LineString",
        {"LineString"},
        "name,highway,waterway,aerialway,barrier,man_made,railway",
    ),
    "multilinestrings": ("MultiLineString", {"MultiLineString"}, "name,type"),
    "multipolygons": (
        "MultiPolygon",
        {"Polygon", "MultiPolygon"},
        "name,type,aeroway,amenity,admin_level,barrier,boundary,building,craft,geological,historic,"
        "land_area,landuse,leisure,man_made,military,natural,office,place,shop,sport,tourism",
    ),
    "other_relations": ("GeometryCollection", {"MultiPoint", "GeometryCollection"}, "name,type"),
}
ALL = (
    "Geometry",
    None,
    "name,type,ref,highway,waterway,railway,aeroway,aerialway,public_transport,amenity,shop,tourism,"
    "leisure,office,craft,historic,building,landuse,natural,place,boundary,admin_level,barrier,"
    "man_made",
)
METADATA = {
    "osm_version": "Integer",
    "osm_timestamp": "DateTime",
    "osm_changeset": "Integer64",
    "osm_uid": "Integer64",
    "osm_user": "String",
}
RESERVED = {"other_tags", "fid", "ogc_fid", "geom", "geometry", "wkb_geometry"}


class Options:
    """The open options, checked."""

    def __init__(self, given):
        self.given = {name.upper(): value for name, value in given.items()}
        self.one_layer = self._choice("LAYERS", "KINDS", "ALL")
        self.json = self._choice("TAGS_FORMAT", "HSTORE", "JSON")
        self.metadata = self._flag("METADATA")
        self.strict = self._flag("STRICT")
        self.cache_max_age = self._seconds("CACHE_MAX_AGE")
        self.max_wait = self._seconds("MAX_WAIT")
        self.keys, self.frequent = self._tags(self.given.get("TAGS"))
        self.application = next(
            filter(
                None,
                (
                    self.given.get("APP"),
                    os.environ.get("OVERPASS_APP"),
                    os.environ.get("GDAL_HTTP_USERAGENT"),
                ),
            ),
            "",
        )

    def _choice(self, name, no, yes):
        value = self.given.get(name, no).upper()
        if value not in (no, yes):
            raise ValueError(f"open option {name}={self.given[name]}: not {no} or {yes}")
        return value == yes

    def _flag(self, name):
        return self.given.get(name, "NO").upper() in ("YES", "TRUE", "ON", "1")

    def _seconds(self, name):
        value = self.given.get(name)
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = -1
        if not 0 < number < float("inf"):
            raise ValueError(f"open option {name}={value}: not a number of seconds")
        return number

    @staticmethod
    def _tags(value):
        """The keys that were named, or how many of the most frequent ones."""
        if value is None:
            return None, None
        upper = value.upper()
        if upper in ("ALL", "AUTO"):
            return None, MAX_COLUMNS if upper == "ALL" else FREQUENT_COLUMNS
        if upper.startswith("AUTO:"):
            if not re.fullmatch("[0-9]{1,4}", value[5:]) or int(value[5:]) > MAX_COLUMNS:
                raise ValueError(f"open option TAGS={value}: not a number from 0 to 1000")
            return None, int(value[5:])
        keys = [] if upper == "NONE" else [
            key.strip() for key in next(csv.reader([value], skipinitialspace=True), [])
        ]
        if len(keys) > MAX_COLUMNS:
            raise ValueError("open option TAGS=...: more than 1000 keys")
        return keys, None


class Layer(BaseLayer):
    """Features of one kind of geometry, or all of them; a FID is the place in the answer."""

    def __init__(self, name, kind, features, options):
        geometry, kinds, usual = kind
        self.name = name
        self.fid_name = ""
        self.metadata = {}
        self._features, self._options = features, options
        self._rows = [
            row
            for row, feature in enumerate(features)
            if kinds is None or feature.geometry_type in kinds
        ]
        self._row_set = set(self._rows)
        self._is_multi = name == "multipolygons"
        self._columns = self._tag_columns(usual)
        fields = {"osm_id": "Integer64", "osm_type": "String"}
        fields.update(dict.fromkeys(self._columns.values(), "String"))
        if options.metadata:
            fields.update(METADATA)
        fields["other_tags"] = "String"
        self.fields = [{"name": name, "type": type} for name, type in fields.items()]
        self.geometry_fields = [{"name": "", "type": geometry, "srs": "EPSG:4326"}]

    def _tag_columns(self, usual):
        """The names of the columns that keys of tags have."""
        keys = self._options.keys
        if self._options.frequent is not None:
            counts = Counter(key for row in self._rows for key in self._features[row].tags)
            ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0].encode()))
            keys = [key for key, _ in ordered[: self._options.frequent]]
        elif keys is None:
            keys = usual.split(",")
        columns, names = {}, set()
        for key in keys:
            lower = _ascii_lower(key)
            name = f"tag:{key}" if lower in RESERVED or lower.startswith("osm_") else key
            # Names of columns are the same whatever their case.
            if key and "\0" not in key and _ascii_lower(name) not in names:
                names.add(_ascii_lower(name))
                columns[key] = name
        return columns

    def test_capability(self, capability):
        if capability == BaseLayer.FastFeatureCount:
            return getattr(self, "attribute_filter", None) is None and (
                getattr(self, "spatial_filter", None) is None
            )
        return capability in (
            BaseLayer.StringsAsUTF8,
            BaseLayer.RandomRead,
            BaseLayer.FastSpatialFilter,
        )

    def feature_count(self, force_computation):
        return len(self._rows)

    def feature_by_id(self, fid):
        return self._feature(fid) if fid in self._row_set else None

    # The box of a filter is looked at here, its shape by GDAL.
    def __iter__(self):
        for row in self._rows:
            box = getattr(self, "spatial_filter_extent", None)
            if box is not None:
                bounds = _box(self._features[row])
                if (
                    bounds[2] < box[0]
                    or bounds[0] > box[2]
                    or bounds[3] < box[1]
                    or bounds[1] > box[3]
                ):
                    continue
            yield self._feature(row)

    def _feature(self, row):
        feature = self._features[row]
        fields = {"osm_type": feature.type}
        if feature.number != 0:
            fields["osm_id"] = feature.number
        others = {}
        for key, value in feature.tags.items():
            column = self._columns.get(key)
            if column is None:
                others[key] = value
            else:
                fields[column] = _until_nul(value)
        if others:
            write = _json if self._options.json else _hstore
            fields["other_tags"] = write(others)
        if self._options.metadata:
            element = feature.element
            for name, value in (element.meta if element else {}).items():
                if f"osm_{name}" in METADATA:
                    fields[f"osm_{name}"] = value
        # GDAL 3.6 takes nothing but text.
        wkt = feature.wkt
        if self._is_multi and feature.geometry_type == "Polygon":
            wkt = f"MULTIPOLYGON ({wkt.removeprefix('POLYGON ')})"
        return {
            "type": "OGRFeature",
            "id": row,
            "fields": fields,
            "geometry_fields": {"": wkt},
            "style": None,
        }


def _ascii_lower(text):
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def _until_nul(text):
    """GDAL's texts end at the first NUL."""
    return text.partition("\0")[0]


def _box(feature):
    """West, south, east, north; of what crosses the antimeridian the whole breadth."""
    west, south, east, north = feature.bounds
    return (west, south, east, north) if west <= east else (-180.0, south, 180.0, north)


def _hstore(tags):
    def quoted(text):
        text = text.replace("\0", "\ufffd")  # neither hstore nor a text of GDAL can hold a NUL
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    return ",".join(f"{quoted(key)}=>{quoted(value)}" for key, value in tags.items())


def _json(tags):
    text = json.dumps(tags, ensure_ascii=False, separators=(",", ":"))
    # Control characters as the compiled driver writes them.
    short = {"\\n": "\\u000a", "\\r": "\\u000d", "\\t": "\\u0009", "\\b": "\\u0008", "\\f": "\\u000c"}
    return re.sub(r'\\(?:[nrtbf]|.)', lambda m: short.get(m[0], m[0]), text)


class Dataset(BaseDataset):
    """The layers of one answer, and what the answer says about itself."""

    def __init__(self, response, options):
        said = "\n".join(response.remarks)
        why = said if response.is_complete is False else ""
        if response.truncated_at is not None:
            why = f"the answer stops in the middle, at byte {response.truncated_at}"
        if options.strict and response.is_complete is not True:
            raise ValueError(f"The answer is not complete: {why or said}")
        if why:
            warnings.warn(f"The answer is not complete: {why}", RuntimeWarning, stacklevel=2)
        if said and said != why:
            warnings.warn(said, RuntimeWarning, stacklevel=2)
        features = response.features(collections=True)
        kinds = {"all": ALL} if options.one_layer else KINDS
        self.layers = [Layer(name, kind, features, options) for name, kind in kinds.items()]
        self._description = _description(response, said)

    def metadata(self, domain):
        return None if domain else self._description

    def close(self):
        del self.layers


def _description(response, said):
    def time(moment):
        return moment and moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    description = {
        "OVERPASS_COMPLETE": {True: "YES", False: "NO"}.get(response.is_complete, "UNKNOWN"),
        "REMARK": said,
        "TIMESTAMP_OSM_BASE": time(response.timestamp),
        "TIMESTAMP_AREAS_BASE": time(response.areas_timestamp),
        "COPYRIGHT": response.copyright,
        "GENERATOR": response.generator,
        "CHANGES": str(len(response.actions) or ""),
    }
    return {name: value for name, value in description.items() if value}


def is_answer(text):
    """Whether a file that starts like this is ours: the rules of identify.cpp."""
    text = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        head, elements, rest = text.partition(b'"elements"')
        if not elements or not re.match(rb"\s*:\s*\[", rest):
            return False
        if re.search(rb'"osm3s"\s*:\s*\{', text):
            return True
        if b'"FeatureCollection"' in head:
            return False
        if re.search(rb"Overpass|OpenStreetMap|openstreetmap", text):
            return True
        if re.match(rb"\s*:\s*\[\s*\]", rest):
            return True
        return bool(
            re.search(rb'"(node|way|relation|area|count)"', rest)
            and re.search(rb'"type"\s*:\s*"', text)
        )
    if not text.startswith(b"<"):
        return False
    if re.search(rb"<html", text, re.IGNORECASE) and b"OSM3S" in text:
        return True
    if b"<osmAugmentedDiff" in text:
        return True
    return bool(
        re.search(rb"<osm[> \r\n]", text)
        and re.search(rb"Overpass API|<meta osm_base|<remark|<center |<nd [^>]* lat=", text)
    )


def _head(filename, first_bytes):
    """The start of a file, decompressed; None where only decoding can tell."""
    head = bytes(first_bytes)
    if not filename.startswith("/vsi"):
        try:
            with open(filename, "rb") as file:
                head = file.read(HEAD)
        except OSError:
            pass
    if head.startswith(b"\x1f\x8b"):
        try:
            return zlib.decompressobj(31).decompress(head, HEAD)
        except zlib.error:
            return None
    if head.startswith(b"BZh"):
        try:
            return bz2.BZ2Decompressor().decompress(head, HEAD) or None
        except OSError:
            return None
    return head


def _read(path, options):
    if not path.startswith("/vsi"):
        return overpasskit.load(path, partial=not options.strict)
    try:
        from osgeo import gdal
    except ImportError:
        raise OSError(f"{path}: reading from /vsi… needs the package osgeo") from None
    file = gdal.VSIFOpenL(path, "rb")
    if file is None:
        raise OSError(f"{path} cannot be opened")
    decoder = overpasskit.Decoder(partial=not options.strict)
    try:
        while portion := gdal.VSIFReadL(1, 1 << 20, file):
            decoder.push(bytes(portion))
        return decoder.finish()
    finally:
        decoder.close()
        gdal.VSIFCloseL(file)


def _ask(server, query, options):
    if not options.application:
        raise ValueError(
            "servers want to know who asks: set the open option APP or the environment variable "
            'OVERPASS_APP to a name like "my-app/1.0 (me@example.org)"'
        )
    folder = options.given.get("CACHE")
    cache = overpasskit.Cache(folder, max_age=options.cache_max_age or 0) if folder else None
    with overpasskit.Client(
        options.application, endpoints=server, cache=cache, max_wait=options.max_wait
    ) as client:
        return client.fetch(query, partial=not options.strict)


def _is_server(place):
    return re.match("https?://", place, re.IGNORECASE) or any(
        place == each.name for each in overpasskit.endpoints()
    )


class Driver(BaseDriver):
    """What GDAL asks."""

    def identify(self, filename, first_bytes, open_flags, open_options={}):
        if filename.upper().startswith(PREFIX):
            return True
        if not first_bytes:
            return False
        head = _head(filename, first_bytes)
        return -1 if head is None else is_answer(head)

    def open(self, filename, first_bytes, open_flags, open_options={}):
        certainty = self.identify(filename, first_bytes, open_flags)
        if not certainty:
            return None
        try:
            return self._open(filename, Options(open_options))
        except (overpasskit.OverpassKitError, ValueError, OSError) as error:
            foreign = (overpasskit.NotOverpassError, overpasskit.FormatError)
            if certainty == -1 and (type(error) is overpasskit.DecodeError or isinstance(error, foreign)):
                return None
            # GDAL shows the traceback: this line is all of it.
            raise RuntimeError(str(error)) from None

    @staticmethod
    def _open(filename, options):
        if not filename.upper().startswith(PREFIX):
            return Dataset(_read(filename, options), options)
        name = filename[len(PREFIX) :]
        server, bar, query = name.partition("|")
        if _is_server(server):
            if not query:
                raise ValueError("no query: OVERPASS:SERVER|QUERY")
            return Dataset(_ask(server, query, options), options)
        if not bar or os.path.exists(name):
            return Dataset(_read(name, options), options)
        if os.path.exists(server):
            raise ValueError("queries are answered by servers, not yet from local files")
        raise ValueError(f"{server} is neither a server's URL nor the name of a known one")
