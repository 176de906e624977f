"""What a question says only so that nothing is left out (`cancelled ones included`, `whatever their status`), and what it asks at its end (`claims in May, how many?`)."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token, tokenise, word_stems
from oldhand.lexicon.wording import is_past_form

_ENDED = r"\w+(?:ed|en|ive|old|lost|sold|dead)"
_START, _END = r"\s*[,;(]?\s*\b", r"\b\)?"
_PHRASES = re.compile(
    "|".join(
        f"(?:{one})"
        for one in (
            # including cancelled ones, including the cancelled
            rf"{_START}(?:including|incl\.?|inclusive of)\s+(?:also\s+|even\s+)?(?:the\s+|all\s+|any\s+)?(?:[\w-]+\s+){{1,2}}(?:ones|those){_END}",
            rf"{_START}(?:including|incl\.?)\s+(?:also\s+|even\s+)?(?:the\s+|all\s+)?{_ENDED}(?=\s*[?.,;)]|\s*$){_END}",
            # cancelled ones included, the old ones too, test accounts and all
            rf"\s*[,;(]\s*(?:even\s+|also\s+)?(?:the\s+)?(?:[\w-]+\s+){{1,2}}(?:included|and\s+all){_END}",
            rf"\s*[,;(]\s*(?:even\s+|also\s+)?(?:the\s+)?(?:[\w-]+\s+){{1,2}}(?:ones|those)\s+(?:too|as\s+well){_END}",
            # cancelled or not
            rf"\s*[,;(]\s*(?:whether\s+)?{_ENDED}\s+or\s+not{_END}",
            # whatever their status, regardless of the status, of any status
            rf"{_START}(?:whatever|no\s+matter\s+(?:what|which))\s+(?:their|the|its)\s+\w+(?:\s+(?:is|are|was|were))?{_END}",
            rf"{_START}(?:regardless|irrespective)\s+of\s+(?:their\s+|the\s+|its\s+)?\w+{_END}",
            r"\s+of\s+any\s+\w+\b",
        )
    ),
    re.IGNORECASE,
)
_AT_END = re.compile(
    r"(\w.*?)\s*[,;:\u2013-]\s*how\s+many(?:\s+(?:are|were)\s+there)?\s*[?.]*", re.IGNORECASE
)
_TIMED = (words("time.during") | words("time.after_parts") | words("time.plain") | words("time.back")) - {"?", "."}  # fmt: skip
_ASKING = words("asking.showing") | words("asking.further") | words("verbs.auxiliary")
_AUXILIARY = words("verbs.have") | words("verbs.do") | words("time.happening")
_INCLUDED = word_stems("negation.included")


def without_inclusions(question: str) -> str:
    """A question without the words that leave nothing out; as it is where it has none.

    >>> without_inclusions("How many bookings per month, cancelled ones included?")
    'How many bookings per month?'
    >>> without_inclusions("How many orders of any status are there?"), without_inclusions("List names including the town")
    ('How many orders are there?', 'List names including the town')
    """
    rest = " ".join(_PHRASES.sub("", question).split())
    return rest if len(rest.split()) > 1 else question


def counted_first(question: str) -> str:
    """A question that begins with `how many`, where that stands at its end; as it is elsewhere.

    >>> counted_first("Claims reported in May: how many?"), counted_first("Which towns have depots, how many?")
    ('How many Claims reported in May?', 'Which towns have depots, how many?')
    """
    found = _AT_END.fullmatch(question.strip())
    asking = found is not None and found[1].split()[0].lower() in _ASKING
    return question if found is None or asking else f"How many {found[1]}?"


def asks_for_all(question: str) -> bool:
    """Whether a question wants rows that mostly go without saying that they don't count.

    >>> asks_for_all("Orders per month, cancelled ones included"), asks_for_all("Orders per month")
    (True, False)
    """
    if _PHRASES.search(question) or "whether or not" in question.lower():
        return True
    return not _INCLUDED.isdisjoint(token.stem for token in tokenise(question) if token.is_word)


def tells_deed(question: str) -> bool:
    """Whether a question says what happened at its time, which may be no date of the rows that goes without saying.

    >>> tells_deed("Invoices issued in June"), tells_deed("Invoices in June"), tells_deed("Unpaid invoices per month")
    (True, False, False)
    """
    return any(True for _ in deeds(tokenise(question)))


def deeds(tokens: Sequence[Token]) -> Iterator[int]:
    """The places of the words that say what happened at a time."""
    for place, (one, then) in enumerate(pairwise(tokens)):
        timed = then.number or then.lower in _TIMED
        if timed and is_past_form(one.lower) and one.lower not in _AUXILIARY:
            yield place
