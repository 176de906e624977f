"""Texts that are meant as SQL though no statement can be read from them: they are no answer in words either."""

import re
from collections.abc import Collection

from rapidfuzz.fuzz import ratio

from oldhand.lexicon.entries import words

_COMMANDS = words("sql.commands")
_STARTS = _COMMANDS | {"select", "with", "show", "describe", "explain"}
_CLAUSES = words("sql.clauses")
_LARGE = re.compile(r"\b(?:SELECT|FROM|WHERE|JOIN|GROUP BY|ORDER BY|HAVING|UNION|LIMIT|INTO|VALUES|TABLE|DELETE|DROP|UPDATE|INSERT|TRUNCATE|ALTER)\b")  # fmt: skip
_COMPUTED = re.compile(r"\b(?:count|sum|avg|min|max)\(|\(\s*\*\s*\)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_NEAR = 80
"""How alike a word must be to one of SQL's to be a slip of the pen, in percent."""
_SHORT = 3
"""Words of a bare command at most: `delete customers`."""
_UNLIKE_SQL = words("sql.unlike")


def looks_like_sql(text: str) -> bool:
    """Whether a text is SQL that went wrong, rather than words.

    >>> [looks_like_sql(text) for text in ("DELETE customers", "SELEC count(*) FORM orders", "COUNT(*) FROM orders")]
    [True, True, True]
    >>> [looks_like_sql(text) for text in ("Drop the cancelled ones", "Select the paid ones only", "42 (all of them)")]
    [False, False, False]
    """
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        return False
    bare = words[0] in _COMMANDS and len(words) <= _SHORT and not _UNLIKE_SQL & set(words)
    capital = text.lstrip(" (").split(" ", 1)[0].rstrip(";").isupper() and words[0] in _STARTS
    if (bare and len(words) > 1) or (capital and len(words) > 1):
        return True
    marks = bool(_COMPUTED.search(text)) + len(set(_LARGE.findall(text)))
    slips = _is_near(words[0], _STARTS) + any(_is_near(word, _CLAUSES) for word in words[1:])
    unbalanced = abs(text.count("(") - text.count(")")) > 1
    return marks > 1 or (marks > 0 and slips > 0) or unbalanced


def _is_near(word: str, known: Collection[str]) -> bool:
    return any(ratio(word, other) >= _NEAR or sorted(word) == sorted(other) for other in known)
