"""``python -m overpasskit``: the command line."""

from .cli import main

main(prog_name="overpasskit")
