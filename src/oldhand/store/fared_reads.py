"""Read back how the latest answers fared: all of them, or those that were made with something.

Nothing of this is stored as such: it follows from the episodes, the feedback log and the evaluations.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa

from oldhand.record.answer import Outcome
from oldhand.record.fared import Fared
from oldhand.record.feedback import MACHINES, Source
from oldhand.store import tables
from oldhand.store.transactions import StorePart, corrects, is_corrected, is_whole, made_with
from oldhand.store.verdict import CORRECTION, STRENGTH

_Answers = sa.Select[*tuple[Any, ...]]
_MACHINES = [one.value for one in MACHINES]
_EVALUATED = STRENGTH[Source.EVALUATOR]
_PERSON = "person"
Number = sa.ColumnElement[int]
"""1 or 0, or NULL while nothing is known."""


class FaredReads(StorePart):
    """What a `Store` knows of how answers fared."""

    def latest(self, clone_id: str, limit: int) -> tuple[Fared, ...]:
        """The latest answers of a clone, newest first."""
        with self._transactions.reading() as connection:
            return tuple(_fared(connection, _latest(), {"clone_id": clone_id, "limit": limit}))

    def made_with(
        self, clone_id: str, item_ids: Sequence[str], *, kind: str, limit: int
    ) -> tuple[Fared, ...]:
        """The latest answers that were made with any of these; what was shown but cannot have been used is left out.

        One for each answer and item, newest first; `limit` of each item at most.
        """
        asked = {"clone_id": clone_id, "kind": kind, "limit": limit}
        with self._transactions.snapshot(), self._transactions.reading() as connection:
            found = [
                fared
                for one in item_ids
                for fared in _fared(connection, _made_with(), {**asked, "ids": [one]})
            ]
        return tuple(sorted(found, key=lambda one: one.at, reverse=True))

    def tried(
        self, clone_id: str, item_ids: Sequence[str], *, kind: str, since: datetime
    ) -> Mapping[str, tuple[int, int]]:
        """How many answers were right and wrong that were made with each of these, where that was left to chance."""
        asked = {"clone_id": clone_id, "ids": list(item_ids), "kind": kind, "since": since}
        with self._transactions.reading() as connection:
            rows = connection.execute(_tried(), asked).all()
        number = {(row.item_id, row.success): row.number for row in rows}
        return {one: (number.get((one, 1), 0), number.get((one, 0), 0)) for one in item_ids}


_episode, _item = tables.episodes, tables.recollection_items
_READ = ("id", "created_at", "question", "model", "seconds", "outcome", "usage")


def _answers(*item: sa.ColumnElement[str] | sa.ColumnElement[float]) -> _Answers:
    own = (_episode.c[name] for name in _READ)
    return (
        sa.select(*own, *item, success_of(_episode), word_of(_episode))
        .where(_episode.c.clone_id == sa.bindparam("clone_id"))
        .order_by(_episode.c.seq.desc())
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


def _with_items(answers: _Answers) -> _Answers:
    """Of these answers, those that were made with the items that are asked for."""
    of_episode = sa.and_(
        _item.c.clone_id == _episode.c.clone_id, _item.c.episode_id == _episode.c.id
    )
    return answers.join(_item, of_episode).where(
        _item.c.clone_id == sa.bindparam("clone_id"),
        _item.c.item_id.in_(sa.bindparam("ids", expanding=True)),
        _item.c.kind == sa.bindparam("kind"),
        made_with(_item),
    )


# Each is put together once, when it is first asked for: that takes longer than running it.
@cache
def _latest() -> _Answers:
    return _answers(sa.literal(""), sa.literal(1.0))


@cache
def _made_with() -> _Answers:
    return _with_items(_answers(_item.c.item_id, _item.c.chance))


@cache
def _tried() -> _Answers:
    query: _Answers = sa.select(_item.c.item_id, success_of(_episode).label("success"))
    drawn = query.where(_item.c.chance < 1, _episode.c.created_at >= sa.bindparam("since"))
    answers = _with_items(drawn).subquery()
    counted: _Answers = sa.select(*answers.c, sa.func.count().label("number"))
    return counted.group_by(*answers.c)


def _fared(
    connection: sa.Connection, query: _Answers, asked: Mapping[str, object]
) -> Iterator[Fared]:
    # Rows by position: there are thousands, and looking names up takes longer than reading them.
    for *told, seconds, outcome, usage, item_id, chance, success, word in connection.execute(
        query, asked
    ):
        yield Fared(
            *told,
            success=None if success is None else bool(success),
            feedback=_WORDS[word],
            cost=float(usage.get("cost", 0.0)),
            seconds=seconds,
            outcome=_OUTCOMES[outcome],
            requests=int(usage.get("requests", 0)),
            item_id=item_id,
            chance=chance,
        )


_OUTCOMES = {one.value: one for one in Outcome}
_WORDS: Mapping[int | None, Literal["positive", "negative"] | None] = {
    None: None,
    0: "negative",
    1: "positive",
}


# What `oldhand.store.verdict` says of an episode, for many at once: the database adds the signals up.
#
# Which signal counts is decided here as it is there; a test holds the two against each other.
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
