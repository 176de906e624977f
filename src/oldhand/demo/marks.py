"""How a folder says that it holds a demo company, and whether the company is whole."""

from pathlib import Path

from oldhand.errors import UsageError

MARKER = "demo_company.txt"
"""Holds the seed; written when everything else is."""
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


def finish(home: Path, seed: int) -> None:
    """Mark the company of that seed as whole."""
    (home / MARKER).write_text(f"The demo company of seed {seed}\n", "utf-8")
    (home / UNFINISHED).unlink(missing_ok=True)


def seed_of(home: Path) -> int:
    """The seed of the company in a folder.

    Raises:
        UsageError: there is none, or it is not whole.
    """
    check_finished(home)
    try:
        return int((home / MARKER).read_text("utf-8").split()[-1])
    except (OSError, ValueError, IndexError) as error:
        raise UsageError(f"There is no demo company in {home}: leave out --keep.") from error
