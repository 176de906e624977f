"""Signs that belong to a value: `0-` is not `0+`, `C#` is not `C`, and `-5` is not `5`."""

import re
from collections.abc import Sequence

from oldhand.agent.analyst.words.links import ValueMention
from oldhand.lexicon.tokens import STOP_WORDS, Token
from oldhand.sources.databases.values import ValueMatch

_BEFORE = re.compile(r"(?:^|(?<=[\s(\[\"'\u201c\u2018:,]))[^\w\s()\[\]\"'\u201c\u2018:,]+$")
"""Signs that a value may begin with; those between two words join them."""
_AFTER = re.compile(r"[^\w\s()\[\],.;:!?]+(?=$|[\s()\[\],.;:!?\"'\u201d\u2019])")
_WEIGHTY = frozenset("+-<>#≤≥")
"""Signs that tell one value from another; the rest is how it is written."""
_NUMBERED = frozenset("#")
_JOINED = 0.95
"""How much a value counts that is written as one word and said in two."""


def written_forms(question: str, start: int, end: int) -> tuple[str, ...]:
    """A stretch of a question with the signs that touch it, the most of them first.

    >>> written_forms("patients with 0-?", 14, 15), written_forms("a value <5", 9, 10)
    (('0-',), ('<5',))
    >>> written_forms("2024-05", 0, 4)
    ('2024',)
    """
    before = _BEFORE.search(question[:start])
    after = _AFTER.match(question, end)
    left = start - before.start() if before else 0
    right = after.end() - end if after else 0
    cuts = ((i, j) for i in range(left, -1, -1) for j in range(right, -1, -1))
    forms = [question[start - i : end + j] for i, j in cuts]
    return tuple(form for form in forms if signs_of(form) == signs_of(forms[0]))


def as_written(forms: Sequence[str], matches: Sequence[ValueMatch]) -> list[ValueMatch]:
    """Of values that differ in their signs only, those that are meant by what is written; none where it is another sign.

    Args:
        forms: what `written_forms` says of the words.
        matches: the values that are these words, signs aside.
    """
    for form in forms:
        same = [match for match in matches if _folded(match.value) == _folded(form)]
        if same:
            return same
    asked = signs_of(forms[0])
    return [match for match in matches if not asked or signs_of(match.value) == asked]


def signs_of(text: str) -> tuple[str, ...]:
    """The weighty signs that a text begins and ends with; nothing where there are none.

    >>> signs_of("-5"), signs_of("C++"), signs_of("#12"), signs_of("AT&T")
    (('-', ''), ('', '++'), (), ())
    """
    inner = text.strip()
    left = inner[: len(inner) - len(inner.lstrip("".join(_WEIGHTY | _NUMBERED)))]
    right = inner[len(inner.rstrip("".join(_WEIGHTY))) :]
    left = "".join(sign for sign in left if sign not in _NUMBERED)
    return (left, right) if left or right else ()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def joined_forms(tokens: Sequence[Token], said: str) -> tuple[tuple[str, float], ...]:
    """Two words as one, each form with how much it counts: `no-shows` that a column calls NOSHOW.

    Without the hyphen a function word stands for itself: `in active` is no `inactive`.

    >>> from oldhand.lexicon.tokens import tokenise
    >>> joined_forms(tokenise("no-shows"), "no-shows"), joined_forms(tokenise("in active"), "in active")
    ((('noshows', 0.95), ('noshow', 0.95)), ())
    """
    apart = "-" not in said and any(token.lower in STOP_WORDS for token in tokens)
    if len(tokens) != 2 or apart:
        return ()
    joined = "".join(token.text for token in tokens)
    return tuple((form, _JOINED) for form in dict.fromkeys((joined, joined.removesuffix("s"))))


def weight(mention: ValueMention) -> tuple[bool, int, float]:
    """How surely words are a value, against others: those in quotation marks, then the longest."""
    best = max((option.score for option in mention.options), default=0.0)
    return (mention.quoted, mention.span.end - mention.span.start, best)
