"""Columns that words of a statement are about without naming them: the one that holds some values, and those that an adjective measures."""

import re

from oldhand.agent.analyst.stating.named import is_one_of, only_one
from oldhand.agent.analyst.stating.things import Things
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.schema import Table
from oldhand.sources.databases.values import Values

_LISTED = re.compile(r"\s*(?:,\s*(?:and|or)\b|,|\band\b|\bor\b)\s*", re.IGNORECASE)


def listed_values(said: str, values: Values) -> Things | None:
    """The rows of the one column that has all of several values: `Whitby, Scarborough and Bridlington`.

    Raises:
        UnclearRule: several columns have them.
    """
    texts = [one.strip(" '\"") for one in _LISTED.split(said)]
    if len(texts) < 2 or not all(texts):
        return None
    found = values.exact(texts)
    held: dict[tuple[str, str, str], dict[str, str]] = {}
    for one in found:
        held.setdefault((one.database, one.table, one.column), {})[str(one.value).casefold()] = str(one.value)  # fmt: skip
    whole = {column: those for column, those in held.items() if len(those) == len({*map(str.casefold, texts)})}  # fmt: skip
    only_one(said, [f"{table}.{column}" for _, table, column in whole])
    for (database, table, column), those in whole.items():
        return Things(database, table, is_one_of(column, [those[one.casefold()] for one in dict.fromkeys(texts)]), 1.0)  # fmt: skip
    return None


def measured_by(name: str, tables: tuple[tuple[str, Table], ...]) -> list[str]:
    """The columns that an adjective in a name measures."""
    adjectives = [word_lists().measures.get(word, {}) for word in name.casefold().split()]
    measured = {noun for one in adjectives for noun in one}
    return [
        f"{table.name}.{column.name}"
        for _, table in tables
        for column in table.columns
        if measured.intersection(map(stem, split_name(column.name)))
    ]
