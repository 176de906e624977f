"""The documents at hand for one question: what of them was found, and what of that was recorded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from oldhand.agent.reading.confirmed import confirmed_chunks
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.record.answer import Answer
from oldhand.record.document import FoundPassage, Retrieved, reader_names
from oldhand.record.episode import Recalled
from oldhand.record.lesson import Lesson
from oldhand.record.memory import ExamplePayload
from oldhand.store import Store

FOUND = 5
"""Passages that a mind gets to see."""


class PassageSearch(Protocol):
    """Searches the documents of a clone."""

    def search(self, question: str, user: str, member: bool, limit: int = FOUND) -> Retrieved:
        """The passages that fit best, of those that the user may read; blocks."""
        ...


@dataclass
class PassageShelf:
    """What one user may read, and what was found of it for one question. Methods block."""

    clone_id: str
    store: Store
    search: PassageSearch
    mishaps: Mishaps
    user: str
    member: bool
    """Whether the user may read what is for members."""
    lessons: tuple[Lesson, ...] = ()
    """What was recalled: passages that were confirmed for the very question come first."""
    seen: dict[str, FoundPassage] = field(default_factory=dict[str, FoundPassage])
    """What was found, by chunk, each as it was found first."""
    note: str = ""
    """What went wrong while it was found, such as a model that does not answer."""

    def find(self, question: str) -> tuple[FoundPassage, ...]:
        """The passages that fit a question; none when the search fails, which is counted."""
        told = self.mishaps.spared(
            "documents", lambda: self.search.search(question, self.user, self.member, FOUND)
        )
        found, note = ((), "") if isinstance(told, Mishap) else told
        self.note = self.note or note
        there = {one.passage.chunk for one in found}
        wanted = [one for one in confirmed_chunks(question, self.lessons) if one not in there]
        found = (*found, *self._called(wanted, len(found)))
        for one in found:
            self.seen.setdefault(one.passage.chunk, one)
        return found

    def readable(self, lessons: Sequence[Lesson]) -> tuple[Lesson, ...]:
        """The lessons without those that rest on passages which the user may not read."""
        rests = {one.id: _chunks_of(one) for one in lessons}
        chunks = [chunk for one in rests.values() for chunk in one]
        readable = {one.passage.chunk for one in self._called(chunks)} if chunks else set[str]()
        self.lessons = tuple(one for one in lessons if readable.issuperset(rests[one.id]))
        return self.lessons

    def noted(self, answer: Answer) -> Answer:
        """The answer with what went wrong, where it rests on passages, or was looked for in them in vain."""
        if not self.note or (answer.steps and not answer.citations):
            return answer
        return answer.model_copy(update={"notes": (*answer.notes, self.note)})

    def recalled(self, answer: Answer) -> Iterator[Recalled]:
        """The record of the passages, where the answer rests on some, or was looked for in them in vain."""
        if answer.steps and not answer.citations:
            return
        cited = {one.chunk for one in answer.citations}
        for rank, found in enumerate(self.seen.values(), 1):
            chunk = found.passage.chunk
            yield Recalled(
                kind="chunk",
                item_id=chunk,
                rank=rank,
                score=found.base,
                shown=True,
                chance=1.0,
                used=chunk in cited,
                boost=found.boost,
                place=found.place,
                cosine=found.cosine,
            )

    def _called(self, chunks: Sequence[str], before: int = 0) -> tuple[FoundPassage, ...]:
        """Passages by their hashes, of those that the user may read."""
        if not chunks:
            return ()
        documents = self.store.documents
        mine = set(reader_names(self.user, self.member))
        names = {
            one.id: one.name
            for one in documents.list(self.clone_id)
            if not mine.isdisjoint(one.readers)
        }
        called = documents.passages_called(self.clone_id, list(chunks))
        found = {one.chunk: one for one in called if one.document_id in names}
        return tuple(
            FoundPassage(
                passage=one,
                document=names[one.document_id],
                rank=before + place,
                base=0.0,
                score=0.0,
            )
            for place, one in enumerate(found.values(), 1)
        )


def _chunks_of(lesson: Lesson) -> tuple[str, ...]:
    payload = lesson.memory.payload
    return payload.chunks if isinstance(payload, ExamplePayload) else ()
