"""What a correction says otherwise than the question that it is about: then it is another question."""

import re
from collections.abc import Iterator

from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import Token, stem, tokenise
from oldhand.query.compiling.times import MONTHS
from oldhand.query.difference import difference
from oldhand.query.form import Aggregate, ColumnRef, Comparison, Node, Order, Query, Scalar
from oldhand.query.walk import walk

_EXTREME = re.compile(r"\w+est|most|least")
_COMPARING = words("comparing.more") | words("comparing.less")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def contradicted(question: str, before: Query, after: Query) -> tuple[str, ...]:
    """The words of a question that a query no longer means: values, numbers, years, directions and measures that it names.

    >>> from dataclasses import replace
    >>> from oldhand.query.form import ColumnRef, Count, Relation, Rows
    >>> customers = Relation("shop", "main", "customers")
    >>> rome, oslo = (Query(Rows((customers,)), (Count(),), (Comparison(ColumnRef(customers, "city"), "=", (c,)),))
    ...               for c in ("Rome", "Oslo"))
    >>> contradicted("How many customers live in Rome?", rome, oslo), contradicted("How many are there?", rome, oslo)
    (('Rome',), ())
    >>> known, unknown = (replace(rome, where=(Comparison(ColumnRef(customers, "verified"), sign, (1,)),)) for sign in ("=", "!="))
    >>> contradicted("How many are verified?", known, unknown), contradicted("How many are there?", known, unknown)
    (('verified',), ())
    """
    said = tokenise(question)
    found = difference(before, after)
    compared = (one for one in walk(after, inner=True) if isinstance(one, Comparison))
    left = {value for one in compared for value in _named(one)}
    gone: list[str] = []
    for one in found.exchanged:
        gone += _of(one.one.node, one.other.node, said, left)
    for part in found.only_one:
        if part.kind == "where" and isinstance(part.node, Comparison):
            gone += _values(_named(part.node), left, said)
        elif part.kind == "select" and isinstance(part.node, Aggregate):
            gone += _computing(part.node, said)
    return tuple(dict.fromkeys(gone))


def _of(old: Node | int, new: Node | int, said: tuple[Token, ...], left: set[Scalar]) -> Iterator[str]:  # fmt: skip
    """The words of the question for what one part has and the other hasn't."""
    if isinstance(old, int) and isinstance(new, int):
        yield from (one.text for one in said if one.number == old)
    elif isinstance(old, Order) and isinstance(new, Order):
        if old.by == new.by:
            yield from (one.text for one in said if _EXTREME.fullmatch(one.lower))
    elif isinstance(old, Comparison) and isinstance(new, Comparison):
        turned = old.left == new.left and ("!=" in new.operator or "not" in new.operator) is not (
            "!=" in old.operator or "not" in old.operator
        )
        yield from _values(_named(old), set() if turned else left, said)
        yield from _month(old, new, said)
        if old.left == new.left and old.operator != new.operator and not turned:
            yield from (one.text for one in said if one.lower in _COMPARING)
        if old.left == new.left:
            yield from _flag(old, said)
    elif isinstance(old, Aggregate) and isinstance(new, Aggregate) and old.function == new.function:
        named = split_name(old.of.name) if isinstance(old.of, ColumnRef) else ()
        if named and {one.stem for one in said}.issuperset(map(stem, named)):
            yield " ".join(named)
    elif isinstance(old, Aggregate):
        yield from _computing(old, said)


def _month(old: Comparison, new: Comparison, said: tuple[Token, ...]) -> Iterator[str]:
    """The month that the question names, where another time is meant."""
    days = [str(one.values[0]) for one in (old, new) if one.operator == "within"]
    if len(days) == 2 and all(map(_DAY.match, days)) and old.values != new.values:
        month = MONTHS[int(days[0][5:7]) - 1].lower()
        yield from (one.text for one in said if one.lower in (month, month[:3]))


def _flag(old: Comparison, said: tuple[Token, ...]) -> Iterator[str]:
    """The name of a column that says yes or no, where the question says it: no word names the `1` of `passed = 1`."""
    named = split_name(old.left.name) if isinstance(old.left, ColumnRef) else ()
    flag = {*old.values} <= {0, 1}
    if flag and named and {one.stem for one in said}.issuperset(map(stem, named)):
        yield " ".join(named)


def _computing(gone: Aggregate, said: tuple[Token, ...]) -> Iterator[str]:
    """The words that ask for what was computed."""
    known = meanings("grouping.aggregates")
    return (one.text for one in said if known.get(one.lower) == gone.function)


def _named(one: Comparison) -> tuple[Scalar, ...]:
    """The values that words would name: of a stretch of time, the day on which it begins."""
    return one.values[:1] if one.operator == "within" else one.values


def _values(values: tuple[Scalar, ...], left: set[Scalar], said: tuple[Token, ...]) -> Iterator[str]:  # fmt: skip
    """The values that are gone, where the question names them; a year for the days in which it begins."""
    stems = {one.stem for one in said}
    years = {str(one)[:4] for one in left if _DAY.match(str(one))}
    for value in values:
        text = str(value)
        if _DAY.match(text):
            text = text[:4] if text[:4] not in years else ""
        tokens = [one.stem for one in tokenise(text)]
        if value not in left and tokens and stems.issuperset(tokens):
            yield text
