"""What `oldhand.store.verdict` says of an episode, for many at once: the database adds the signals up.

Which signal counts is decided here as it is there; a test holds the two against each other.
"""

from typing import NamedTuple

import sqlalchemy as sa

from oldhand.record.feedback import CONFIRMS, MACHINES, Source
from oldhand.store import tables
from oldhand.store.verdict import CORRECTION, STRENGTH

_MACHINES = [one.value for one in MACHINES]
_EVALUATED = STRENGTH[Source.EVALUATOR]
_PERSON = "person"


class Judged(NamedTuple):
    """Episodes with what is known of them."""

    rows: sa.FromClause
    success: sa.ColumnElement[int]
    """1, 0, or NULL while nothing is known."""
    word: sa.ColumnElement[int]
    """The same for what people say."""


def judged(asked: sa.CTE) -> Judged:
    """Add to some episodes how they went.

    Args:
        asked: with the columns `clone_id`, `id` and `success`, as the table of episodes has them.
    """
    signals = _signals(asked)
    first, said = signals.alias("first"), signals.alias("said")
    valid = _evaluated(asked)
    rows = (
        asked.outerjoin(first, _of(first, asked) & (first.c.place == 1))
        .outerjoin(said, _of(said, asked) & said.c.is_person & (said.c.place_among_such == 1))
        .outerjoin(valid, _of(valid, asked))
    )
    told_by_any = sa.case((first.c.strength >= _EVALUATED, first.c.good))
    success = sa.func.coalesce(told_by_any, valid.c.good, first.c.good, _number(asked.c.success))
    return Judged(rows, success, said.c.good)


def _of(signals: sa.FromClause, asked: sa.CTE) -> sa.ColumnElement[bool]:
    return signals.c.episode_id == asked.c.id


def _signals(asked: sa.CTE) -> sa.CTE:
    """What was said of them and stands: the strongest and, of equally strong ones, the latest in the first place."""
    vote = tables.feedback
    is_person = vote.c.source.not_in(_MACHINES)
    corrected, thumb = _is_corrected(vote), sa.func.coalesce(vote.c.rating, 0)
    strength = sa.case((corrected, CORRECTION), *_strengths(vote), else_=0)
    good = sa.case(
        (_corrects(vote), 0), (corrected, sa.case((thumb == -1, 0), else_=1)), (thumb == 1, 1), else_=0
    )  # fmt: skip
    order = (strength.desc(), vote.c.seq.desc())
    number = sa.func.row_number()
    return (
        sa.select(
            vote.c.episode_id,
            is_person.label("is_person"),
            strength.label("strength"),
            good.label("good"),
            number.over(partition_by=vote.c.episode_id, order_by=order).label("place"),
            number.over(partition_by=(vote.c.episode_id, is_person), order_by=order).label(
                "place_among_such"
            ),
        )
        .join(asked, (asked.c.clone_id == vote.c.clone_id) & (asked.c.id == vote.c.episode_id))
        .where(sa.or_(thumb != 0, corrected), ~_superseded(vote))
        .cte("signals")
    )


def _superseded(vote: sa.Table) -> sa.Exists:
    """As `oldhand.record.feedback.standing` has it.

    A bare -1 that agrees with a correction is left in: it says the same as the correction, and is weaker.
    """
    later = tables.feedback.alias("later")
    bare = sa.and_(later.c.rating == -1, ~_is_corrected(later))
    return sa.exists().where(
        later.c.clone_id == vote.c.clone_id,
        later.c.episode_id == vote.c.episode_id,
        later.c.rater == vote.c.rater,
        _rater_kind(later) == _rater_kind(vote),
        later.c.seq > vote.c.seq,
        sa.or_(later.c.rating.is_not(None), _is_corrected(later)),
        ~sa.and_(_corrects(vote), bare),
    )


def _evaluated(asked: sa.CTE) -> sa.Subquery:
    """Whether the latest word of each evaluator on the whole answer is that it is valid."""
    one, later = tables.evaluations, tables.evaluations.alias("newer")
    newer = sa.exists().where(
        later.c.clone_id == one.c.clone_id,
        later.c.episode_id == one.c.episode_id,
        later.c.evaluator_type == one.c.evaluator_type,
        later.c.seq > one.c.seq,
        later.c.granularity == "trajectory",
        later.c.is_valid.is_not(None),
    )
    return (
        sa.select(one.c.episode_id, sa.func.min(_number(one.c.is_valid)).label("good"))
        .join(asked, (asked.c.clone_id == one.c.clone_id) & (asked.c.id == one.c.episode_id))
        .where(one.c.granularity == "trajectory", one.c.is_valid.is_not(None), ~newer)
        .group_by(one.c.episode_id)
        .subquery("valid")
    )


def _rater_kind(vote: sa.FromClause) -> sa.ColumnElement[str]:
    return sa.case((vote.c.source.in_(_MACHINES), vote.c.source), else_=_PERSON)


def _is_corrected(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    return sa.func.coalesce(vote.c.correction, "") != ""


def _corrects(vote: sa.FromClause) -> sa.ColumnElement[bool]:
    confirms = sa.type_coerce(vote.c.tags, sa.Text).contains(f'"{CONFIRMS}"')
    return sa.and_(_is_corrected(vote), ~confirms)


def _strengths(vote: sa.FromClause) -> list[tuple[sa.ColumnElement[bool], int]]:
    return [(vote.c.source == source.value, number) for source, number in STRENGTH.items()]


def _number(flag: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    """1 or 0; NULL stays."""
    return sa.case((flag.is_(sa.true()), 1), (flag.is_(sa.false()), 0))
