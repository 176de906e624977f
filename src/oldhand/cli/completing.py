"""What the Tab key offers behind a command: databases, answers and memories of the home.

`oldhand --install-completion` sets it up for the shell. A home that can't be read offers nothing.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from typer import Context

from oldhand.cli.opening import existing_home, opened_catalog, opened_store
from oldhand.cli.screen import one_line, short_id
from oldhand.errors import OldhandError
from oldhand.record.shortening import SHOWN_ID

if TYPE_CHECKING:
    from oldhand.store import Store

_OFFERED = 20
_HELP = 60
"""Characters of what stands beside an id."""


def databases(ctx: Context, incomplete: str) -> list[str]:
    """Names of registered databases."""
    try:
        with opened_catalog(ctx.params.get("home")) as catalog:
            names = [entry.name for entry in catalog.list()]
    except OldhandError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def answers(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """The latest answers, with their questions."""
    found = [("last", "the latest answer")]
    with _store(ctx) as store:
        if store is not None:
            latest = store.episodes("default", limit=_OFFERED)
            found += [(short_id(one.id), one_line(one.answer.question, _HELP)) for one in latest]
    return [one for one in found if one[0].startswith(incomplete)]


def memories(ctx: Context, incomplete: str) -> list[tuple[str, str]]:
    """The latest memories, with what they say."""
    with _store(ctx) as store:
        found = () if store is None else store.memories("default", limit=_OFFERED)
        offered = [(one.id[:SHOWN_ID], one_line(one.summary, _HELP)) for one in found]
    return [one for one in offered if one[0].startswith(incomplete)]


@contextmanager
def _store(ctx: Context) -> "Generator[Store | None]":
    home = ctx.params.get("home")
    try:
        existing_home(home)
        with opened_store(home, ctx.params.get("store")) as store:
            yield store
    except OldhandError:
        yield None
