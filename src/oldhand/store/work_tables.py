"""The tables of work that is under way, and of what is counted as it comes; unlike the logs they are changed and emptied."""

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText, Document, Moment
from oldhand.store.tables import metadata

# Runs that are not answered yet.
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

# Answers that wait to be looked back on.
waiting_reflections = sa.Table(
    "waiting_reflections",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("episode_id", AnyText, primary_key=True),
    sa.Column("since", Moment, nullable=False),
    # Goes up with everything that is said, so that what is said meanwhile is not overlooked.
    sa.Column("round", sa.Integer, nullable=False),
    # How often somebody has begun and not finished.
    sa.Column("tries", sa.Integer, nullable=False),
    # True when rules have looked, and a language model is to look again.
    sa.Column("for_model", sa.Boolean, nullable=False),
    # Who is at it, and until when nobody else is.
    sa.Column("claimed_by", AnyText),
    sa.Column("claimed_until", Moment),
    sa.Index(None, "clone_id", "since"),
    sa.ForeignKeyConstraint(
        ["clone_id", "episode_id"], ["episodes.clone_id", "episodes.id"], ondelete="CASCADE"
    ),
)

# The votes on answers that rest on a memory, counted with each vote.
memory_votes = sa.Table(
    "memory_votes",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("memory_id", AnyText, primary_key=True),
    sa.Column("ups", sa.BigInteger, nullable=False),
    sa.Column("downs", sa.BigInteger, nullable=False),
)

# Users whose data was erased: that it was done, and what is left to do; nothing of what they said.
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
