"""From the feedback log to votes: which signals count, and what their raters had seen."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from oldhand.learning.credit.events import CreditEvent, FirstWord, ShownPassage
from oldhand.learning.retractions import Retractions
from oldhand.learning.style import is_about_style
from oldhand.record.feedback import MACHINES, Feedback, Source, standing
from oldhand.record.retrieval import AskedPoint
from oldhand.settings.documents import ScoreSettings
from oldhand.store.credit.credit_store import LoggedVote, SeenPassages


class CountedVote(NamedTuple):
    """The last word of a person on an answer, or on one of its passages."""

    vote: LoggedVote
    sign: int
    """+1 or -1."""
    first: FirstWord
    """As in `CreditEvent`."""


def counted(log: Iterable[LoggedVote]) -> list[CountedVote]:
    """The votes of people that count, in the order of the log: the last word of each on an answer, and on each passage.

    A complaint of how an answer was put says nothing of its passages.
    """
    by_answer: dict[str, list[LoggedVote]] = {}
    passages: dict[tuple[str, str, str | None], LoggedVote] = {}
    firsts: dict[tuple[str, str, str | None], FirstWord] = {}
    for vote in log:
        said = vote.feedback
        says = said.judges or (said.passage is not None and said.rating is not None)
        if said.source in MACHINES or is_about_style(said) or not says:
            continue
        if said.passage is None:
            by_answer.setdefault(said.episode_id, []).append(vote)
        else:
            passages[_about(said)] = vote
        if sign := _sign(said):
            firsts.setdefault(_about(said), FirstWord(vote.seq, sign))
        else:
            firsts.pop(_about(said), None)  # taken back: as if it had never been said
    found = [*passages.values(), *(one for votes in by_answer.values() for one in _last(votes))]
    return [
        CountedVote(one, sign, firsts[_about(one.feedback)])
        for one in sorted(found, key=lambda one: one.seq)
        if (sign := _sign(one.feedback))
    ]


def _about(said: Feedback) -> tuple[str, str, str | None]:
    return said.episode_id, said.rater, said.passage


def _last(votes: Sequence[LoggedVote]) -> list[LoggedVote]:
    kept = {one.id for one in standing(vote.feedback for vote in votes)}
    return [one for one in votes if one.feedback.id in kept]


def _sign(said: Feedback) -> int:
    if said.corrects:
        return -1
    return 1 if said.rating is None else said.rating


def event_of(
    counts: CountedVote,
    seen: SeenPassages,
    asked: AskedPoint,
    limits: ScoreSettings,
    retractions: Retractions,
) -> CreditEvent | None:
    """The vote with what its rater had seen; None where no passage was shown of which it counts.

    Where an answer cites, only what it cites was seen to be used; else all that it may rest on.
    """
    said = counts.vote.feedback
    items = {one.item_id: one for one in seen.items}
    used = [one.item_id for one in seen.items if one.shown and one.used is not False]
    cited = [one for one in used if one in seen.cited]
    shown, beside = cited or used, [one.item_id for one in seen.items if one.shown]
    if said.passage is not None:
        shown, beside = [one for one in items if one == said.passage], []
    shown = [one for one in shown if retractions.counts(one, said)]
    if not shown:
        return None
    beside = [one for one in beside if one not in shown and retractions.counts(one, said)]
    order = sorted(items, key=lambda one: (-items[one].score, items[one].rank))
    best = items[order[0]].score
    place = {chunk: number for number, chunk in enumerate(order, 1)}
    return CreditEvent(
        id=said.id,
        order=counts.vote.seq,
        rater=said.rater,
        episode_id=said.episode_id,
        asked=asked,
        shown=tuple(
            ShownPassage(one, max(0.0, best - items[one].score), items[one].place or place[one])
            for one in shown
        ),
        rating=counts.sign,
        weight=limits.owner_weight if said.source is Source.OWNER else 1.0,
        cites=bool(cited),
        top=max((one.cosine for one in items.values() if one.cosine is not None), default=0.0),
        passage=said.passage,
        beside=tuple(beside),
        first=counts.first,
    )
