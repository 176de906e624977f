"""How documents fare, for those who look after them, and taking back what votes have taught about passages."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from oldhand.errors import UnknownDocument, UsageError
from oldhand.learning.credit.safeguard import safeguard_says, switched_off
from oldhand.learning.retractions import Noted, reset_note
from oldhand.loop.crediting import Crediting
from oldhand.loop.people import CloneRoles
from oldhand.record.answer import Outcome
from oldhand.record.document import Passage
from oldhand.record.memory import Memory
from oldhand.record.monitoring import (
    DocumentStats,
    FeedbackSpan,
    OpenQuestion,
    PassageStanding,
    PassageVote,
)
from oldhand.record.phrases import question_key
from oldhand.record.ports import NewId
from oldhand.record.shortening import shortened
from oldhand.store.credit.counts import AskedOfDocuments
from oldhand.store.transactions import only_one

_SPANS = (7, 30, None)
_LISTED = 10
_LOOKED_AT = 5_000
"""Answers, the latest, in which open questions are looked for."""
_QUOTED = 160
_NOT_YET = "Whether the rule does harm is looked at each night."


@dataclass(frozen=True)
class PassageCare:
    """Looks after what was learned of the passages of one clone. Methods block."""

    crediting: Crediting
    people: CloneRoles
    new_id: NewId

    def stats(self) -> DocumentStats:
        """How all documents fare."""
        crediting = self.crediting
        store, clone_id = crediting.store, crediting.clone_id
        counts, now = store.passage_counts, crediting.clock.now()
        return DocumentStats(
            spans=tuple(
                FeedbackSpan(
                    days=days,
                    **counts.span(clone_id, now - timedelta(days) if days else None)._asdict(),
                )
                for days in _SPANS
            ),
            scores=counts.score_buckets(clone_id),
            rule=crediting.rule_name.value,
            safeguard=self.safeguard() or _NOT_YET,
            switched_off=switched_off(store, clone_id),
            misleading=tuple(self._misleading()),
            open_questions=_open(counts.latest(clone_id, _LOOKED_AT)),
        )

    def safeguard(self) -> str:
        """What the safeguard has found, in words; nothing while it has not looked."""
        return safeguard_says(self.crediting.store, self.crediting.clone_id)

    def passages(self, document_id: str | None = None) -> tuple[PassageStanding, ...]:
        """How the passages of a document fare, in its order; those of all documents that were voted on, best first."""
        if document_id is None:
            found = self._standing(self.crediting.voted_on())
            return tuple(sorted(found, key=lambda one: (-one.credit, one.chunk)))
        found = self.crediting.store.documents.passages(self.crediting.clone_id, document_id)
        return tuple(self._standing(one.chunk for one in found))

    def votes(self, chunk: str) -> tuple[PassageVote, ...]:
        """What a passage was credited with, vote by vote, by its hash or the first characters of it."""
        whole, crediting = self.chunk_called(chunk), self.crediting
        store, clone_id = crediting.store, crediting.clone_id
        said = {one.id: one.created_at for one in store.feedback_on_chunk(clone_id, whole)}
        book, credit = crediting.book(), 0.0
        found: list[PassageVote] = []
        for event, told in crediting.events():
            if whole not in told or event.id not in said:
                continue
            book.learn(event)
            credit += told[whole].credit
            score = book.scores()[whole, book.intent(event.asked.text)].score
            found.append(
                PassageVote(
                    at=said[event.id],
                    rater=event.rater,
                    rating=event.rating,
                    question=event.asked.text,
                    credit=told[whole].credit,
                    credit_after=credit,
                    score_after=score,
                )
            )
        return tuple(found)

    def reset(
        self, by: str, *, passage: str | None = None, document_id: str | None = None
    ) -> Memory:
        """Let what votes have taught so far about a passage, those of a document, or all, not count.

        It is noted as a memory: undo it, and what it took back is there again.

        Raises:
            UsageError: the person is not the owner, or nothing was learned of them.
            UnknownDocument: there is no such passage.
        """
        self.people.check_owner(by, "resets what votes have taught")
        known, what = self.crediting.voted_on(), "all"
        if passage is not None:
            chunks = {self.chunk_called(passage)}
            what = passage
        elif document_id is not None:
            store, clone_id = self.crediting.store, self.crediting.clone_id
            chunks = {one.chunk for one in store.documents.passages(clone_id, document_id)}
            what = f"those of {store.documents.get(clone_id, document_id).name}"
        else:
            chunks = known
        if not chunks & known:
            raise UsageError("Nobody has voted on that yet, so there is nothing to reset.")
        return self._reset(sorted(chunks & known), what)

    def _reset(self, chunks: Sequence[str], what: str) -> Memory:
        crediting = self.crediting
        store, clone_id = crediting.store, crediting.clone_id
        with store.learning(clone_id):
            last = store.last_feedback_id(clone_id) or ""
            noted = Noted(clone_id, self.new_id(), crediting.clock.now(), last)
            note = reset_note(noted, chunks, what)
            store.save_memories(clone_id, [note])
            crediting.bring_in_line()
        return note

    def chunk_called(self, chunk: str) -> str:
        """The hash of a passage by the first characters of it.

        Raises:
            UnknownDocument: there is none.
            UsageError: there are several.
        """
        crediting = self.crediting
        there = crediting.store.documents.chunks_called(crediting.clone_id, chunk)
        known = {*there, *(one for one in crediting.voted_on() if one.startswith(chunk))}
        found = only_one(sorted(known), "passages", chunk) if chunk else None
        if found is None:
            raise UnknownDocument(f"There is no passage {chunk!r}: `oldhand docs show NAME` names them.")  # fmt: skip
        return found

    def _misleading(self) -> list[PassageStanding]:
        """Those that votes speak against, the worst first."""
        credit = _credit(self.crediting)
        worst = sorted((one for one in credit if credit[one][0] < 0), key=lambda one: credit[one][0])  # fmt: skip
        return self._standing(worst[:_LISTED])

    def _standing(self, chunks: Iterable[str]) -> list[PassageStanding]:
        """How passages fare, in the order in which they are given."""
        crediting = self.crediting
        store, clone_id = crediting.store, crediting.clone_id
        wanted = list(dict.fromkeys(chunks))
        called: dict[str, Passage] = {}
        for one in store.documents.passages_called(clone_id, wanted):
            called.setdefault(one.chunk, one)
        names = {one.id: one.name for one in store.documents.list(clone_id)}
        shown, credit = store.passage_counts.shown(clone_id, wanted), _credit(crediting)
        scores = {one.chunk_hash: one.score for one in store.credit.scores(clone_id, wanted)}
        found: list[PassageStanding] = []
        for chunk in wanted:
            passage, (total, ups, downs) = called.get(chunk), credit.get(chunk, (0.0, 0, 0))
            found.append(
                PassageStanding(
                    chunk=chunk,
                    document=names[passage.document_id] if passage else "",
                    place=passage.anchor.says if passage else "",
                    text=shortened(" ".join(passage.text.split()), _QUOTED) if passage else "",
                    shown=shown.get(chunk, 0),
                    ups=ups,
                    downs=downs,
                    credit=total,
                    score=scores.get(chunk),
                )
            )
        return found


def _credit(crediting: Crediting) -> dict[str, tuple[float, int, int]]:
    """What all votes say of each passage, and how many are for and against it."""
    found: dict[str, tuple[float, int, int]] = {}
    for event, told in crediting.events():
        for chunk, one in told.items():
            total, ups, downs = found.get(chunk, (0.0, 0, 0))
            liked = event.rating > 0
            found[chunk] = (total + one.credit, ups + liked, downs + (not liked))
    return found


def _open(asked: Sequence[AskedOfDocuments]) -> tuple[OpenQuestion, ...]:
    """The questions whose latest answer no passage gave, or people called wrong; the most frequent first."""
    by_key: defaultdict[str, list[AskedOfDocuments]] = defaultdict(list)
    for one in asked:
        by_key[question_key(one.question)].append(one)
    found = [
        OpenQuestion(
            question=last.question,
            times=len(all_),
            last=last.created_at,
            rated_down=last.outcome != Outcome.ABSTAINED,
        )
        for all_ in by_key.values()
        if (last := all_[0]).outcome == Outcome.ABSTAINED or (last.rating or 0) < 0
    ]
    return tuple(sorted(found, key=lambda one: (-one.times, -one.last.timestamp()))[:_LISTED])
