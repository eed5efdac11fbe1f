"""Elements: nodes, ways, relations and derived ones as they stand in the answer."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from ctypes import byref, c_int64, c_size_t, c_uint32, string_at
from datetime import datetime, timedelta, timezone
from functools import cached_property
from typing import Any, NamedTuple, overload

from . import _abi
from ._abi import opk_element
from ._ffi import TYPE_CODES, TYPE_NAMES, Handle, check, lib, produce, text
from .errors import MisuseError
from .geometry import Bounds, Geometry, Position, position, positions, read_geometry

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MEMBER = struct.Struct("=qIB3x")  # opk_member


class Texts(dict[int, str]):
    """Keys, values and roles of a response by number; each becomes a Python text only once."""

    def __init__(self, handle: Handle) -> None:
        super().__init__()
        self._handle = handle

    def __missing__(self, number: int) -> str:
        value = self[number] = text(lib.opk_response_string(self._handle, number)) or ""
        return value


class ResponseData:
    """A response's handle and its texts, shared by all that reads from it.

    The library's answer lives as long as any of them.
    """

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.texts = Texts(handle)

    def tags(self, address: int | None, count: int) -> dict[str, str]:
        """An array of `opk_tag` as a dict."""
        if not count or not address:
            return {}
        texts = map(self.texts.__getitem__, (c_uint32 * (2 * count)).from_address(address))
        return dict(zip(texts, texts, strict=True))


class Member(NamedTuple):
    """One member of a relation.

    Attributes
    ----------
    type : str
        ``"node"``, ``"way"`` or ``"relation"``.
    ref : int
        The member's id.
    role : str
        Its role; often empty.
    geometry : tuple of (Position or None), or None
        What ``out geom`` printed with it: a node's position, or a way's, with None for those that
        were clipped away. None where nothing was printed.
    """

    type: str
    ref: int
    role: str
    geometry: tuple[Position | None, ...] | None = None

    @property
    def lat(self) -> float | None:
        """Latitude printed with a node; None if there is none."""
        point = self._position
        return point.lat if point else None

    @property
    def lon(self) -> float | None:
        """Longitude printed with a node; None if there is none."""
        point = self._position
        return point.lon if point else None

    @property
    def _position(self) -> Position | None:
        return self.geometry[0] if self.type == "node" and self.geometry else None


class Element:
    """One element of an answer. Stays valid when the response is closed.

    Attributes that an answer does not give are None, or empty where they are collections.

    Examples
    --------
    >>> import overpasskit
    >>> node, way = overpasskit.loads('''{"elements": [
    ...     {"type": "node", "id": 1, "lat": 52.5, "lon": 13.4},
    ...     {"type": "way", "id": 2}]}''').elements
    >>> node.type, node.id, node.lat, node.lon, node.tags
    ('node', 1, 52.5, 13.4, {})
    >>> way.lat is None, way.nodes
    (True, ())
    >>> (way,) = overpasskit.loads('''{"elements": [{"type": "way", "id": 2, "version": 3,
    ...     "user": "me", "center": {"lat": 52.5, "lon": 13.4}}]}''')
    >>> way.meta, way.center
    ({'version': 3, 'user': 'me'}, Position(lon=13.4, lat=52.5))
    """

    def __init__(self, data: ResponseData, index: int) -> None:
        self._data = data
        self._index = index
        self._c = opk_element()
        check(lib.opk_response_element(data.handle, index, byref(self._c)))

    @property
    def type(self) -> str:
        """``"node"``, ``"way"``, ``"relation"``, ``"area"``, or what a query named it."""
        return TYPE_NAMES.get(self._c.type) or text(self._c.type_name) or "derived"

    @property
    def id(self) -> int | None:
        """The id; None after ``out noids``."""
        return self._c.id if self._c.has & _abi.OPK_HAS_ID else None

    @cached_property
    def tags(self) -> dict[str, str]:
        """The tags, in the order of the answer."""
        return self._data.tags(self._c.tags, self._c.tag_count)

    @property
    def lat(self) -> float | None:
        """A node's latitude in degrees; None when unknown."""
        has = self._c.has & _abi.OPK_HAS_POSITION
        return self._c.position.lat_e7 / 1e7 if has else None

    @property
    def lon(self) -> float | None:
        """A node's longitude in degrees; None when unknown."""
        has = self._c.has & _abi.OPK_HAS_POSITION
        return self._c.position.lon_e7 / 1e7 if has else None

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The ids of a way's nodes."""
        if self._c.nodes is None:
            return ()
        return tuple((c_int64 * self._c.node_count).from_address(self._c.nodes))

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """A relation's members."""
        if self._c.members is None:
            return ()
        raw = string_at(self._c.members, self._c.member_count * _MEMBER.size)
        return tuple(
            Member(
                TYPE_NAMES.get(type_code, "derived"),
                ref,
                self._data.texts[role],
                self._member_geometry(place),
            )
            for place, (ref, role, type_code) in enumerate(_MEMBER.iter_unpack(raw))
        )

    def _member_geometry(self, place: int) -> tuple[Position | None, ...] | None:
        count = c_size_t()
        address = lib.opk_response_member_geometry(
            self._data.handle, self._index, place, byref(count)
        )
        return positions(address, count.value) if address else None

    @cached_property
    def meta(self) -> dict[str, Any]:
        """What ``out meta`` printed, as it is in Overpass JSON.

        Keys, each only where the answer has it: ``version``, ``timestamp``, ``changeset``,
        ``uid``, ``user``, ``visible``.
        """
        c, meta = self._c, dict[str, Any]()
        if c.has & _abi.OPK_HAS_VERSION:
            meta["version"] = c.version
        timestamp = self.timestamp
        if timestamp is not None:
            meta["timestamp"] = timestamp.isoformat().replace("+00:00", "Z")
        if c.has & _abi.OPK_HAS_CHANGESET:
            meta["changeset"] = c.changeset
        if c.has & _abi.OPK_HAS_UID:
            meta["uid"] = c.uid
        if c.has & _abi.OPK_HAS_USER:
            meta["user"] = text(c.user) or ""
        if c.has & _abi.OPK_HAS_VISIBLE:
            meta["visible"] = bool(c.visible)
        return meta

    @property
    def timestamp(self) -> datetime | None:
        """When this version of the element was made, in UTC."""
        if not self._c.has & _abi.OPK_HAS_TIMESTAMP:
            return None
        try:
            return _EPOCH + timedelta(seconds=self._c.timestamp)
        except OverflowError:  # the year 0, which datetime does not have
            return None

    @property
    def center(self) -> Position | None:
        """What ``out center`` printed: the middle of the bounding box."""
        return position(self._c.center) if self._c.has & _abi.OPK_HAS_CENTER else None

    @property
    def bounds(self) -> Bounds | None:
        """What ``out bb`` or ``out geom`` printed."""
        if not self._c.has & _abi.OPK_HAS_BOUNDS:
            return None
        low, high = self._c.southwest, self._c.northeast
        return Bounds(low.lon_e7 / 1e7, low.lat_e7 / 1e7, high.lon_e7 / 1e7, high.lat_e7 / 1e7)

    @cached_property
    def geometry(self) -> tuple[Position | None, ...] | None:
        """The positions that ``out geom`` printed with a way, None for those clipped away."""
        if not self._c.has & _abi.OPK_HAS_GEOMETRY or self._c.type != _abi.OPK_WAY:
            return None
        return positions(self._c.geometry, self._c.geometry_count)

    @cached_property
    def shape(self) -> Geometry | None:
        """The geometry of a derived element (``make``, ``convert``)."""
        if self._c.type != _abi.OPK_DERIVED:
            return None
        pointer = produce(lib.opk_response_derived_geometry, self._data.handle, self._index)
        if pointer is None:
            return None
        try:
            return read_geometry(pointer)
        finally:
            lib.opk_geometry_free(pointer)

    def __repr__(self) -> str:
        return f"<Element {self.type}/{self.id}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element):
            return NotImplemented
        return self._data is other._data and self._index == other._index

    def __hash__(self) -> int:
        return hash((id(self._data), self._index))


