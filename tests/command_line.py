"""The command line in this process: only the part of it that is called is made, as the program does, and once."""

from collections.abc import Sequence
from functools import cache

from typer import Typer
from typer.main import get_command
from typer.testing import CliRunner, Result

from oldhand.cli.app import made
from oldhand.cli.whole import app

part = cache(made)
WHOLE = get_command(app)


class CommandLine(CliRunner):
    """Runs commands."""

    def invoke(self, app: Typer, args: Sequence[str] = (), **options: object) -> Result:
        """Run a command of `app`, which is the whole command line."""
        return super().invoke(part(next(iter(args), None)), args, **options)
