"""The tables of issues: counted in the transaction of each evaluation, they outlive it."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, Moment
from oldhand.store.tables import belongs_to, key, log_table, metadata, optional, required

issue_groups = log_table(
    "issue_groups",
    *required(AnyText, "clone_id", "policy_model", "task_type", "evaluator_type"),
    # How many runs there were, and which was the last one: issues fade by runs.
    *required(sa.BigInteger, "runs"),
    *optional(AnyText, "last_run"),
    sa.UniqueConstraint("clone_id", "policy_model", "task_type", "evaluator_type"),
)

issue_tallies = log_table(
    "issue_tallies",
    *required(AnyText, "clone_id", "id"),
    sa.Column("group_seq", sa.BigInteger, sa.ForeignKey("issue_groups.seq"), nullable=False),
    *required(AnyText, "key", "text"),
    # Counted when it happens and not when it is read: notes are looked up before every generation.
    *required(sa.Float, "worst_score"),
    *required(Moment, "first_seen", "last_seen"),
    *required(sa.BigInteger, "count", "last_run", "shown", "recurred"),
    # Runs in which it was shown since it came last: what stays away then may stay away because of the note.
    sa.Column("shown_since", sa.BigInteger, nullable=False, server_default="0"),
    *required(sa.Boolean, "faded"),
    sa.UniqueConstraint("clone_id", "id"),
    sa.UniqueConstraint("group_seq", "key"),
    sa.Index(None, "group_seq", "faded", "worst_score"),
    sa.Index(None, "group_seq", "faded", "last_run"),
)

issue_words = sa.Table(
    "issue_words",
    metadata,
    *key(sa.BigInteger, "group_seq"),
    *key(AnyText, "word"),
    *key(sa.BigInteger, "tally_seq"),
    *required(AnyText, "clone_id"),
    sa.Index(None, "tally_seq"),
    belongs_to("issue_tallies", tally_seq="seq"),
    sqlite_with_rowid=False,
)

issue_runs = sa.Table(
    "issue_runs",
    metadata,
    *key(AnyText, "clone_id", "episode_id"),
    *key(sa.BigInteger, "tally_seq"),
    *required(sa.Integer, "seen"),
    # Drawn once for each run; None until then.
    *optional(sa.Boolean, "shown"),
    *optional(sa.Float, "chance"),
    *required(Moment, "at"),
    sa.Index(None, "tally_seq"),
    belongs_to("issue_tallies", tally_seq="seq"),
)
