"""The gate: whether an alias does more good than harm on confirmed pairs."""

from collections.abc import Sequence
from functools import lru_cache

from oldhand.agent.analyst.aliases.screening import may_be_learned
from oldhand.agent.analyst.aliases.used import items_of
from oldhand.agent.analyst.linking.spoken import spoken_in
from oldhand.agent.analyst.precedents.pool import marks_of
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.tokens import tokenise
from oldhand.query.form import Query
from oldhand.query.likeness import share
from oldhand.query.opaque import Opaque
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values


def alias_helps(
    alias: Alias,
    pairs: Sequence[Pair],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> bool:
    """True when an alias may be used: no confirmed question is understood worse with it.

    Pairs whose question lacks the phrase count for nothing.
    """
    if not pairs or not may_be_learned(alias, vocabulary(schemas)):
        return False
    return all(gain(alias, pair, schemas, values) >= 0 for pair in pairs)


def gain(alias: Alias, pair: Pair, schemas: tuple[DatabaseSchema, ...], values: Values) -> float:
    """By how much the first reading comes nearer to the confirmed SQL with an alias, -1..1."""
    if not spoken_in(tokenise(pair.question), (alias,), vocabulary(schemas)):
        return 0.0
    after = _nearness(pair, (alias,), schemas, values)
    return round(after - _nearness(pair, (), schemas, values), 6)


def _nearness(
    pair: Pair, aliases: tuple[Alias, ...], schemas: tuple[DatabaseSchema, ...], values: Values
) -> float:
    """How much the first reading has in common with the confirmed SQL, 0..1: half in its form, half in what it uses."""
    query = statements(schemas).query(pair.sql, pair.database)
    first = _first_reading(pair.question, aliases, schemas, values)
    if query is None or first is None:
        return 0.0
    one, two = _used(first, schemas), _used(query, schemas)
    shared = len(one & two) / (len(one | two) or 1)
    return (share(marks_of(first), marks_of(query)) + shared) / 2


@lru_cache(maxsize=1024)
def _first_reading(
    question: str, aliases: tuple[Alias, ...], schemas: tuple[DatabaseSchema, ...], values: Values
) -> Query | Opaque | None:
    """What the rules make of a question; kept, since one alias after the other is held against the same pairs."""
    found = understand(question, schemas, values, limit=1, aliases=aliases)
    return found.candidates[0].query if found.candidates else None


def _used(
    query: Query | Opaque, schemas: tuple[DatabaseSchema, ...]
) -> set[tuple[int, int, str | None]]:
    items = items_of(query, vocabulary(schemas))
    return {(item.table, item.column, item.value) for item in items}
