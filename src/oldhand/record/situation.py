"""The situation that a question is asked in: what it is after, how hard it is, and what is at hand.

Both follow from rules over words, so that the same question is always in the same situation. `intent_of` tries the
rules in this order, and the first that fits decides:

| intent | words |
|---|---|
| `calculation` | nothing but numbers and arithmetic: `2 + 2`, `15 % of 80`, `square root of 16` |
| `explanation` | why, how come, explain, reason, cause, how does … work, how to |
| `definition` | define, meaning of, what does … mean, what is a …, or `what is` and two words at most |
| `comparison` | compare, versus, difference between, than (before anything but a number) |
| `trend` | over time, trend, growth, per or by day, week, month, quarter, year |
| `ranking` | top, best, worst, most, least, highest, lowest, largest, smallest, rank |
| `aggregation` | how many, how much, number, count, total, sum, average, mean, median, share, percentage |
| `listing` | list, show, give, find, display, which, all, `what are` |
| `lookup` | who, whose, when, where, what |
| `other` | nothing of these |
"""

import re
from collections.abc import Collection
from enum import StrEnum

from pydantic import Field

from oldhand.record.base import Record


class Intent(StrEnum):
    """What a question is after."""

    CALCULATION = "calculation"
    EXPLANATION = "explanation"
    DEFINITION = "definition"
    COMPARISON = "comparison"
    TREND = "trend"
    RANKING = "ranking"
    AGGREGATION = "aggregation"
    LISTING = "listing"
    LOOKUP = "lookup"
    OTHER = "other"


class Situation(Record):
    """What the condition of a lesson is held against."""

    intent: str = Intent.OTHER
    """An `Intent`, or what a caller calls it."""
    tools: frozenset[str] = frozenset()
    """Names of the tools at hand."""
    databases: frozenset[str] = frozenset()
    """Names of the databases at hand."""
    complexity: float = Field(default=0.0, ge=0, le=1)


def situation_of(
    question: str, *, tools: Collection[str] = (), databases: Collection[str] = ()
) -> Situation:
    """The situation of a question.

    >>> situation_of("Why did revenue fall?", databases=["shop"]).intent
    'explanation'
    """
    return Situation(
        intent=intent_of(question).value,
        tools=frozenset(tools),
        databases=frozenset(databases),
        complexity=complexity_of(question),
    )


_SPAN = r"(?:day|week|month|quarter|year)"
_TALK = re.compile(
    r"\b(?:what(?:'s|’s| is| are)?|whats|calculate|compute|evaluate|solve|please|can you|could you|tell me|how much is|is|equals?)\b|[?!.=]+\s*$"  # noqa: RUF001
)
_ARITHMETIC = re.compile(
    r"(?:[\d.,\s()+*/^%×÷−–-]|\b(?:plus|minus|times|x|divided by|over|multiplied by|percent of|of|percent|squared|cubed|to the power of|the|square root|sqrt|sum of|product of|and)\b)+"  # noqa: RUF001
)
_OPERATION = re.compile(
    r"\d\s*[-+*/^×÷−–]\s*\(?\s*\d|%|\b(?:plus|minus|times|x|divided|over|multiplied|percent|squared|cubed|power|root|sqrt|sum|product)\b"  # noqa: RUF001
)
_DEFINITION = re.compile(
    r"^(?:please )?define\b|\b(?:definition|meaning) of\b|\bwhat (?:do|does|did)\b.*\bmean\b|\bmeant by\b|\bwhat(?:'s|’s| is| are) an? (?!.*\b(?:average|total|number|sum|count)\b)"  # noqa: RUF001
)
_SHORT = re.compile(r"^what(?:'s|’s| is| are) (?!the |our |my |your |their |its )[\w-]+(?: [\w-]+)?\s*\??$")  # noqa: RUF001  # fmt: skip
_AGGREGATION = re.compile(
    r"\b(?:how (?:many|much)|number of|count|total|sum|average|avg|mean|median|maximum|minimum|max|min|share|percentage|percent|proportion|rate)\b|%"
)
_RULES: dict[Intent, str] = {
    Intent.COMPARISON: r"\b(?:compar(?:e|es|ed|ing|ison)|versus|vs|differences? between|differ|relative to|against)\b|\bthan (?!or\b|[$€£]?\d|an? |one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|zero\b|once\b|twice\b)",
    Intent.TREND: rf"\bover (?:time|the (?:past|last|years|months|weeks))\b|\b(?:trends?|growth|develop(?:ed|ment)|evol(?:ved?|ution))\b|\b(?:per|by|each|every) {_SPAN}\b|\b({_SPAN}) (?:by|over|on) \1\b|\b(?:daily|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b",
    Intent.RANKING: r"\b(?:top|best|worst|most|least|highest|lowest|largest|smallest|biggest|greatest|fewest|cheapest|oldest|newest|longest|shortest|rank(?:s|ed|ing)?|bottom)\b",
    Intent.AGGREGATION: _AGGREGATION.pattern,
    Intent.LISTING: r"\b(?:list|show|give|find|display|name|names|which|all|every|each|what are)\b",
    Intent.LOOKUP: r"\b(?:who|whose|whom|when|where|what|what's)\b",
}
_BY_RULE = {intent: re.compile(rule) for intent, rule in _RULES.items()}
_EXPLANATION = re.compile(
    r"\b(?:why|how come|explain(?:s|ed)?|explanation|reasons?|causes?|caused|how (?:do|does|did|can|could|should)\b.*\b(?:work|happen|come|compute|calculate|get)\w*|how to)\b"
)


