"""Features as tables, for pyarrow, pandas, GeoPandas, Polars, DuckDB and others.

None of these is needed to use this package; each is imported when it is asked for.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import byref, c_void_p, cast
from typing import Any

from . import _abi
from ._abi import opk_arrow_options
from ._arguments import c_texts
from ._capsule import stream_capsule
from ._ffi import Handle, call, lib
from ._packages import package
from .errors import MisuseError


class ArrowTable:
    """Features as a table with chosen columns. Made by `Features.arrow`.

    Everything that speaks the Arrow PyCapsule interface takes it as it is, as often as it likes:
    ``pyarrow.table(t)``, ``polars.DataFrame(t)``, ``geopandas.GeoDataFrame.from_arrow(t)``, in
    DuckDB ``SELECT ... FROM t``.

    Examples
    --------
    >>> import overpasskit
    >>> response = overpasskit.loads('''{"elements": [
    ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4, "tags": {"amenity": "cafe"}}
    ... ]}''')
    >>> table = response.features().arrow(columns=["amenity"])
    >>> table.__arrow_c_stream__()
    <capsule object "arrow_array_stream" at ...>
    """

    def __init__(
        self,
        features: Handle,
        columns: Iterable[str] = (),
        tags: bool = True,
        meta: bool = False,
        batch_size: int | None = None,
    ) -> None:
        if isinstance(columns, str):
            raise MisuseError("columns is one text; a list of keys is needed")
        self._features = features
        self._columns = tuple(columns)
        self._flags = 0 if tags else _abi.OPK_ARROW_WITHOUT_TAGS
        self._flags |= _abi.OPK_ARROW_METADATA if meta else 0
        if batch_size is not None and not 0 < batch_size < 2**63:
            raise MisuseError(f"a batch of {batch_size} rows; it has to be 1 or more")
        self._batch_size = batch_size or 0

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """A stream of record batches, as a capsule.

        Parameters
        ----------
        requested_schema
            Not looked at; the table has its own columns and types.
        """
        keys, count = c_texts(self._columns)
        options = opk_arrow_options(
            flags=self._flags,
            columns=cast(keys, c_void_p),
            column_count=count,
            batch_size=self._batch_size,
        )

        def fill(address: int) -> None:
            call(lib.opk_features_arrow, self._features, byref(options), address)

        return stream_capsule(fill)


def to_arrow(table: ArrowTable) -> Any:
    """The table as a `pyarrow.Table`."""
    return package("pyarrow", "to_arrow()").table(table)


def to_pandas(table: ArrowTable) -> Any:
    """The table as a `pandas.DataFrame`."""
    pandas, arrow = package("pandas", "to_pandas()"), package("pyarrow", "to_pandas()")
    source = arrow.table(table)
    with _without_collections():
        frame = source.to_pandas(**_conversion(source, pandas, arrow))
    frame.attrs.update(_about(source))
    return frame


def to_geopandas(table: ArrowTable) -> Any:
    """The table as a `geopandas.GeoDataFrame`."""
    geopandas, arrow = package("geopandas", "to_geopandas()"), package("pyarrow", "to_geopandas()")
    pandas = package("pandas", "to_geopandas()")
    source = arrow.table(table)
    with _without_collections():
        frame = geopandas.GeoDataFrame.from_arrow(
            source, to_pandas_kwargs=_conversion(source, pandas, arrow)
        )
    # The same positions by the name that other readers give, so that joins with theirs do not warn.
    frame = frame.set_crs("EPSG:4326", allow_override=True)
    frame.attrs.update(_about(source))
    return frame


@contextmanager
def _without_collections() -> Iterator[None]:
    """Keeps the garbage collector from looking through the whole program meanwhile.

    The many pairs of texts that are made would set it off, and none of them is garbage.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _conversion(source: Any, pandas: Any, arrow: Any) -> dict[str, Any]:
    """How numbers that may be missing become columns of pandas: not as fractions."""
    if not any(
        column.null_count for column in source.columns if arrow.types.is_integer(column.type)
    ):
        return {}
    nullable = {arrow.int32(): pandas.Int32Dtype(), arrow.int64(): pandas.Int64Dtype()}
    return {"types_mapper": nullable.get}


def _about(source: Any) -> dict[str, Any]:
    """What the schema says about the answer."""
    found: dict[str, Any] = {}
    for name in ("generator", "attribution", "timestamp", "remarks"):
        value = source.schema.metadata.get(name.encode())
        if value is not None:
            found[name] = json.loads(value) if name == "remarks" else value.decode()
    return found
