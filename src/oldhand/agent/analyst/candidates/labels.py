"""The columns by which people know the rows of a table."""

from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.record.schema import Kind

_NUMBERS = words("names.identifying") | {"no"}
"""Words in the names of columns that number the rows of a table for people."""


def labels_of(vocabulary: Vocabulary, table: int) -> list[int]:
    """The columns that best stand for a row of a table: names first, then numbers for people, then the key.

    Args:
        vocabulary: the columns.
        table: the table.
    """

    def rank(number: int) -> tuple[int, int]:
        entry = vocabulary.columns[number]
        kind = entry.column.kind
        short = len(entry.forms[0]) <= 1 + len(vocabulary.tables[table].forms[0])
        of_another = _is_of_another(vocabulary, number)
        own = "name" in entry.forms[0] and short and not entry.foreign and not of_another
        if own and kind is Kind.TEXT:
            return 0, number
        if entry.name_like and not entry.foreign and not of_another:
            return 1, number
        if _is_numbered(vocabulary, number):
            return 2, number
        if entry.column.primary_key:
            return 3, number
        return 4 if kind is Kind.TEXT and not entry.key_like else 5, number

    return sorted(vocabulary.tables[table].columns, key=rank)


def _is_numbered(vocabulary: Vocabulary, column: int) -> bool:
    """True for the `room_number` of a room that has no name: people know it by that, not by its key."""
    entry = vocabulary.columns[column]
    own = {word for form in vocabulary.tables[entry.table].forms for word in form}
    words = set(entry.forms[0])
    text = entry.column.kind is Kind.TEXT and not entry.foreign
    return text and bool(words & own) and bool(words - own) and words - own <= _NUMBERS


def _is_of_another(vocabulary: Vocabulary, column: int) -> bool:
    """True for the `ship_name` of an order that has a `ship_city` too: it names where it goes."""
    entry = vocabulary.columns[column]
    first = entry.forms[0][0]
    table = vocabulary.tables[entry.table]
    if len(entry.forms[0]) < 2 or any(first in form for form in table.forms):
        return False
    alike = [c for c in table.columns if vocabulary.columns[c].forms[0][:1] == (first,)]
    return len(alike) > 2
