"""Arguments that may be one word or several."""

from collections.abc import Iterable


def several(words: str | Iterable[str]) -> tuple[str, ...]:
    """Words as a tuple; a single one is not taken apart.

    >>> several("ana"), several(["ana", "bo"])
    (('ana',), ('ana', 'bo'))
    """
    return (words,) if isinstance(words, str) else tuple(words)
