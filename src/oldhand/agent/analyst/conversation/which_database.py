"""Which database a question is about, where it names one, or where several could answer it as well."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from oldhand.agent.analysis.mind import EarlierTurn
from oldhand.agent.analyst.deciding import DecisionKind, decide
from oldhand.agent.analyst.understanding import Understanding
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import tokenise
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema

_NEAR = 0.15
"""Confidence by which a reading may lie behind and still be as good."""
_PLACED = r"(?:\s*,)?\s+(?:in|from|of|on|at)\s+(?:the\s+)?(?:{0}\s+database|database\s+{0}|{1})(?=\s*[?.!]*$|\s*,|\s+\w)"


def in_named_database(
    question: str, schemas: Sequence[DatabaseSchema]
) -> tuple[str, DatabaseSchema] | None:
    """The question without the database that it names, and that database; None where it names none.

    A name that is also what a table or column is called means the database only beside that word.

    >>> shop = DatabaseSchema(name="shop_eu", dialect="sqlite", tables=())
    >>> in_named_database("How many orders are there in shop_eu?", (shop,))[0]
    'How many orders are there?'
    """
    known = set(chain.from_iterable(_names(schema) for schema in schemas))
    for schema in schemas:
        name = re.escape(schema.name)
        plain = "(?!)" if schema.name.casefold() in known else name
        found = re.search(_PLACED.format(name, plain), question, re.IGNORECASE)
        if found is not None:
            return question[: found.start()] + question[found.end() :], schema
    return None


def _names(schema: DatabaseSchema) -> set[str]:
    named = (name for t in schema.tables for name in (t.name, *(c.name for c in t.columns)))
    return {part for name in named for part in split_name(name)}


def rivals_of(
    found: Understanding,
    schemas: Sequence[DatabaseSchema],
    read: Callable[[DatabaseSchema], Understanding],
) -> Mapping[str, Understanding]:
    """The readings, each in one database alone, that answer to as many words and are about as sure; the best one first.

    Empty where the first candidate is the one reading, or joins several databases. A table of the name that
    is said goes before a column of another table.

    Args:
        found: what the question means over all databases.
        schemas: of all databases.
        read: reads the question in one of them.
    """
    (first, *more) = found.candidates[0].databases if found.candidates else ("", "")
    if more or found.databases == (first,):
        return {}
    near = [schema for schema in schemas if schema.name in found.databases]
    alone = {schema.name: read(schema) for schema in near}
    kept = [one.name for one in near if decide(alone[one.name], (one,)).kind is DecisionKind.ANSWER]
    kept.sort(key=lambda name: (name != first, -alone[name].confidence))
    as_good = {
        name: alone[name]
        for name in kept
        if alone[name].signals.covered >= alone[kept[0]].signals.covered
        and alone[name].confidence >= alone[kept[0]].confidence - _NEAR
    }
    return {} if list(as_good) == [first] else as_good


def spoken_of(
    question: str, history: Sequence[EarlierTurn], names: Mapping[str, Understanding]
) -> str:
    """The one of some databases that the question names, or that the last answer came from; else empty."""
    said = {token.lower for token in tokenise(question)}
    named = [name for name in names if name.casefold() in said]
    read = [step.database for turn in history[-1:] for step in turn.steps]
    before = [name for name in dict.fromkeys(read) if name in names or name == WORKSPACE]
    found = named or before
    return found[0] if len(found) == 1 else ""
