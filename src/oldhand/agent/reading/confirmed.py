"""Passages that people called right for the very question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oldhand.agent.reading.alike import likeness
from oldhand.agent.reading.extracting import Extract, extracted, sentences_in
from oldhand.record.document import FoundPassage
from oldhand.record.lesson import Lesson
from oldhand.record.memory import ExamplePayload
from oldhand.record.phrases import question_key


def confirmed_extract(
    question: str, passages: Sequence[FoundPassage], lessons: Sequence[Lesson]
) -> Extract | None:
    """What the passages say that were confirmed for the question; None where none was, or is there no longer."""
    chunks = confirmed_chunks(question, lessons)
    known = [one for one in passages if one.passage.chunk in chunks]
    return extracted(question, known) or _whole(known) if known else None


@dataclass(frozen=True)
class ConfirmedWords:
    """What somebody with a say has answered in words."""

    payload: ExamplePayload
    likeness: float
    """How surely it was the same question; 1.0 for the very same."""
    lesson_id: str


def confirmed_words(question: str, lessons: Sequence[Lesson]) -> ConfirmedWords | None:
    """The answer in words that was given to the very question, else to the one that asks the same most surely."""
    found = [
        ConfirmedWords(payload, sure, one.id)
        for one in lessons
        if isinstance(payload := one.memory.payload, ExamplePayload) and payload.answer
        if (sure := likeness(question, payload.question))
    ]
    return max(found, key=lambda one: one.likeness, default=None)


def confirmed_chunks(question: str, lessons: Sequence[Lesson]) -> tuple[str, ...]:
    """The passages that were confirmed for a question."""
    found = (chunk for one in _examples(question, lessons) for chunk in one.chunks)
    return tuple(dict.fromkeys(found))


def confirming(question: str, lessons: Sequence[Lesson]) -> tuple[str, ...]:
    """Ids of the lessons that were confirmed for the very question."""
    kept = {id(one) for one in _examples(question, lessons)}
    return tuple(one.id for one in lessons if id(one.memory.payload) in kept)


def _examples(question: str, lessons: Sequence[Lesson]) -> Iterator[ExamplePayload]:
    """What was confirmed for the very question."""
    key = question_key(question)
    for one in lessons:
        payload = one.memory.payload
        if isinstance(payload, ExamplePayload) and question_key(payload.question) == key:
            yield payload


def _whole(known: Sequence[FoundPassage]) -> Extract:
    """The beginning of a passage that shares no word with the question."""
    sentences = sentences_in(known[0])[:2]
    return Extract(sentences, 1.0, 0.0, 0.0, 0.0, is_first=True, asked=1)
