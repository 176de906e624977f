"""Questions that ask for two things: each half is a question of its own."""

import re

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import tokenise

_OPENING = "|".join(sorted(words("reading.opening")))
_ASKING = "|".join(sorted(words("reading.asking")))
_SEAM = re.compile(
    rf"(?:[,;]\s*(?:and|but)|\?(?:\s*(?:and|but))?)\s+(?=(?:{_OPENING})\b)|(?:[,;]|\s+and)\s+(?=(?:{_ASKING})\b)",
    re.IGNORECASE,
)
_LEAST = 3
"""Words of a half."""


def halves_of(question: str) -> tuple[str, ...]:
    """The questions that a question is put together from; itself alone where it asks for one thing.

    >>> halves_of("What is our return deadline, and how many orders were returned last month?")
    ('What is our return deadline?', 'How many orders were returned last month?')
    >>> halves_of("Which customers live in Berlin and have no order?")
    ('Which customers live in Berlin and have no order?',)
    """
    text = " ".join(question.split())
    parts = [part.strip(" ,;.?!") for part in _SEAM.split(text)]
    parts = [part for part in parts if part]
    sizes = [sum(token.is_word for token in tokenise(part)) for part in parts]
    opens = re.match(rf"(?:{_OPENING})\b", text, re.IGNORECASE)
    if len(parts) != 2 or min(sizes) < _LEAST or opens is None:
        return (question,)
    return tuple(f"{part[0].upper()}{part[1:]}?" for part in parts)
