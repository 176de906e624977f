"""The semantic layer of a database as a YAML file that people read and edit; what is wrong with it is named with its line."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import yaml

from oldhand.errors import SchemaError
from oldhand.record.filter_condition import columns_of as columns_of_filter
from oldhand.record.filter_condition import read_filter
from oldhand.record.formula import columns_of, read_condition, read_formula
from oldhand.record.schema import DATES, DatabaseSchema, Table
from oldhand.record.semantics import (
    DefaultDate,
    DefaultJoin,
    Measure,
    NamedCondition,
    RowFilter,
    Rule,
    Semantics,
    Synonym,
    key_pair,
    section_of,
)
from oldhand.settings.strict_yaml import guess, read_document
from oldhand.sources.databases.files import write_atomically

_HEADER = """\
# What people here mean by words in this database, and which rows count. `oldhand rule add` writes it; edit it as you like.
#   measures:   name, table, formula     profit: price - cost; of a table that the rows refer to: products.cost
#   conditions: name, table, condition   active: closed = 0
#   synonyms:   name, table, column      without a column the word means the table
#   dates:      table, column, phrase    the date that "in March" means, and what people call it
#   filters:    table, condition, when   the rows that count; `when` has the words of the questions that it is about
#   joins:      table, to, keys          by which keys the rows of a table belong to those of another: orders.billing_id = addresses.id
# Each may also have says (the sentence it comes from), by (who said so) and since (the day).
"""


def load_semantics(path: Path, schema: DatabaseSchema) -> Semantics:
    """Read the semantic layer of a database.

    Raises:
        SchemaError: it is not YAML, has an unknown or missing key, or speaks of tables and columns that are not there.
    """
    document = read_document(path)
    if document.value is None:
        return Semantics()
    held = document.value if isinstance(document.value, dict) else {"": None}
    found = document.filled(Semantics, {key: part or () for key, part in held.items()})
    numbers: dict[str, int] = {}
    for rule in found.rules:
        section = section_of(rule)
        number = numbers[section] = numbers.get(section, -1) + 1
        for key, problem in problems_of(rule, schema):
            raise SchemaError(f"{document.where((section, number, key))}: {problem}")
    return found


def save_semantics(semantics: Semantics, path: Path) -> None:
    """Write the semantic layer in one go; the file as it was is kept under `earlier`, numbered.

    Raises:
        StoreError: the file cannot be written.
    """
    text = semantics_text(semantics)
    _keep_earlier(path)
    write_atomically(path, f"{_HEADER}\n{text}")


def semantics_text(semantics: Semantics) -> str:
    """The semantic layer as YAML; empty where there are no rules."""
    held = {
        section: [_entry(rule) for rule in cast("tuple[Rule, ...]", getattr(semantics, section))]
        for section in Semantics.model_fields
    }
    full = {section: rules for section, rules in held.items() if rules}
    return yaml.safe_dump(full, sort_keys=False, allow_unicode=True, width=110) if full else ""


def _keep_earlier(path: Path) -> None:
    last = [int(one.suffixes[-2][1:]) for one in earlier_files(path)[-1:]]
    text = path.read_text("utf-8") if path.exists() else ""
    place = path.parent / "earlier" / f"{path.stem}.{1 + sum(last):06}.yaml"
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, text)


def earlier_files(path: Path) -> list[Path]:
    """The files that hold what the rules of a database were, oldest first."""
    return sorted((path.parent / "earlier").glob(f"{path.stem}.??????.yaml"))


def problems_of(rule: Rule, schema: DatabaseSchema) -> Iterator[tuple[str, str]]:
    """What does not fit the schema: the key that it stands under, and the problem."""
    table = schema.table(rule.table)
    if table is None:
        yield "table", _no_table(rule.table, schema)
        return
    if isinstance(rule, Measure | NamedCondition) and table.column(rule.name) is not None:
        yield "name", f"{table.name} has a column {rule.name} already: choose another name."
    if isinstance(rule, DefaultJoin):
        yield from _problems_on_the_way(rule, schema)
        return
    key, named = _columns(rule)
    for other, name in named:
        owner = table if other in ("", table.name) else _referred(table, other, schema)
        if owner is None:
            yield key, f"{table.name} does not refer to a table {other}."
        elif owner.column(name) is None:
            yield key, _no_column(name, owner)
    column = table.column(rule.column) if isinstance(rule, DefaultDate) else None
    if column is not None and column.kind not in DATES:
        yield "column", f"{table.name}.{column.name} holds no dates."


def _problems_on_the_way(rule: DefaultJoin, schema: DatabaseSchema) -> Iterator[tuple[str, str]]:
    """Tables and columns of a way that are not there."""
    there = schema.table(rule.to)
    if there is None:
        yield "to", _no_table(rule.to, schema)
        return
    if rule.column is not None and there.column(rule.column) is None:
        yield "column", _no_column(rule.column, there)
    for pair in map(key_pair, rule.keys):
        for name, column in pair.ends:
            table = schema.table(name)
            if table is None:
                yield "keys", _no_table(name, schema)
            elif table.column(column) is None:
                yield "keys", _no_column(column, table)


def _no_table(name: str, schema: DatabaseSchema) -> str:
    near = guess(name, [one.name for one in schema.tables])
    return f"{schema.name} has no table {name}{near}."


def _no_column(name: str, table: Table) -> str:
    near = guess(name, [one.name for one in table.columns])
    return f"{table.name} has no column {name}{near}."


def _columns(rule: Rule) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The key that names columns, and these, each after its table."""
    match rule:
        case Measure():
            return "formula", columns_of(read_formula(rule.formula))
        case NamedCondition():
            return "condition", columns_of(read_condition(rule.condition))
        case RowFilter():
            named = columns_of_filter(read_filter(rule.condition))
            return "condition", tuple(("", name) for name in named)
        case DefaultDate() | Synonym():
            return "column", (("", rule.column),) if rule.column is not None else ()
        case DefaultJoin():
            return "keys", ()


def _referred(table: Table, name: str, schema: DatabaseSchema) -> Table | None:
    """A table that the rows of another one refer to."""
    for key in table.foreign_keys:
        if key.database == schema.name and key.table.casefold() == name.casefold():
            return schema.table(key.table, key.schema_name)
    return None


def _entry(rule: Rule) -> dict[str, object]:
    last = ("says", "by", "since")
    held = {
        key: value for key, value in rule.model_dump(mode="json").items() if value not in ("", None)
    }
    known = ("name", "phrase", "table", "column", "formula", "condition", "to", "keys")
    first = [key for key in known if key in held]
    return {key: held[key] for key in (*first, *("when",) * ("when" in held), *last) if key in held}
