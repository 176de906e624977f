"""What people say about inferred keys."""

from oldhand.errors import SchemaError
from oldhand.record.schema import DatabaseSchema, ForeignKey, KeyEvidence, Table
from oldhand.sources.databases.keys.inference import InferredKey


def as_confirmed(found: InferredKey) -> InferredKey:
    """The same key, once somebody has said that it is one."""
    return found.model_copy(update={"key": _confirmed_key(found.key)})


def with_all_confirmed(schema: DatabaseSchema) -> DatabaseSchema:
    """The schema with all of its inferred keys confirmed, primary ones too."""
    tables = tuple(
        table.model_copy(
            update={
                "foreign_keys": tuple(map(_confirmed_key, table.foreign_keys)),
                "key_evidence": _confirmed(table.key_evidence),
            }
        )
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": tables})


def without_key(
    schema: DatabaseSchema, name: str, column: str
) -> tuple[DatabaseSchema, ForeignKey]:
    """The schema without the inferred key of a column, which is noted as rejected; and that key.

    Raises:
        SchemaError: there is no such key.
    """
    table, key = _inferred(schema, name, column)
    changed = tuple(_rejecting(t, key) if t is table else t for t in schema.tables)
    return schema.model_copy(update={"tables": changed}), key


def with_key_confirmed(schema: DatabaseSchema, name: str, column: str) -> DatabaseSchema:
    """The schema with the inferred key of a column confirmed.

    Raises:
        SchemaError: there is no such key.
    """
    table, key = _inferred(schema, name, column)
    keys = tuple(_confirmed_key(one) if one is key else one for one in table.foreign_keys)
    changed = table.model_copy(update={"foreign_keys": keys})
    tables = tuple(changed if one is table else one for one in schema.tables)
    return schema.model_copy(update={"tables": tables})


def _inferred(schema: DatabaseSchema, name: str, column: str) -> tuple[Table, ForeignKey]:
    table = schema.table(name)
    if table is not None:
        for key in table.foreign_keys:
            if key.evidence is not None and column.casefold() in map(str.casefold, key.columns):
                return table, key
    raise SchemaError(f"{schema.name} has no inferred key of {name}.{column}.")


def without_keys_into(schema: DatabaseSchema, database: str) -> DatabaseSchema:
    """The schema without its keys into a database that is gone."""
    tables = tuple(
        table.model_copy(
            update={
                "foreign_keys": tuple(k for k in table.foreign_keys if k.database != database),
                "rejected_keys": tuple(k for k in table.rejected_keys if k.database != database),
            }
        )
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": tables})


def _rejecting(table: Table, key: ForeignKey) -> Table:
    rejected = key.model_copy(update={"evidence": None})
    kept = tuple(other for other in table.foreign_keys if other is not key)
    return table.model_copy(
        update={"foreign_keys": kept, "rejected_keys": (*table.rejected_keys, rejected)}
    )


def _confirmed_key(key: ForeignKey) -> ForeignKey:
    return key.model_copy(update={"evidence": _confirmed(key.evidence)})


def _confirmed(evidence: KeyEvidence | None) -> KeyEvidence | None:
    return evidence and evidence.model_copy(update={"confirmed": True})
