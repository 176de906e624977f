"""What passages say to a question, with citations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.reading.belief import belief
from oldhand.agent.reading.confirmed import (
    ConfirmedWords,
    confirmed_extract,
    confirmed_words,
    confirming,
)
from oldhand.agent.reading.extracting import Extract, extracted, sentences_in
from oldhand.agent.reading.leaning import needed
from oldhand.models.quoting import one_line
from oldhand.record.document import Citation, FoundPassage, place_in

NAMED = 3
"""Passages that are named where none answers."""
CONFIRMED = 0.95
"""Confidence of what was confirmed for the very question."""
_QUOTED_FROM = 0.5
"""Share of a question that the nearest passage is about at least, so that it is worth reading."""
_QUOTED_CHARS = 300
_NONE = "No passage of the documents says this."


@dataclass(frozen=True)
class PassageAnswer:
    """What passages say; where they say nothing, why."""

    text: str
    confidence: float
    """How likely it is to be right, 0 to 1; of one that is no answer, how likely it would have been."""
    citations: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    """Ids of the memories that it rests on."""
    is_confirmed: bool = False
    """Whether somebody with a say has given it in words."""

    @property
    def is_answer(self) -> bool:
        """Whether a passage answers."""
        return bool(self.citations) or self.is_confirmed


class PassageReader(Protocol):
    """Whoever answers questions from passages."""

    async def read(
        self, question: str, passages: Sequence[FoundPassage], inquiry: Inquiry
    ) -> PassageAnswer:
        """Answer from these passages alone.

        Args:
            question: in words that need no conversation.
            passages: most fitting first.
            inquiry: what else is known when it is asked.

        Raises:
            ModelError: a language model did not do its part.
        """
        ...


class ExtractiveReader:
    """Answers with the passages' own sentences; never invents."""

    async def read(
        self, question: str, passages: Sequence[FoundPassage], inquiry: Inquiry
    ) -> PassageAnswer:
        """The sentences that cover the question best, or none; what was confirmed for the very question comes first."""
        lessons = confirming(question, inquiry.lessons)
        if told := confirmed_words(question, inquiry.lessons):
            return replace(_confirmed(told, passages), lessons=(*lessons, told.lesson_id)[:1])
        extract = confirmed_extract(question, passages, inquiry.lessons)
        sure = CONFIRMED if extract else 0.0
        if extract is None:
            extract = extracted(question, passages)
            sure = belief(extract)
        if extract is None or sure < needed(question):
            return PassageAnswer(none_says(passages, extract), sure)
        return PassageAnswer(*_told(extract, sure), lessons=lessons if sure == CONFIRMED else ())


def _confirmed(told: ConfirmedWords, passages: Sequence[FoundPassage]) -> PassageAnswer:
    """The answer that somebody gave, with the passages that it is about."""
    payload, sure = told.payload, CONFIRMED * told.likeness
    found = [one for one in passages if one.passage.chunk in payload.chunks]
    citations = tuple(citation(n, one, _beginning(one)) for n, one in enumerate(found, 1))
    marks = "".join(f"[{one.number}]" for one in citations)
    of = "" if told.likeness == 1 else f", asked {payload.question!r}"
    note = f"{payload.confirmed_by} has said so{of}."
    return PassageAnswer(
        f"{payload.answer} {marks}".rstrip(), sure, citations, (note,), is_confirmed=True
    )


def _beginning(found: FoundPassage) -> str:
    return sentences_in(found)[0].text


def _told(extract: Extract, sure: float) -> tuple[str, float, tuple[Citation, ...]]:
    """Sentences with their citations, each passage under one number."""
    chunks = list(dict.fromkeys(one.found.passage.chunk for one in extract.sentences))
    text = " ".join(
        f"{one.text} [{chunks.index(one.found.passage.chunk) + 1}]" for one in extract.sentences
    )
    citations = tuple(
        citation(
            number,
            next(one.found for one in extract.sentences if one.found.passage.chunk == chunk),
            " ".join(one.text for one in extract.sentences if one.found.passage.chunk == chunk),
        )
        for number, chunk in enumerate(chunks, 1)
    )
    return text, sure, citations


def citation(number: int, found: FoundPassage, quote: str) -> Citation:
    """The citation of words in a passage."""
    return Citation(
        number=number,
        chunk=found.passage.chunk,
        document_id=found.passage.document_id,
        document=found.document,
        place=found.passage.anchor.says,
        quote=quote,
    )


def none_says(passages: Sequence[FoundPassage], extract: Extract | None) -> str:
    """That no passage answers, and which come nearest; with what the nearest says where that is about most of the question."""
    near = list(dict.fromkeys(place_in(one.document, one.passage.anchor.says) for one in passages))
    if extract is not None and extract.coverage >= _QUOTED_FROM:
        best = extract.sentences[0].found
        place = place_in(best.document, best.passage.anchor.says)
        quote = one_line(" ".join(one.text for one in extract.sentences), _QUOTED_CHARS)
        near = [f"{place}, \u201c{quote}\u201d", *(one for one in near if one != place)]
    return f"{_NONE} Nearest: {'; '.join(near[:NAMED])}." if near else _NONE
