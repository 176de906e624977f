"""The store of a home folder, as everybody opens it."""

import os
from pathlib import Path

from oldhand.errors import StoreUnreachable
from oldhand.errors.files import written_to
from oldhand.record.ports import Clock, NewId, random_id
from oldhand.settings import Settings
from oldhand.store.engine import sqlite_url
from oldhand.store.journal.journal import Journal, Rotation
from oldhand.store.store import Store

RESULTS_FOLDER = "verbal_evaluator"


def home_store(
    home: Path,
    settings: Settings,
    *,
    clock: Clock,
    new_id: NewId = random_id,
    store: str | None = None,
) -> Store:
    """Open the store of a home, with its readable files.

    A `store` given here is opened in place of the one that the settings name.

    Raises:
        StoreUnreachable: the folder or the store cannot be used.
        StoreFull: no room is left for it.
    """
    made_folder(home)
    limits = settings.evaluations
    rotation = Rotation(round(limits.file_megabytes * 1_000_000), limits.files_kept)
    return Store.open(
        store or settings.store or sqlite_url(_private_file(home / "store.db")),
        clock=clock,
        new_id=new_id,
        journal=Journal(home / "memory"),
        results=Journal(home / RESULTS_FOLDER, rotation=rotation, synced=False),
    )


def made_folder(path: Path) -> Path:
    """The folder, readable by its owner only when it is new.

    Raises:
        StoreFull: no room is left for it.
        StoreUnreachable: it cannot be made or written, for another reason.
    """
    with written_to(path, StoreUnreachable):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(path, os.W_OK | os.X_OK):
        raise StoreUnreachable(f"{path} cannot be written: change its owner or mode.")
    return path


def _private_file(path: Path) -> Path:
    """The file, readable by its owner only when it is new."""
    with written_to(path, StoreUnreachable):
        path.touch(mode=0o600)
    return path
