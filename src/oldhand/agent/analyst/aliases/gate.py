"""The gate: which phrases are never learned, and whether an alias does more good than harm on confirmed pairs."""

from collections.abc import Sequence
from functools import lru_cache

from oldhand.agent.analyst.aliases.used import items_of
from oldhand.agent.analyst.constraints.hypothesis import spans
from oldhand.agent.analyst.linking.spoken import spoken_in, target_ids
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.precedents.pool import marks_of
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.understanding import Understanding, understand
from oldhand.agent.analyst.words.cues import find_cues
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.lexicon.tokens import Token, tokenise, word_stems
from oldhand.query.form import Query
from oldhand.query.likeness import share
from oldhand.query.normal import asks_alike, same
from oldhand.query.opaque import Opaque
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

_KINDS_OF_NAMES = word_stems("names.general")
_FIXED = word_stems("fixed.meanings")
_OF_MONEY = word_stems("money.revenue")
_SURELY = 0.75
"""How well a word must name a table."""
_SHORTEST = 2
"""Letters of a word that can be a name: a single one is what a hyphen or an apostrophe has left."""


def alias_helps(
    alias: Alias,
    pairs: Sequence[Pair],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
) -> bool:
    """True when an alias may be used: no confirmed question is understood worse with it.

    Pairs whose question lacks the phrase count for nothing.
    """
    if not pairs or not may_be_learned(alias, vocabulary(schemas)):
        return False
    return all(gain(alias, pair, schemas, values) >= 0 for pair in pairs)


def explains(alias: Alias, pair: Pair, schemas: tuple[DatabaseSchema, ...], values: Values) -> bool:
    """True when the word alone makes the difference: with it, the question is read as exactly what was confirmed.

    Without it, another query was read, or the same one only as a guess at what the word may mean.
    """
    query = statements(schemas).query(pair.sql, pair.database)
    read = _first_reading(pair.question, (alias,), schemas, values)
    if not isinstance(query, Query) or not isinstance(read, Query):
        return False
    if alias.is_defined or _names_its_table(alias, vocabulary(schemas)):
        return asks_alike(read, query)  # what it says nothing of may be written in another way
    if not same(read, query):
        return False
    before = _first_reading(pair.question, (), schemas, values)
    said = {token.stem for token in tokenise(alias.phrase)}
    left_out = _understood(pair.question, (), schemas, values).left_out
    guessed = said <= {token.stem for word in left_out for token in tokenise(word)}
    return guessed or not (isinstance(before, Query) and same(before, query))


def _names_its_table(alias: Alias, words: Vocabulary) -> bool:
    """True for `storage rental`, where that is the table called storage."""
    target = target_ids(alias, words)
    said = [token.stem for token in tokenise(alias.phrase)]
    hits = (hit for one in said[:1] for hit in words.hits(one) if hit.strength >= _SURELY)
    return len(said) > 1 and any((hit.table, -1) == target for hit in hits)


def gain(alias: Alias, pair: Pair, schemas: tuple[DatabaseSchema, ...], values: Values) -> float:
    """By how much the first reading comes nearer to the confirmed SQL with an alias, -1..1."""
    if not spoken_in(tokenise(pair.question), (alias,), vocabulary(schemas)):
        return 0.0
    after = _nearness(pair, (alias,), schemas, values)
    return round(after - _nearness(pair, (), schemas, values), 6)


def _nearness(
    pair: Pair, aliases: tuple[Alias, ...], schemas: tuple[DatabaseSchema, ...], values: Values
) -> float:
    """How much the first reading has in common with the confirmed SQL, 0..1: half in its form, half in what it uses."""
    query = statements(schemas).query(pair.sql, pair.database)
    first = _first_reading(pair.question, aliases, schemas, values)
    if query is None or first is None:
        return 0.0
    one, two = _used(first, schemas), _used(query, schemas)
    shared = len(one & two) / (len(one | two) or 1)
    return (share(marks_of(first), marks_of(query)) + shared) / 2


def _first_reading(
    question: str, aliases: tuple[Alias, ...], schemas: tuple[DatabaseSchema, ...], values: Values
) -> Query | Opaque | None:
    found = _understood(question, aliases, schemas, values)
    return found.candidates[0].query if found.candidates else None


@lru_cache(maxsize=1024)
def _understood(
    question: str, aliases: tuple[Alias, ...], schemas: tuple[DatabaseSchema, ...], values: Values
) -> Understanding:
    """What the rules make of a question; kept, since one alias after the other is held against the same pairs."""
    return understand(question, schemas, values, limit=1, aliases=aliases)


def _used(
    query: Query | Opaque, schemas: tuple[DatabaseSchema, ...]
) -> set[tuple[int, int, str | None]]:
    items = items_of(query, vocabulary(schemas))
    return {(item.table, item.column, item.value) for item in items}


def may_be_learned(alias: Alias, words: Vocabulary) -> bool:
    """False for everyday words, for words that tell the form of a query, and for names of something else.

    What denies, counts, compares or measures time is no part of a name either, so that `two weeks ago` means nothing new.

    >>> from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
    >>> columns = tuple(Column(name=n, type="TEXT", kind=Kind.TEXT) for n in ("name", "tier"))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> said = ("clients", "top", "most", "total", "number", "tier", "order by", "2024", "ago", "e", "weeks ago")
    >>> aliases = [Alias(phrase=text, database="shop", table="customers") for text in said]
    >>> [alias.phrase for alias in aliases if may_be_learned(alias, Vocabulary((shop,)))]
    ['clients']
    """
    target = target_ids(alias, words)
    tokens = tokenise(alias.phrase)
    if target is None or not tokens or not all(token.is_word for token in tokens):
        return False
    telling = [token for token in tokens if not is_general(token)]
    # `Revenue` is what is computed here.
    amounts = _OF_MONEY if alias.formula is not None else frozenset[str]()
    if any(_is_fixed(token) and token.stem not in amounts for token in telling):
        return False
    deed = alias.formula is not None and len(tokens) > 1  # `how much did we make`
    if not deed and all(token.stem in _KINDS_OF_NAMES for token in telling):
        return False
    if spans(find_cues(tokens)) == (1 << len(tokens)) - 1:
        return False
    return not _is_known(tuple(token.stem for token in tokens), target, words)


def _is_fixed(token: Token) -> bool:
    """True for a word that means the same whatever the databases hold."""
    return token.number is not None or len(token.lower) < _SHORTEST or token.stem in _FIXED


def _is_known(stems: tuple[str, ...], target: tuple[int, int], words: Vocabulary) -> bool:
    """True when the phrase is a name in the schemas, or a word that fits other things as well as this one."""
    if len(stems) == 1:
        own = (-1, target[1]) if target[1] >= 0 else (target[0], -1)
        hits = [hit for hit in words.hits(stems[0]) if hit.word >= 0]
        others = [hit.strength for hit in hits if (hit.table, hit.column) != own]
        here = [hit.strength for hit in hits if (hit.table, hit.column) == own]
        return max(others, default=0.0) >= max(here, default=1.0)
    names = {form for entry in words.tables for form in entry.forms}
    names |= {form for entry in words.columns for form in entry.forms}
    return stems in names
