"""The tables of work that is under way, and of what is counted as it comes; unlike the logs they are changed and emptied."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, JsonDocument, Moment
from oldhand.store.tables import (
    belongs_to,
    key,
    log_table,
    metadata,
    of_episode,
    optional,
    required,
)

# Runs that are not answered yet.
runs = sa.Table(
    "runs",
    metadata,
    *key(AnyText, "clone_id", "run_id"),
    *required(Moment, "saved_at"),
    # The state without its steps.
    *required(JsonDocument, "state", "lessons"),
    # What versions of prompts say, by role; written once.
    *required(JsonDocument, "instructions", default="{}"),
    # All that was considered for it, for its recollection.
    *required(JsonDocument, "recalled", default="[]"),
    *required(JsonDocument, "ledger"),
    # Only who took the run up last may change it.
    sa.Column("taken_up", sa.Integer, nullable=False, server_default=sa.text("0")),
    # Of the user who asked; None in runs of old versions.
    *optional(AnyText, "user_id"),
    sa.Index(None, "clone_id", "saved_at"),
)

run_steps = sa.Table(
    "run_steps",
    metadata,
    *key(AnyText, "clone_id", "run_id"),
    *key(sa.Integer, "number"),
    *required(JsonDocument, "step"),
    belongs_to("runs", clone_id="clone_id", run_id="run_id"),
)

# Answers that wait to be looked back on.
waiting_reflections = sa.Table(
    "waiting_reflections",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    *required(Moment, "since"),
    # Goes up with everything that is said, so that what is said meanwhile is not overlooked.
    *required(sa.Integer, "round"),
    # How often somebody has begun and not finished.
    *required(sa.Integer, "tries"),
    # True when rules have looked, and a language model is to look again.
    *required(sa.Boolean, "for_model"),
    # Who is at it, and until when nobody else is.
    *optional(AnyText, "claimed_by"),
    *optional(Moment, "claimed_until"),
    sa.Index(None, "clone_id", "since"),
    of_episode(),
)

# The votes on answers that rest on a memory, counted with each vote.
memory_votes = sa.Table(
    "memory_votes",
    metadata,
    *key(AnyText, "clone_id", "memory_id"),
    *required(sa.BigInteger, "ups", "downs"),
)

# Users whose data was erased: that it was done, and what is left to do; nothing of what they said.
erasures = log_table(
    "erasures",
    *required(AnyText, "clone_id"),
    # A digest of the user's name: who knows the name can tell that it was done.
    *required(AnyText, "user_digest"),
    *required(Moment, "began_at"),
    # None while files, or what follows from the rest, have yet to be done.
    *optional(Moment, "finished_at"),
    *required(JsonDocument, "counts"),
    # By what the rest is found; emptied at the end.
    *optional(JsonDocument, "marks"),
    sa.Index(None, "clone_id", "finished_at"),
)
