"""Keys that nobody has declared, and that people name when a question could not be answered for want of one: `packer_id is the beekeeper`."""

from collections.abc import Iterator
from datetime import date

from oldhand.agent.analyst.correcting.phrases import wordings
from oldhand.agent.analyst.effects.keys import with_keys
from oldhand.agent.analyst.stating.pointers import pointed
from oldhand.agent.analyst.stating.reading import ReadRule
from oldhand.agent.analyst.stating.ways import CONTRAST, way_stated
from oldhand.agent.analyst.stating.written_keys import undeclared
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.ends import tells_doer
from oldhand.errors import UnclearRule
from oldhand.lexicon.naming import key_words
from oldhand.lexicon.tokens import tokenise
from oldhand.query.form import Query
from oldhand.record.schema import Column, DatabaseSchema, Table
from oldhand.record.semantics import DefaultJoin
from oldhand.sources.databases.values import Values


def key_supplied(
    said: str,
    question: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    today: date | None,
) -> tuple[ReadRule, Query] | None:
    """The key that words name, and the question with it; None where it lacks none, or they name none by which it is understood.

    Args:
        said: such as `packer_id is the beekeeper`, `join on packer_id`, or `by the packer, not the seller`.
        question: one for which two tables are joined by no key that is known.
        schemas: the databases that it may be about.
        values: what these hold.
        today: when it was asked.
    """
    apart = understand(question, schemas, values, today=today).apart
    for rule in _stated(said, apart, schemas, values) if apart else ():
        with_it = with_keys(tuple(
            one.model_copy(update={"semantics": one.semantics.having(rule.rule)}) if one.name == rule.database else one
            for one in schemas
        ))  # fmt: skip
        found = understand(question, with_it, values, today=today)
        query = found.candidates[0].query if found.candidates and not found.apart else None
        if isinstance(query, Query) and not found.unknown_words:
            return rule, query
    return None


def may_name_key(said: str, schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether words name whom a column refers to of which no key is known."""
    columns = (one for schema in schemas for table in schema.tables for one in table.columns if not one.primary_key and not any(one.name in key.columns for key in table.foreign_keys))  # fmt: skip
    return any(_is_told(one, CONTRAST.sub("", said)) for one in columns)


def _stated(
    said: str,
    apart: tuple[str, ...],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> Iterator[ReadRule]:
    """The ways that words may state from one of two tables to the other."""
    for one in wordings(said):
        for schema, rows, other in _both(apart, schemas):
            tried = (one, f"{one} {other.name}", f"{rows.name} belong to {one}")
            told_ways = (_way(text, schemas, values) for text in tried)
            yield from (ReadRule(*way) for way in told_ways if way and {way[1].table, way[1].to} == {*apart})  # fmt: skip
            told = [column for column in rows.columns if _is_told(column, CONTRAST.sub("", one))]
            keys = [key for column in told if (key := undeclared(column, rows, other, schema))]
            if len(keys) == 1:
                on = f"{rows.name}.{keys[0].columns[0]} = {other.name}.{keys[0].target_columns[0]}"
                yield ReadRule(schema.name, DefaultJoin(table=rows.name, to=other.name, keys=(on,), says=said))  # fmt: skip


def _both(
    apart: tuple[str, ...], schemas: tuple[DatabaseSchema, ...]
) -> Iterator[tuple[DatabaseSchema, Table, Table]]:
    for schema in schemas:
        tables = [table for name in apart if (table := schema.table(name)) is not None]
        for rows, other in (tables, tables[::-1]) if len(tables) > 1 else ():
            yield schema, rows, other


def _way(
    said: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> tuple[str, DefaultJoin] | None:
    try:
        told = pointed(said, schemas, values)
        stated = way_stated(told.text, told.schemas, told.pointers)
    except UnclearRule:
        return None
    return stated and (stated[0], stated[1].model_copy(update={"says": said}))


def _is_told(column: Column, said: str) -> bool:
    """Whether words name who a column says, or what they do: `packer`, `packed` of `packer_id`."""
    pieces = key_words(column.name)
    if pieces == (column.name.casefold(),):
        return False
    return any(token.lower in pieces or tells_doer(token, column.name) for token in tokenise(said))
