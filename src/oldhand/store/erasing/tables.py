"""The table of users whose data was erased: that it was done, and what is left to do; nothing of what they said."""

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText, Document, Moment
from oldhand.store.tables import metadata

erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("seq", SEQUENCE, primary_key=True),
    sa.Column("clone_id", AnyText, nullable=False),
    # A digest of the user's name: who knows the name can tell that it was done.
    sa.Column("user_digest", AnyText, nullable=False),
    sa.Column("began_at", Moment, nullable=False),
    # None while files, or what follows from the rest, have yet to be done.
    sa.Column("finished_at", Moment),
    sa.Column("counts", Document, nullable=False),
    # By what the rest is found; emptied at the end.
    sa.Column("marks", Document),
    sa.Index(None, "clone_id", "finished_at"),
    sqlite_autoincrement=True,
)
