"""The conditions of a query in words: `in Berlin`, `with price above 10`, `of customers in Berlin`.

What has no plain words is not described at all: a sentence built on it would say less, or more, than the query asks.
"""

import re
from collections.abc import Callable, Sequence

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import Source, conjuncts, home, joins, sources
from oldhand.agent.analyst.telling.happening import (
    DAY,
    at_time,
    happened,
    on_weekdays,
    period,
    ranges,
)
from oldhand.agent.analyst.telling.joined_names import with_joined_names
from oldhand.agent.analyst.telling.operands import column_name, is_average, literal
from oldhand.agent.analyst.telling.partners import (
    counted_partner,
    in_role,
    number_of_partners,
    of_own_kind,
    partner,
    without_null_guard,
)
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import human, listed, plural, singular, value_text
from oldhand.record.base import Cell

_PLACES = words("places.areas")
_NAMES = words("names.titles")
_ADJECTIVE = re.compile(r"(ed|en|ive|able|ible|al|ent|ant|ful|ic|ary|ous|id|y|open|new)$")
"""Endings of words that say what something is like."""
_COMPARED: dict[type[exp.Expr], tuple[str, str]] = {
    exp.GT: ("above", "after"),
    exp.GTE: ("of at least", "from"),
    exp.LT: ("below", "before"),
    exp.LTE: ("of at most", "up to"),
}
"""Words for numbers, and for days."""


def described_conditions(select: exp.Select, main: str) -> str | None:
    """What rows of `select` must meet, to stand after the name of what is counted.

    Args:
        select: one SELECT; its HAVING and what its subqueries ask are not described.
        main: the alias of the table whose rows are spoken of.

    Returns:
        Words, empty when there is no condition; None when some condition has no plain words.
    """
    if select.args.get("having") or any(join.side for join in joins(select)):
        return None
    where = select.args.get("where")
    if not isinstance(where, exp.Where):
        return ""
    own: list[str] = []
    others: dict[str, list[str]] = {}
    for part, end in ranges(conjuncts(where.this)):
        words = _condition(part) if end is None else period(part, end)
        alias = _alias(part)
        if words is None or alias is None:
            return None
        (own if alias == main else others.setdefault(alias, [])).append(words)
    names = {source.alias: source for source in sources(select)}
    for alias, words_of_other in others.items():
        if alias not in names or main not in names:
            return None
        if _noun(names[alias]) == _noun(names[main]):
            said = in_role(select, alias, main, _sentence(words_of_other))
            if said is None:
                return None
            own.append(said)
            continue
        link = "with" if _points_at(select, alias, names[main]) else "of"
        noun = _noun(names[alias])
        own.append(f"{link} {noun} {_unechoed(_sentence(words_of_other), noun)}")
    said = _sentence(own)
    return _unechoed(said, _noun(names[main])) if main in names else said


def _points_at(select: exp.Select, alias: str, main: Source) -> bool:
    """True when `alias` is joined to `main` by a key named for it: orders to customers by `customer_id`."""
    name = singular(_noun(main))
    for join in joins(select):
        for equal in join.find_all(exp.EQ):
            columns = [
                side for side in (equal.this, equal.expression) if isinstance(side, exp.Column)
            ]
            if {column.table for column in columns} == {alias, main.alias}:
                return any(
                    name in human(column.name) and column.table == alias for column in columns
                )
    return False


def _unechoed(conditions: str, noun: str) -> str:
    """Conditions without a first word that only repeats the noun: orders `ordered in 2024`."""
    first, _, rest = conditions.partition(" ")
    return (
        rest
        if first.endswith("ed") and stem(first) == stem(singular(noun).split(" ")[-1])
        else conditions
    )


def _sentence(conditions: Sequence[str]) -> str:
    """Places first, then what stands after `with`, said once, then the rest.

    >>> _sentence(["with segment retail", "in Berlin", "with age above 30"])
    'in Berlin with segment retail and age above 30'
    """
    conditions = with_joined_names(conditions)
    places = [words for words in conditions if words.startswith("in ")]
    withs = [words.removeprefix("with ") for words in conditions if words.startswith("with ")]
    rest = [words for words in conditions if not words.startswith(("in ", "with "))]
    middle = [f"with {listed(withs)}"] if withs else []
    return " ".join([*places, *middle, *rest])


def _noun(source: Source) -> str:
    name = source.table.name if source.table is not None else source.alias
    return plural(human(name))


def _alias(part: exp.Expr) -> str | None:
    """The one table that `part` speaks of, or None when there are several."""
    select = part.find_ancestor(exp.Select)
    aliases = {c.table for c in part.find_all(exp.Column) if home(c) is select}
    return aliases.pop() if len(aliases) == 1 else None


def _condition(part: exp.Expr) -> str | None:
    """One condition in words, or None."""
    if said := on_weekdays(part):
        return said
    write = next((write for kind, write in _WRITERS.items() if isinstance(part, kind)), None)
    return write(part) if write is not None else None


def _inner(part: exp.Expr) -> str | None:
    if isinstance(part.this, exp.And):
        return None
    return _condition(part.this)


def _either(part: exp.Expr) -> str | None:
    sides = list(part.flatten())
    words = [_condition(side) for side in sides]
    one_table = len({_alias(side) for side in sides}) == 1
    return listed([w for w in words if w], "or") if all(words) and one_table else None


def _not(part: exp.Expr) -> str | None:
    return _negated(part.this)


def _between(part: exp.Expr) -> str | None:
    low, high = literal(part.args["low"]), literal(part.args["high"])
    column = column_name(part.this)
    if column is None or low is None or high is None:
        return None
    return f"with {human(column)} between {_value(low, column)} and {_value(high, column)}"


