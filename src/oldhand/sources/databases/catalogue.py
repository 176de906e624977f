"""Tables as the catalogue of a database tells them, in rows that look the same for every kind of server."""

from collections import defaultdict
from typing import NamedTuple, TypeAlias, cast

from oldhand.sources.databases.session import FoundColumn, FoundKey, FoundTable, Read

_Text: TypeAlias = tuple[str, ...]


class Catalogue(NamedTuple):
    """The queries whose rows tell all tables, each in the order in which they should be shown."""

    tables: str
    """Schema, name, comment, estimated rows."""
    columns: str
    """Schema, table, name, type, whether it may be NULL, comment, and the base of a type of the user's own."""
    keys: str
    """For each column of a key: schema, table, kind of key (`p`, `u` or `f`), which key, name, and for a foreign key the
    schema, table and column that it leads to."""

    def read(self, read: Read) -> list[FoundTable]:
        """The tables and views."""
        columns: dict[_Text, list[FoundColumn]] = defaultdict(list)
        for schema, table, name, type_, nullable, comment, base in cast(
            "list[_Text]", read(self.columns)
        ):
            found = FoundColumn(name, type_, bool(nullable), comment or "", base)
            columns[schema, table].append(found)
        keys: dict[_Text, dict[_Text, list[_Text]]] = defaultdict(dict)
        for schema, table, kind, key, *ends in cast("list[_Text]", read(self.keys)):
            keys[schema, table].setdefault((kind, key), []).append(tuple(ends))
        return [
            FoundTable(
                schema,
                name,
                tuple(columns[schema, name]),
                next((key[0] for key in _of_kind("p", keys[schema, name])), ()),
                frozenset(
                    key[0][0] for key in _of_kind("u", keys[schema, name]) if len(key[0]) == 1
                ),
                tuple(
                    FoundKey(here, schemas[0], tables[0], there)
                    for here, schemas, tables, there, *_ in _of_kind("f", keys[schema, name])
                ),
                comment or "",
                cast("int | None", rows),
            )
            for schema, name, comment, rows in cast("list[_Text]", read(self.tables))
        ]


def _of_kind(kind: str, keys: dict[_Text, list[_Text]]) -> list[list[_Text]]:
    """Of each key of that kind its columns, and the schemas, tables and columns that they lead to."""
    return [list(zip(*ends, strict=True)) for (one, _), ends in keys.items() if one == kind]
