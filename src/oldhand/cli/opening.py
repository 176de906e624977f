"""Opening the home that a command works on."""

import re
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from oldhand.face import AsyncOldhand

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


def chosen_databases(old: "AsyncOldhand", chosen: Sequence[str] | None) -> tuple[str, ...] | None:
    """Names of the databases to ask; a URL is registered unless it already is. None means all."""
    if not chosen:
        return None
    return tuple(_registered(old, each) if "://" in each else each for each in chosen)


def _registered(old: "AsyncOldhand", url: str) -> str:
    known = {entry.url: entry.name for entry in old.databases.entries()}
    if url in known:
        return known[url]
    return old.databases.add(url, name=name_of(url, tuple(known.values()))).name


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
