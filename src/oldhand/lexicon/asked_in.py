"""In which language something is asked."""

from collections import Counter
from functools import cache

from oldhand.lexicon.entries import meanings, words
from oldhand.record.phrases import singular_words

_SURE = 2
"""Small words of a language from which it counts as that one."""


def language_of(question: str) -> str | None:
    """The language of a question, such as `en`, by its small words; None where they don't tell.

    >>> language_of("Wer hat die Schlüssel?"), language_of("Who has the keys?"), language_of("EBITDA 2024?")
    ('de', 'en', None)
    """
    said = singular_words(question)
    found = Counter(_small_words().get(word) for word in said)
    found["en"] = sum(word in words("function_words.english") for word in said)
    del found[None]
    ranked = found.most_common(2)
    is_clear = len(ranked) < 2 or ranked[0][1] > ranked[1][1]
    return ranked[0][0] if ranked and ranked[0][1] >= _SURE and is_clear else None


@cache
def _small_words() -> dict[str, str]:
    return {" ".join(singular_words(word)): code for word, code in meanings("function_words.languages").items()}  # fmt: skip
