"""Whether what a condition names stands in the words that were said: values are no guess at how these are spelled."""

from collections.abc import Collection, Iterable
from itertools import chain

from oldhand.lexicon.entries import meanings
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem, tokenise
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.form import ColumnRef, Comparison, Node, Scalar
from oldhand.query.normal import PRESENCE
from oldhand.query.walk import walk

_PREFIX = 4
"""Letters with which words begin that are taken for each other: `German` and `Germany`."""


def is_written(condition: Node, said: str, known: Collection[Scalar] = ()) -> bool:
    """Whether words name each value of a condition that is not known, and what is held to be there or not: `parent` of a parent product.

    >>> from oldhand.query.form import Relation
    >>> code = ColumnRef(Relation("air", "main", "airlines"), "code")
    >>> [is_written(Comparison(code, "=", (one,)), "only the German ones") for one in ("Germany", "ONE", "GER")]
    [True, False, False]
    """
    stems = {one.stem for one in tokenise(said) if one.lower not in STOP_WORDS | {"ones"}}
    compared = (one for one in walk(condition, inner=True) if isinstance(one, Comparison))
    return all(_is_written(one, said, stems, known) for one in compared)


def begin_alike(word: str, others: Iterable[str]) -> bool:
    """Whether the stem of a word is one of others, or begins as it does."""
    word = word.removeprefix("un") if len(word) > _PREFIX + 1 else word
    return any(one == word or (len(one) >= _PREFIX and one[:_PREFIX] == word[:_PREFIX]) for one in others)  # fmt: skip


def _is_written(one: Comparison, said: str, stems: set[str], known: Collection[Scalar]) -> bool:
    name, table = (one.left.name, one.left.of.table) if isinstance(one.left, ColumnRef) else ("", "")  # fmt: skip
    own, things = ({stem(part) for part in split_name(text)} for text in (name, table))
    if one.operator in PRESENCE:
        told = own - things - {"id"}
        return not (own & things) or not told or bool(told & stems)
    texts = [value for value in one.values if isinstance(value, str) and value not in known]
    return all(_stands(text, own, own | things, said, stems) for text in texts)


def _stands(text: str, column: set[str], around: set[str], said: str, stems: set[str]) -> bool:
    """Whether a value is said; of *yes* and *no*, its column is."""
    if any(text.casefold() in word_lists().written(one.lower) for one in tokenise(said)):
        return True  # `women` are those of sex *f*
    if text.casefold() in chain.from_iterable(meanings("states.flags").items()):
        return any(begin_alike(one, column) for one in stems)
    tokens = [one for one in tokenise(text) if one.lower.isalpha()]
    wanted = [one.stem for one in tokens if one.lower not in STOP_WORDS]
    if not wanted:
        return not tokens or text in said
    there = [begin_alike(one, stems) for one in wanted]
    return any(there) and all(
        one or word in around for one, word in zip(there, wanted, strict=True)
    )
