"""From the feedback log to votes: which signals count, and what their raters had seen."""

from collections.abc import Iterable, Sequence

from oldhand.learning.credit.events import CreditEvent, ShownPassage
from oldhand.learning.retractions import Retractions
from oldhand.learning.style import is_about_style
from oldhand.record.feedback import MACHINES, Feedback, Source, standing
from oldhand.record.retrieval import AskedPoint
from oldhand.settings.credit import ScoreSettings
from oldhand.store.credit.credit_store import LoggedVote, SeenPassages


def counted(log: Iterable[LoggedVote], *, first_only: bool = False) -> list[tuple[LoggedVote, int]]:
    """The votes of people that count, each with +1 or -1, in the order of the log.

    For each person the last word on an answer, and on each of its passages. A complaint of how an answer was put says
    nothing of its passages.
    """
    by_answer: dict[str, list[LoggedVote]] = {}
    passages: dict[tuple[str, str, str], LoggedVote] = {}
    for vote in log:
        said = vote.feedback
        if said.source in MACHINES or is_about_style(said):
            continue
        if said.passage is None:
            by_answer.setdefault(said.episode_id, []).append(vote)
        elif said.rating is not None:
            key = (said.episode_id, said.rater, said.passage)
            passages[key] = passages.get(key, vote) if first_only else vote
    found = list(passages.values())
    for votes in by_answer.values():
        found += _first(votes) if first_only else _last(votes)
    signs = [(one, _sign(one.feedback)) for one in found]
    return sorted(((one, sign) for one, sign in signs if sign), key=lambda one: one[0].seq)


def _last(votes: Sequence[LoggedVote]) -> list[LoggedVote]:
    kept = {one.id for one in standing(vote.feedback for vote in votes)}
    return [one for one in votes if one.feedback.id in kept]


def _first(votes: Sequence[LoggedVote]) -> list[LoggedVote]:
    first: dict[str, LoggedVote] = {}
    for one in votes:
        if one.feedback.judges:
            first.setdefault(one.feedback.rater, one)
    return list(first.values())


def _sign(said: Feedback) -> int:
    if said.corrects:
        return -1
    return (said.rating if said.rating is not None else 1) if said.judges or said.passage else 0


def event_of(
    vote: LoggedVote,
    sign: int,
    seen: SeenPassages,
    asked: AskedPoint,
    limits: ScoreSettings,
    retractions: Retractions,
) -> CreditEvent | None:
    """The vote with what its rater had seen; None where no passage was shown of which it counts.

    Where an answer cites, only what it cites was seen to be used; else all that it may rest on.
    """
    items = {one.item_id: one for one in seen.items}
    used = [one.item_id for one in seen.items if one.shown and one.used is not False]
    cited = [one for one in used if one in seen.cited]
    said = vote.feedback
    shown = cited or used
    if said.passage is not None:
        shown = [one for one in items if one == said.passage]
    shown = [one for one in shown if retractions.counts(one, said)]
    if not shown:
        return None
    order = sorted(items, key=lambda one: (-items[one].score, items[one].rank))
    best = items[order[0]].score
    place = {chunk: number for number, chunk in enumerate(order, 1)}
    return CreditEvent(
        id=said.id,
        order=vote.seq,
        rater=said.rater,
        episode_id=said.episode_id,
        asked=asked,
        shown=tuple(
            ShownPassage(one, max(0.0, best - items[one].score), items[one].place or place[one])
            for one in shown
        ),
        rating=sign,
        weight=limits.owner_weight if said.source is Source.OWNER else 1.0,
        cites=bool(cited),
        top=max((one.cosine for one in items.values() if one.cosine is not None), default=0.0),
        passage=said.passage,
    )
