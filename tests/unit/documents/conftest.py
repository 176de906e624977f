"""A home with documents."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand import Oldhand


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Oldhand]:
    with Oldhand(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder with two documents, and files that are none."""
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "returns.md").write_text("# Returns\n\nWithin 30 days.\n\n# Repairs\n\nTwo weeks.\n")
    (folder / "deep" / "minutes.txt").write_text("Ana and Bo met.")
    for hidden in (".git/notes.md", "node_modules/readme.md", "~$returns.md", "photo.jpg", ".x.md"):
        path = folder / hidden
        path.parent.mkdir(exist_ok=True)
        path.write_text("nothing")
    return folder
