"""A tar file whose last member says what must be in it: without it, or with another sum, it is not believed."""

import hashlib
import os
import tarfile
from collections.abc import Callable, Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from pydantic import ValidationError

from oldhand.errors import InvalidBackup, OutputExists
from oldhand.errors.files import is_taken, written_to
from oldhand.record.base import Record

_MANIFEST = "MANIFEST.json"
_PIECE = 1 << 20
_READ_ERRORS = (tarfile.TarError, EOFError, OSError)


class BackupManifest(Record):
    """What a backup holds."""

    version: str
    """Of Oldhand."""
    made_at: datetime
    store: str
    """`sqlite` or `postgresql`."""
    revision: str
    """Of the store's tables."""
    home: str
    """The folder that it was made of: what lies in there lies in another one when it is restored elsewhere."""
    sums: Mapping[str, str]
    """The SHA-256 of each file."""


class Archive:
    """A backup that is being written."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.sums: dict[str, str] = {}

    def add(self, name: str, path: Path) -> None:
        """Add a file as it is now; what is appended to it meanwhile is left out."""
        with path.open("rb") as file:
            self.add_stream(name, file, os.fstat(file.fileno()).st_size)

    def add_stream(self, name: str, file: IO[bytes], size: int) -> None:
        """Add as many bytes of a stream under a name."""
        summed = _Summing(file, size)
        told = tarfile.TarInfo(name)
        told.size, told.mode = size, 0o600
        self._tar.addfile(told, summed)  # pyright: ignore[reportArgumentType]
        self.sums[name] = summed.digest()


class _Summing:
    """A stream whose bytes are summed up as they are read; one that has become shorter is filled up with nothing."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file, self._left, self._sum = file, size, hashlib.sha256()

    def read(self, most: int) -> bytes:
        data = self._file.read(min(most, self._left)).ljust(min(most, self._left), b"\0")
        self._left -= len(data)
        self._sum.update(data)
        return data

    def digest(self) -> str:
        return self._sum.hexdigest()


def write_archive(
    target: Path, fill: Callable[[Archive], None], described: Callable[[dict[str, str]], BackupManifest]
) -> BackupManifest:  # fmt: skip
    """Write a backup; until it is whole it is called `….partial`, which the next one replaces.

    Raises:
        OutputExists: there is such a file.
        StoreFull: there is no room left.
        StoreError: it cannot be written, or does not read as it was written.
    """
    if is_taken(target):
        raise OutputExists(f"{target} is there already: name another file.")
    partial = target.with_name(f"{target.name}.partial")
    with written_to(partial):
        with (
            os.fdopen(os.open(partial, os.O_CREAT | os.O_RDWR | os.O_TRUNC, 0o600), "wb") as file,
            tarfile.open(fileobj=file, mode="w:gz", compresslevel=1) as tar,
        ):
            archive = Archive(tar)
            fill(archive)
            manifest = described(archive.sums)
            told = manifest.model_dump_json(indent=1).encode()
            Archive(tar).add_stream(_MANIFEST, BytesIO(told), len(told))
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        checked_backup(partial)
        try:
            os.link(partial, target)
        except FileExistsError as error:
            raise OutputExists(f"{target} is there already: name another file.") from error
        partial.unlink()
    return manifest


def checked_backup(source: Path, into: Path | None = None) -> BackupManifest:
    """What a backup holds, when it is whole; its files are written below `into`.

    Raises:
        InvalidBackup: it is none, is half-written, or was changed; the file at fault is named.
    """
    sums: dict[str, str] = {}
    told = b""
    try:
        with tarfile.open(source, "r|gz") as tar:
            for member in tar:
                file = tar.extractfile(member)
                name = PurePosixPath(member.name)
                if file is None or name.is_absolute() or ".." in name.parts:
                    raise InvalidBackup(f"{source} holds {member.name!r}, which is no file of a backup.")  # fmt: skip
                if member.name == _MANIFEST:
                    told = file.read(member.size)
                else:
                    sums[member.name] = _copied(file, None if into is None else into / name)
    except _READ_ERRORS as error:
        last = next(reversed(sums), "its beginning")
        raise InvalidBackup(f"{source} is damaged or half-written after {last}: {error}") from error
    try:
        manifest = BackupManifest.model_validate_json(told)
    except ValidationError as error:
        raise InvalidBackup(f"{source} is no backup of Oldhand, or half-written.") from error
    if manifest.sums != sums:
        names = manifest.sums.keys() | sums.keys()
        wrong = sorted(it for it in names if manifest.sums.get(it) != sums.get(it))
        raise InvalidBackup(f"{source} was changed since it was made: {', '.join(wrong[:3])}.")
    return manifest


def _copied(file: IO[bytes], target: Path | None) -> str:
    """The sum of a member, which is written on the way."""
    summed = hashlib.sha256()
    if target is None:
        while piece := file.read(_PIECE):
            summed.update(piece)
        return summed.hexdigest()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
        while piece := file.read(_PIECE):
            summed.update(piece)
            out.write(piece)
        out.flush()
        os.fsync(out.fileno())
    return summed.hexdigest()
