"""The command line: one file per command.

Nothing here imports a heavy package at the top of a file: commands do it when they run, so that `--help` stays quick.
"""

import os
import sys


def main() -> None:
    """Run the command line; what the shell calls as `oldhand`."""
    from oldhand.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
