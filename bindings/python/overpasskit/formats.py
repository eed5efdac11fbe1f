"""Features in the formats of maps, devices, data bases and spreadsheets."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable
from ctypes import addressof, byref, c_char_p
from pathlib import Path, PurePath
from typing import IO, Any, Literal, TypeAlias

from . import _abi
from ._abi import opk_features_write_options, opk_write_fn
from ._arguments import c_path
from ._closing import Closing
from ._ffi import Handle, call, lib, produce_bytes, produce_text
from .errors import FileError, MisuseError
from .rules import choice

Properties: TypeAlias = Literal["flat", "nested"]
FeatureFormat: TypeAlias = Literal[
    "geojson",
    "geojsonseq",
    "geojsonl",
    "gpx",
    "kml",
    "csv",
    "tsv",
    "csvt",
    "wkt",
    "ewkt",
    "wkb",
    "ewkb",
]

PROPERTIES: dict[str, int] = {
    "flat": _abi.OPK_PROPERTIES_FLAT,
    "nested": _abi.OPK_PROPERTIES_NESTED,
}
FEATURE_FORMATS: dict[str, int] = {
    "geojson": _abi.OPK_FORMAT_GEOJSON,
    "geojsonseq": _abi.OPK_FORMAT_GEOJSON_SEQ,
    "geojsonl": _abi.OPK_FORMAT_GEOJSON_LINES,
    "gpx": _abi.OPK_FORMAT_GPX,
    "kml": _abi.OPK_FORMAT_KML,
    "csv": _abi.OPK_FORMAT_CSV,
    "tsv": _abi.OPK_FORMAT_TSV,
    "csvt": _abi.OPK_FORMAT_CSVT,
    "wkt": _abi.OPK_FORMAT_WKT,
    "ewkt": _abi.OPK_FORMAT_EWKT,
    "wkb": _abi.OPK_FORMAT_WKB,
    "ewkb": _abi.OPK_FORMAT_EWKB,
}
_BY_EXTENSION: dict[str, FeatureFormat] = {
    ".geojson": "geojson",
    ".geojsons": "geojsonseq",
    ".geojsonl": "geojsonl",
    ".ndjson": "geojsonl",
    ".gpx": "gpx",
    ".kml": "kml",
    ".csv": "csv",
    ".tsv": "tsv",
    ".csvt": "csvt",
    ".wkt": "wkt",
    ".ewkt": "ewkt",
    ".wkb": "wkb",
    ".ewkb": "ewkb",
}
# Headings that are no keys of tags.
FIELDS = (
    "osm_type",
    "osm_id",
    "osm_version",
    "osm_timestamp",
    "osm_changeset",
    "osm_uid",
    "osm_user",
    "lon",
    "lat",
    "wkt",
    "osm_tags",
    "osm_attribution",
)
# What GDAL and ArcGIS look for beside a table to learn its reference system.
_WGS84 = (
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],'
    'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'
)


def feature_format_of(path: str | os.PathLike[str]) -> FeatureFormat | None:
    """The format of features that a file's name stands for.

    >>> feature_format_of("cafes.GPX"), feature_format_of("answer.json")
    ('gpx', None)
    """
    return _BY_EXTENSION.get(PurePath(path).suffix.lower())


class _Options:
    """Options for C, and what they point to."""

    def __init__(
        self,
        format: str | None,
        properties: str = "flat",
        columns: Iterable[str] | None = None,
        routes: bool = False,
        headings: bool = True,
        keep_formulas: bool = False,
    ) -> None:
        if format is None or format not in FEATURE_FORMATS:
            names = ", ".join(map(repr, FEATURE_FORMATS))
            raise MisuseError(f"format is one of {names}, not {format!r}")
        flags = 0
        for is_set, flag in (
            (routes, _abi.OPK_WRITE_ROUTES),
            (not headings, _abi.OPK_WRITE_NO_HEADINGS),
            (keep_formulas, _abi.OPK_WRITE_KEEP_FORMULAS),
        ):
            flags |= flag if is_set else 0
        self.value = opk_features_write_options(
            format=FEATURE_FORMATS[format],
            flags=flags,
            properties=choice(properties, PROPERTIES, "properties"),
        )
        if columns is not None:
            self._names = _column_names(columns)
            self.value.columns = addressof(self._names)
            self.value.column_count = len(self._names)


def _column_names(columns: Iterable[str]) -> Any:
    if isinstance(columns, str):
        raise MisuseError("columns takes several names, not one text")
    names = [name.encode("utf-8", "surrogatepass") for name in columns]
    if any(b"\0" in name for name in names):
        raise MisuseError("the name of a column with a NUL character")
    return (c_char_p * len(names))(*names)


class WrittenFeatures(Closing):
    """What `Features` can be written as.

    Examples
    --------
    >>> import io, overpasskit, pathlib, tempfile
    >>> features = overpasskit.loads('''{"elements": [
    ...     {"type": "node", "id": 1, "lat": 60.2, "lon": 24.9, "tags": {"name": "Café"}}
    ... ]}''').features()
    >>> features.to_geojsonseq()[:2], features.to_geojsonseq(separators=False)[:1]
    ('\\x1e{', '{')
    >>> features.to_gpx().count("<wpt "), features.to_kml().count("<Placemark")
    (1, 1)
    >>> features.to_wkt(srid=True), features.to_wkb()[:5].hex()
    ('SRID=4326;POINT (24.9 60.2)\\n', '0107000000')
    >>> file = io.BytesIO()
    >>> features.write(file, "csv", columns=["osm_id", "name"])
    >>> file.getvalue().decode().splitlines()
    ['osm_id,name', '1,Café']
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     features.write(pathlib.Path(folder, "a.csv"))
    ...     features.write_types(pathlib.Path(folder, "a.csv"))
    ...     sorted(each.name for each in pathlib.Path(folder).iterdir())
    ['a.csv', 'a.csvt', 'a.prj']
    """

    _what = "set of features"

    def to_geojsonseq(self, properties: Properties = "flat", *, separators: bool = True) -> str:
        """All features as a GeoJSON text sequence (RFC 8142), each a text of its own.

        Parameters
        ----------
        properties
            As for `to_geojson`.
        separators
            With a record separator before each feature; without, they are just lines, as GDAL
            and many others read them, too.
        """
        return self._text(_Options("geojsonseq" if separators else "geojsonl", properties))

    def to_gpx(self, *, routes: bool = False) -> str:
        """All features as GPX 1.1, for devices and apps that lead the way.

        Points are waypoints. Lines are tracks, or routes where that is asked for; areas are
        tracks with a segment for each ring.
        """
        return self._text(_Options("gpx", routes=routes))

    def to_kml(self) -> str:
        """All features as KML 2.2, with their tags as extended data."""
        return self._text(_Options("kml"))

    def to_csv(
        self,
        columns: Iterable[str] | None = None,
        *,
        tabs: bool = False,
        headings: bool = True,
        keep_formulas: bool = False,
    ) -> str:
        """All features as a table.

        Parameters
        ----------
        columns
            The headings: ``osm_type``, ``osm_id``, ``osm_version``, ``osm_timestamp``,
            ``osm_changeset``, ``osm_uid``, ``osm_user``, ``lon`` and ``lat`` (of a position on
            the geometry), ``wkt``, ``osm_tags`` (all, as JSON), ``osm_attribution``; anything else
            is a key of tags, and ``tag:lon`` the key ``lon``. By default type, id, position and the
            keys that occur, the most frequent first; beyond 200 keys ``osm_tags`` is added.
        tabs
            With tabs between cells and plain line breaks, in place of commas and CR LF (RFC 4180).
        headings
            With a first line of headings.
        keep_formulas
            Leave texts alone that spreadsheets would take for formulas. Otherwise texts that begin
            with ``= + - @``, a tab or a line break, and are no numbers, get an apostrophe in front.

        Examples
        --------
        >>> import overpasskit
        >>> features = overpasskit.loads('''{"elements": [
        ...     {"type": "node", "id": 1, "lat": 60.2, "lon": 24.9, "tags": {"name": "=Café"}}
        ... ]}''').features()
        >>> features.to_csv(["osm_id", "lat", "name"]).splitlines()
        ['osm_id,lat,name', "1,60.2,'=Café"]
        """
        format = "tsv" if tabs else "csv"
        return self._text(
            _Options(format, "flat", columns, headings=headings, keep_formulas=keep_formulas)
        )

    def to_wkt(self, *, srid: bool = False) -> str:
        """All geometries as well-known text, one a line; with `srid` as EWKT."""
        return self._text(_Options("ewkt" if srid else "wkt"))

    def to_wkb(self, *, srid: bool = False) -> bytes:
        """All geometries as one collection in well-known binary; with `srid` as EWKB."""
        options = _Options("ewkb" if srid else "wkb")
        return produce_bytes(lib.opk_features_write, self._handle, byref(options.value))

    def write(
        self,
        target: str | os.PathLike[str] | IO[bytes],
        format: FeatureFormat | None = None,
        *,
        properties: Properties = "flat",
        columns: Iterable[str] | None = None,
        routes: bool = False,
        headings: bool = True,
        keep_formulas: bool = False,
        types: bool = False,
    ) -> None:
        """Writes all features in any format, piece by piece.

        Parameters
        ----------
        target
            A path, whose file is created or replaced once it is whole; or a binary file that is
            open for writing.
        format
            ``"geojson"``, ``"geojsonseq"``, ``"geojsonl"`` (a feature a line), ``"gpx"``,
            ``"kml"``, ``"csv"``, ``"tsv"``, ``"csvt"`` (the types of that table), ``"wkt"``,
            ``"ewkt"``, ``"wkb"``, ``"ewkb"``. By default what the path ends in.
        properties
            GeoJSON: as for `to_geojson`.
        columns, headings, keep_formulas
            Tables: as for `to_csv`.
        routes
            GPX: as for `to_gpx`.
        types
            Tables at a path: write two more files beside it, from which GDAL and QGIS learn the
            types of columns (``.csvt``) and the reference system (``.prj``).

        Raises
        ------
        FileError
            When a file cannot be created or written.
        MisuseError
            For a format that is not known, or columns that make no table.
        """
        is_path = isinstance(target, (str, os.PathLike))
        if format is None and is_path:
            format = feature_format_of(target)  # type: ignore[arg-type]
        names = list(columns) if columns is not None and not isinstance(columns, str) else columns
        options = _Options(format, properties, names, routes, headings, keep_formulas)
        if types and not (is_path and format in ("csv", "tsv")):
            raise MisuseError("types are for a table at a path")
        if isinstance(target, (str, os.PathLike)):
            path = c_path(target)
            call(lib.opk_features_write_file, self._handle, byref(options.value), path)
            if types:
                self.write_types(target, columns=names)
        else:
            _write_to(self._handle, options, target.write)

    def write_types(
        self, table: str | os.PathLike[str], *, columns: Iterable[str] | None = None
    ) -> None:
        """Writes the files beside a table from which GDAL and QGIS learn what is in it.

        Parameters
        ----------
        table
            The path of the table; the others have its name with ``.csvt`` and ``.prj``.
        columns
            As for the table.
        """
        path = Path(table)
        self.write(path.with_suffix(".csvt"), "csvt", columns=columns)
        try:
            path.with_suffix(".prj").write_text(_WGS84 + "\n", encoding="ascii")
        except OSError as error:
            raise FileError(str(error)) from None

    def _text(self, options: _Options) -> str:
        return produce_text(lib.opk_features_write, self._handle, byref(options.value))


def _write_to(features: Handle, options: _Options, write: Callable[[Any], object]) -> None:
    """Writes features to a function; what that raises comes out of here."""
    raised: list[BaseException] = []

    def take(_context: int | None, start: int, size: int) -> int:
        try:
            portion = memoryview(ctypes.string_at(start, size))
            while portion:
                taken = write(portion)
                # Files without a buffer may take less than all of it.
                portion = portion[taken:] if isinstance(taken, int) else portion[size:]
        except BaseException as error:
            # Nothing may be raised through C.
            raised.append(error)
            return 1
        return 0

    try:
        function = opk_write_fn(take)
        call(lib.opk_features_write_call, features, byref(options.value), function, None)
    except FileError:
        if raised:
            raise raised[0] from None
        raise
