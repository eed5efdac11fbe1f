"""The command ``overpasskit info``: what an answer holds."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ._answers import read, warn
from ._console import EXIT_FAILED, EXIT_PARTIAL, name_of, plain, say
from ._progress import bar
from .errors import OverpassKitError
from .features import Features
from .response import Response
from .rules import PROFILES, Profile

_TOP = 20
_TYPES = ("node", "way", "relation", "area", "derived")
# For files and pipes, whose readers have no width.
_WIDE = 1000


@click.command(short_help="Show what an answer of Overpass holds.")
@click.argument("source", metavar="INPUT")
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="default",
    show_default=True,
    help="The rules by which elements become features.",
)
@click.option("--json", "is_json", is_flag=True, help="Print JSON in place of tables.")
def info(source: str, profile: Profile, is_json: bool) -> None:
    """Show what INPUT holds: elements, features, box, tags, and what is wrong with it.

    INPUT is an answer of Overpass or an OSM file in JSON or XML, or - for standard input; either
    may be compressed.

    \b
    Exit codes:
      0  done
      1  failed
      2  wrong usage
      3  done, but the answer is not whole
    """
    try:
        with read(source) as response:
            if not is_json:
                warn(source, response)
            facts = _facts(source, response, response.features(profile))
            is_complete = response.is_complete
    except (OverpassKitError, OSError) as error:
        say("error", "red", name_of(source), error)
        sys.exit(EXIT_FAILED)
    if is_json:
        document = json.dumps(facts, ensure_ascii=False, indent=2) + "\n"
        sys.stdout.buffer.write(document.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    else:
        _print(facts)
    if not is_complete:
        sys.exit(EXIT_PARTIAL)


def _facts(source: str, response: Response, features: Features) -> dict[str, Any]:
    """All that is shown, as values for JSON."""
    elements = response.elements
    keys, values = _tags(response)
    box = features.bounds
    timestamps = {
        name: value.isoformat().replace("+00:00", "Z") if value is not None else None
        for name, value in (
            ("timestamp", response.timestamp),
            ("areas_timestamp", response.areas_timestamp),
        )
    }
    return {
        "source": name_of(source),
        "is_complete": response.is_complete,
        "version": response.version,
        "generator": response.generator,
        "copyright": response.copyright,
        **timestamps,
        "remarks": response.remarks,
        "elements": {type: elements.count_of(type) for type in _TYPES},
        "changes": dict(Counter(action.kind for action in response.actions)),
        "features": dict(features.counts()),
        "bounds": list(box) if box is not None else None,
        "tags": [
            {"key": key, "count": count, "values": len(values[key]), **_most_frequent(values[key])}
            for key, count in sorted(keys.items(), key=lambda item: (-item[1], item[0]))[:_TOP]
        ],
        "keys": len(keys),
        "problems": dict(Counter(problem.kind for problem in features.problems)),
    }


def _tags(response: Response) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """How often each key occurs among the elements, and each value of it."""
    keys: Counter[str] = Counter()
    values: dict[str, Counter[str]] = {}
    with bar("counting tags", counts_bytes=False) as tell:
        for done, element in enumerate(response.elements):
            for key, value in element.tags.items():
                keys[key] += 1
                values.setdefault(key, Counter())[value] += 1
            if tell is not None and done % 4096 == 0:
                tell(done, len(response.elements))
    return keys, values


def _most_frequent(values: Counter[str]) -> dict[str, Any]:
    value, count = min(values.items(), key=lambda item: (-item[1], item[0]))
    return {"most_frequent": value, "most_frequent_count": count}


def _print(facts: dict[str, Any]) -> None:
    console = Console() if sys.stdout.isatty() else Console(width=_WIDE)
    head = Table(box=None, show_header=False, pad_edge=False)
    head.add_column(style="bold", no_wrap=True)
    head.add_column(overflow="fold")
    for name, value in (
        ("source", facts["source"]),
        ("whole", {True: "yes", False: "no", None: "not known"}[facts["is_complete"]]),
        ("state of the data", facts["timestamp"]),
        ("state of areas", facts["areas_timestamp"]),
        ("generator", facts["generator"]),
        ("copyright", facts["copyright"]),
        ("box", _box(facts["bounds"])),
    ):
        if value is not None:
            head.add_row(name, plain(value))
    console.print(head)
    for title, counts in (
        ("elements", facts["elements"]),
        ("changes", facts["changes"]),
        ("features", facts["features"]),
        ("problems", facts["problems"]),
    ):
        rows = [(name, count) for name, count in counts.items() if count]
        if rows or title in ("elements", "features"):
            _print_counts(console, title, rows)
    if facts["tags"]:
        _print_tags(console, facts["tags"], facts["keys"])


def _print_counts(console: Console, title: str, rows: list[tuple[str, int]]) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title)
    table.add_column(f"{sum(count for _, count in rows):,}", justify="right")
    for name, count in rows:
        table.add_row(plain(name), f"{count:,}")
    console.print(table)


def _print_tags(console: Console, tags: list[dict[str, Any]], keys: int) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    shown = f"key (first {len(tags)} of {keys:,})" if keys > len(tags) else "key"
    table.add_column(shown, overflow="fold")
    table.add_column("elements", justify="right")
    table.add_column("values", justify="right")
    table.add_column("most frequent value", overflow="fold")
    for tag in tags:
        table.add_row(
            plain(tag["key"]),
            f"{tag['count']:,}",
            f"{tag['values']:,}",
            plain(tag["most_frequent"]),
        )
    console.print(table)


def _box(bounds: list[float] | None) -> str | None:
    if bounds is None:
        return None
    west, south, east, north = (f"{each:.7f}".rstrip("0").rstrip(".") for each in bounds)
    return f"{west} {south} to {east} {north} (longitude, latitude)"
