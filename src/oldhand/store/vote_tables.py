"""The table of the votes on answers that rest on a memory, counted with each vote."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText
from oldhand.store.tables import metadata

memory_votes = sa.Table(
    "memory_votes",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("memory_id", AnyText, primary_key=True),
    sa.Column("ups", sa.BigInteger, nullable=False),
    sa.Column("downs", sa.BigInteger, nullable=False),
)
