"""How a folder says that it holds a demo company, and whether the company is whole."""

from datetime import date
from pathlib import Path

from oldhand.errors import UsageError

MARKER = "demo_company.txt"
"""Holds the last day of the company and its seed; written when everything else is."""
UNFINISHED = "demo_company.unfinished"
"""There while the company is being written; what is found after an interruption is a part of it."""


def is_demo(home: Path) -> bool:
    """Whether a folder holds a demo company, whole or not."""
    return (home / MARKER).is_file() or (home / UNFINISHED).is_file()


def check_finished(home: Path) -> None:
    """Raise when the demo company of a folder was not written to its end.

    Raises:
        UsageError: the demo has to be run again.
    """
    if (home / UNFINISHED).is_file():
        raise UsageError(
            f"The demo company in {home} is unfinished: run oldhand demo --home {home}"
        )


def begin(home: Path) -> None:
    """Mark the company as unfinished."""
    (home / UNFINISHED).touch()
    (home / MARKER).unlink(missing_ok=True)


def finish(home: Path, seed: int, today: date) -> None:
    """Mark the company of that seed, whose books end on that day, as whole."""
    (home / MARKER).write_text(f"Up to {today}: the demo company of seed {seed}\n", "utf-8")
    (home / UNFINISHED).unlink(missing_ok=True)


def kept_in(home: Path) -> tuple[int, date]:
    """The seed of the company in a folder, and the last day in its books.

    Raises:
        UsageError: there is none, or it is not whole.
    """
    check_finished(home)
    try:
        words = (home / MARKER).read_text("utf-8").split()
        return int(words[-1]), date.fromisoformat(words[2].rstrip(":"))
    except (OSError, ValueError, IndexError) as error:
        raise UsageError(
            f"There is no demo company of this version in {home}: leave out --keep."
        ) from error
