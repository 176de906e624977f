"""A schema introspected anew, with what people wrote into the old one."""

from collections.abc import Iterator

from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Table
from oldhand.sources.databases.kinds import kind_of
from oldhand.sources.databases.schema_file import dangling


def keep_written(found: DatabaseSchema, written: DatabaseSchema) -> DatabaseSchema:
    """Join what is in the database with what a person knows of it.

    Types, keys, samples and row counts are those found. Descriptions of the file win over comments in the database;
    kinds that the file sets are kept while the type is the same; references that the file adds are kept while both of
    their ends are there, as is the primary key of a view. What models may learn is what the file says.
    """
    tables = tuple(_table(table, _counterpart(table, written), found) for table in found.tables)
    description = written.description or found.description
    return found.model_copy(
        update={"description": description, "to_models": written.to_models, "tables": tables}
    )


def loses_words(merged: DatabaseSchema, written: DatabaseSchema) -> bool:
    """Whether a description of the old file has no place in the new one, as its table or column is gone."""
    return not set(_descriptions(written)) <= {"", *_descriptions(merged)}


def _descriptions(schema: DatabaseSchema) -> Iterator[str]:
    for table in schema.tables:
        yield table.description
        yield from (column.description for column in table.columns)


def _counterpart(table: Table, written: DatabaseSchema) -> Table | None:
    exact = written.table(table.name, table.schema_name)
    return exact or written.table(table.name)  # it moved to another schema or kind of database


def _table(found: Table, written: Table | None, schema: DatabaseSchema) -> Table:
    if written is None:
        return found
    columns = tuple(
        _column(column, written.column(column.name), schema.dialect) for column in found.columns
    )
    stated = bool(written.primary_key) and not written.key_evidence
    declared = bool(found.primary_key) and not found.key_evidence
    key = written.primary_key if stated and not declared else found.primary_key
    evidence = None if stated and not declared else found.key_evidence
    return found.model_copy(
        update={
            "description": written.description or found.description,
            "columns": tuple(
                column.model_copy(update={"primary_key": column.name in key}) for column in columns
            ),
            "foreign_keys": _foreign_keys(found, written, schema),
            "rejected_keys": written.rejected_keys,
            "to_models": written.to_models,
            "key_evidence": evidence,
        }
    )


def _column(found: Column, written: Column | None, dialect: str) -> Column:
    if written is None:
        return found
    chosen = written.kind is not kind_of(written.type, dialect) and written.type == found.type
    return found.model_copy(
        update={
            "description": written.description or found.description,
            "kind": written.kind if chosen else found.kind,
            "to_models": written.to_models,
        }
    )


def _foreign_keys(found: Table, written: Table, schema: DatabaseSchema) -> tuple[ForeignKey, ...]:
    """Keys that are declared, then those that people wrote or confirmed, then those that are inferred now."""
    kept = [
        key
        for key in written.foreign_keys
        if not key.is_unconfirmed
        and dangling(key, found, schema if key.database == schema.name else None) is None
    ]
    declared = [key for key in found.foreign_keys if key.evidence is None]
    known = {key.ends: key for key in (*kept, *declared)}
    said = {key.columns for key in known.values()}
    rejected = {key.ends for key in written.rejected_keys}
    inferred = [
        key
        for key in found.foreign_keys
        if key.evidence is not None and key.columns not in said and key.ends not in rejected
    ]
    return (*known.values(), *inferred)
