"""The command ``overpasskit completion``: scripts by which shells complete words."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

_NAME = "overpasskit"
_VARIABLE = "_OVERPASSKIT_COMPLETE"


@click.command(short_help="Print a script by which a shell completes commands and options.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script by which SHELL completes commands and options.

    \b
    bash:  eval "$(overpasskit completion bash)"    in ~/.bashrc
    zsh:   eval "$(overpasskit completion zsh)"     in ~/.zshrc
    fish:  overpasskit completion fish > ~/.config/fish/completions/overpasskit.fish
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"there is no completion for {shell}")
    script = kind(context.find_root().command, {}, _NAME, _VARIABLE)
    # Not the method of the shell's own class: that of bash runs bash to look at its version.
    click.echo(ShellComplete.source(script))
