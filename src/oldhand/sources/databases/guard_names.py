"""Names that a reading query must not use, dialect by dialect, and why, as `guard_names.yaml` lists them."""

import re
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple, TypeAlias, cast

from oldhand.lexicon.entries import shipped

_Written: TypeAlias = "dict[str, str | dict[str, str]]"


class Names(NamedTuple):
    """What is refused, and what is allowed, in one dialect: shell patterns, parted by blanks."""

    functions: dict[str, str]
    """By the reason, which completes the sentence "it …"."""
    tables: dict[str, str] = {}  # noqa: RUF012 - nobody writes into it
    """By the reason."""
    catalogues: str = ""
    """Tables and views that come with the server."""
    structure: str = ""
    """Those of them that may be read: they tell the structure of tables."""
    harmless: str = ""
    """Functions that are allowed although a reason would cover them."""
    table_functions: str | None = None
    """Functions that may stand in FROM; None when any may that is not refused."""
    words: str = ""
    """Bare words that begin another statement, where none need be parted from the one before it."""


_FILE = cast("dict[str, dict[str, str]]", shipped("oldhand.sources.databases", "guard_names.yaml"))
_REASONS, _SHARED, _NEVER = (_FILE.pop(name) for name in ("reasons", "shared", "never"))


def _names(written: _Written) -> Names:
    """The names of one dialect, with the shared ones in their places and reasons in full."""

    def read(one: str | dict[str, str]) -> str | dict[str, str]:
        if isinstance(one, str):
            return one.format_map(_SHARED)
        return {_REASONS[reason]: names.format_map(_SHARED) for reason, names in one.items()}

    return Names(**{field: read(one) for field, one in written.items()})  # pyright: ignore[reportArgumentType]


NAMES = {dialect: _names(cast("_Written", written)) for dialect, written in _FILE.items()}
"""By the dialect."""
FILES, SERVER = _REASONS["files"], _REASONS["server"]


@lru_cache(maxsize=64)
def _pattern(names: str) -> re.Pattern[str]:
    """One expression that matches any of the shell patterns."""
    return re.compile("|".join(translate(name) for name in names.split()))


def _reason(refused: dict[str, str], names: set[str]) -> str | None:
    """The first reason that speaks against one of the names."""
    for reason, patterns in refused.items():
        if any(_pattern(patterns).match(name) for name in names):
            return reason
    return None


@lru_cache(maxsize=4_096)
def why_function_is_refused(dialect: str, name: str) -> str | None:
    """The reason, or None when the function may be called; `name` in lower case, without its schema.

    >>> why_function_is_refused("postgres", "pg_sleep")
    'makes the database wait'
    >>> why_function_is_refused("postgres", "pg_typeof")
    """
    names = NAMES[dialect]
    if names.harmless and _pattern(names.harmless).match(name):
        return _REASONS.get(_NEVER.get(name, ""))
    return _reason(names.functions, {name})


@lru_cache(maxsize=4_096)
def why_table_is_refused(dialect: str, name: str) -> str | None:
    """The reason, or None when the table may be read; `name` in lower case, with its schema if it has one.

    >>> why_table_is_refused("mysql", "mysql.user")
    'holds passwords or other secrets'
    >>> why_table_is_refused("mysql", "shop.user")
    """
    tails = {name, *(name.split(".", cut)[-1] for cut in range(1, name.count(".") + 1))}
    names = NAMES[dialect]
    if reason := _reason(names.tables, tails):
        return reason
    if any(_pattern(names.structure).match(tail) for tail in tails):
        return None
    return _reason({SERVER: names.catalogues}, tails)


def may_stand_in_from(dialect: str, name: str) -> bool:
    """Whether the function may be read from like a table; `name` in lower case."""
    allowed = NAMES[dialect].table_functions
    return allowed is None or _pattern(allowed).match(name) is not None


@lru_cache(maxsize=16)
def refused_words(dialect: str) -> frozenset[str]:
    """Bare words that may not stand anywhere in a query, in upper case."""
    return frozenset(NAMES[dialect].words.upper().split())
