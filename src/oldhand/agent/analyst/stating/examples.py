"""Sentences about the tables at hand that would be understood, for whoever wrote one that was not."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.errors import UnclearRule
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import human, plural
from oldhand.record.schema import DatabaseSchema, Kind, Table
from oldhand.sources.databases.values import Values

_GENERAL = (
    "Understood are, for example: profit = price - cost; active customer = not closed; clients are customers; "
    "sales date = orders.paid_at; Revenue leaves out cancelled orders."
)
TABLES = 4
"""Tables that sentences are made about."""


def examples(sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> str:
    """Sentences of each kind about the tables that one that was not understood names, or about the first ones; each is understood."""
    said = {stem(word) for word in split_name(sentence.casefold())}
    tables = [(schema, table) for schema in schemas for table in schema.tables]
    tables.sort(key=lambda one: not said.issuperset(map(stem, split_name(one[1].name))))
    found: list[str | None] = []
    for kind in (_counted, _measured, _added, _chosen):
        tried = (text for schema, table in tables[:TABLES] for text in kind(schema, table))
        found.append(next((text for text in tried if _is_read(text, schemas, values)), None))
    told = "; ".join(filter(None, found))
    return f"Understood would be, for example: {told}." if told else _GENERAL


def _is_read(text: str, schemas: tuple[DatabaseSchema, ...], values: Values) -> bool:
    try:
        read_rule(text, schemas, values)
    except UnclearRule:
        return False
    return True


def _counted(schema: DatabaseSchema, table: Table) -> Iterator[str]:
    for other in schema.tables:
        if other is not table and any(key.table == table.name for key in other.foreign_keys):
            yield f"busy {_things(table)} have more than 3 {_things(other)}"


def _measured(schema: DatabaseSchema, table: Table) -> Iterator[str]:
    for name, samples in _measures(schema, table):
        article = "an" if name[0] in "aeiou" else "a"
        yield f"big {_things(table)} have {article} {name} of at least {samples[0] if samples else 10}"


def _added(schema: DatabaseSchema, table: Table) -> Iterator[str]:
    for name, _ in _measures(schema, table):
        yield f"whole {name} is the sum of {name} of {_things(table)}"


def _chosen(_: DatabaseSchema, table: Table) -> Iterator[str]:
    for column in table.columns:
        short = [one for one in column.samples if isinstance(one, str) and one.isalpha()]
        if column.kind is Kind.TEXT and not column.unique and short:
            yield f"Only count {_things(table)} with {human(column.name)} {short[0]}"


def _measures(schema: DatabaseSchema, table: Table) -> Iterator[tuple[str, Sequence[object]]]:
    for entry in vocabulary((schema,)).columns:
        if entry.measures and any(entry.column is one for one in table.columns):
            yield human(entry.column.name), entry.column.samples


def _things(table: Table) -> str:
    return plural(human(table.name))
