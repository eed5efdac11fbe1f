"""What a query with ``[out:csv(...)]`` says about the table it prints."""

from __future__ import annotations

import re
from typing import NamedTuple

from . import _abi
from .errors import ClientError
from .language import format_query

_QUOTED = r'"(?:[^"\\]|\\.)*"'
# As this library prints it.
_SETTING = re.compile(
    rf"""(?:\[[^\]"]*(?:{_QUOTED}[^\]"]*)*\])*?
    \[out:csv\((?P<fields>(?:{_QUOTED}|[^;")])*)
    (?:;(?P<header>true|false))?
    (?:;(?P<separator>{_QUOTED}))?\)\]""",
    re.VERBOSE | re.DOTALL,
)
_FIELD = re.compile(rf"{_QUOTED}|[^,]+")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t"}


class CSVSettings(NamedTuple):
    """The parameters of `decode_csv`."""

    separator: str
    header: bool
    columns: list[str]


def csv_settings(query: str) -> CSVSettings:
    """Reads the settings of a query.

    Raises
    ------
    QueryError
        With the position of a mistake.
    ClientError
        For a query that prints no table.

    Examples
    --------
    >>> csv_settings('[out:csv(::id, "a,b"; false; "|")]; node(1); out;')
    CSVSettings(separator='|', header=False, columns=['::id', 'a,b'])
    """
    found = _SETTING.match(format_query(query, pretty=False))
    if found is None:
        raise ClientError(
            "the query prints no table: it has no [out:csv(...)]",
            status=_abi.OPK_ERR_CLIENT_QUERY,
            status_name="OPK_ERR_CLIENT_QUERY",
        )
    separator = found["separator"]
    return CSVSettings(
        separator="\t" if separator is None else _plain(separator),
        header=found["header"] != "false",
        columns=[_plain(each) for each in _FIELD.findall(found["fields"])],
    )


def _plain(written: str) -> str:
    if not written.startswith('"'):
        return written
    return _ESCAPE.sub(_character, written[1:-1])


def _character(escape: re.Match[str]) -> str:
    name = escape[1]
    return chr(int(name[1:], 16)) if len(name) == 5 else _ESCAPED.get(name, name)