def _missing(part: exp.Expr) -> str | None:
    column = column_name(part.this)
    if column is None or not isinstance(part.expression, exp.Null):
        return None
    event = happened(column)
    return f"not {event[0]}" if event else f"without {_article(column)}"


def _negated(part: exp.Expr) -> str | None:
    if isinstance(part, exp.In):
        return _related(part, "without") if part.args.get("query") is not None else None
    column = column_name(part.this) if isinstance(part, exp.EQ | exp.Is) else None
    if column is None:
        return None
    if isinstance(part, exp.Is):
        if not isinstance(part.expression, exp.Null):
            return None
        event = happened(column)
        return event[0] if event else f"with {_article(column)}"
    value = literal(part.expression)
    if isinstance(value, bool):
        return _flagged(human(column), not value)
    return None if value is None else f"with {human(column)} other than {_value(value, column)}"


def _unequal(part: exp.Expr) -> str | None:
    return _negated(exp.EQ(this=part.this.copy(), expression=part.expression.copy()))


def _equal(part: exp.Expr) -> str | None:
    column, value = column_name(part.this), literal(part.expression)
    if column is None or value is None:
        return None
    if part.this.find(exp.TimeToStr, exp.ToChar, exp.Extract):
        return f"in {value}" if re.fullmatch(r"\d{4}(-\d{2})?", str(value)) else None
    return _with(column, value)


def _with(column: str, value: Cell) -> str:
    words = human(column)
    last = words.rpartition(" ")[2]
    if isinstance(value, bool):
        return _flagged(words, value)
    if last in _PLACES and isinstance(value, str):
        return f"in {value}"
    if words in _NAMES:
        return f"named {value}"
    return f"with {words} {_value(value, column)}"


def _flagged(words: str, value: bool) -> str:
    """`that are discontinued`, but `with newsletter`."""
    if words.startswith("has ") or (not words.startswith("is ") and not _ADJECTIVE.search(words)):
        return f"{'with' if value else 'without'} {words.removeprefix('has ')}"
    return f"that are {'' if value else 'not '}{words.removeprefix('is ')}"


def _compared(part: exp.Expr) -> str | None:
    column, value = column_name(part.this), literal(part.expression)
    if column is not None and is_average(part.expression, part.this):
        return f"with {human(column)} {_COMPARED[type(part)][0]} the average"
    if column is None or value is None or part.this.find(exp.TimeToStr, exp.ToChar, exp.Extract):
        return None
    if isinstance(value, str) and DAY.match(value):
        return at_time(column, f"{_COMPARED[type(part)][1]} {value}")
    return f"with {human(column)} {_COMPARED[type(part)][0]} {_value(value, column)}"


def _within(part: exp.Expr) -> str | None:
    if part.args.get("query") is not None:
        return _related(part, "with")
    column = column_name(part.this)
    values = [literal(node) for node in part.expressions]
    if column is None or not values or any(value is None for value in values):
        return None
    shown = listed([_value(value, column) for value in values], "or")
    place = human(column).rpartition(" ")[2] in _PLACES
    return f"in {shown}" if place else f"with {human(column)} {shown}"


def _related(part: exp.Expr, word: str) -> str | None:
    """`with orders`, `without orders`: rows that other rows do, or don't, speak of."""
    query = part.args.get("query")
    inner = query.unnest() if isinstance(query, exp.Subquery) else query
    if isinstance(inner, exp.Select) and inner.args.get("having"):
        return _numerous(part.this, inner, word)
    other = partner(inner) if isinstance(inner, exp.Select) else None
    if not isinstance(inner, exp.Select) or other is None:
        return None
    if said := of_own_kind(part.this, inner, word):
        return said
    conditions = described_conditions(without_null_guard(inner), other.alias)
    if conditions is None or inner.args.get("group") or inner.args.get("limit"):
        return None
    return f"{word} {_noun(other)} {conditions}".strip()


def _numerous(key: exp.Expr, inner: exp.Select, word: str) -> str | None:
    """`with more than 3 items`: rows that so many others speak of."""
    other = counted_partner(key, inner)
    number = number_of_partners(inner, _noun(other)) if other is not None else ""
    ungrouped = without_null_guard(inner).copy()
    ungrouped.set("having", None)
    conditions = described_conditions(ungrouped, other.alias) if other is not None else None
    if not number or conditions is None or inner.args.get("limit"):
        return None
    return f"{word} {number} {conditions}".strip()


def _like(part: exp.Expr) -> str | None:
    column, value = column_name(part.this), literal(part.expression)
    if column is None or not isinstance(value, str) or "_" in value:
        return None
    inner = value.strip("%")
    if "%" in inner:
        return None
    starts, ends = not value.startswith("%"), not value.endswith("%")
    verb = "starting with" if starts and not ends else "ending with" if ends and not starts else "containing"  # fmt: skip
    return f"with {human(column)} {verb} {inner}"


def _value(value: Cell, column: str) -> str:
    return value_text(value, column)


def _article(column: str) -> str:
    words = human(column).removesuffix(" id")
    if words.endswith("s") and not words.endswith("ss"):
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


_WRITERS: dict[type[exp.Expr], Callable[[exp.Expr], str | None]] = {
    exp.Paren: _inner,
    exp.Or: _either,
    exp.Not: _not,
    exp.EQ: _equal,
    exp.NEQ: _unequal,
    exp.GT: _compared,
    exp.GTE: _compared,
    exp.LT: _compared,
    exp.LTE: _compared,
    exp.Between: _between,
    exp.In: _within,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Is: _missing,
}
