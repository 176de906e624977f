"""Queries that make no sense, whatever was asked: each constraint is true of a query that breaks it."""

import re
from collections.abc import Iterator
from itertools import combinations

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import Condition, single
from oldhand.agent.analyst.candidates.pruning import multiplies, only_multiplying
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.lexicon.entries import words
from oldhand.query.form import ColumnRef, Comparison, Count, Expression, Has, Query, Scalar
from oldhand.query.negating import excludes
from oldhand.query.walk import all_queries, attribute, function_of, is_measure, walk
from oldhand.record import schema
from oldhand.record.schema import DATES, NUMBERS, Kind

_IDENTIFYING = words("names.identifying")
_COMPARING = (">", ">=", "<", "<=", "between")
_NO_YEAR = 500
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_CLOCK = re.compile(r"(?<=\d)T(?=\d)")
"""What stands between day and hour in a moment."""


def no_sum_of_keys(asked: Asked, query: Query) -> bool:
    """Keys that are compared, added up or averaged without being named."""
    terms = [*query.select, *(order.by for order in query.order)]
    terms += [c.left for c in query.having if isinstance(c, Comparison)]
    used = [term for term in terms if function_of(term) in ("sum", "avg")]
    compared = (c for c in _conditions(query) if isinstance(c, Comparison) and c.values)
    used += [c.left for c in compared if c.operator in _COMPARING]
    keys = (e for e in asked.entries(used) if e.foreign or asked.key(e.table) == [e.id])
    return any(keys) and not {token.lower for token in asked.links.tokens} & _IDENTIFYING


def _conditions(query: Query) -> Iterator[Condition]:
    """Those on its rows, and on the rows that it looks for a partner in."""
    for each in all_queries(query):
        yield from single(each.where)


def no_sum_of_dates(asked: Asked, query: Query) -> bool:
    """The average of the days on which orders were settled."""
    summed = [term for term in query.select if function_of(term) in ("sum", "avg")]
    return bool(summed) and any(entry.temporal for entry in asked.entries(summed))


def no_sum_over_multiplied_rows(asked: Asked, query: Query) -> bool:
    """The average age of students who have friends, over a row for each of their friends."""
    return bool(only_multiplying(asked, query))


def literal_of_the_columns_type(asked: Asked, query: Query) -> bool:
    """A number compared with words, or a word with numbers or days; what a column is known to hold fits it."""
    known = {option.column for value in asked.links.values for option in value.options}
    for condition in _conditions(query):
        column = condition.left
        if isinstance(condition, Comparison) and isinstance(column, ColumnRef):
            entry = asked.entry(column)
            fit = (_fits(value, entry.column) for value in condition.values)
            if entry.id not in known and not all(fit):
                return True
            if _is_no_year(entry, condition):
                return True
            # '20' is behind '100' among texts; years have as many digits all.
            digits = all(str(value).isdigit() for value in condition.values)
            plain = (
                entry.column.kind is Kind.TEXT and not entry.numeric and "year" not in entry.words
            )
            if plain and digits and condition.operator in _COMPARING:
                return True
    return False


