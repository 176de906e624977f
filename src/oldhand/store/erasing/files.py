"""Take lines out of the readable files: those of a user, and those that name what was erased."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from oldhand.errors import JournalError
from oldhand.record.clone import DEFAULT_CLONE, DEFAULT_USER
from oldhand.store.erasing.mentions import Marks
from oldhand.store.erasing.rows import is_marked_line
from oldhand.store.journal.journal import CLONES_FOLDER, Journal


def rewrite_files(journal: Journal, clone_id: str, marks: Marks) -> int:
    """Write the files of a clone anew without the lines that have to go; gives how many these were.

    Each file at once, or not at all; other processes wait. A user's own folder goes as a whole.

    Raises:
        JournalError: a file cannot be written; the others may be done already.
    """
    clone = (
        journal.folder if clone_id == DEFAULT_CLONE else journal.folder / CLONES_FOLDER / clone_id
    )
    if not clone.is_dir():
        return 0
    gone = 0
    with journal.locked():
        try:
            for file in _files(clone, clone_id):
                gone += _rewrite(file, marks)
            own = clone / marks.user_id
            if marks.user_id != DEFAULT_USER and own.is_dir() and not own.is_symlink():
                shutil.rmtree(own)
        except OSError as error:
            raise JournalError(f"{error.filename}: {error.strerror}") from error
    return gone


def _files(clone: Path, clone_id: str) -> Iterator[Path]:
    """All files of lines of one clone, those put aside included."""
    others = clone / CLONES_FOLDER if clone_id == DEFAULT_CLONE else None
    for folder, folders, names in os.walk(clone):
        folders[:] = [one for one in folders if Path(folder, one) != others]
        yield from (Path(folder, name) for name in sorted(names) if ".jsonl" in name)


def _rewrite(file: Path, marks: Marks) -> int:
    """Write one file anew beside itself, and put it in its place when it is on the disk."""
    if file.is_symlink():
        return 0
    own = file.parent.name == marks.user_id and marks.user_id != DEFAULT_USER
    new = file.with_name(f".{file.name}.new")
    gone = 0
    with file.open("rb") as old, new.open("wb") as kept:
        os.fchmod(kept.fileno(), file.stat().st_mode & 0o777)
        for line in old:
            if own or _goes(line, marks):
                gone += 1
            else:
                kept.write(line)
        kept.flush()
        os.fsync(kept.fileno())
    if gone:
        new.replace(file)
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    else:
        new.unlink()
    return gone


def _goes(line: bytes, marks: Marks) -> bool:
    text = line.decode("utf-8", "replace").rstrip("\n")
    try:
        record: object = json.loads(text)
    except (ValueError, RecursionError):
        record = text  # torn, or written by hand: what it names still counts
    return is_marked_line(text, record, marks)
