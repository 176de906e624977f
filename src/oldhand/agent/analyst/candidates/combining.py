"""Conditions put together: all of them, one of them, or two queries whose rows meet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import Condition, is_plain, single
from oldhand.agent.analyst.candidates.lookup import APART
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.query.form import (
    Aggregate,
    AnyOf,
    ColumnRef,
    Comparison,
    Compound,
    Count,
    Elapsed,
    Has,
    Query,
)
from oldhand.query.negating import negated
from oldhand.query.walk import is_measure


def may_be_distinct(query: Query) -> bool:
    """True when the rows of a query may be meant once each."""
    plain = not any(map(is_measure, query.select))
    return plain and not query.group and query.compound is None


def combinations(asked: Asked, whole: Query) -> Iterator[tuple[Query, str]]:
    """The conditions of a query together, one of them enough, or two queries whose rows meet."""
    where = tuple(single(whole.where))
    if len(where) < 2:
        yield whole, "combine.and"
        return
    base, same = replace(whole, where=()), _same_column(where)
    if same is not None and (apart := _one_without_the_other(asked, base, where, same)) is not None:
        yield apart, "combine.intersect"
        return
    equal = same is not None and all(c.operator in ("=", "in") for c in same)
    if not equal:
        yield whole, "combine.and"
    if same is None:
        yield replace(base, where=(AnyOf(where),)), "combine.or"
        return
    rest = _without(where, same)
    alone = _is_of_single_rows(asked, base) and not asked.links.cues_of("both")
    if equal:
        values = tuple(dict.fromkeys(value for c in same for value in c.values))
        both = Comparison(same[0].left, "in", values)
        yield replace(base, where=(*rest, both)), "combine.in_rows" if alone else "combine.in"
    else:
        yield replace(base, where=(AnyOf(same),)), "combine.or"
    empty = {c.operator for c in same} & {"null", "not null"}
    if len(same) == 2 and not empty and _is_list(base) and not alone:
        yield _both_met(asked, base, rest, *same), "combine.intersect"


def _one_without_the_other(
    asked: Asked, base: Query, where: tuple[Condition, ...], same: tuple[Comparison, ...]
) -> Query | None:
    """`Took sick leave but no vacation`: some of its rows are the one, none the other; None for anything else."""
    if len(same) != 2 or {c.operator for c in same} != {"=", "!="} or not _is_list(base):
        return None
    made = _both_met(asked, base, _without(where, same), *same)
    return made if made.compound is None else None


def _is_list(base: Query) -> bool:
    """True for all the rows that meet some conditions, neither counted nor cut."""
    return not base.group and base.limit is None and not any(map(is_measure, base.select))


def _is_of_single_rows(asked: Asked, base: Query) -> bool:
    """True where each row has one value in each column, so that `and` can't ask for two: no customer is `from Germany and France`.

    So are rows that are counted or added up, and things of one table that are shown by names that hardly repeat: several rows may
    be about the same student. The mean of two kinds is rather that of each.
    """
    measures = [term for term in base.select if is_measure(term)]
    if measures:
        return all(
            not term.distinct if isinstance(term, Count) else isinstance(term, Aggregate) and term.function == "sum"
            for term in measures
        )  # fmt: skip
    return len(base.rows.relations) == 1 and _tells_apart(asked, base)


def _tells_apart(asked: Asked, base: Query) -> bool:
    """True where the rows are things with a name of their own, or what is shown is another one in nearly every row."""
    shown = list(asked.entries(base.select))
    if _shows_things(asked, base) and any(asked.has_own_name(e.table) or asked.full_name(e.table) for e in shown):  # fmt: skip
        return True
    seen = [e.column.profile for e in shown if e.column.profile is not None]
    keyed = any(asked.key(entry.table) == [entry.id] for entry in shown)
    return keyed or any(one.distinct >= APART * one.rows > 1 for one in seen)


def _shows_things(asked: Asked, base: Query) -> bool:
    return any(e.name_like or e.column.primary_key for e in asked.entries(base.select))


def _without(where: tuple[Condition, ...], some: Sequence[Condition]) -> tuple[Condition, ...]:
    return tuple(condition for condition in where if condition not in some)


def _same_column(where: tuple[Condition, ...]) -> tuple[Comparison, ...] | None:
    """The first conditions on one column: all that name its values, else the first two."""
    plain = [c for c in where if isinstance(c, Comparison) and is_plain(c)]
    for number, one in enumerate(plain):
        same = [c for c in plain[number:] if c.left == one.left]
        named = [c for c in same if c.operator in ("=", "in")]
        if len(same) > 1:
            return tuple(named if len(named) > 1 else same[:2])
    return None


def _both_met(
    asked: Asked, base: Query, where: tuple[Condition, ...], one: Comparison, two: Comparison
) -> Query:
    """The query for what meets two conditions that no single row meets: `customers who ordered both tents and boots`.

    Things are told apart by their keys, as two of them may have the same name. What is no thing,
    such as a city, is compared as it is shown.
    """
    thing = _thing(asked, base)
    if thing is None:
        first, second = (replace(base, where=(*where, met), order=()) for met in (one, two))
        return replace(first, compound=Compound("intersect", second))
    table, key = thing
    own = tuple(c for c in where if is_plain(c) and asked.entry(c.left).table == table)
    others = tuple(c for c in where if c not in own)
    met = tuple(_met(key, base, others, condition) for condition in (one, two))
    return replace(base, rows=asked.alone(table), where=(*own, *met))


def _met(
    key: ColumnRef | Elapsed, base: Query, others: tuple[Condition, ...], condition: Comparison
) -> Has:
    """That some row of a thing meets a condition; for `but no` that none does."""
    none = condition.operator in ("!=", "not in")
    met = negated(condition) if none else condition
    return Has(key, Query(base.rows, (key,), (*others, met)), none)


def _thing(asked: Asked, base: Query) -> tuple[int, ColumnRef | Elapsed] | None:
    """The table whose rows are shown, and its key, where a join repeats them."""
    shown = asked.owners((*base.select, *(order.by for order in base.order)))
    if len(shown) != 1 or len(base.rows.relations) < 2:
        return None
    table = shown.pop()
    key = asked.key(table)
    if not _shows_things(asked, base) or len(key) != 1 or not multiplies(asked, base.rows, table):
        return None
    return table, asked.ref(key[0])