def no_contradictory_conditions(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """A column that must be empty and must not; a day of one row that must be in 2024 and in 2025."""
    every = all_queries(query)
    return any(excludes(*pair) for each in every for pair in combinations(each.where, 2))


def no_absence_of_what_is_joined(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """Technicians with turbines that no visits are of, where only visits tie turbines to technicians."""
    tied = {
        (side, own, join.other(side), partner)
        for join in query.rows.joins
        for pair in join.keys
        for side, own, partner in ((join.left, *pair), (join.right, *reversed(pair)))
        if not join.outer
    }
    return any(
        (one.left.of, one.left.name, key.of, key.name) in tied
        for one in query.where
        if isinstance(one, Has) and one.none and isinstance(one.left, ColumnRef)
        for key in one.rows.select
        if isinstance(key, ColumnRef) and one.rows.where in ((), (Comparison(key, "not null"),))
    )


def groups_not_sorted_by_single_rows(asked: Asked, query: Query) -> bool:
    """The average cost of each crew, sorted by the costs of single orders."""
    own = asked.owners(query.group)
    plain = [one.by for one in query.order if not is_measure(one.by)]
    figures = any(map(is_measure, query.select))
    return bool(figures and own) and any(t not in query.group and not own & asked.owners([t]) for t in plain)  # fmt: skip


def nothing_counted_twice(asked: Asked, query: Query) -> bool:
    """The number of rows beside the number of their keys; the countries of each continent, for each name of a country."""
    counts = [term for term in query.select if isinstance(term, Count)]
    keys = [one for one in counts if one.of is not None and asked.entry(one.of).column.primary_key]
    if Count() in counts and keys:
        return True
    groups = asked.entries(query.group)
    named = {e.table for e in groups if e.name_like and asked.is_label(e)}
    others = {e.table for e in groups} - named
    return bool(counts and others) and any(not multiplies(asked, query.rows, t) for t in named)


def measures_restrict_groups(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """A measure restricts, or sorts, groups that there are none of."""
    counted = any(is_measure(order.by) for order in query.order)
    return not query.group and not query.each and (bool(query.having) or counted)


def one_row_is_not_sorted(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """One number for all rows is sorted."""
    return bool(query.order) and not query.group and all(map(is_measure, query.select))


def groups_sorted_by_what_they_share(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """Groups are cut by what differs between their rows."""
    cut = query.group and query.limit is not None
    counted = [order.by for order in query.order if is_measure(order.by)]
    if not cut or len(counted) == len(query.order):
        return False
    return not all(is_measure(o.by) or o.by in query.group for o in query.order)


def no_sorting_by_a_fixed_value(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """The oldest of those who are all of one age, and the most of groups that are all as large."""
    if not query.order or query.limit is None:
        return False
    same = any(order.by in _fixed(query) for order in query.order)
    return same or any(isinstance(c, Comparison) and c.operator == "=" for c in query.having)


def no_counting_of_one_kind(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """How many kinds there are among those of one kind."""
    counted = [t.of for t in query.select if isinstance(t, Count) and t.distinct]
    if not counted:
        return False
    where = (c for c in query.where if isinstance(c, Comparison) and c.operator == "=")
    fixed = [attribute(c.left) for c in where]
    return any(of is not None and attribute(of) in fixed for of in counted)


def no_counting_of_what_groups_are_of(asked: Asked, query: Query) -> bool:  # noqa: ARG001
    """More than 3 different customers in each group of one customer."""
    return any(_counts_its_groups(each) for each in all_queries(query))


def _counts_its_groups(query: Query) -> bool:
    counted = {
        part.of
        for term in (*query.select, *query.having, *(order.by for order in query.order))
        for part in walk(term)
        if isinstance(part, Count) and part.distinct
    }
    ties = [
        {ColumnRef(join.left, left), ColumnRef(join.right, right)}
        for join in query.rows.joins
        for left, right in join.keys
    ]
    same = {one for tie in ties if tie & {*query.group} for one in tie} | {*query.group}
    return not counted.isdisjoint(same)


def no_counting_of_single_rows(asked: Asked, query: Query) -> bool:
    """Tickets sorted by how many rows each of them is: by one, all of them."""
    if not any(order.by == Count() for order in query.order):
        return False
    keys = asked.entries(query.group or query.each)
    alone = {e.table for e in keys if asked.key(e.table) == [e.id]}
    return any(not multiplies(asked, query.rows, table) for table in alone)


def _fixed(query: Query) -> list[Expression]:
    """What is the same in all rows."""
    where = (c for c in query.where if isinstance(c, Comparison) and len(c.values) == 1)
    return [c.left for c in where if c.operator == "="]


def _is_no_year(entry: ColumnEntry, condition: Comparison) -> bool:
    """True for `released more than 2 albums` where only the year of the release is called so."""
    low = entry.column.profile.low if entry.column.profile is not None else None
    years = "year" in entry.words and isinstance(low, int | float) and low > _NO_YEAR
    return years and any(isinstance(v, int | float) and v < _NO_YEAR for v in condition.values)


def _fits(value: Scalar, column: schema.Column) -> bool:
    """True when a column may hold a value: texts may be numbers or days, as their samples tell."""
    if isinstance(value, bool):
        return True
    worded = _LETTER.search(_CLOCK.sub("", str(value))) is not None
    if column.kind is Kind.TEXT and column.samples and not worded:
        return _DIGIT.search(str(column.samples)) is not None or not _DIGIT.search(str(value))
    return not worded or column.kind not in NUMBERS | DATES
