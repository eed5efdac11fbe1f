"""The commands about servers: ``overpasskit status`` and ``endpoints``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ._console import EXIT_CANCELLED, EXIT_FAILED, plain, say
from .client import Client
from .defaults import VARIABLE
from .errors import OverpassKitError
from .server import Slots
from .settings import endpoints as known_endpoints

# For files and pipes, whose readers have no width.
_WIDE = 1000


def asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that tell who asks whom; the command gets them as `app` and `endpoints`."""

    @click.option(
        "--endpoint",
        "endpoints",
        metavar="NAME|URL",
        multiple=True,
        help="The server to ask; may be given again, the preferred one first. See endpoints.",
    )
    @click.option("--app", metavar="NAME", envvar=VARIABLE, help="Who asks.")
    @wraps(command)
    def run(*arguments: Any, app: str | None, **options: Any) -> Any:
        if not app:
            raise click.UsageError(
                "servers want to know who asks: give --app with a name like "
                f'"my-app/1.0 (me@example.org)", or set {VARIABLE}'
            )
        return command(*arguments, app=app, **options)

    return run


@click.command(short_help="Show when servers take the next query of this address.")
@asking
def status(app: str, endpoints: tuple[str, ...]) -> None:
    """Show when servers take the next query of this address, and what they are at for it.

    This is for people: run itself waits as servers want it to.
    """
    rows: list[tuple[str, Slots]] = []
    is_failed = False
    try:
        with Client(app) as client:
            for name in endpoints or ("main",):
                try:
                    rows.append((name, client.status(name)))
                except OverpassKitError as error:
                    is_failed = True
                    say("error", "red", name, error)
    except KeyboardInterrupt:
        say("error", "red", "status", "cancelled")
        sys.exit(EXIT_CANCELLED)
    except OverpassKitError as error:
        say("error", "red", "status", error)
        sys.exit(EXIT_FAILED)
    if rows:
        table = _table("server", "slots", "free", "next", "running")
        for name, slots in rows:
            table.add_row(*(plain(each) for each in (name, *_cells(slots))))
        _print(table)
    if is_failed:
        sys.exit(EXIT_FAILED)


def _cells(slots: Slots) -> tuple[str | None, ...]:
    waits = [f"in {each.seconds} s" for each in slots.waiting]
    return (
        "no limit" if slots.rate_limit is None else str(slots.rate_limit),
        None if slots.free is None else str(slots.free),
        ", ".join(waits) or ("now" if slots.wait_seconds == 0 else None),
        ", ".join(f"since {each}" for each in slots.running) or None,
    )


@click.command(short_help="List the public servers that are known by name.")
def endpoints() -> None:
    """List the public servers that are known by name. The first is asked by default."""
    table = _table("name", "url", "coverage", "provider")
    for each in known_endpoints():
        table.add_row(*(plain(cell) for cell in each))
    _print(table)


def _table(*headings: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _print(table: Table) -> None:
    console = Console() if sys.stdout.isatty() else Console(width=_WIDE)
    console.print(table)
