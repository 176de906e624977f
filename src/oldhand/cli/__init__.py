"""The command line: one file per command.

Nothing here imports a heavy package at the top of a file: commands do it when they run, so that `--help` stays quick.
"""

import atexit
import gc
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

TYPE_CHECKING = (
    False  # typing itself is not loaded yet: Ctrl-C is met from `main` on, so that comes soon
)
if TYPE_CHECKING:
    from typing import NoReturn

_INTERRUPTED = 130
_UNFORESEEN = 1
_NEW_THINGS = 10_000
"""Things between two searches for garbage: fewer than the modules leave that an answer brings."""
_SEARCHES = 100
"""Searches among new things before one among older ones, which stay: looking over a hundred thousand memories took twice the time with ten."""


def start() -> None:
    """What the shell calls as `oldhand`: `main` in a process of its own, which ends at once when that is done."""
    # Products with one question are too small to be shared: threads of numpy would wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Looking for them reads the names of all packages there are.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.disable()  # what is imported stays; `searching` begins when that is done
    status = _UNFORESEEN

    def leave() -> None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # who reads it, or the stream, is gone
                stream.flush()
        os._exit(status)

    # Runs when all else has ended: taking the program apart would be a fifth of a short command.
    atexit.register(leave)
    try:
        main()
        status = 0
    except KeyboardInterrupt:
        status = _INTERRUPTED
        sys.exit(status)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise


def searching() -> None:
    """Search for garbage from here on, but not in what was imported: that would take a sixth of the start."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(_NEW_THINGS, _SEARCHES)
        gc.enable()


def main() -> None:
    """Run the command line on `sys.argv`, as a function of a program that goes on after it."""
    import signal

    by_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if by_default:  # nothing has to be put in order yet: Ctrl-C may just end us
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _open_streams()
    os.umask(0o077)  # what is written, a home or an export, is its owner's only
    _quiet_others()
    from oldhand.cli.app import made
    from oldhand.cli.exits import Exit, drop_output

    signal.signal(signal.SIGTERM, _stop)
    if by_default:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            made(sys.argv[1] if len(sys.argv) > 1 else None)()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        drop_output()
        sys.exit(Exit.BROKEN_PIPE)
    except OSError as error:
        drop_output()
        print(f"oldhand: the output cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(Exit.UNEXPECTED)


def _open_streams() -> None:
    """Open what the shell has closed, so that no file takes its number; and print any text, whatever the locale."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _quiet_others() -> None:
    """Keep what other packages log and warn of off the terminal; what we say goes there, and none of it is obeyed."""
    import logging
    import warnings

    from oldhand.cli.screen import one_line, safe

    class Visible(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            if record.exc_info and record.exc_info[1] and not os.environ.get("OLDHAND_TRACEBACK"):
                failure = record.exc_info[1]
                said = f"oldhand: {record.getMessage()}: {type(failure).__name__}: {failure}"
                return f"{one_line(said)} (OLDHAND_TRACEBACK=1 shows where)"
            return safe(super().format(record))

    ours = logging.StreamHandler()
    ours.setLevel(logging.WARNING)
    ours.setFormatter(Visible())
    logging.getLogger("oldhand").addHandler(ours)
    logging.getLogger().addHandler(logging.NullHandler())
    if not sys.warnoptions:
        warnings.filterwarnings("ignore", module=r"(?!oldhand)")

        def told(message: Warning | str, *_: object, **__: object) -> str:
            return f"oldhand: {one_line(str(message))}\n"

        warnings.formatwarning = told


def _stop(number: int, _: object) -> "NoReturn":
    """End in good order when asked to, so that what was started is stopped."""
    sys.exit(128 + number)
