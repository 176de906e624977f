"""Rules as people state them, made of the tables of a database, with questions by their names and the right SQL."""

from collections.abc import Iterator
from statistics import median

from benchmarks._spider_data import SpiderDatabase
from oldhand.agent.analyst.stating.reading import read_rule
from oldhand.errors import UnclearRule
from oldhand.lexicon.wording import human, plural
from oldhand.record.schema import NUMBERS, DatabaseSchema, Kind, Table

Asked = tuple[DatabaseSchema, str, str]
"""The schema with the rule, a question and its SQL."""
_PER_KIND = 4


def asked_with_rules(database: SpiderDatabase) -> Iterator[Asked]:
    """Some questions over one database, each with one rule; sentences that are refused are left out."""
    schema = database.schema
    for kind in (_counted, _measured, _chosen, _left_out):
        made = 0
        for table in schema.tables:
            for sentence, question, gold in kind(schema, table) if made < _PER_KIND else ():
                try:
                    rule = read_rule(sentence, (schema,), database.values).rule
                except UnclearRule:
                    continue
                made += 1
                ruled = schema.model_copy(update={"semantics": schema.semantics.having(rule)})
                yield ruled, question, gold
                break


def _things(table: Table) -> str:
    return plural(human(table.name))


def _counted(schema: DatabaseSchema, table: Table) -> Iterator[tuple[str, str, str]]:
    for other in schema.tables:
        keys = [key for key in other.foreign_keys if key.table == table.name]
        if other is table or len(keys) != 1 or len(keys[0].columns) != 1:
            continue
        inner = f'SELECT "{keys[0].columns[0]}" FROM "{other.name}" GROUP BY 1 HAVING COUNT(*) > 1'
        yield (
            f"busy {_things(table)} have more than 1 {_things(other)}",
            f"How many busy {_things(table)} are there?",
            f'SELECT COUNT(*) FROM "{table.name}" WHERE "{keys[0].target_columns[0]}" IN ({inner})',
        )


def _measured(_: DatabaseSchema, table: Table) -> Iterator[tuple[str, str, str]]:
    keys = {name for key in table.foreign_keys for name in key.columns} | {*table.primary_key}
    for column in table.columns:
        seen = [one for one in column.samples if isinstance(one, int | float)]
        if column.kind in NUMBERS and column.name not in keys and len(seen) > 1:
            amount = median(seen)
            yield (
                f"grand {_things(table)} have a {human(column.name)} over {amount}",
                f"How many grand {_things(table)} are there?",
                f'SELECT COUNT(*) FROM "{table.name}" WHERE "{column.name}" > {amount}',
            )


def _texts(table: Table) -> Iterator[tuple[str, str]]:
    for column in table.columns:
        short = [one for one in column.samples if isinstance(one, str) and one.isalpha()]
        if column.kind is Kind.TEXT and not column.unique and short:
            yield column.name, short[0]


def _chosen(_: DatabaseSchema, table: Table) -> Iterator[tuple[str, str, str]]:
    for column, value in _texts(table):
        yield (
            f"core {_things(table)} are {_things(table)} with {human(column)} {value}",
            f"How many core {_things(table)} are there?",
            f"""SELECT COUNT(*) FROM "{table.name}" WHERE "{column}" = '{value}'""",
        )


def _left_out(_: DatabaseSchema, table: Table) -> Iterator[tuple[str, str, str]]:
    for column, value in _texts(table):
        yield (
            f"Leave out {_things(table)} with {human(column)} {value}",
            f"How many {_things(table)} are there?",
            f"""SELECT COUNT(*) FROM "{table.name}" WHERE "{column}" IS NOT '{value}'""",
        )
