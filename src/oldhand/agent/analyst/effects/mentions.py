"""Whether a question speaks of the very thing that a rule decides where nothing is said."""

from collections.abc import Iterable, Iterator, Sequence

from oldhand.agent.analyst.effects.conditions import (
    compared,
    comparisons,
    condition_of,
    is_amount,
)
from oldhand.lexicon.entries import words
from oldhand.lexicon.inclusions import asks_for_all
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import Token, stem, tokenise, word_stems
from oldhand.query.form import Predicate
from oldhand.record.effect import DefaultFilter
from oldhand.record.schema import Table

_WHATEVER = word_stems("negation.including")
_EXCLUDING = words("negation.excluding")
_NEAR = 4
"""Words between `excluding` and what it leaves out."""
_EMPTY = words("names.of_conditions")
_OPPOSITE = words("negation.prefixes")
_FILLING = words("function_words.before_ruled")


def speaks_of(question: str, rule: DefaultFilter, table: Table) -> bool:
    """Whether a question names the value or the column of a rule, or asks for all rows of its table.

    Who asks for orders `excluding cancelled ones` does not ask for those.

    >>> from oldhand.record.schema import Column, Kind
    >>> column = Column(name="status", type="TEXT", kind=Kind.TEXT)
    >>> orders = Table(name="orders", schema_name="main", columns=(column,))
    >>> rule = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    >>> said = ("How many orders are there?", "How many orders were cancelled?", "List all orders", "Orders by status")
    >>> [speaks_of(text, rule, orders) for text in said]
    [False, True, True, True]
    """
    tokens = [token for token in tokenise(question) if token.is_word]
    if not _WHATEVER.isdisjoint(token.stem for token in tokens) or asks_for_all(question):
        return True
    own = {stem(word) for word in split_name(table.name)}
    if any(_is_all_of(tokens, place, own) for place in range(len(tokens))):
        return True
    condition = condition_of(rule, table) or ()
    return any(_is_said(phrase, tokens) for phrase in _phrases(condition, table, own))


def names_key(question: str, pairs: Iterable[tuple[str, str]], tables: Iterable[str]) -> bool:
    """Whether a question names a column that joins tables now (each after its table), which a rule would replace.

    A column that is called after one of the `tables` that are joined is not named by who speaks of that table.

    >>> names_key("Orders per store", [("orders", "store_id")], ["orders", "store"])
    False
    >>> names_key("Orders per home store", [("orders", "home_store_id")], ["orders", "store"])
    True
    """
    said = {token.stem for token in tokenise(question)}
    own = {word for name in tables for word in _stems(name)}
    return not said.isdisjoint({word for _, column in pairs for word in _stems(column)} - own)


def names_table(question: str, tables: Iterable[str]) -> bool:
    """Whether a question names one of these tables, by any word of its name that tells something."""
    said = {token.stem for token in tokenise(question)}
    return not said.isdisjoint({word for name in tables for word in _stems(name)})


def _stems(name: str) -> set[str]:
    """Stems of the words of a name that tell something, short ones written out as well: `cust` and `customer`."""
    telling = {stem(word) for word in split_name(name) if word not in _EMPTY}
    return telling | (set(name_words(name)) - {stem(word) for word in _EMPTY})


def _phrases(
    condition: Sequence[Predicate], table: Table, own: set[str]
) -> Iterator[tuple[str, ...]]:
    """Stems of what names a value or a column of the condition."""
    for one in comparisons(condition):
        for value in one.values:
            words = split_name(value.casefold()) if isinstance(value, str) else ()
            if words and not all(word.isdigit() for word in words):
                yield tuple(map(stem, words))
        if not is_amount(one, table):
            yield from ((word,) for word in _telling(compared(one).name, own))


def _telling(name: str, own: set[str]) -> tuple[str, ...]:
    """Stems of the words of a column's name that tell it apart."""
    words = [word for word in split_name(name) if stem(word) not in own and not word.isdigit()]
    telling = [word for word in words if word not in _EMPTY]
    return tuple(stem(word) for word in (telling or words))


def _is_said(phrase: tuple[str, ...], tokens: Sequence[Token]) -> bool:
    size = len(phrase)
    for place in range(len(tokens) - size + 1):
        here = tokens[place : place + size]
        if all(_is_alike(token, word) for token, word in zip(here, phrase, strict=True)):
            before = [token.lower for token in tokens[max(place - _NEAR, 0) : place]]
            if _EXCLUDING.isdisjoint(before):
                return True
    return False


def _is_alike(token: Token, word: str) -> bool:
    """Whether it is that word, or its opposite: `inactive` speaks of what is active, too."""
    if token.stem == word:
        return True
    return any(token.lower.startswith(p) and stem(token.lower[len(p) :]) == word for p in _OPPOSITE)


def _is_all_of(tokens: Sequence[Token], place: int, own: set[str]) -> bool:
    """Whether `all orders`, `all of our orders` or `every single order` starts there."""
    if tokens[place].lower not in {"all", "every", "any"}:
        return False
    following = (token for token in tokens[place + 1 :] if token.lower not in _FILLING)
    return next((token.stem for token in following), "") in own
