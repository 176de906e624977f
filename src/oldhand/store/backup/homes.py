"""A home with its store, all its assistants, files and journal."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, cast

import sqlalchemy as sa

from oldhand.errors import OutputExists, StoreError, StoreTooOld
from oldhand.errors.files import is_taken, written_to
from oldhand.record.ports import Clock
from oldhand.settings import load_settings
from oldhand.store.backup.archive import (
    Archive,
    BackupManifest,
    checked_backup,
    write_archive,
)
from oldhand.store.engine import (
    HEAD,
    Access,
    open_engine,
    shown_url,
    sqlite_url,
    store_url,
    transaction,
    translated,
)
from oldhand.store.home_store import made_folder
from oldhand.store.migrate import upgrade
from oldhand.store.work_tables import document_sources, documents, metadata

if TYPE_CHECKING:
    import psycopg


_HOME = "home"
_LEFT_OUT = ("store.db", ".databases.lock", ".settings.lock", "index")
"""Begin the names of what is made anew, and of the store, which is copied at one moment."""
STORE = "store"
"""Where a backup has the store."""


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


# All that a store holds at one moment, while others go on writing.
def snapshot(url: str, folder: Path) -> tuple[str, str]:
    """Copy a store into files of a folder; gives what kind of store it is, and the revision of its tables.

    Raises:
        StoreError: the store cannot be read.
    """
    address = store_url(url)
    with translated(address):
        if address.drivername == "sqlite":
            assert address.database, "a store in memory is refused"
            place = f"{Path(address.database).absolute().as_uri()}?mode=ro"
            with (
                closing(sqlite3.connect(place, uri=True)) as source,
                closing(sqlite3.connect(folder / "store.db")) as target,
            ):
                # One moment: what others write meanwhile is not seen, and does not make the copy begin anew.
                source.execute("BEGIN")
                source.execute("SELECT 1 FROM alembic_version").fetchone()
                source.backup(target, pages=2_000)
                return "sqlite", _revision_of(target)
        with _driver(url) as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            for table in metadata.sorted_tables:
                statement = f'COPY "{table.name}" ({_columns(table)}) TO STDOUT'
                copy = connection.cursor().copy(statement.encode())
                with (folder / f"{table.name}.copy").open("wb") as file, copy as pieces:
                    for piece in pieces:
                        file.write(piece)
            (row,) = connection.execute("SELECT version_num FROM alembic_version").fetchall()
            return "postgresql", str(row[0])


def put_back(kind: str, revision: str, folder: Path, url: str) -> None:
    """Make a store of the files that `snapshot` has written.

    Raises:
        OutputExists: there is a store already.
        StoreTooOld: the rows are of another version: restore them with that one, and upgrade then.
        StoreError: it cannot be written.
    """
    address = store_url(url)
    if kind == "sqlite":
        target = Path(cast("str", address.database))
        if target.exists() and target.stat().st_size:
            raise OutputExists(f"{target} is a store already.")
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "store.db").replace(target)
        engine = open_engine(url)
        upgrade(engine)
        engine.dispose()
        return
    if revision != HEAD:
        raise StoreTooOld(f"The backup is of revision {revision}, this version writes {HEAD}: restore it with the version that made it.")  # fmt: skip
    engine = open_engine(url)
    upgrade(engine)
    engine.dispose()
    with translated(address), _driver(url) as connection:
        for table in metadata.sorted_tables:
            query = f'SELECT 1 FROM "{table.name}" LIMIT 1'  # noqa: S608
            found = connection.execute(query.encode()).fetchone()
            if found is not None:
                raise OutputExists(f"{shown_url(address)} is a store already: name an empty database.")  # fmt: skip
            _copy_in(connection, table, folder / f"{table.name}.copy")


def relocate(url: str, before: Path, after: Path) -> None:
    """Let documents that lie in a home lie where that is now."""
    old, new = f"{before.as_posix()}/", f"{after.as_posix()}/"
    engine = open_engine(url)
    with transaction(engine, Access.WRITE_DURABLY) as connection:
        for table in (documents, document_sources):
            moved = sa.literal(new).concat(sa.func.substr(table.c.source, len(old) + 1))
            inside = sa.func.substr(table.c.source, 1, len(old)) == old
            connection.execute(sa.update(table).where(inside).values(source=moved))
    engine.dispose()


def _copy_in(connection: "psycopg.Connection", table: sa.Table, file: Path) -> None:
    statement = f'COPY "{table.name}" ({_columns(table)}) FROM STDIN'
    with file.open("rb") as source, connection.cursor().copy(statement.encode()) as copy:
        while piece := source.read(1 << 20):
            copy.write(piece)
    for column in table.primary_key.columns:
        if isinstance(column.type, sa.Integer):
            counted = f"""SELECT setval(pg_get_serial_sequence('"{table.name}"', '{column.name}'), (SELECT MAX("{column.name}") FROM "{table.name}"))"""  # noqa: S608 # fmt: skip
            connection.execute(counted.encode())


def _columns(table: sa.Table) -> str:
    return ", ".join(f'"{one.name}"' for one in table.columns if one.computed is None)


@contextmanager
def _driver(url: str) -> "Generator[psycopg.Connection]":
    """One transaction on Postgres, below SQLAlchemy, which cannot COPY."""
    engine = open_engine(url)
    with engine.connect() as connection:
        driver = cast("psycopg.Connection", connection.connection.driver_connection)
        yield driver
        driver.commit()
    engine.dispose()


def _revision_of(database: sqlite3.Connection) -> str:
    (row,) = database.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(row[0])
