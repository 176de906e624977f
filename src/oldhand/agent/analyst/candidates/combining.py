"""Conditions put together: all of them, one of them, or two queries whose rows meet."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.conditions import Condition, is_plain, single
from oldhand.agent.analyst.candidates.lookup import APART
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.words.links import Cue
from oldhand.lexicon.entries import words
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
from oldhand.query.normal import PRESENCE
from oldhand.query.walk import is_measure

_HAVING = words("verbs.having") | words("verbs.be") | words("verbs.do") | words("function_words.narrowing")  # fmt: skip
"""Between what is asked for and the `no` they say that it has none."""


def may_be_distinct(query: Query) -> bool:
    """True when the rows of a query may be meant once each."""
    plain = not any(map(is_measure, query.select))
    return plain and not query.group and query.compound is None


def combinations(
    asked: Asked, whole: Query, denied: Collection[Condition] = ()
) -> Iterator[tuple[Query, str]]:
    """The conditions of a query together, one of them enough, or two queries whose rows meet.

    Args:
        asked: the question.
        whole: the query with all of its conditions.
        denied: those that a negation has turned round.
    """
    where = tuple(single(whole.where))
    if (without := _kinds_without(asked, whole, denied)) is not None:
        yield without, "combine.except"
        return
    if len(where) < 2:
        yield whole, "combine.and"
        return
    base, same = replace(whole, where=()), _same_column(where)
    if same is not None and (apart := _one_without_the_other(asked, base, where, same, denied)):
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
    empty = {c.operator for c in same} & {*PRESENCE}
    if len(same) == 2 and not empty and _is_list(asked, base) and not alone:
        yield _all_met(asked, base, rest, same, denied), "combine.intersect"


def _one_without_the_other(
    asked: Asked,
    base: Query,
    where: tuple[Condition, ...],
    same: tuple[Comparison, ...],
    denied: Collection[Condition],
) -> Query | None:
    """`Took sick leave but no vacation`, `booked in 2025 but not in 2026`: some rows of a thing are the one, none the other.

    None for anything else: what one row says of itself it says once.
    """
    apart = {_is_denied(condition, denied) for condition in same}
    said = {(negated(c) if _is_denied(c, denied) else c).operator for c in same}
    between = len(said) == 1 and said <= {"<", ">", "<=", ">="}  # `over 20 but not over 50`
    if between or len(apart) < 2 or not _is_list(asked, base) or _is_of_single_rows(asked, base):
        return None
    return _all_met(asked, base, _without(where, same), same, denied)


def _is_denied(condition: Condition, denied: Collection[Condition]) -> bool:
    return condition in denied or condition.operator == "!="


def _kinds_without(asked: Asked, whole: Query, denied: Collection[Condition]) -> Query | None:
    """`Towns that have no business customers`: none of a town's customers is one, whatever others there are."""
    cue = _of_kinds(asked, whole)
    none = [c for c in single(whole.where) if c in denied or (isinstance(c, Has) and c.none)]
    if (
        cue is None
        or len(none) != 1
        or whole.limit is not None
        or _have_their_own(asked, whole, cue)
    ):
        return None
    others = tuple(c for c in whole.where if c != none[0])
    first = replace(whole, where=others, order=(), distinct=False)
    second = replace(first, where=(*others, negated(none[0])))
    return replace(first, compound=Compound("except", second))


def _have_their_own(asked: Asked, whole: Query, cue: Cue) -> bool:
    """True for `cities that have no store`, where stores have cities of their own."""
    (shown,) = asked.entries(whole.select)
    denied = (m.best.id for m in asked.links.tables if m.span.start >= cue.span.end)
    others = (asked.vocabulary.tables[table] for table in denied if table != shown.table)
    names = (asked.column(c).column.name.casefold() for entry in others for c in entry.columns)
    return shown.column.name.casefold() in names


def _of_kinds(asked: Asked, whole: Query) -> Cue | None:
    """The denial in `towns that have no …`, where what is shown is no thing but what several things have in common."""
    shown = list(asked.entries(whole.select))
    if len(shown) != 1 or len(whole.select) != 1 or whole.group or _shows_things(asked, whole) or _tells_apart(asked, whole):  # fmt: skip
        return None
    named = [m.span.end for m in asked.links.columns if any(o.id == shown[0].id for o in m.options)]
    for cue in asked.links.cues_of("not"):
        before = (end for end in named if end <= cue.span.start)
        between = asked.words(max(before, default=0), cue.span.start)
        if any(end <= cue.span.start for end in named) and _HAVING.issuperset(between):
            return cue
    return None


def _is_list(asked: Asked, base: Query) -> bool:
    """True for all the rows that meet some conditions, not cut, and for how many things do."""
    counted = [t for t in base.select if is_measure(t)]
    things = not counted or _thing(asked, base) is not None
    return things and base.limit is None and (not base.group or bool(counted)) and not base.having


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


def _all_met(
    asked: Asked,
    base: Query,
    where: tuple[Condition, ...],
    same: Sequence[Comparison],
    denied: Collection[Condition],
) -> Query:
    """The query for what meets conditions that no single row meets: `customers who ordered both tents and boots`.

    Things are told apart by their keys, as two of them may have the same name. What is no thing,
    such as a city, is compared as it is shown.
    """
    thing = _thing(asked, base)
    if thing is None:
        first, second = sorted(same, key=lambda one: _is_denied(one, denied))
        kind = "except" if _is_denied(second, denied) else "intersect"
        other = negated(second) if kind == "except" else second
        rows = (replace(base, where=(*where, met), order=()) for met in (first, other))
        return replace(next(rows), compound=Compound(kind, next(rows)))
    table, key = thing
    own = tuple(c for c in where if is_plain(c) and asked.entry(c.left).table == table)
    others = tuple(c for c in where if c not in own)
    met = tuple(_met(key, base, others, one, _is_denied(one, denied)) for one in same)
    counted = tuple(Count() if is_measure(t) else t for t in base.select)
    return replace(base, rows=asked.alone(table), select=counted, where=(*own, *met))


def _met(
    key: ColumnRef | Elapsed,
    base: Query,
    others: tuple[Condition, ...],
    condition: Comparison,
    none: bool,
) -> Has:
    """That some row of a thing meets a condition; for `but no` that none does."""
    met = negated(condition) if none else condition
    return Has(key, Query(base.rows, (key,), (*others, met)), none)


def _thing(asked: Asked, base: Query) -> tuple[int, ColumnRef | Elapsed] | None:
    """The table whose rows are shown, or counted once each, and its key, where a join repeats them."""
    counted = [t for t in base.select if is_measure(t)]
    if any(not (isinstance(t, Count) and t.distinct) for t in counted):
        return None
    shown = asked.owners((*base.select, *base.group, *(order.by for order in base.order)))
    if len(shown) != 1 or len(base.rows.relations) < 2:
        return None
    table = shown.pop()
    key = asked.key(table)
    if len(key) != 1 or not multiplies(asked, base.rows, table):
        return None
    of = asked.ref(key[0])
    told = all(isinstance(t, Count) and t.of == of for t in counted) if counted else _shows_things(asked, base)  # fmt: skip
    return (table, of) if told else None
