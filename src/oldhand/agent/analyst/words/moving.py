"""Times that were counted from the day of asking: `last month` in a statement, moved to another day.

Invariant: a statement is changed only where it holds the days of such a time; days that a question names itself stay.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.agent.analyst.words.dates import find_dates
from oldhand.agent.analyst.words.links import DateMention
from oldhand.errors import UsageError
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import tokenise

_MIXED = "{} is counted from the day of asking, and its days stand in the question as well: ask it anew with fixed dates."
_DATES = words("time.columns") | words("time.units")
_FIGURES = (exp.AggFunc, exp.Coalesce, exp.Round, exp.Abs, exp.Connector)
"""Functions of amounts; all others beside a year are taken for those of dates."""
_BY_THEMSELVES = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime)


class DateMoves(NamedTuple):
    """What of a statement is otherwise on another day."""

    words: tuple[str, ...] = ()
    """Of the question, such as `last month`."""
    texts: Mapping[str, str] = {}
    """Days, months and years as they stood there, with those of now."""
    says: tuple[str, ...] = ()
    """Which days the words stand for now."""


@lru_cache(maxsize=4096)
def date_moves(question: str, asked_on: date, today: date) -> DateMoves:
    """What moves in a question that was read on one day and is asked on another.

    >>> moves = date_moves("Orders last month", date(2026, 3, 5), date(2026, 4, 1))
    >>> moves.texts["2026-02-01"], moves.texts["2026-02"], moves.says
    ('2026-03-01', '2026-03', ("'last month' was read as 2026-03-01 to 2026-03-31.",))

    Raises:
        UsageError: it can't be told which days of the statement move.
    """
    tokens = tokenise(question)
    fixed = find_dates(question, tokens, None)
    spans = {one.span for one in fixed}
    steady = {text for one in fixed if not one.months for text in _spelled(one)}
    texts: dict[str, str] = {}
    said: list[str] = []
    says: list[str] = []
    then = {one.span: one for one in find_dates(question, tokens, asked_on)}
    for after in find_dates(question, tokens, today):
        before = then.get(after.span)
        if before is None or before.span in spans:
            continue
        for old, new in zip(_spelled(before), _spelled(after), strict=True):
            if texts.setdefault(old, new) != new or (old in steady and old != new):
                raise UsageError(_MIXED.format(repr(before.text)))
        said.append(before.text)
        last = after.end - timedelta(days=1)
        says.append(f"{after.text!r} was read as {after.start} to {last}.")
    if said and asked_on.isoformat() not in steady:
        texts.setdefault(asked_on.isoformat(), today.isoformat())
    return DateMoves(tuple(said), texts, tuple(says))


def _spelled(mention: DateMention) -> Iterator[str]:
    """How statements spell a time, in the same order for the same kind of time."""
    start, end = mention.start, mention.end
    if start == date.min:
        return
    yield from (day.isoformat() for day in (start, end, end - timedelta(days=1)))
    if mention.year is not None:
        yield str(start.year)
    elif start.day == 1 and 28 <= (end - start).days <= 31 and end.day == 1:
        yield f"{start:%Y-%m}"


class MovedStatement(NamedTuple):
    """A statement for another day."""

    sql: str
    follows: bool
    """False where it holds none of the days that move, and no word of the database for today."""


def moved(sql: str, dialect: str, moves: DateMoves) -> MovedStatement:
    """A statement with the days of now; as it was where nothing moves.

    >>> moves = date_moves("Orders last month", date(2026, 3, 5), date(2026, 4, 1))
    >>> moved("SELECT 1 FROM o WHERE d >= '2026-02-01' AND d < '2026-03-01 00:00'", "sqlite", moves).sql
    "SELECT 1 FROM o WHERE d >= '2026-03-01' AND d < '2026-04-01 00:00'"
    >>> moves = date_moves("Orders this year", date(2026, 3, 5), date(2027, 4, 1))
    >>> moved("SELECT 1 FROM o WHERE YEAR(d) = 2026 AND total > 2026 AND SUM(price) <> 2026", "mysql", moves).sql
    'SELECT 1 FROM o WHERE YEAR(d) = 2027 AND total > 2026 AND SUM(price) <> 2026'
    """
    if not moves.words:
        return MovedStatement(sql, follows=True)
    try:
        tree = parse_one(sql, read=dialect or None)
    except (SqlglotError, RecursionError):
        return MovedStatement(sql, follows=False)
    held = [
        (one, put)
        for one in tree.find_all(exp.Literal)
        if (put := _put(one.name, moves.texts)) is not None
        and not one.find_ancestor(exp.Limit, exp.Offset)
        and (one.is_string or _is_year(one))
    ]
    for literal, text in held:
        literal.set("this", text)
    own = tree.find(*_BY_THEMSELVES) or any(one.name == "now" for one in tree.find_all(exp.Literal))
    changed = any(old != new for old, new in moves.texts.items()) and held
    return MovedStatement(
        tree.sql(dialect=dialect or None) if changed else sql, bool(held) or bool(own)
    )


def _is_year(number: exp.Literal) -> bool:
    """Whether a number that looks like a year is one: it stands in a function of dates, or beside one or a column of years."""
    beside = number.find_ancestor(exp.Predicate) or number.parent or number
    named = (one for column in beside.find_all(exp.Column) for one in split_name(column.name))
    functions = beside.find_all(exp.Func)
    of_dates = any(not isinstance(one, _FIGURES) for one in functions)
    return of_dates or bool(_DATES.intersection(named))


def _put(text: str, texts: Mapping[str, str]) -> str | None:
    """A literal with the day of now in it; None where it holds none that moves."""
    for old in sorted(texts, key=len, reverse=True):
        if text == old or (text.startswith(old) and text[len(old)] in "T %"):
            return texts[old] + text[len(old) :]
    return None
