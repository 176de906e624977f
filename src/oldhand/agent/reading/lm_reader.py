"""Passages read by a language model: each sentence cites its passages, and says nothing that these don't hold."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from oldhand.agent.analysis.forms import UNSAID
from oldhand.agent.analysis.grounding import Known, unfounded
from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.prompt_values import question_values
from oldhand.agent.reading.answers import PassageAnswer, citation, none_says
from oldhand.agent.reading.asked import base_stem, stems_of
from oldhand.agent.reading.belief import belief
from oldhand.agent.reading.extracting import extracted
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.models import LanguageModel, Ledger
from oldhand.models.quoting import block, one_line, visible
from oldhand.models.templates import Prompts
from oldhand.record.document import Citation, FoundPassage, place_in

READING_PROMPTS = "oldhand.agent.reading"
"""The package in whose folder `prompts` the template lies."""
MOST_CHARS = 2_000
"""Characters of a passage that a prompt shows."""
QUOTED_CHARS = 300
OWN_WORDS = 0.5
"""Share of the words of a sentence that have to stand in the passages that it cites."""
_DROPPED = "Left out, since no passage that was cited says so: {}"


class CitedSentence(BaseModel):
    """A sentence with the passages that it rests on."""

    text: str = Field(description="The sentence, without numbers in brackets.")
    citations: list[int] = Field(default=[], description="Numbers of the passages it rests on.")


class ReadingForm(BaseModel):
    """What the passages say to the question."""

    reasoning: str = Field(
        default="", description="First think: which passage speaks of it, and what it says."
    )
    verdict: Literal["answered", "not_in_passages"] = Field(
        description="answered: a passage says it. not_in_passages: none does."
    )
    sentences: list[CitedSentence] = Field(
        default=[], description="For answered: one to three sentences. Else empty."
    )
    confidence: float = Field(
        default=UNSAID, ge=0, le=1, description="How sure you are that the passages say so, 0 to 1."
    )


@dataclass(frozen=True)
class LanguageModelReader:
    """Answers from passages with a language model."""

    lm: LanguageModel
    prompts: Prompts

    @classmethod
    def of(cls, lm: LanguageModel, folder: Path) -> "LanguageModelReader":
        """With the templates of a folder, else our own."""
        return cls(lm, Prompts(folder, READING_PROMPTS))

    async def read(
        self, question: str, passages: Sequence[FoundPassage], inquiry: Inquiry
    ) -> PassageAnswer:
        """What the model says of them, as far as it can be checked."""
        style = "\n".join(f"- {one}" for one in inquiry.preferences.style)
        values = question_values(replace(inquiry, question=question)) | {
            "passages": block("passages", "\n\n".join(map(_shown, range(1, 100), passages))),
            "preferences": block("preferences", style) if style else "",
        }
        messages = self.prompts["read_passages"].fill(values)
        ledger = inquiry.ledger or Ledger()
        form = await self.lm.structured(messages, ReadingForm, stage="read_passages", ledger=ledger)
        said = form.sentences if form.verdict == "answered" else []
        founded = [one for one in said if is_founded(one, passages, question)]
        dropped = [one_line(one.text, QUOTED_CHARS) for one in said if one not in founded]
        notes = (_DROPPED.format("; ".join(dropped)),) if dropped else ()
        if not founded:
            return PassageAnswer(
                none_says(passages, extracted(question, passages)), 0.0, notes=notes
            )
        cited = dict.fromkeys(number for one in founded for number in sorted(set(one.citations)))
        chosen = [passages[number - 1] for number in cited]
        own = belief(extracted(question, chosen))
        sure = (form.confidence + own) / 2 * (len(founded) / len(said))
        citations = tuple(_citations(founded, tuple(cited), passages))
        return PassageAnswer(_text_of(founded, tuple(cited)), sure, citations, notes)


def _shown(number: int, found: FoundPassage) -> str:
    """A passage as a prompt shows it; its lines are marked, so that none can be taken for the head of another one."""
    head = place_in(found.document, found.passage.anchor.says)
    text = visible(found.passage.text[:MOST_CHARS])
    return f"[{number}] {one_line(head)}\n" + "\n".join(f"> {line}" for line in text.splitlines())


def is_founded(sentence: CitedSentence, passages: Sequence[FoundPassage], question: str) -> bool:
    """Whether a sentence cites passages that are there, and these hold its numbers, its names and half of its words.

    >>> from oldhand.testing.records import found_passage
    >>> there = [found_passage("Refunds are paid within 5 days.")]
    >>> [is_founded(CitedSentence(text=text, citations=[n]), there, "When are refunds paid?")
    ...  for text, n in (("Refunds are paid within 5 days.", 1), ("They are paid within 6 days.", 1), ("Within 5 days.", 2))]
    [True, False, False]
    """
    numbers = set(sentence.citations)
    if not sentence.text.strip() or not numbers or not numbers <= set(range(1, len(passages) + 1)):
        return False
    cited = [passages[number - 1] for number in sorted(numbers)]
    texts = [text for one in cited for text in _texts(one)]
    said = _MARK.sub("", sentence.text)
    if unfounded(said, Known((), (question, *texts))):
        return False
    own = stems_of(said) - _STOPS
    there = stems_of(" ".join((question, *texts)))
    return len(own & there) >= OWN_WORDS * len(own)


_STOPS = frozenset(map(base_stem, STOP_WORDS))
_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
"""Of a point in a list."""


def _texts(found: FoundPassage) -> Iterator[str]:
    yield from (found.passage.text, found.document, *found.passage.anchor.heading)


def _text_of(founded: Sequence[CitedSentence], cited: Sequence[int]) -> str:
    """The sentences with their citations, numbered as they are mentioned; the points of a list each on its line."""
    is_list = all(_MARK.match(one.text) for one in founded)
    return ("\n" if is_list else " ").join(
        f"{' '.join(one.text.split())} "
        + "".join(f"[{cited.index(n) + 1}]" for n in sorted(set(one.citations)))
        for one in founded
    )


def _citations(
    founded: Sequence[CitedSentence], cited: Sequence[int], passages: Sequence[FoundPassage]
) -> Iterator[Citation]:
    """What each cited passage says of the sentences that cite it, in its own words."""
    for place, number in enumerate(cited, 1):
        found = passages[number - 1]
        said = " ".join(one.text for one in founded if number in one.citations)
        extract = extracted(said, [found])
        quote = " ".join(one.text for one in extract.sentences) if extract else found.passage.text
        yield citation(place, found, quote[:QUOTED_CHARS])
