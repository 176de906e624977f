"""Read the lists of words of a search: which memories or passages of a clone have which of some words."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.memory import MemoryType
from oldhand.store.among import among
from oldhand.store.search.bits import joined
from oldhand.store.search.tables import MEMORY_SEARCH, SearchTables


class Area(NamedTuple):
    """Whose memories are searched."""

    clone_id: str
    user_ids: Collection[str] | None = None
    """None means those of all users."""


class ScopeLists(NamedTuple):
    """The lists of one user and type."""

    scope_id: int
    type: str
    memories: int
    """How many there are."""
    words: int
    """How many these have, repetitions included."""
    lists: Mapping[str, int]
    """For each term that there is, the numbers of the memories that have it, as bits."""


def load_lists(
    connection: sa.Connection,
    area: Area,
    types: Collection[MemoryType] | None,
    terms: Iterable[str],
    tables: SearchTables = MEMORY_SEARCH,
) -> list[ScopeLists]:
    """All lists of some terms, in one statement."""
    asked: dict[str, object] = {"of_clone": area.clone_id, "of_terms": list(terms)}
    if area.user_ids is not None:
        asked["of_users"] = list(area.user_ids)
    if types is not None:
        asked["of_types"] = [one.value for one in types]
    statement = _lists(
        tables, connection.dialect.name, area.user_ids is not None, types is not None
    )
    totals: dict[int, tuple[str, int, int]] = {}
    pieces: defaultdict[int, defaultdict[str, dict[int, bytes]]]
    pieces = defaultdict(lambda: defaultdict(dict))
    rows = connection.execute(statement, asked)
    for scope_id, kind, memories, words, term, block, piece in rows.all():
        totals[scope_id] = (kind, memories, words)
        if term is not None:  # pyright: ignore[reportUnnecessaryComparison] (an outer join)
            pieces[scope_id][term][block] = piece
    return [
        ScopeLists(
            scope_id, *of_scope, {term: joined(one) for term, one in pieces[scope_id].items()}
        )
        for scope_id, of_scope in totals.items()
    ]


@lru_cache(maxsize=10)
def _lists(
    tables: SearchTables, dialect: str, users: bool, types: bool
) -> sa.Select[int, str, int, int, str, int, bytes]:
    """Built once: putting a statement together takes longer than running it."""
    scope, of_word = tables.scopes.c, tables.postings.c
    asked = sa.and_(of_word.scope_id == scope.id, among(of_word.term, "of_terms", dialect))
    conditions = [scope.clone_id == sa.bindparam("of_clone", type_=scope.clone_id.type)]
    if users:
        conditions.append(among(scope.user_id, "of_users", dialect))
    if types:
        conditions.append(among(scope.type, "of_types", dialect))
    of_scope = (scope.id, scope.type, scope.memories, scope.words)
    return (
        sa.select(*of_scope, of_word.term, of_word.block, of_word.places)
        .outerjoin_from(tables.scopes, tables.postings, asked)
        .where(*conditions)
    )
