"""The table of answers that wait to be looked back on; unlike the logs it is changed and emptied."""

import sqlalchemy as sa

from oldhand.store.column_types import AnyText, Moment
from oldhand.store.tables import metadata

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
