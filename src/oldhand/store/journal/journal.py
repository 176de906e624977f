"""The user's readable files: every memory, episode and evaluation as a line of JSON, after each commit.

    <home>/memory/<user>/episodic.jsonl …               the clone `default`
    <home>/memory/_clones/<clone>/<user>/episodic.jsonl …   every other clone
    <home>/memory/.journal                              which journal this is; also its lock
    <home>/verbal_evaluator/resultdicttojsonl_….jsonl …     a journal of its own: what evaluators found

Ids start with a letter or digit, so that no user can be called `_clones`. A line is never changed:
the latest one of an id wins. The truth lies in the store; edits come back by `oldhand memory import`.
"""

import fcntl
import logging
import os
import stat
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from oldhand.errors import JournalError
from oldhand.errors.files import written_to
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.memory import MemoryType
from oldhand.record.ports import NewId, random_id
from oldhand.store.journal.last_lines import already_there, mended_size
from oldhand.store.journal.lines import JOURNAL_FILES

logger = logging.getLogger(__name__)

CLONES_FOLDER = "_clones"
_ID_FILE = ".journal"
_MARK_FILE = ".appending"
"""Is there while lines are being appended, so that whoever comes after a crash knows of it."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW


class JournalPlace(NamedTuple):
    """Which file a line belongs into."""

    clone_id: str
    user_id: str
    type: MemoryType

    @property
    def parts(self) -> tuple[str, ...]:
        """The way from the journal's folder to the file; raises `InvalidId` where an id could leave the folder."""
        return (*_above(self.clone_id), checked_name(self.user_id), JOURNAL_FILES[self.type])


class ResultsPlace(NamedTuple):
    """Which file a line belongs into that tells of no memory."""

    clone_id: str
    file: str

    @property
    def parts(self) -> tuple[str, ...]:
        """The way from the folder of results to the file; raises `InvalidId` where an id could leave the folder."""
        return (*_above(self.clone_id), *self.file.split("/"))


def _above(clone_id: str) -> tuple[str, ...]:
    """The folders of a clone; the first one needs none."""
    clone = checked_name(clone_id)
    return () if clone == DEFAULT_CLONE else (CLONES_FOLDER, clone)


class PendingLine(NamedTuple):
    """A line of the outbox: committed, but not yet known to be in its file."""

    seq: int
    place: JournalPlace | ResultsPlace
    line: str


class Rotation(NamedTuple):
    """When a file is put aside for a new one."""

    most_bytes: int
    """A file that would become larger is put aside; a single longer line still goes into a file."""
    kept: int
    """Files put aside that are kept, as `<name>.1` (the newest), `<name>.2`, …"""


_NEVER: Final = Rotation(sys.maxsize, 0)


