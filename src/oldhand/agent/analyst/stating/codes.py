"""What people call a code, wherever columns of one name hold it: `Leeds means off LDS`, `Leeds is the office LDS`."""

from collections import defaultdict
from collections.abc import Sequence

from oldhand.agent.analyst.stating.named import columns_named, is_one_of, tables_meant
from oldhand.agent.analyst.stating.sentences import Definition, sentence_of
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.record.schema import NUMBERS, DatabaseSchema
from oldhand.record.semantics import NamedCondition
from oldhand.sources.databases.values import Values

_COLUMN = 0.5
"""How well words must fit the columns that hold the code behind them."""


def code_named(
    sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> ReadRule | None:
    """The rules by which a name stands for a code in all tables that have a column of the same name with it; None where a sentence says no such thing."""
    try:
        said = sentence_of(sentence)
    except UnclearRule:
        return None
    if not isinstance(said, Definition):
        return None
    *column, code = [one.strip("'\"") for one in said.meaning.replace("=", " ").split()] or [""]
    column = [one for one in column if one.lower() not in words("rules.articles")]
    name = said.name.casefold()
    known = {str(one.value).casefold() for one in values.exact([name])}
    if not code or code.lower() in STOP_WORDS or name in known or tables_meant(name, schemas):
        return None
    held = [(one.database, one.table, one.column, one.value) for one in values.exact([code])]
    if column:
        fitting = {(one.database, one.table.name, one.column.name) for one in columns_named(" ".join(column), schemas) if one.fit >= _COLUMN}  # fmt: skip
        held = [one for one in held if one[:3] in fitting]
    return _of_one_name(_without_column(name, held, schemas), held, schemas)


def _without_column(
    name: str, held: Sequence[tuple[str, str, str, str]], schemas: tuple[DatabaseSchema, ...]
) -> str:
    """A name without the word for its column at its end: `leeds` of `the leeds office`."""
    first, _, last = name.rpartition(" ")
    fitting = {(one.database, one.table.name, one.column.name) for one in columns_named(last, schemas) if one.fit >= _COLUMN}  # fmt: skip
    return first if first and any(one[:3] in fitting for one in held) else name


def _of_one_name(
    name: str, held: Sequence[tuple[str, str, str, str]], schemas: tuple[DatabaseSchema, ...]
) -> ReadRule | None:
    """The rules for all columns that hold a code, where these are of one database and have one name."""
    alike = defaultdict[tuple[str, str], dict[str, NamedCondition]](dict)
    for database, table, column, value in held:
        schema = next(one for one in schemas if one.name == database)
        own = schema.table(table)
        entry = own and own.column(column)
        if entry is not None and entry.kind not in NUMBERS:
            rule = NamedCondition(name=name, table=table, condition=is_one_of(column, [value]))
            alike[database, column.casefold()][table] = rule
    if len(alike) != 1:
        return None
    ((database, _), rules), *_ = alike.items()
    first, *others = rules.values()
    return ReadRule(database, first, tuple(others))
