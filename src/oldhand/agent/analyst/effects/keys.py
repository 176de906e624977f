"""Keys that nobody has declared, and by which right SQL has joined."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from oldhand.query.known import as_key
from oldhand.record.join_path import JoinPath, KeyPair
from oldhand.record.lesson import Lesson
from oldhand.record.schema import DatabaseSchema, ForeignKey, Same, Table


def with_keys(
    schemas: tuple[DatabaseSchema, ...], lessons: Iterable[Lesson] = ()
) -> tuple[DatabaseSchema, ...]:
    """The schemas with the keys by which people have said that tables are joined, or lessons do; the same objects where all of them are known."""
    learned = (one.memory.effect for one in lessons)
    stated = (rule.effect(schema.name) for schema in schemas for rule in schema.semantics.joins)
    paths = [one for one in (*stated, *learned) if isinstance(one, JoinPath)]
    pairs = tuple(dict.fromkeys((path.database, pair) for path in paths for pair in path.on))
    return _with_keys(Same(schemas), pairs) if pairs else schemas


@lru_cache(maxsize=16)
def _with_keys(same: Same, pairs: tuple[tuple[str, KeyPair], ...]) -> tuple[DatabaseSchema, ...]:
    made = tuple(
        _having(schema, [pair for name, pair in pairs if name == schema.name])
        for schema in same.schemas
    )
    return same.schemas if made == same.schemas else made


def _having(schema: DatabaseSchema, pairs: Iterable[KeyPair]) -> DatabaseSchema:
    keys = [found for pair in pairs for found in _key(pair, schema)]
    if not keys:
        return schema
    tables = tuple(
        table.model_copy(update={"foreign_keys": (*table.foreign_keys, *own)})
        if (own := [key for name, key in keys if name == table.name])
        else table
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": tables})


def _key(pair: KeyPair, schema: DatabaseSchema) -> Iterator[tuple[str, ForeignKey]]:
    """The key that a pair of columns is, with the table that has it; none where one is known, or no column tells rows apart."""
    one, other = schema.table(pair.table), schema.table(pair.other_table)
    if one is None or other is None or as_key(pair, schema) is not None:
        return
    sides = (
        (one, pair.column, other, pair.other_column),
        (other, pair.other_column, one, pair.column),
    )
    for holder, column, table, target in sides:
        if _tells_apart(table, target):
            yield (
                holder.name,
                ForeignKey(
                    columns=(column,),
                    database=schema.name,
                    schema_name=table.schema_name,
                    table=table.name,
                    target_columns=(target,),
                ),
            )
            return


def _tells_apart(table: Table, name: str) -> bool:
    column = table.column(name)
    if column is None:
        return False
    return (
        column.primary_key
        or column.unique
        or (column.profile is not None and column.profile.tells_apart)
    )
