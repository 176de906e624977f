"""Where rows are tied to others by several keys, the words of a question tell which one is meant."""

from collections.abc import Iterator

from oldhand.agent.analyst.precedents.gist import QuestionGist
from oldhand.agent.analyst.precedents.held import number_of
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import ColumnRef, Join, Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk


def by_other_key(
    query: Query | Opaque, new: QuestionGist, old: QuestionGist, words: Vocabulary, *, right: bool
) -> bool:
    """Whether a query goes by one of several keys, and another question does not say the same of which one.

    What was not right by a key that nobody had named says nothing of who names it.

    `Sailings that arrive at Kiel` go by the town at the one end, `sailings that depart from Kiel` by that at the other.
    """
    rivals = [*words.roles_by_key] if _says_otherwise(new, old) else []
    named = [*_named_keys(new, old, words)]
    if isinstance(query, Opaque) or not (rivals or named):
        return False
    read = {number_of(column, words) for column in _read(query)}
    if any(number_of(ColumnRef(of, name), words) in read for of, name in rivals):
        return True
    return any(read.isdisjoint(keys) is right for keys in named)


def _says_otherwise(new: QuestionGist, old: QuestionGist) -> bool:
    if new.ends or old.ends:
        return new.ends != old.ends
    return _telling(new) != _telling(old)


def _named_keys(new: QuestionGist, old: QuestionGist, words: Vocabulary) -> Iterator[set[int]]:
    """The keys that words of the new question alone may name: `handled_by`, where somebody handled complaints."""
    known = {word.stem for word in old.words}
    for word in new.words:
        if word.columns and not word.tables and word.stem not in known:
            named = {words.plain(number) for number in word.columns}
            if all(words.columns[number].foreign for number in named):
                yield named


def _telling(gist: QuestionGist) -> frozenset[str]:
    """The words of a question that name no table: verbs, prepositions and columns."""
    said = {
        word.stem for word in gist.words if word.weight >= 1.0 and not (word.tables or word.cue)
    }
    return frozenset(said | {role for role in ("from", "to") if role in gist.signs.objects})


def _read(query: Query) -> Iterator[ColumnRef]:
    """All columns that a query reads or joins by."""
    for part in walk(query, inner=True):
        if isinstance(part, ColumnRef):
            yield part
        elif isinstance(part, Join):
            for left, right in part.keys:
                yield ColumnRef(part.left, left)
                yield ColumnRef(part.right, right)
