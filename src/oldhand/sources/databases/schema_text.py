"""How a schema is written as YAML: what people read and edit."""

from pathlib import Path

import yaml

from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, KeyEvidence, Table
from oldhand.sources.databases.files import write_atomically
from oldhand.sources.databases.kinds import is_known_type, kind_of

_HEADER = """\
# What Oldhand knows of this database. Descriptions help it to understand questions: write them in the words of those
# who ask. When the schema is introspected anew, your descriptions, kinds, references and to_models are kept; comments are not.
# A column: name, type, nullable (true by default), primary_key, unique, description, samples,
#   kind: text, integer, number, boolean, date, datetime, time, json, binary, spatial or other; by default from the type
#   references: database.schema.table.column, perhaps in another database
#   to_models: what a language model may learn of it: samples (names and values), names, or nothing; of a table or the whole
#     database too. By default samples, but only names of what looks like birth dates, e-mail addresses, phone numbers and secrets
#   inferred: what speaks for a key that the database does not declare; confirm with `oldhand schema link --write`,
#   or move it to rejected_keys of its table with `oldhand schema link --reject TABLE.COLUMN`
"""
_DUMPER: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Inline(list[object]):
    """A list that is written on one line."""


class InlineMap(dict[str, object]):
    """A mapping that is written on one line."""


class _Dumper(_DUMPER):  # pyright: ignore[reportGeneralTypeIssues, reportUntypedBaseClass]
    """The house's layout of YAML."""


def _inline(dumper: yaml.SafeDumper, items: _Inline) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


def _inline_map(dumper: yaml.SafeDumper, items: InlineMap) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", items, flow_style=True)


_Dumper.add_representer(_Inline, _inline)
_Dumper.add_representer(InlineMap, _inline_map)


def schema_text(schema: DatabaseSchema) -> str:
    """The YAML text of a schema."""
    head = _without_gaps(
        {
            "database": schema.name,
            "dialect": schema.dialect,
            "description": schema.description,
            "to_models": schema.to_models and schema.to_models.value,
        }
    )
    tables = [dump([_table(table, schema)]) for table in schema.tables]
    body = "\n".join(["tables:", *tables]) if tables else "tables: []\n"
    return f"{_HEADER}\n{dump(head)}\n{body}"


def save_schema(schema: DatabaseSchema, path: Path) -> None:
    """Write a schema file in one go: a reader sees the old file or the new one.

    Raises:
        StoreFull: there is no room left.
        StoreError: the file cannot be written.
    """
    write_atomically(path, schema_text(schema))


def dump(value: object) -> str:
    """A value as YAML in the house's layout."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)


def _table(table: Table, schema: DatabaseSchema) -> dict[str, object]:
    inline = {key.columns[0]: key for key in table.foreign_keys if _is_short(key)}
    longer = [key for key in table.foreign_keys if inline.get(key.columns[0]) is not key]
    columns = [
        _column(column, table, schema.dialect, inline.get(column.name)) for column in table.columns
    ]
    return _without_gaps(
        {
            "name": table.name,
            "schema": table.schema_name,
            "description": table.description,
            "to_models": table.to_models and table.to_models.value,
            "row_count": table.row_count,
            "columns": columns,
            "foreign_keys": list(map(_long_key, longer)) or None,
            "rejected_keys": list(map(_long_key, table.rejected_keys)) or None,
            "inferred_key": _evidence(table.key_evidence),
        }
    )


def _column(
    column: Column, table: Table, dialect: str, key: ForeignKey | None
) -> dict[str, object]:
    read_off = column.profile is not None and column.profile.holds == "date"  # said by the profile
    is_plain = read_off or (
        is_known_type(column.type, dialect) and kind_of(column.type, dialect) is column.kind
    )
    return _without_gaps(
        {
            "name": column.name,
            "type": column.type or None,
            "kind": None if is_plain else column.kind.value,
            "nullable": None if column.nullable else False,
            "primary_key": column.primary_key or None,
            "unique": (column.unique and table.primary_key != (column.name,)) or None,
            "description": column.description or None,
            "to_models": column.to_models and column.to_models.value,
            "references": ".".join(_parts(key)) if key else None,
            "inferred": _evidence(key.evidence) if key else None,
            "samples": _Inline(column.samples) if column.samples else None,
        }
    )


def _without_gaps(written: dict[str, object]) -> dict[str, object]:
    """What goes without saying is None, and is not written."""
    return {name: value for name, value in written.items() if value is not None}


def _long_key(key: ForeignKey) -> dict[str, object]:
    return _without_gaps(
        {
            "columns": _Inline(key.columns),
            "references": {
                "database": key.database,
                "schema": key.schema_name,
                "table": key.table,
                "columns": _Inline(key.target_columns),
            },
            "inferred": _evidence(key.evidence),
        }
    )


def _evidence(evidence: KeyEvidence | None) -> InlineMap | None:
    return InlineMap(evidence.model_dump(exclude_defaults=True)) if evidence else None


def _is_short(key: ForeignKey) -> bool:
    return len(key.columns) == 1 and not any("." in part or not part for part in _parts(key))


def _parts(key: ForeignKey) -> tuple[str, ...]:
    return (key.database, key.schema_name, key.table, *key.target_columns)
