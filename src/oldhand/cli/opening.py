"""Opening the home that a command works on."""

import re
from collections.abc import Coroutine, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from oldhand.face import AsyncOldhand
    from oldhand.record.schema import DatabaseSchema
    from oldhand.sources.databases import Catalog

T = TypeVar("T")


def run(work: Coroutine[object, object, T]) -> T:
    """Run a command's coroutine to its end; Ctrl-C cancels it."""
    import asyncio

    return asyncio.run(work)


def open_home(
    home: Path | None,
    *,
    store: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
) -> "AsyncOldhand":
    """Open a home, making it if needed."""
    from oldhand.face import AsyncOldhand

    return AsyncOldhand(home, store=store, model=model, base_url=base_url)


@contextmanager
def opened_catalog(home: Path | None, *, create: bool = False) -> "Generator[Catalog]":
    """The databases of a home, without its store; the folder is made only when `create` is set."""
    from oldhand.bootstrap import made_folder
    from oldhand.settings import home_folder
    from oldhand.sources.databases import Catalog

    path = home_folder(home)
    catalog = Catalog(made_folder(path) if create else path)
    try:
        yield catalog
    finally:
        catalog.close()


def introspected(url: str, name: str) -> "DatabaseSchema":
    """The schema of a live database that need not be registered."""
    from oldhand.record.clone import DatabaseEntry
    from oldhand.sources.databases import open_database

    with open_database(DatabaseEntry(name=name, url=url)) as database:
        return database.introspect()


def chosen_databases(catalog: "Catalog", chosen: Sequence[str] | None) -> tuple[str, ...] | None:
    """Names of the databases to ask; a URL is registered unless it already is. None means all."""
    if not chosen:
        return None
    return tuple(_registered(catalog, each) if "://" in each else each for each in chosen)


def _registered(catalog: "Catalog", url: str) -> str:
    from oldhand.sources.databases.address import absolute_url

    known = {entry.url: entry.name for entry in catalog.entries()}
    if name := known.get(absolute_url(url)):
        return name
    return catalog.add(url, name=name_of(url, tuple(known.values()))).name


def name_of(url: str, taken: Sequence[str]) -> str:
    """A name for a database, out of its URL.

    >>> name_of("sqlite:///data/Web shop.db", ()), name_of("postgresql://ana@db/shop", ("shop",))
    ('web_shop', 'shop_2')
    """
    last = url.partition("?")[0].rstrip("/").rpartition("/")[2]
    stem = re.sub(r"\W+", "_", last.rpartition(".")[0] or last).strip("_").lower() or "database"
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name
