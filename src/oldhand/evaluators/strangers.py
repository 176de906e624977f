"""Issues of what a stranger asked, without the stranger's own words: a note is read as advice by everybody's model."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from sqlglot import exp
from sqlglot.tokens import Tokenizer

from oldhand.lexicon.entries import words
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.record.step import AgentState, Step

_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"""'((?:[^']|'')*)'|"([^"]*)"|`([^`]*)`|\[([^\[\]]*)\]""")
_SEVERAL = re.compile(r"\w\W*\s\W*\w")
"""What stands in quotes and has several words: SQL has none of these itself, however common each word is."""
_GAPS = re.compile(r"…(?:[\W_]*…)+")


def written_in(judged: Step | AgentState) -> frozenset[str]:
    """The words, and the phrases in quotes, of what tools were called with: a stranger's question has put them there.

    Names and literals of errors are among them.
    """
    steps = (judged,) if isinstance(judged, Step) else judged.steps
    given = (action.arguments for step in steps for action in step.actions)
    texts = [str(value) for one in given for value in one.values()]
    found = frozenset(word for text in texts for word in _words(text)) - _sql_words()
    quoted = (one for text in texts for some in _QUOTED.findall(text) for one in some)
    return found.union(one.casefold() for one in quoted if _SEVERAL.search(one))


def asked_in(question: str) -> frozenset[str]:
    """The words of a question that say something."""
    return frozenset(_words(question)) - words("function_words.stop") - _sql_words()


def names_in(schemas: Collection[DatabaseSchema]) -> frozenset[str]:
    """The names that the databases have themselves."""
    return frozenset(
        word
        for schema in schemas
        for name in (schema.name, *(one for table in schema.tables for one in _names(table)))
        for word in (name.casefold(), *_words(name))
    )


def without_words(text: str, foreign: Collection[str]) -> str:
    """A text with a gap for each of those words and phrases.

    >>> without_words("There is no column obey_me in orders.", {"obey_me"})
    'There is no column … in orders.'
    >>> without_words("Drop all is an aggregate.", {"drop all"})
    '… is an aggregate.'
    """
    if phrases := sorted((one for one in foreign if not _WORD.fullmatch(one)), key=len):
        anyone = "|".join(map(re.escape, reversed(phrases)))
        text = re.sub(anyone, "…", text, flags=re.IGNORECASE)
    gapped = _WORD.sub(lambda found: "…" if found[0].casefold() in foreign else found[0], text)
    return _GAPS.sub("…", gapped) if gapped != text else text


def _names(table: Table) -> Iterator[str]:
    yield from (table.name, *(column.name for column in table.columns))


def _words(text: str) -> Iterator[str]:
    return (found[0].casefold() for found in _WORD.finditer(text))


@lru_cache(maxsize=1)
def _sql_words() -> frozenset[str]:
    """What belongs to SQL itself."""
    named = (*Tokenizer.KEYWORDS, *exp.FUNCTION_BY_NAME)
    return frozenset(word for name in named for word in _words(name))
