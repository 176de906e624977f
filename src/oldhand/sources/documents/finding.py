"""The files of a folder that are documents."""

import os
from collections.abc import Iterator
from pathlib import Path

from oldhand.sources.documents.media import media_by_name

_LEFT_OUT = ("node_modules", "__pycache__", "venv", "site-packages", "__MACOSX")
"""Folders that hold what programs have made."""


def documents_under(folder: Path, *, but_not: Path) -> Iterator[Path]:
    """The files of a folder and of those in it that are documents by their names, in order.

    What is hidden, what programs made, what another program is just writing, and links are left out.

    Args:
        folder: where to look.
        but_not: a folder that is left out with all that is in it.
    """
    for place, inside, files in os.walk(folder):
        here = Path(place)
        inside[:] = sorted(one for one in inside if not _is_left_out(one) and here / one != but_not)
        for name in sorted(files):
            path = here / name
            hidden = name.startswith((".", "~"))
            if not hidden and media_by_name(name) and path.is_file() and not path.is_symlink():
                yield path


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT or name.endswith(".egg-info")
