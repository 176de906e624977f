"""What `oldhand.store.verdict` says of an episode, for many at once: the database adds the signals up.

Which signal counts is decided here as it is there; a test holds the two against each other.
"""

import sqlalchemy as sa

from oldhand.record.feedback import MACHINES, Source
from oldhand.store import tables
from oldhand.store.conditions import corrects, is_corrected, is_whole
from oldhand.store.verdict import CORRECTION, STRENGTH

_MACHINES = [one.value for one in MACHINES]
_EVALUATED = STRENGTH[Source.EVALUATOR]
_PERSON = "person"

Number = sa.ColumnElement[int]
"""1 or 0, or NULL while nothing is known."""


def success_of(episode: sa.Table) -> Number:
    """How an episode went, as the strongest known signal says; what is weaker is not looked for."""
    vote = tables.feedback.alias("told")
    strong, weak = _strength(vote) >= _EVALUATED, _strength(vote) < _EVALUATED
    return sa.func.coalesce(
        _said(episode, vote, strong),
        _evaluated(episode),
        _said(episode, vote, weak),
        _number(episode.c.success),
    )


def word_of(episode: sa.Table) -> Number:
    """What people say of an episode."""
    vote = tables.feedback.alias("said")
    return _said(episode, vote, vote.c.source.not_in(_MACHINES))


def _said(episode: sa.Table, vote: sa.FromClause, counts: sa.ColumnElement[bool]) -> Number:
    """The strongest word that stands and, of equally strong ones, the latest."""
    corrected, thumb = is_corrected(vote), sa.func.coalesce(vote.c.rating, 0)
    confirmed = sa.case((thumb == -1, 0), else_=1)
    good = sa.case((corrects(vote), 0), (corrected, confirmed), (thumb == 1, 1), else_=0)
    return (
        sa.select(good)
        .where(
            vote.c.clone_id == episode.c.clone_id,
            vote.c.episode_id == episode.c.id,
            sa.or_(thumb != 0, corrected),
            is_whole(vote),
            counts,
            ~_superseded(vote),
        )
        .order_by(_strength(vote).desc(), vote.c.seq.desc())
        .limit(1)
        .correlate(episode)
        .scalar_subquery()
    )


def _superseded(vote: sa.FromClause) -> sa.Exists:
    """As `oldhand.record.feedback.standing` has it.

    A bare -1 that agrees with a correction is left in: it says the same as the correction, and is weaker.
    """
    later = tables.feedback.alias("later")
    bare = sa.and_(later.c.rating == -1, ~is_corrected(later))
    return sa.exists().where(
        later.c.clone_id == vote.c.clone_id,
        later.c.episode_id == vote.c.episode_id,
        later.c.rater == vote.c.rater,
        _rater_kind(later) == _rater_kind(vote),
        later.c.seq > vote.c.seq,
        is_whole(later),
        sa.or_(later.c.rating.is_not(None), is_corrected(later)),
        ~sa.and_(corrects(vote), bare),
    )


def _evaluated(episode: sa.Table) -> Number:
    """Whether the latest word of each evaluator on the whole answer is that it is valid."""
    one, later = tables.evaluations.alias("one"), tables.evaluations.alias("newer")
    newer = sa.exists().where(
        later.c.clone_id == one.c.clone_id,
        later.c.episode_id == one.c.episode_id,
        later.c.evaluator_type == one.c.evaluator_type,
        later.c.seq > one.c.seq,
        later.c.granularity == "trajectory",
        later.c.is_valid.is_not(None),
    )
    return (
        sa.select(sa.func.min(_number(one.c.is_valid)))
        .where(
            one.c.clone_id == episode.c.clone_id,
            one.c.episode_id == episode.c.id,
            one.c.granularity == "trajectory",
            one.c.is_valid.is_not(None),
            ~newer,
        )
        .correlate(episode)
        .scalar_subquery()
    )


def _rater_kind(vote: sa.FromClause) -> sa.ColumnElement[str]:
    return sa.case((vote.c.source.in_(_MACHINES), vote.c.source), else_=_PERSON)


def _strength(vote: sa.FromClause) -> Number:
    by_source = [(vote.c.source == source.value, number) for source, number in STRENGTH.items()]
    return sa.case((is_corrected(vote), CORRECTION), *by_source, else_=0)


def _number(flag: sa.ColumnElement[bool]) -> Number:
    return sa.case((flag.is_(sa.true()), 1), (flag.is_(sa.false()), 0))
