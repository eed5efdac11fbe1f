"""Summaries for people: HTML for notebooks, tables for whoever prints with rich.

Texts of the data are text there: they neither become markup nor steer a terminal. rich is imported
when it asks for a summary, which is when it is there.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

Row = Sequence[object]

# Rows of a table that are shown; notebooks keep what they show.
SHOWN = 20

# Joiners are no printing characters, but words in some scripts need them.
_JOINERS = "\u200c\u200d"
_STYLE = "font:13px system-ui,sans-serif"


def printable(text: str) -> str:
    """A text with blanks for characters that are not seen.

    >>> printable("a\\x1b[31mb")
    'a [31mb'
    """
    return "".join(each if each.isprintable() or each in _JOINERS else " " for each in text)


def cell(value: object) -> str:
    """
    >>> cell(None), cell(1.5), cell(datetime(2024, 3, 31, 2, 30))
    ('', '1.5', '2024-03-31 02:30:00')
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S %Z}".rstrip()
    return printable(str(value))


def counted(count: int, what: str) -> str:
    """
    >>> counted(1, "feature"), counted(2, "feature")
    ('1 feature', '2 features')
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def table_html(caption: str, rows: Iterable[Row], headings: Row = ()) -> str:
    """A table as HTML.

    >>> table_html("A & B", [(1, "<b>")])[-60:]
    '<tbody><tr><td>1</td><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    head = f"<thead>{_row_html(headings, 'th')}</thead>" if headings else ""
    body = "".join(_row_html(row, "td") for row in rows)
    title = html.escape(printable(caption))
    return (
        f'<table style="{_STYLE}"><caption style="text-align:left">{title}</caption>'
        f"{head}<tbody>{body}</tbody></table>"
    )


def _row_html(cells: Row, tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell(each))}</{tag}>' for each in cells)}</tr>"


def code_html(text: str) -> str:
    """Lines of code as HTML.

    >>> code_html("node[a<1];\\nout;")
    '<pre><code>node[a&lt;1];\\nout;</code></pre>'
    """
    lines = "\n".join(printable(line) for line in text.split("\n"))
    return f"<pre><code>{html.escape(lines)}</code></pre>"


def rich_table(caption: str, rows: Iterable[Row], headings: Row = ()) -> Group:
    """A table for rich, with a line above."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Group
    from rich.table import Table

    rows = list(rows)
    made = Table(box=SIMPLE_HEAD if headings else None, show_header=bool(headings), pad_edge=False)
    for index in range(max([len(headings), *map(len, rows)])):
        made.add_column(_text(headings[index]) if headings else "", overflow="fold")
    for row in rows:
        made.add_row(*map(_text, row))
    return Group(_text(caption), made) if made.columns else Group(_text(caption))


def rich_code(text: str) -> Text:
    """Lines of code for rich."""
    from rich.text import Text

    return Text("\n".join(printable(line) for line in text.split("\n")))


def _text(value: object) -> Text:
    from rich.text import Text

    return Text(cell(value))
