"""A home with its store, all its assistants, files and journal."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from oldhand.errors import OutputExists, StoreError
from oldhand.errors.files import is_taken, written_to
from oldhand.record.ports import Clock
from oldhand.settings import load_settings
from oldhand.store.backup.archive import (
    Archive,
    BackupManifest,
    checked_backup,
    write_archive,
)
from oldhand.store.backup.snapshot import STORE, put_back, relocate, snapshot
from oldhand.store.engine import sqlite_url
from oldhand.store.home_store import made_folder

_HOME = "home"
_LEFT_OUT = ("store.db", ".databases.lock", ".settings.lock", "index")
"""Begin the names of what is made anew, and of the store, which is copied at one moment."""


def back_up(home: Path, target: Path, *, store: str | None, clock: Clock) -> BackupManifest:
    """Write all of a home into one file, while others work in it.

    Raises:
        OutputExists: there is such a file.
        StoreError: something cannot be read or written; no file of that name is left then.
    """
    url = store or load_settings(home).store or sqlite_url(home / "store.db")
    known = ("", "")

    def fill(archive: Archive) -> None:
        nonlocal known
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.absolute().parent) as name:
            known = snapshot(url, Path(name))
            for path in sorted(Path(name).iterdir()):
                archive.add(f"{STORE}/{path.name}", path)
        # After the store: its journal may tell more than the store knows, never less.
        for path in _files(home, target):
            archive.add(f"{_HOME}/{path.relative_to(home).as_posix()}", path)

    def described(sums: dict[str, str]) -> BackupManifest:
        kind, revision = known
        return BackupManifest(
            version=version("oldhand"), made_at=clock.now(), store=kind, revision=revision, home=str(home.absolute()), sums=sums
        )  # fmt: skip

    return write_archive(target, fill, described)


def restore(source: Path, home: Path, *, store: str | None = None) -> BackupManifest:
    """Make a home out of a backup.

    Args:
        source: the backup.
        home: a folder that is empty, or not there yet.
        store: where the store goes, in place of where the settings of the home say.

    Raises:
        InvalidBackup: it is half-written or was changed; nothing is left of it then.
        OutputExists: there is a home or a store already.
    """
    if is_taken(home) and (not home.is_dir() or any(home.iterdir())):
        raise OutputExists(f"{home} is not empty: name another folder, or move it away.")
    made_folder(home.parent)
    with written_to(home.parent):
        partial = Path(tempfile.mkdtemp(prefix=f".{home.name}.restoring-", dir=home.parent))
    try:
        manifest = checked_backup(source, partial)
        inner = made_folder(partial / _HOME)
        own = sqlite_url(home / "store.db")
        url = store or load_settings(inner).store or own
        now = sqlite_url(inner / "store.db") if url == own else url
        put_back(manifest.store, manifest.revision, partial / STORE, now)
        relocate(now, Path(manifest.home), home.absolute())
        for listed in inner.rglob("databases.yaml"):
            text = listed.read_text("utf-8").replace(f"{manifest.home}/", f"{home.absolute()}/")
            listed.write_text(text, "utf-8")
        if home.exists():
            home.rmdir()
        inner.replace(home)
    except OSError as error:
        raise StoreError(f"{home} cannot be restored: {error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return manifest


def _files(home: Path, target: Path) -> Iterator[Path]:
    """The files of a home, but for what is made anew, links, sockets and the backup itself."""
    ours = {target.absolute(), target.absolute().with_name(f"{target.name}.partial")}
    for folder, folders, names in os.walk(home):
        folders[:] = sorted(it for it in folders if not it.startswith((".backup-", *_LEFT_OUT)))
        for name in sorted(names):
            path = Path(folder) / name
            if path.is_symlink() or not path.is_file() or path.absolute() in ours:
                continue
            if not name.startswith(_LEFT_OUT):
                yield path
