"""When two issues are the same one, and which words an issue is found by."""

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from rapidfuzz.distance import OSA

from oldhand.record.evaluation import Evaluation
from oldhand.store.search.searched_text import STOP_WORDS, words_of

MOST_EXTRA = 0.25
"""Share of words that one of two texts may have more, when they are one issue."""
_MOST_WORDS = 12
"""Words taken of each text: more cost room and time, and tell little."""
_LONGEST_KEY = 200

_SQL_TEXT_WORDS = """
    all and as asc avg between by case cast count desc distinct else end except exists from full
    group having in inner intersect is join left like limit max min not null offset on or order
    outer over partition right select set sum then true false union using values when where with
"""
_SQL_WORDS = frozenset(_SQL_TEXT_WORDS.split())

_NAME = re.compile(r"""["'`][^"'`]+["'`]|\b\w*[\d_]\w*\b|\b\w+(?:\.\w+)+""")
_SQL_TEXT = re.compile(r"'(?:[^']|'')*'")


def issue_key(key: str, text: str) -> str:
    """The key of an issue: what its rule says it is about, else its words.

    >>> issue_key("unknown_column:orders.total", "There is no column total.")
    'rule:unknown_column:orders.total'
    >>> issue_key("", "Distance  without UNITS!") == issue_key("", "distance without units")
    True
    """
    made = f"rule:{key}" if key else f"text:{_plain(text) or text.strip()}"
    if len(made) <= _LONGEST_KEY:
        return made
    digest = blake2b(made.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{made[: _LONGEST_KEY - 40]}…{digest}"


def is_same_issue(text: str, other: str) -> bool:
    """Whether two texts say the same of the same things, in any order of words.

    Names and numbers agree, and no word of the one is exchanged for another: that would be another thing. One of them may say
    a little more, unless that turns the meaning round.

    >>> is_same_issue("Using degrees (EPSG:4326) as meters in ST_DWithin.", "In ST_DWithin degrees are used as metres (EPSG:4326)")
    False
    >>> is_same_issue("Using degrees (EPSG:4326) as meters in ST_DWithin.", "Using degrees as metres in ST_DWithin (EPSG:4326)")
    True
    >>> is_same_issue("There is no column in visits", "There is no column in prices")
    False
    """
    if _names(text) != _names(other):
        return False
    words, others = _terms(text), _terms(other)
    left, right = words - others, others - words
    left, right = _unmatched(left, right), _unmatched(right, left)
    more = left or right
    if (left and right) or more & _TURNING:
        return False
    return len(more) <= MOST_EXTRA * max(len(words), len(others))


_TURNING = frozenset({"no", "not", "never", "without", "non", "only", "except"})


@lru_cache(maxsize=20_000)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(text))


def _unmatched(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """The words that are not spelt nearly as one of the others, as metre and meter are."""
    return frozenset(one for one in words if not any(_is_spelt_alike(one, each) for each in others))


def _is_spelt_alike(one: str, other: str) -> bool:
    """One letter more, or two in another order; another letter makes another word, as in weight and height."""
    if min(len(one), len(other)) < 5 or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    return len(one) != len(other) or sorted(one) == sorted(other)


@lru_cache(maxsize=20_000)
def _names(text: str) -> frozenset[str]:
    """What a text is about: words in quotes, with digits, dots or underscores."""
    return frozenset(found.strip("\"'`").casefold() for found in _NAME.findall(text))


def _plain(text: str) -> str:
    return " ".join(words_of(text))


def terms_of(text: str) -> list[str]:
    """The telling words of a text, each once, without the s of plurals.

    >>> terms_of("Which customers have no orders in shop.order_items?")
    ['customer', 'no', 'order', 'shop', 'item']
    """
    telling = (word for word in words_of(text) if word not in STOP_WORDS)
    return list(dict.fromkeys(_singular(word) for word in telling if word not in _IDLE))


_IDLE = frozenset({"sql", "query", "table", "column", "database"})


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def words_to_find(text: str, evaluation: Evaluation) -> list[str]:
    """The words by which an issue is found: its own, those of the question, and the names in the SQL."""
    sql = _SQL_TEXT.sub(" ", evaluation.sql_query or "")
    named = (word for word in terms_of(sql) if word not in _SQL_WORDS and not word.isdigit())
    texts: tuple[Iterable[str], ...] = (terms_of(text), terms_of(evaluation.question or ""), named)
    return list(dict.fromkeys(word for words in texts for word in list(words)[:_MOST_WORDS]))
