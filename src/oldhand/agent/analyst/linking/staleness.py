"""Notices that a schema file no longer fits its database, by the values that it shows as examples."""

from collections.abc import Iterator, Sequence

from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.value_files import indexed_columns
from oldhand.sources.databases.values import Values

LONGEST_SAMPLE = 60
"""Letters; longer texts may not have been indexed."""


def stale_columns(schemas: Sequence[DatabaseSchema], values: Values) -> Iterator[tuple[str, str]]:
    """Database and `table.column` of each column none of whose examples are found in the data.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> from oldhand.sources.databases.values import ValueIndex
    >>> city = Column(name="city", type="TEXT", kind=Kind.TEXT, samples=("Berlin", "Rome"))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=(city,)),))
    >>> list(stale_columns((shop,), ValueIndex.in_memory("shop", [])))
    [('shop', 'customers.city')]
    >>> list(stale_columns((shop,), ValueIndex.in_memory("shop", [("main", "customers", "city", ["Rome"])])))
    []
    """
    for schema in schemas:
        samples = {
            (schema_name, table, column.name): [
                s for s in column.samples if isinstance(s, str) and 0 < len(s) <= LONGEST_SAMPLE
            ]
            for schema_name, table, column in indexed_columns(schema)
        }
        found = values.exact([text for texts in samples.values() for text in texts])
        known = {(m.schema_name, m.table, m.column) for m in found if m.database == schema.name}
        for place, texts in samples.items():
            if len(texts) > 1 and place not in known:
                yield schema.name, f"{place[1]}.{place[2]}"


def outdated(database: str, column: str = "") -> str:
    """What to do about a schema file that no longer fits.

    >>> outdated("shop", "customers.city")
    'The schema file of shop seems out of date (customers.city): `oldhand schema introspect shop` reads it anew.'
    """
    what = f" ({column})" if column else ""
    return f"The schema file of {database} seems out of date{what}: `oldhand schema introspect {database}` reads it anew."
