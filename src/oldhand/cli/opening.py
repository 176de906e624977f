"""Opening the home that a command works on."""

from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from oldhand.cli import searching
from oldhand.cli.screen import home_option, program
from oldhand.errors import UsageError

if TYPE_CHECKING:
    from oldhand.bootstrap import Home
    from oldhand.face import AsyncOldhand
    from oldhand.record.schema import DatabaseSchema
    from oldhand.sources.databases import Catalog
    from oldhand.store import Store

T = TypeVar("T")


def run(work: Coroutine[object, object, T]) -> T:
    """Run a command's coroutine to its end; Ctrl-C cancels it."""
    import asyncio

    return asyncio.run(work)


def open_home(
    home: Path | None,
    store: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    *,
    create: bool = False,
) -> "AsyncOldhand":
    """Open an `existing_home`; the folder is made only when `create` is set."""
    if not create:
        existing_home(home)
    from oldhand.face import AsyncOldhand

    old = AsyncOldhand(home, store=store, model=model, base_url=base_url)
    searching()
    return old


@contextmanager
def opened_home(
    home: Path | None,
    *,
    store: str | None = None,
    model: str | None = "builtin",
) -> "Generator[Home]":
    """An `existing_home` at work, for commands that ask no question.

    Args:
        home: its folder.
        store: the address of another store than the settings name.
        model: the mind; no language model is reached unless one is named, or None for that of the settings.
    """
    import asyncio

    from oldhand.bootstrap import open_home as wired

    opened = wired(existing_home(home), store=store, model=model)
    searching()
    try:
        opened.background.catch_up(opened.settings.reflection.command_seconds)
        yield opened
    finally:
        asyncio.run(opened.close())


@contextmanager
def opened_store(home: Path | None, store: str | None) -> "Generator[Store]":
    """The store of a home, and nothing else of it."""
    from oldhand.models.clock import SystemClock
    from oldhand.settings import load_settings
    from oldhand.store import home_store

    path = existing_home(home)
    with home_store(path, load_settings(path), clock=SystemClock(), store=store) as kept:
        yield kept


@contextmanager
def opened_catalog(home: Path | None, *, create: bool = False) -> "Generator[Catalog]":
    """The databases of an `existing_home`, without its store; the folder is made only when `create` is set."""
    from oldhand.settings import home_folder
    from oldhand.sources.databases import Catalog
    from oldhand.store import made_folder

    catalog = Catalog(made_folder(home_folder(home)) if create else existing_home(home))
    try:
        yield catalog
    finally:
        catalog.close()


def existing_home(home: Path | None) -> Path:
    """The home's folder.

    Raises:
        UsageError: there is none, or the demo company in it is unfinished.
    """
    from oldhand.demo.marks import check_finished
    from oldhand.settings import home_folder

    path = home_folder(home)
    if not path.is_dir():
        option = home_option(home)
        raise UsageError(f"There is no home at {path}: {program()} init{option} makes one.")
    check_finished(path)
    return path


def introspected(url: str, name: str) -> "DatabaseSchema":
    """The schema of a live database that need not be registered."""
    from oldhand.record.clone import DatabaseEntry
    from oldhand.sources.databases import open_database

    with open_database(DatabaseEntry(name=name, url=url)) as database:
        return database.introspect()


def chosen_databases(catalog: "Catalog", chosen: Sequence[str] | None) -> tuple[str, ...] | None:
    """Names of the databases to ask; a URL or file is registered unless it already is. None means all."""
    if not chosen:
        return None
    known = {entry.name for entry in catalog.list()}
    addresses = [None if each in known else _address(each) for each in chosen]
    return tuple(
        name if address is None else _registered(catalog, address)
        for name, address in zip(chosen, addresses, strict=True)
    )


def names_addresses(chosen: Sequence[str] | None) -> bool:
    """Whether databases are named by where they lie: then there need not be a home yet."""
    return bool(chosen) and all(_address(each) is not None for each in chosen)


def _address(named: str) -> str | None:
    """The URL of a database that is named by its URL, file or folder; None for a name.

    Raises:
        UsageError: it is no name, but there is no such file, or no database in it.
    """
    from oldhand.sources.databases.address import file_url

    if "://" in named:
        return named
    file = Path(named).expanduser()
    found = f"files:///{file}" if named and file.is_dir() else file_url(file)
    if found is None and (file.suffix or "/" in named):
        why = "is no file of SQLite, DuckDB or rows" if file.is_file() else "does not exist"
        raise UsageError(f"--db {named}: that {why}.")
    return found


def _registered(catalog: "Catalog", url: str) -> str:
    return known_name(catalog, url) or catalog.add(url, name=free_name(catalog, url)).name


def known_name(catalog: "Catalog", url: str) -> str | None:
    """The name under which a URL is registered; None when it is not."""
    from oldhand.sources.databases.address import absolute_url

    wanted = absolute_url(url)
    return next((entry.name for entry in catalog.list() if entry.url == wanted), None)


def free_name(catalog: "Catalog", url: str) -> str:
    """A name for a database that no other has."""
    return name_of(url, tuple(entry.name for entry in catalog.list()))


def name_of(url: str, taken: Sequence[str]) -> str:
    """A name for a database, out of its URL.

    >>> name_of("sqlite:///data/Web shop.db", ()), name_of("postgresql://ana@db/shop", ("shop",))
    ('web_shop', 'shop_2')
    """
    from oldhand.sources.databases.address import database_name

    stem = database_name(url)
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name
