"""Keys that sentences write by their very names: `use packer_id`, `packer_id is a beekeeper`, `sales.packer_id = beekeepers.beekeeper_id`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.stating.named import THINGS, tables_meant
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.record.schema import NUMBERS, Column, DatabaseSchema, ForeignKey, Table
from oldhand.record.semantics import DefaultJoin

_EQUATION = re.compile(r"(?P<one>\w+\.\w+) ?= ?(?P<other>\w+\.\w+)$")
_WORD = re.compile(r"\w+(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class _Written:
    """A column whose very name stands in a sentence."""

    schema: DatabaseSchema
    table: Table
    column: Column

    @property
    def keys(self) -> list[ForeignKey]:
        """The keys that it is alone."""
        return [one for one in self.table.foreign_keys if one.columns == (self.column.name,) and one.database == self.schema.name]  # fmt: skip


def key_stated(
    sentence: str, schemas: tuple[DatabaseSchema, ...]
) -> tuple[str, DefaultJoin] | None:
    """The database, and the rule by which rows belong to others, where a sentence names the key and nothing else but these.

    Raises:
        UnclearRule: several tables have a key by that name.
    """
    equal = _EQUATION.search(sentence)
    if equal is not None:
        return _of_equation(equal["one"], equal["other"], schemas)
    said = [one[0] for one in _WORD.finditer(sentence)]
    if not words("rules.denying").isdisjoint(map(str.lower, said)):
        return None
    for place, word in enumerate(said):
        rest = [*said[:place], *said[place + 1 :]]
        found = {(one.schema.name, one.table.name): led for one in _written(word, schemas) if (led := _led(one, rest))}  # fmt: skip
        if len(found) > 1:
            names = ", ".join(f"{table}.{word}" for _, table in found)
            raise UnclearRule(f"{word!r} may be one of: {names}. Name it in full.")
        for (database, table), key in found.items():
            return database, by_key(table, key)
    return None


def undeclared(column: Column, rows: Table, other: Table, schema: DatabaseSchema) -> ForeignKey | None:  # fmt: skip
    """The key that a column of some rows would be into other rows; None where it is another one, or can be none."""
    if column.primary_key or rows is other or any(column.name in key.columns for key in rows.foreign_keys):  # fmt: skip
        return None
    own = [one for one in other.columns if one.primary_key] or [one for one in other.columns if one.unique]  # fmt: skip
    if len(own) != 1 or (own[0].kind in NUMBERS) != (column.kind in NUMBERS):
        return None
    return ForeignKey(columns=(column.name,), database=schema.name, schema_name=other.schema_name, table=other.name, target_columns=(own[0].name,))  # fmt: skip


def _written(word: str, schemas: Sequence[DatabaseSchema], *, named: bool = False) -> Iterator[_Written]:  # fmt: skip
    """The columns whose very name a word is, with their tables before them or without; `name` and the like are words as well, unless they are `named` in an equation."""
    of, _, name = word.rpartition(".")
    for schema in schemas if "_" in name or named else ():
        for table in schema.tables:
            column = table.column(name)
            if column is not None and of.casefold() in ("", table.name.casefold()):
                yield _Written(schema, table, column)


def _led(one: _Written, rest: Sequence[str]) -> ForeignKey | None:
    """The key that a column is, where the other words name only what it joins, or only that it does."""
    idle = STOP_WORDS | words("rules.joining_rows") | words("rules.alone")
    left, named = list(rest), list[Table]()
    while left:
        if left[0].lower() in idle:
            left = left[1:]
            continue
        if named and left[0].lower() in words("rules.relating"):
            break
        sizes = ((size, tables_meant(" ".join(left[:size]), (one.schema,))) for size in range(min(THINGS, len(left)), 0, -1))  # fmt: skip
        size, tables = next(((size, tables) for size, tables in sizes if len(tables) == 1), (0, ()))
        if not size:
            return None
        named += [table for _, table in tables]
        left = left[size:]
    others = [table for table in named if table is not one.table]
    if len(set(map(id, others))) > 1:
        return None
    for key in one.keys:
        return key if not others or others[0].name == key.table else None
    return undeclared(one.column, one.table, others[0], one.schema) if others else None


def _of_equation(one: str, other: str, schemas: Sequence[DatabaseSchema]) -> tuple[str, DefaultJoin] | None:  # fmt: skip
    """`sales.packer_id = beekeepers.beekeeper_id`, whichever stands first."""
    for holder, target in ((one, other), (other, one)):
        for mine in _written(holder, schemas, named=True):
            for its in _written(target, (mine.schema,), named=True):
                known = next((key for key in mine.keys if key.table == its.table.name), None)
                key = known or undeclared(mine.column, mine.table, its.table, mine.schema)
                if key is not None and key.target_columns == (its.column.name,):
                    return mine.schema.name, by_key(mine.table.name, key)
    return None


def by_key(table: str, key: ForeignKey) -> DefaultJoin:
    """The rule by which the rows of a table belong to others by a key of one column."""
    on = f"{table}.{key.columns[0]} = {key.table}.{key.target_columns[0]}"
    return DefaultJoin(table=table, to=key.table, keys=(on,))