def intent_of(question: str) -> Intent:
    """What a question is after, by the rules that this module lists.

    >>> [intent_of(text).value for text in ("What's 2 + 2?", "What is churn?", "Orders per month", "Hello")]
    ['calculation', 'definition', 'trend', 'other']
    """
    text = " ".join(question[:_READ].casefold().split())
    if _is_arithmetic(text):
        return Intent.CALCULATION
    if _EXPLANATION.search(text):
        return Intent.EXPLANATION
    if _DEFINITION.search(text) or (_SHORT.match(text) and not _AGGREGATION.search(text)):
        return Intent.DEFINITION
    return next((intent for intent, rule in _BY_RULE.items() if rule.search(text)), Intent.OTHER)


def _is_arithmetic(text: str) -> bool:
    told = " ".join(_TALK.sub(" ", text).split())
    has_number = any(sign.isdigit() for sign in told)
    if not has_number or not _OPERATION.search(told):
        return False
    return _ARITHMETIC.fullmatch(told) is not None


_READ = 4_000
"""Characters of a question that are looked at."""
_LONG = 60
"""Words from which a question is as long as can be."""
_PER_LENGTH = 0.3
_PER_SIGN = 0.1
_SIGNS = tuple(
    re.compile(sign)
    for sign in (
        _AGGREGATION.pattern,
        r"\b(?:top|most|least|highest|lowest|largest|smallest|best|worst|rank\w*)\b",
        r"\b(?:per|by|each|every|for each|grouped)\b",
        r"\b(?:compar\w+|versus|vs|difference|than)\b",
        r"\b(?:not|never|without|except|excluding|no|none|neither|nor)\b|n't\b",
        rf"\b(?:last|previous|next|this|past|since|before|after|during|until) (?:\w+ ){{0,2}}?{_SPAN}s?\b|\b(?:19|20)\d\d\b|\bover time\b|\btrends?\b",
        r"\b(?:between|more than|less than|at least|at most|greater|above|below|over|under) [$€£]?\d",
        r"\b(?:both|either|as well as|but also|and also|who also|that also)\b",
        r"\b(?:share|percentage|percent|ratio|proportion|rate|growth|correlat\w+|median|deviation)\b",
        r"\b(?:than|above|below|over) (?:the )?average\b|\b(?:of|among) (?:those|these|them)\b|\bwhose\b.*\bwhose\b",
        r"[?.;]\s+\w|\bthen\b",
    )
)


def complexity_of(question: str) -> float:
    """How hard a question is, 0..1: 0.3 for its length, full at 60 words, and 0.1 for each kind of thing that it asks for.

    These kinds count: an aggregate, a superlative, groups, a comparison, a negation, a time, a range of numbers, a
    combination (`both`, `as well as`), a ratio, a question inside the question (`above average`, `of those`), and a
    second sentence. Arithmetic counts by its length alone.

    >>> complexity_of("What's 2 + 2?")
    0.02
    >>> complexity_of("Which customers spent more than the average per order last year, but never in 2024?")
    0.68
    """
    text = " ".join(question[:_READ].casefold().split())
    length = _PER_LENGTH * min(len(text.split()), _LONG) / _LONG
    if _is_arithmetic(text):
        return round(length, 2)
    signs = sum(1 for sign in _SIGNS if sign.search(text))
    return round(min(length + _PER_SIGN * signs, 1.0), 2)
