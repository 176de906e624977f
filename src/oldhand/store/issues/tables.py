"""The tables of issues: counted in the transaction of each evaluation, they outlive it."""

import sqlalchemy as sa

from oldhand.store.column_types import SEQUENCE, AnyText, Moment
from oldhand.store.tables import metadata

issue_groups = sa.Table(
    "issue_groups",
    metadata,
    sa.Column("seq", SEQUENCE, primary_key=True),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("policy_model", AnyText, nullable=False),
    sa.Column("task_type", AnyText, nullable=False),
    sa.Column("evaluator_type", AnyText, nullable=False),
    # How many runs there were, and which was the last one: issues fade by runs.
    sa.Column("runs", sa.BigInteger, nullable=False),
    sa.Column("last_run", AnyText),
    sa.UniqueConstraint("clone_id", "policy_model", "task_type", "evaluator_type"),
    sqlite_autoincrement=True,
)

issue_tallies = sa.Table(
    "issue_tallies",
    metadata,
    sa.Column("seq", SEQUENCE, primary_key=True),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Column("id", AnyText, nullable=False),
    sa.Column("group_seq", sa.BigInteger, sa.ForeignKey("issue_groups.seq"), nullable=False),
    sa.Column("key", AnyText, nullable=False),
    sa.Column("text", AnyText, nullable=False),
    sa.Column("count", sa.BigInteger, nullable=False),
    # Counted when it happens and not when it is read: notes are looked up before every generation.
    sa.Column("worst_score", sa.Float, nullable=False),
    sa.Column("first_seen", Moment, nullable=False),
    sa.Column("last_seen", Moment, nullable=False),
    sa.Column("last_run", sa.BigInteger, nullable=False),
    sa.Column("shown", sa.BigInteger, nullable=False),
    sa.Column("recurred", sa.BigInteger, nullable=False),
    sa.Column("faded", sa.Boolean, nullable=False),
    sa.UniqueConstraint("clone_id", "id"),
    sa.UniqueConstraint("group_seq", "key"),
    sa.Index(None, "group_seq", "faded", "worst_score"),
    sa.Index(None, "group_seq", "faded", "last_run"),
    sqlite_autoincrement=True,
)

issue_words = sa.Table(
    "issue_words",
    metadata,
    sa.Column("group_seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("word", AnyText, primary_key=True),
    sa.Column("tally_seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("clone_id", AnyText, nullable=False),
    sa.Index(None, "tally_seq"),
    sa.ForeignKeyConstraint(["tally_seq"], ["issue_tallies.seq"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)

issue_runs = sa.Table(
    "issue_runs",
    metadata,
    sa.Column("clone_id", AnyText, primary_key=True),
    sa.Column("episode_id", AnyText, primary_key=True),
    sa.Column("tally_seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("seen", sa.Integer, nullable=False),
    # Drawn once for each run; None until then.
    sa.Column("shown", sa.Boolean),
    sa.Column("chance", sa.Float),
    sa.Column("at", Moment, nullable=False),
    sa.Index(None, "tally_seq"),
    sa.ForeignKeyConstraint(["tally_seq"], ["issue_tallies.seq"], ondelete="CASCADE"),
)
