"""Which tags become columns, and how the others are kept. Knows nothing of QGIS."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

# More columns than these are not chosen unless somebody asks for them.
AUTOMATIC = 25

# What other columns of a layer are called; GeoPackage wants names that differ in more than case.
RESERVED = frozenset({"osm_type", "osm_id", "other_tags", "fid", "ogc_fid", "geom", "geometry"})


def keys_from_text(text: str) -> list[str]:
    """The keys that somebody wrote, with commas or line ends between them.

    >>> keys_from_text("name, addr:street,, name")
    ['name', 'addr:street']
    """
    return list(dict.fromkeys(each.strip() for each in re.split(r"[,\n]", text) if each.strip()))


def chosen_keys(
    all_tags: Iterable[Mapping[str, str]], wanted: Sequence[str] = (), taken: Iterable[str] = ()
) -> list[str]:
    """The keys that become columns: those that are wanted, or the most frequent ones.

    A key that is the name of another column (those in `taken`, too), in upper or lower case, stays
    with the other tags.

    >>> chosen_keys([{"name": "a", "fid": "1"}, {"name": "b", "Name": "B", "ele": "7"}])
    ['name', 'ele']
    """
    if wanted:
        candidates = list(wanted)
    else:
        counts = Counter(key for tags in all_tags for key in tags)
        candidates = sorted(counts, key=lambda key: (-counts[key], key))
    names = {*RESERVED, *taken}
    chosen = []
    for key in candidates:
        if key.lower() not in names:
            names.add(key.lower())
            chosen.append(key)
    return chosen if wanted else chosen[:AUTOMATIC]


def other_tags(tags: Mapping[str, str], columns: frozenset[str], form: str) -> str | None:
    """The tags without columns as a text, `form` being "json" or "hstore"; None without any.

    >>> other_tags({"name": "a", "ele": "7"}, frozenset({"name"}), "json")
    '{"ele": "7"}'
    """
    others = {key: value for key, value in tags.items() if key not in columns}
    if not others:
        return None
    return hstore(others) if form == "hstore" else json.dumps(others, ensure_ascii=False)


def hstore(tags: Mapping[str, str]) -> str:
    """Tags as PostgreSQL and GDAL's OSM driver write them.

    >>> print(hstore({"name": 'The "Inn"', "ele": "7"}))
    "name"=>"The \\"Inn\\"","ele"=>"7"
    """
    return ",".join(f"{_quoted(key)}=>{_quoted(value)}" for key, value in tags.items())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
