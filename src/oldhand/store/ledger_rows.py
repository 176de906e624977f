"""Write what calls to language models have cost."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from oldhand.record.usage import LedgerEntry
from oldhand.store import tables


def insert_calls(
    connection: sa.Connection, key: Mapping[str, str | None], entries: Sequence[LedgerEntry]
) -> None:
    """Add calls to the token ledger."""
    rows = [
        {**key, **one.model_dump(exclude={"usage"}), **one.usage.model_dump()} for one in entries
    ]
    if rows:
        connection.execute(sa.insert(tables.token_ledger), rows)
