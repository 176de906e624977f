"""The queries of specs: they are run when a spec is checked, so that a test stays right while the data changes."""

from dataclasses import dataclass

from oldhand.errors import DatabaseUnreachable, InvalidSpec, OldhandError
from oldhand.record.base import Row
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.guard import checked_text


@dataclass(frozen=True)
class SpecQueries:
    """Runs the SQL of specs on the databases of a home."""

    catalog: Catalog
    limits: QueryLimits

    def rows(self, database: str, sql: str) -> tuple[Row, ...]:
        """All rows of a query; blocks.

        Raises:
            InvalidSpec: it does more than read, the database rejects it, or there are too many rows to compare.
            DatabaseUnreachable: the database does not answer.
        """
        limit = max(self.limits.rows, self.limits.workspace_rows)
        try:
            opened = self.catalog.open(database)
            text = checked_text(sql, opened.dialect)
            result = opened.fetch(text, rows=limit, seconds=self.limits.seconds)
        except DatabaseUnreachable:
            raise
        except OldhandError as error:
            raise InvalidSpec(f"The SQL that is expected cannot be run: {error}") from error
        if result.truncated:
            raise InvalidSpec(f"The SQL that is expected has more than {limit:,} rows.")
        return result.rows
