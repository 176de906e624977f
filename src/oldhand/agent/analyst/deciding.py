"""Answer, ask back, propose a reading, or say that it cannot be answered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from oldhand.agent.analyst.offering import PROPOSED, readings_to_choose, told_apart
from oldhand.agent.analyst.understanding import Understanding
from oldhand.agent.analyst.verbalizer.orders import refused_order
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.record.schema import DatabaseSchema

ANSWER_FROM = 0.35
"""Confidence below which it does not answer, but asks whether it has read the question rightly."""
ASK_FROM = 0.2
"""Confidence below which it does not ask which of two readings is meant."""
COVERED_FROM = 0.15
"""Share of the words with content that a reading answers to, below which it is not even proposed."""
CLOSE = 0.12
"""Lead over the second reading (share of belief) below which it asks back when unsure."""
SURE = 0.35
"""Confidence from which a close second reading is no reason to ask."""
_UNSURE = "I am not sure enough how to read this question."
_GUESSED = {
    "num.guessed_unit": "I am not sure in which unit the numbers are.",
    "super.guessed_measure": "I am not sure by what that is measured.",
    "count.guessed_deed": "I am not sure what is to be counted.",
}
"""Features of a reading that is a guess, and what is unsure then."""
_DOUBTED = "What was said of such answers before speaks against this reading. Is it meant all the same? Choose it, or ask in other words."
_NOTHING_ABOUT = "I find nothing about {} in the databases."
_NO_SUCH = "The question asks for a computation that I cannot do yet."
_NEEDED = ("beyond", "share", "avg", "than_average")
"""Cues without which an answer would be another one."""
_APART = (
    "I don't know how the rows of {} and {} belong together: no key joins them. "
    'Say which column does (`oldhand rule add "{} belong to {} by COLUMN"`), or look for keys: `oldhand schema link`.'
)
_FUTURE = re.compile(
    r"\b(forecast|predict(ion)?|will\b.*\b(be|have|sell|earn|grow|reach)|going to|next (year|month|week|quarter)|tomorrow|in the future)\b",
    re.IGNORECASE,
)
_ENGLISH = words("function_words.english")


class DecisionKind(StrEnum):
    """What to do with a question."""

    ANSWER = "answer"
    CLARIFY = "clarify"
    PROPOSE = "propose"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and why."""

    kind: DecisionKind
    reason: str = ""
    """For the user: what is missing, or what is unclear; empty with an answer."""
    options: tuple[str, ...] = ()
    """The readings to choose from when it asks back, told by what they differ in; the proposed one first, and all in full."""
    readings: tuple[str, ...] = ()
    """The same readings in full; empty where the options are."""


def decide(understanding: Understanding, schemas: tuple[DatabaseSchema, ...]) -> Decision:
    """Rather ask than guess; only what no reading comes near is refused."""
    if reason := next(_refusals(understanding), ""):
        return Decision(DecisionKind.ABSTAIN, f"{reason} {_known(schemas)}")
    doubt = next(_doubts(understanding), "")
    sure = not doubt and understanding.confidence >= ANSWER_FROM
    if understanding.doubted is not None and not sure:
        # Nobody can judge what is never said again: who doubts asks.
        own = [one for one in understanding.candidates if not one.features.get("rule.absent")]
        options = readings_to_choose((understanding.doubted, *own))
        return Decision(DecisionKind.CLARIFY, _DOUBTED, told_apart(options), options)
    if doubt:
        return _proposing(understanding, doubt, schemas)
    options = readings_to_choose(understanding.candidates)
    close = len(options) > 1 and understanding.signals.margin < CLOSE
    if understanding.confidence < SURE and close:
        asked = "The question can be read in two ways. Which one is meant?"
        return Decision(DecisionKind.CLARIFY, asked, told_apart(options), options)
    return Decision(DecisionKind.ANSWER) if sure else _proposing(understanding, _UNSURE, schemas)


def _proposing(
    understanding: Understanding, reason: str, schemas: tuple[DatabaseSchema, ...]
) -> Decision:
    options = readings_to_choose(understanding.candidates, PROPOSED)
    return Decision(DecisionKind.PROPOSE, f"{reason} {_known(schemas)}", options)


def _refusals(understanding: Understanding) -> Iterator[str]:
    """Why the question can't be answered, the weightiest reason first."""
    if _FUTURE.search(understanding.question):
        yield "The databases hold what has happened, not what will be."
    if said := refused_order(understanding.question):
        yield said
    unknown = understanding.unknown_words
    # `revenue excluding cancelled orders`: each word is understood, whatever the language.
    known = bool(understanding.candidates) and not unknown
    if not (_is_english(understanding.question) or known):
        yield "I only understand questions in English; a language model understands others."
    yield from (_APART.format(*two, *two) for two in (understanding.apart,) if two)
    if unknown and understanding.signals.covered < COVERED_FROM:
        yield _NOTHING_ABOUT.format(_quoted(unknown))
    elif not understanding.candidates:
        yield "I found nothing in the question that the databases could answer."
    if understanding.rejected and understanding.doubted is None:
        yield "All that I could read this as was called wrong."
    for candidate in understanding.candidates[:1]:
        if any(candidate.features.get(f"unused.{kind}") for kind in _NEEDED):
            yield _NOTHING_ABOUT.format(_quoted(unknown)) if unknown else _NO_SUCH
    if understanding.compares:
        yield "I do not see what is to be compared with what: ask for each of the two."


def _doubts(understanding: Understanding) -> Iterator[str]:
    """Why the question is not answered right away, the weightiest reason first."""
    if understanding.unknown_words:
        yield _NOTHING_ABOUT.format(_quoted(understanding.unknown_words))
    left_out = understanding.left_out
    if left_out and {*left_out} <= {*understanding.undecided}:
        yield f"Several keys lead to {_quoted(left_out)}, and nothing says which one is meant."
    elif left_out:
        yield f"I do not know how to take {_quoted(left_out)} into account."
    for feature, reason in _GUESSED.items():
        if any(one.features.get(feature) for one in understanding.candidates[:1]):
            yield reason
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