class Elements(Sequence[Element]):
    """The elements of an answer, in its order; each is read when it is asked for.

    ``in`` takes an element, or names one as ``"way/7"`` or ``("way", 7)``:

    >>> import overpasskit
    >>> elements = overpasskit.loads('{"elements": [{"type": "way", "id": 7}]}').elements
    >>> elements[0] in elements, "way/7" in elements, ("node", 7) in elements
    (True, True, False)
    """

    def __init__(self, data: ResponseData) -> None:
        self._data = data
        self._count: int = lib.opk_response_element_count(data.handle, 0)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Element: ...
    @overload
    def __getitem__(self, index: slice) -> list[Element]: ...
    def __getitem__(self, index: int | slice) -> Element | list[Element]:
        if isinstance(index, slice):
            return [Element(self._data, each) for each in range(*index.indices(self._count))]
        return Element(self._data, range(self._count)[index])

    def __iter__(self) -> Iterator[Element]:
        return (Element(self._data, index) for index in range(self._count))

    def __contains__(self, element: object) -> bool:
        if isinstance(element, Element):
            return element._data is self._data
        if isinstance(element, str):
            kind, _, number = element.partition("/")
            is_number = number.removeprefix("-").isdecimal() and number.isascii()
            return is_number and (kind, int(number)) in self
        if not isinstance(element, tuple) or len(element) != 2:
            return False
        kind, id = element
        return kind in TYPE_CODES and isinstance(id, int) and self.find(kind, id) is not None

    def find(self, type: str, id: int) -> Element | None:
        """The element with a type (node, way, relation, area) and an id; None if there is none.

        >>> import overpasskit
        >>> elements = overpasskit.loads('{"elements": [{"type": "way", "id": 7}]}').elements
        >>> elements.find("way", 7)
        <Element way/7>
        >>> elements.find("node", 7) is None
        True
        """
        if type not in TYPE_CODES:
            raise MisuseError(f"{type!r} is none of {', '.join(map(repr, TYPE_CODES))}")
        if not -(2**63) <= id < 2**63:
            return None
        index: int = lib.opk_response_find(self._data.handle, TYPE_CODES[type], id)
        return Element(self._data, index) if index >= 0 else None

    def count_of(self, type: str) -> int:
        """How many elements are of a type: node, way, relation, area or derived.

        >>> import overpasskit
        >>> overpasskit.loads('{"elements": [{"type": "way", "id": 7}]}').elements.count_of("way")
        1
        """
        code = TYPE_CODES.get(type, _abi.OPK_DERIVED if type == "derived" else None)
        if code is None:
            raise MisuseError(f"{type!r} is none of {', '.join(map(repr, TYPE_CODES))}, 'derived'")
        return int(lib.opk_response_element_count(self._data.handle, code))

    def __repr__(self) -> str:
        return f"<{self._count} elements>"
