"""A schema with the keys that it does not declare."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from oldhand.record.schema import DatabaseSchema, ForeignKey
from oldhand.sources.databases.keys.inference import InferredKey, inferred_keys
from oldhand.sources.databases.keys.names import named_tables
from oldhand.sources.databases.keys.primary import with_primary_keys
from oldhand.sources.databases.keys.shared_values import SharedValues
from oldhand.sources.databases.session import LiveDatabase


def with_inferred_keys(schema: DatabaseSchema, database: LiveDatabase) -> DatabaseSchema:
    """The schema with primary and foreign keys that names and values speak for, where it declares none.

    Raises:
        DatabaseUnreachable: the database does not answer any more.
    """
    shared = SharedValues(lambda _: database)
    keyed = with_primary_keys(schema, shared.tells_apart)
    return with_keys(keyed, inferred_keys(named_tables((keyed,)), (schema.name,), shared))


def suggested_keys(
    schemas: Sequence[DatabaseSchema], source: Callable[[str], LiveDatabase]
) -> tuple[InferredKey, ...]:
    """Keys within and across databases that no schema has yet, or that nobody has confirmed.

    Raises:
        DatabaseUnreachable: one of the databases does not answer.
    """
    waiting = tuple(
        InferredKey(database=schema.name, schema_name=table.schema_name, table=table.name, key=key)
        for schema in schemas
        for table in schema.tables
        for key in table.foreign_keys
        if key.is_unconfirmed
    )
    names = [schema.name for schema in schemas]
    return (*waiting, *inferred_keys(named_tables(schemas), names, SharedValues(source)))


def with_keys(schema: DatabaseSchema, found: Iterable[InferredKey]) -> DatabaseSchema:
    """The schema with those of the keys that start in it, in place of the same ones that it has."""
    new: dict[tuple[str, str], dict[object, ForeignKey]] = defaultdict(dict)
    for one in found:
        if one.database == schema.name:
            new[one.schema_name, one.table][one.key.ends] = one.key
    tables = tuple(
        table.model_copy(
            update={
                "foreign_keys": tuple(
                    ({key.ends: key for key in table.foreign_keys} | added).values()
                )
            }
        )
        if (added := new.get((table.schema_name, table.name)))
        else table
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": tables})