class Journal:
    """The readable files below one folder."""

    def __init__(
        self,
        folder: Path,
        *,
        new_id: NewId = random_id,
        rotation: Rotation = _NEVER,
        synced: bool = True,
    ) -> None:
        """Nothing is written before the first line.

        Args:
            folder: usually `<home>/memory`.
            new_id: names the journal when it is new.
            rotation: when files are put aside; usually never.
            synced: whether lines outlive a power failure. Without, the last ones may be missing from the
                files then, but not from the store; and two lines in a row may say the same.
        """
        self.folder = folder
        self._new_id = new_id
        self._rotation = rotation
        self._synced = synced

    def path(self, place: JournalPlace | ResultsPlace) -> Path:
        """The file of `place`, whether it exists or not."""
        return self.folder.joinpath(*place.parts)

    def is_at(self, place: JournalPlace | ResultsPlace, file: Path) -> bool:
        """Whether `file` is that of `place`, or one that was put aside for it."""
        path = self.path(place)
        return file.resolve().parent == path.parent.resolve() and (
            file.name == path.name or file.name.startswith(f"{path.name}.")
        )

    def id(self) -> str:
        """The name of this journal in the outbox; it moves along with the folder."""
        with self.locked() as name:
            return name

    @contextmanager
    def locked(self) -> Generator[str]:
        """Keep every other process out of the files; gives the journal's id. Raises `JournalError` when it can't."""
        with written_to(self.folder, JournalError):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(self.folder / _ID_FILE, _FILE, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield self._id_in(file)
        finally:
            os.close(file)

    def _id_in(self, file: int) -> str:
        found = os.pread(file, 200, 0).decode("ascii", "replace").strip()
        if not found:
            found = self._new_id()
            os.write(file, f"{found}\n".encode())
        return found

    def append(self, pending: Sequence[PendingLine]) -> tuple[int, ...]:
        """Append what is not in the files yet, in order of `seq` with nothing left out; call it inside `locked`.

        A file that cannot be written keeps its lines pending and does not hold up the others. Gives the `seq` of those
        lines that are in their files now.
        """
        done: list[int] = []
        # Lines about memories have ids: one that the file ends with is never another one that says the same.
        unsure = self._synced or (bool(pending) and self._marked())
        for place, group in groupby(sorted(pending, key=_by_place), key=lambda line: line.place):
            lines = tuple(group)
            try:
                self._append_to(place, [f"{line.line}\n".encode() for line in lines], unsure)
            except (JournalError, OSError) as error:
                logger.warning("journal_pending: %s lines wait: %s", len(lines), error)
            else:
                done += [line.seq for line in lines]
        return tuple(done)

    def replace_lines(self, place: ResultsPlace, lines: Mapping[str, str | None]) -> None:
        """Write the files of a place anew with other lines for some, or without these; call it inside `locked`.

        Raises:
            OSError: a file can't be written; it is as it was.
        """
        path = self.path(place)
        for file in (path, *path.parent.glob(f"{path.name}.*")):
            if file.is_symlink() or not file.is_file():
                continue
            before = file.read_text("utf-8", "surrogateescape").split("\n")
            after = [lines.get(line, line) for line in before]
            if after != before:
                new = file.with_name(f".{file.name}.new")
                new.touch(mode=0o600)
                kept = "\n".join(line for line in after if line is not None)
                new.write_text(kept, "utf-8", "surrogateescape")
                new.replace(file)

    def settled(self) -> None:
        """Say, still inside `locked`, that what was appended is no longer pending."""
        if not self._synced:
            (self.folder / _MARK_FILE).unlink(missing_ok=True)

    def _marked(self) -> bool:
        """Mark that lines are being appended; true when somebody began so and never came to the end."""
        try:
            os.close(
                os.open(self.folder / _MARK_FILE, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            )
        except FileExistsError:
            return True
        except OSError as error:
            raise JournalError(f"{self.folder} cannot be written: {error.strerror}") from error
        return False

    def _append_to(
        self, place: JournalPlace | ResultsPlace, lines: list[bytes], unsure: bool
    ) -> None:
        with self._folder_of(place) as folder:
            with self._opened(place, folder) as file:
                size = mended_size(file, self.path(place))
                there = already_there(file, size, lines) if unsure else 0
                missing = b"".join(lines[there:])
                # Not while the lines to write may be its last ones.
                full = size > 0 and missing and not there
                full = full and size + len(missing) > self._rotation.most_bytes
                if not full:
                    self._write(file, size, missing, place)
            if full:
                _put_aside(place.parts[-1], folder, self._rotation.kept)
                with self._opened(place, folder) as file:
                    self._write(file, 0, missing, place)

    def _write(
        self, file: int, size: int, missing: bytes, place: JournalPlace | ResultsPlace
    ) -> None:
        if missing and os.write(file, missing) != len(missing):
            os.ftruncate(file, size)
            raise JournalError(f"{self.path(place)}: no room left on the disk")
        if self._synced:
            # Its note in the outbox goes next: after a power failure one of the two has to be there.
            os.fdatasync(file)

    @contextmanager
    def _folder_of(self, place: JournalPlace | ResultsPlace) -> Generator[int]:
        """Walk down part by part, so that no link can lead out of the folder."""
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in place.parts[:-1]:
                below = _open_folder(part, folder)
                os.close(folder)
                folder = below
            yield folder
        finally:
            os.close(folder)

    @contextmanager
    def _opened(self, place: JournalPlace | ResultsPlace, folder: int) -> Generator[int]:
        try:
            file = os.open(place.parts[-1], _FILE, 0o600, dir_fd=folder)
        except OSError as error:
            raise JournalError(f"{self.path(place)}: {error.strerror}") from error
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise JournalError(f"{self.path(place)}: not a file")
            yield file
        finally:
            os.close(file)


def _put_aside(name: str, folder: int, kept: int) -> None:
    """Move a file to `<name>.1`, and those put aside before by one; the oldest goes."""
    places = [name, *(f"{name}.{number}" for number in range(1, kept + 1))]
    for older, newer in reversed(list(zip(places[1:], places, strict=False))):
        with suppress(FileNotFoundError):
            os.replace(newer, older, src_dir_fd=folder, dst_dir_fd=folder)
    if not kept:
        os.unlink(name, dir_fd=folder)


def _by_place(line: PendingLine) -> tuple[tuple[str, ...], int]:
    return (tuple(line.place), line.seq)


def _open_folder(part: str, parent: int) -> int:
    with suppress(FileExistsError):
        os.mkdir(part, 0o700, dir_fd=parent)
    return os.open(part, _FOLDER, dir_fd=parent)
