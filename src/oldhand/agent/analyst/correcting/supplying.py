"""Keys that nobody has declared, and that people name when a question could not be answered for want of one: `packer_id is the beekeeper`."""

from collections.abc import Iterator
from datetime import date

from oldhand.agent.analyst.correcting.phrases import wordings
from oldhand.agent.analyst.effects.keys import with_keys
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.agent.analyst.stating.ways import CONTRAST, way_said
from oldhand.agent.analyst.stating.written_keys import by_key, undeclared
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.ends import tells_doer
from oldhand.lexicon.naming import key_words
from oldhand.lexicon.tokens import tokenise
from oldhand.query.form import Query
from oldhand.record.schema import Column, DatabaseSchema, Table
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
            for text in tried:
                way = way_said(text, schemas, values)
                if way is not None and {way[1].table, way[1].to} == {*apart}:
                    yield ReadRule(way[0], way[1].model_copy(update={"says": text}))
            told = [column for column in rows.columns if _is_told(column, CONTRAST.sub("", one))]
            keys = [key for column in told if (key := undeclared(column, rows, other, schema))]
            if len(keys) == 1:
                rule = by_key(rows.name, keys[0])
                yield ReadRule(schema.name, rule.model_copy(update={"says": said}))


def _both(
    apart: tuple[str, ...], schemas: tuple[DatabaseSchema, ...]
) -> Iterator[tuple[DatabaseSchema, Table, Table]]:
    for schema in schemas:
        tables = [table for name in apart if (table := schema.table(name)) is not None]
        for rows, other in (tables, tables[::-1]) if len(tables) > 1 else ():
            yield schema, rows, other


def _is_told(column: Column, said: str) -> bool:
    """Whether words name who a column says, or what they do: `packer`, `packed` of `packer_id`."""
    pieces = key_words(column.name)
    if pieces == (column.name.casefold(),):
        return False
    return any(token.lower in pieces or tells_doer(token, column.name) for token in tokenise(said))
