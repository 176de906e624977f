"""The command line: one file per command.

Nothing here imports a heavy package at the top of a file: commands do it when they run, so that `--help` stays quick.
"""

import os
import signal
import sys
from io import TextIOWrapper
from typing import NoReturn


def main() -> None:
    """Run the command line; what the shell calls as `oldhand`."""
    from oldhand.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _stop)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _stop(number: int, _: object) -> NoReturn:
    """End in good order when asked to, so that what was started is stopped."""
    sys.exit(128 + number)
