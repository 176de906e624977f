"""Answer, ask back, or say that it cannot be answered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from oldhand.agent.analyst.offering import readings_to_choose, told_apart
from oldhand.agent.analyst.understanding import Understanding
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.record.schema import DatabaseSchema

ANSWER_FROM = 0.4
"""Confidence below which it does not answer."""
ASK_FROM = 0.2
"""Confidence below which it does not even ask which of two readings is meant."""
CLOSE = 0.12
"""Lead over the second reading (share of belief) below which it asks back when unsure."""
SURE = 0.35
"""Confidence from which a close second reading is no reason to ask."""
_UNSURE = "I am not sure enough how to read this question."
_DOUBTED = "What was said of such answers before speaks against this reading. Is it meant all the same? Choose it, or ask in other words."
_NEEDED = ("beyond", "share", "avg", "than_average")
"""Cues without which an answer would be another one."""
_FUTURE = re.compile(
    r"\b(forecast|predict(ion)?|will\b.*\b(be|have|sell|earn|grow|reach)|going to|next (year|month|week|quarter)|tomorrow|in the future)\b",
    re.IGNORECASE,
)
_ENGLISH = words("function_words.english")


class Kind(StrEnum):
    """What to do with a question."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and why."""

    kind: Kind
    reason: str = ""
    """For the user: what is missing, or what is unclear; empty with an answer."""
    options: tuple[str, ...] = ()
    """The readings to choose from when it asks back, told by what they differ in."""
    readings: tuple[str, ...] = ()
    """The same readings in full; empty where the options are."""


def decide(understanding: Understanding, schemas: tuple[DatabaseSchema, ...]) -> Decision:
    """Rather ask or abstain than guess."""
    refused = next(_refusals(understanding), "")
    doubt = next(_doubts(understanding), "")
    sure = not doubt and understanding.confidence >= ANSWER_FROM
    if understanding.doubted is not None and not refused and not sure:
        # Nobody can judge what is never said again: who doubts asks.
        own = [one for one in understanding.candidates if not one.features.get("rule.absent")]
        options = readings_to_choose((understanding.doubted, *own))
        return Decision(Kind.CLARIFY, _DOUBTED, told_apart(options), options)
    if reason := refused or doubt:
        return Decision(Kind.ABSTAIN, f"{reason} {_known(schemas)}")
    options = readings_to_choose(understanding.candidates)
    close = len(options) > 1 and understanding.signals.margin < CLOSE
    if understanding.confidence < SURE and close:
        asked = "The question can be read in two ways. Which one is meant?"
        return Decision(Kind.CLARIFY, asked, told_apart(options), options)
    if not sure:
        return Decision(Kind.ABSTAIN, f"{_UNSURE} {_known(schemas)}")
    return Decision(Kind.ANSWER)


def _refusals(understanding: Understanding) -> Iterator[str]:
    """Why such a question is never answered."""
    if _FUTURE.search(understanding.question):
        yield "The databases hold what has happened, not what will be."
    # `revenue excluding cancelled orders`: each word is understood, whatever the language.
    known = bool(understanding.candidates) and not understanding.unknown_words
    if not (_is_english(understanding.question) or known):
        yield "I only understand questions in English; a language model understands others."


def _doubts(understanding: Understanding) -> Iterator[str]:
    """Why the question can't be answered, the weightiest reason first."""
    unknown = understanding.unknown_words
    if unknown:
        yield f"I find nothing about {_quoted(unknown)} in the databases."
    elif not understanding.candidates:
        yield "I found nothing in the question that the databases could answer."
    for candidate in understanding.candidates[:1]:
        if any(candidate.features.get(f"unused.{kind}") for kind in _NEEDED):
            yield "The question asks for a computation that I cannot do yet."
    if understanding.compares:
        yield "Comparing two things with each other is not possible yet: ask for each of them."
    if understanding.left_out:
        yield f"I do not know how to take {_quoted(understanding.left_out)} into account."
    if understanding.confidence < ASK_FROM:
        yield _UNSURE


def _is_english(question: str) -> bool:
    words = [token.lower for token in tokenise(question) if token.is_word]
    letters = [c for c in question if c.isalpha()]
    foreign = sum(1 for c in letters if not c.isascii())
    if letters and foreign > len(letters) / 3:
        return False
    return len(words) < 4 or any(word in _ENGLISH or word in STOP_WORDS for word in words)


def _quoted(words: Sequence[str]) -> str:
    return " or ".join(f"'{word}'" for word in words[:3])


def _known(schemas: tuple[DatabaseSchema, ...]) -> str:
    names = [table.name for schema in schemas for table in schema.tables]
    shown = ", ".join(names[:8])
    more = f" and {len(names) - 8} more tables" if len(names) > 8 else ""
    return f"I know {shown}{more}." if names else "No database has been added yet."
