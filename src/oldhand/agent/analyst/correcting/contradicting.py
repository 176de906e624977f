"""What a correction says otherwise than the question that it is about: then it is another question."""

import re
from collections.abc import Iterator
from datetime import date

from oldhand.agent.analyst.words.dates import find_dates
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, Token, stem, tokenise
from oldhand.query.difference import difference
from oldhand.query.form import Aggregate, ColumnRef, Comparison, Node, Order, Query, Scalar
from oldhand.query.walk import walk

_EXTREME = re.compile(r"\w+est|most|least")
_COMPARING = words("comparing.more") | words("comparing.less")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def contradicted(
    question: str, before: Query, after: Query, today: date | None = None
) -> tuple[str, ...]:
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
    >>> quarter, year = (replace(rome, where=(Comparison(ColumnRef(customers, "since"), "within", days),))
    ...                  for days in (("2023-04-01", "2023-07-01"), ("2023-01-01", "2024-01-01")))
    >>> contradicted("How many since the second quarter of 2023?", quarter, year), contradicted("How many in 2023?", year, quarter)
    (('second quarter',), ())
    >>> may, later = (replace(rome, where=(Comparison(ColumnRef(customers, "since"), "within", (f"{y}-05-01", f"{y}-06-01")),)) for y in (2023, 2024))
    >>> contradicted("How many in May 2023?", may, later), contradicted("How many in May 2023?", may, year)
    (('2023',), ('May',))
    """
    said = tokenise(question)
    found = difference(before, after)
    compared = (one for one in walk(after, inner=True) if isinstance(one, Comparison))
    left = {value for one in compared for value in _named(one)}
    gone: list[str] = []
    for one in found.exchanged:
        gone += _of(one.one.node, one.other.node, said, left)
        gone += _time(one.one.node, one.other.node, question, today)
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


def _time(old: Node | int, new: Node | int, question: str, today: date | None) -> Iterator[str]:
    """The time that the question names, where one is meant that does not lie in it; its year is a value of its own."""
    if not isinstance(old, Comparison) or not isinstance(new, Comparison):
        return
    if not old.operator == new.operator == "within":
        return
    (start, end), (first, last) = (tuple(str(day)[:10] for day in one.values) for one in (old, new))
    if start <= first and last <= end:
        return
    tokens, year = tokenise(question), start[:4]
    for one in find_dates(question, tokens, today):
        if start != one.start.isoformat() and int(start[5:7]) not in one.months:
            continue
        said = list(tokens[one.span.start : one.span.end])
        dated = len(said) > 1 and said[-1].text == year
        if dated:
            said = said[:-2] if len(said) > 2 and said[-2].lower in STOP_WORDS else said[:-1]
        same = dated or said[0].text == year
        if [word.text for word in said] != [year] and not (same and (start[4:], end[4:]) == (first[4:], last[4:])):  # fmt: skip
            yield question[said[0].start : said[-1].end]


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
