"""Votes and scores as the store keeps them, and back."""

from collections.abc import Collection, Mapping, Sequence
from typing import cast

from oldhand.learning.credit.events import (
    CreditEvent,
    Credits,
    FirstWord,
    PassageCredit,
    ShownPassage,
)
from oldhand.learning.credit.lexical import Point
from oldhand.learning.credit.scores import PassageScores
from oldhand.models.embedding.vectors import packed_vector, unpacked_vectors
from oldhand.record.ports import Clock
from oldhand.record.retrieval import AskedPoint
from oldhand.store.credit.credit_store import EventRow, ScoreRow


def kept_event(event: CreditEvent, told: Credits, clock: Clock) -> EventRow:
    """A vote with what it said, as a row."""
    vector = event.asked.vector
    return EventRow(
        feedback_id=event.id,
        episode_id=event.episode_id,
        question=event.asked.text,
        vector=halved(vector),
        model=None if vector is None else event.asked.model,
        credits={
            one.chunk: {"gap": one.gap, "place": one.place, **told[one.chunk]._asdict()}
            for one in event.shown
            if one.chunk in told
        },
        vote={
            "order": event.order,
            "rater": event.rater,
            "rating": event.rating,
            "weight": event.weight,
            "cites": event.cites,
            "top": event.top,
            "passage": event.passage,
            "beside": event.beside,
            "first": event.first,
        },
        at=clock.now(),
    )


def read_event(row: EventRow) -> tuple[CreditEvent, Credits]:
    """The vote that a row holds, with what it said."""
    vote = row.vote
    told: dict[str, PassageCredit] = {}
    shown: list[ShownPassage] = []
    for chunk, one in row.credits.items():
        evidence = tuple(cast("Sequence[float]", one["evidence"]))
        credit, surprise, gap, place = (
            cast("float", one[name]) for name in ("credit", "surprise", "gap", "place")
        )
        told[chunk] = PassageCredit(credit, surprise, evidence)
        shown.append(ShownPassage(chunk, gap, int(place)))
    passage, first = vote["passage"], cast("Sequence[int] | None", vote.get("first"))
    event = CreditEvent(
        id=row.feedback_id,
        order=int(cast("int", vote["order"])),
        rater=str(vote["rater"]),
        episode_id=row.episode_id,
        asked=AskedPoint(row.question, restored(row.vector), row.model),
        shown=tuple(shown),
        rating=int(cast("int", vote["rating"])),
        weight=float(cast("float", vote["weight"])),
        cites=bool(vote["cites"]),
        top=float(cast("float", vote["top"])),
        passage=None if passage is None else str(passage),
        beside=tuple(cast("Sequence[str]", vote.get("beside", ()))),
        first=None if first is None else FirstWord(*first),
    )
    return event, told


def scores_of(book: PassageScores, chunks: Collection[str]) -> Mapping[str, Sequence[ScoreRow]]:
    """The scores of these passages, for each kind of question that there are some for."""
    found: dict[str, list[ScoreRow]] = {chunk: [] for chunk in sorted(chunks)}
    for (chunk, intent), one in book.scores().items():
        if chunk in found:
            found[chunk].append(ScoreRow(chunk, intent, one.score, one.hit_count))
    return found


def halved(vector: Point | None) -> bytes | None:
    """A vector as it is kept."""
    return None if vector is None else packed_vector(vector)


def restored(kept: bytes | None) -> Point | None:
    """A vector as it was kept."""
    return None if kept is None else unpacked_vectors(kept, 1)[0]
