"""The command ``overpasskit``.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but the answer itself is not whole (a remark
of the server, or truncation). Standard output carries the document only.
"""

from __future__ import annotations

import click

from . import __version__
from .cli_completion import completion
from .cli_convert import convert
from .cli_info import info
from .cli_map import map_
from .cli_merge import apply, merge_
from .cli_places import places
from .cli_query import check, fmt, query
from .cli_run import run
from .cli_servers import endpoints, status


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def main() -> None:
    """From a question about OpenStreetMap to features."""


COMMANDS = (
    run,
    status,
    endpoints,
    convert,
    info,
    query,
    check,
    fmt,
    map_,
    places,
    merge_,
    apply,
    completion,
)

for command in COMMANDS:
    main.add_command(command)
