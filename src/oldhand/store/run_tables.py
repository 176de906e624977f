"""The tables of runs that are not answered yet; unlike all others they are changed and emptied."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, Document, Moment
from oldhand.store.tables import metadata

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("run_id", AnyText, primary_key=True),
    sa.Column("saved_at", Moment, nullable=False),
    # The state without its steps.
    sa.Column("state", Document, nullable=False),
    sa.Column("lessons", Document, nullable=False),
    # What versions of prompts say, by role; written once.
    sa.Column("instructions", Document, nullable=False, server_default="{}"),
    # All that was considered for it, for its recollection.
    sa.Column("recalled", Document, nullable=False, server_default="[]"),
    sa.Column("ledger", Document, nullable=False),
    # Only who took the run up last may change it.
    sa.Column("taken_up", sa.Integer, nullable=False, server_default=sa.text("0")),
    # Of the user who asked; None in runs of old versions.
    sa.Column("user_id", AnyText),
    sa.Index(None, "clone_id", "saved_at"),
)

run_steps = sa.Table(
    "run_steps",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("run_id", AnyText, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("step", Document, nullable=False),
    sa.ForeignKeyConstraint(
        ["clone_id", "run_id"], ["runs.clone_id", "runs.run_id"], ondelete="CASCADE"
    ),
)
