"""DuckDB files: what they hold is asked for here, and read in workers."""

from oldhand.sources.databases.address import Address
from oldhand.sources.databases.catalogue import Catalogue
from oldhand.sources.databases.drivers.local import LocalDriver

CATALOGUE = Catalogue(
    tables="""
SELECT schema_name, table_name, comment, estimated_size FROM (
  SELECT schema_name, table_name, comment, estimated_size, false AS is_view
  FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
  UNION ALL
  SELECT schema_name, view_name, comment, NULL, true
  FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
)
ORDER BY schema_name <> 'main', schema_name, is_view, table_name
""",
    columns="""
SELECT schema_name, table_name, column_name, data_type, is_nullable, comment, NULL
FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name, table_name, column_index
""",
    keys="""
SELECT schema_name, table_name, lower(constraint_type[1]), constraint_index, constraint_column_names[place],
       schema_name, referenced_table, referenced_column_names[place]
FROM duckdb_constraints(), LATERAL (SELECT unnest(range(1, len(constraint_column_names) + 1))) AS p (place)
WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
ORDER BY schema_name, table_name, constraint_index, place
""",
)
"""Of all schemas, `main` first."""


class DuckdbDriver(LocalDriver):
    """A DuckDB file."""

    catalogue = CATALOGUE.read
    own_functions = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal"

    def __init__(self, address: Address) -> None:
        super().__init__(address, "duckdb")
