"""Changes to a query that was answered before: fewer rows, another order, another output."""

import re
from dataclasses import replace

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.lexicon.entries import meanings
from oldhand.lexicon.tokens import split_name, stem
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.form import (
    Aggregate,
    Column,
    Count,
    Expression,
    Has,
    Order,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import known_column
from oldhand.query.walk import attribute, columns, is_measure, walk
from oldhand.record.schema import DATES, NUMBERS, Kind, Table
from oldhand.record.schema import Column as KnownColumn

_COMPUTED = meanings("grouping.aggregates")
AGGREGATE_WORDS = "|".join(_COMPUTED)


def first_rows(query: Query, number: int, *, last: bool = False) -> Query | None:
    """The first rows, or the last ones where the rows have an order."""
    query = replace(query, limit=number)
    return backwards(query) if last else query


def backwards(query: Query) -> Query | None:
    """The rows in the opposite order; None where they have none."""
    order = tuple(Order(one.by, not one.descending) for one in query.order)
    return replace(query, order=order) if order else None


def fixed(scene: Scene) -> Query | None:
    """The query before without its limit, restricted to the very rows that the limit left.

    They are told by their key; None when the table spoken of has no key of one column.
    """
    query, main = scene.query, scene.main_table()
    if query.limit is None and not query.each:
        return query
    if main is None or query.group or query.distinct or len(query.rows.relations) > 1:
        return None
    relation, table = main
    if len(table.primary_key) != 1:
        return None
    key = Column(relation, table.primary_key[0])
    few = Has(key, replace(query, select=(key,), names=()))
    return replace(query, where=(few,), limit=None, offset=0, each=())


def ordered_by(scene: Scene, words: str, *, descending: bool) -> Query | None:
    """The same rows in the order of a column, or of what is computed."""
    query = fixed(scene)
    by = _order_term(scene, query, words) if query is not None else None
    if query is None or by is None:
        return None
    listed = (by,) if query.group and by not in query.group and not is_measure(by) else ()
    return replace(query, order=(Order(by, descending),), group=(*query.group, *listed))


def _order_term(scene: Scene, query: Query, words: str) -> Expression | None:
    computed = [term for term in query.select if is_measure(term)]
    if computed and re.search(r"\b(number|count|total|sum|average|it|that|amount)\b", words):
        return computed[0]
    found = scene.column(words)
    if found is None:
        return None
    column, _ = found
    if computed and query.group and column not in query.group:
        return next((term for term in computed if attribute(term) == column), None)
    hidden = query.distinct and column not in query.select
    return None if hidden or (computed and not query.group) else column


def superlative(scene: Scene, adjective: str, *, least: bool) -> Query | None:
    """The one row with the most or the least of what an adjective such as `expensive` measures."""
    measures = word_lists().measures.get(adjective, {})
    for relation, table in scene.tables():
        for column in table.columns:
            ups = [measures[s] for word in split_name(column.name) if (s := stem(word)) in measures]
            if not ups or column.primary_key or column.kind not in NUMBERS | DATES:
                continue
            listing = not all(map(is_measure, scene.query.select))
            rows = _all_of_one(scene) or fixed(scene) if listing else showing(scene, "")
            if rows is None or rows.group:
                return None
            by = Order(Column(relation, column.name), ups[0] != least)
            return replace(rows, order=(by,), limit=1)
    return None


def _all_of_one(scene: Scene) -> Query | None:
    """The rows out of which the query before took the first one; None when it took more, or all."""
    return replace(scene.query, limit=None, order=()) if scene.query.limit == 1 else None


def alphabetical(scene: Scene, *, descending: bool) -> Query | None:
    """The same rows in the order of their first column."""
    query = fixed(scene)
    plain = [term for term in query.select if isinstance(term, Column)] if query else []
    return replace(query, order=(Order(plain[0], descending),)) if query and plain else None


def counted(query: Query) -> Query:
    """How many rows there are, in place of the rows."""
    cut = query.limit is not None or query.each
    several = query.distinct and len(query.select) > 1
    if cut or several or query.group or query.having:
        names = tuple(f"c{place}" for place in range(1, len(query.select) + 1))
        rows = replace(query, names=names, order=query.order if cut else ())
        return Query(Rows((Relation("", "", "", query=rows),)), (Count(),))
    first = query.select[0]
    if not any(map(is_measure, query.select)):
        first = Count(first, distinct=True) if query.distinct else Count()
    shown = first if isinstance(first, Count) else Count()
    return replace(_showing(query, shown), order=(), distinct=False)


def _showing(query: Query, *terms: Expression) -> Query:
    return replace(query, select=terms, names=())


def showing(scene: Scene, words: str) -> Query | None:
    """The rows behind the answer, with the columns that `words` name; their names when it names none."""
    query, main = scene.query, scene.main_table()
    asked = [part.strip() for part in re.split(r",|\band\b", words) if part.strip()]
    chosen: list[Expression] = [found[0] for part in asked if (found := scene.column(part))]
    if len(chosen) < len(asked) or query.having:
        return None
    if not chosen and main is not None:
        chosen = [Column(main[0], column.name) for column in name_columns(main[1])]
    if not chosen:
        return None
    computed = any(map(is_measure, query.select))
    if query.group and not computed:
        query = replace(query, group=tuple(dict.fromkeys((*query.group, *chosen))))
    elif query.group:
        if any(one not in query.group for one in chosen):
            query = replace(query, group=(), order=(), limit=None)
        chosen = [*scene.query.group, *chosen]
    if computed and any(is_measure(order.by) for order in query.order):
        query = replace(query, order=())
    kept = query.select if words and not computed else ()
    return _showing(query, *dict.fromkeys((*kept, *chosen)))


def name_columns(table: Table) -> list[KnownColumn]:
    """The columns by which people know a row: its name or title, else its texts, else its key."""
    words = {column.name: split_name(column.name) for column in table.columns}
    exact = [c for c in table.columns if words[c.name] in (("name",), ("title",))]
    ending = [c for c in table.columns if words[c.name][-1:] in (("name",), ("title",))]
    texts = [c for c in table.columns if c.kind is Kind.TEXT and not c.primary_key]
    keys = [c for c in table.columns if c.primary_key]
    found = exact or ending or [*keys, *texts[:2]]
    return found[:3]


def aggregated(scene: Scene, word: str, words: str) -> Query | None:
    """The average, total, … in place of what was computed or listed, of the column that `words` name."""
    query, function = scene.query, _COMPUTED[word]
    found = scene.column(words) if words else None
    of = found[0] if found else None if words else _measured(scene)
    if of is None or query.limit is not None or query.having:
        return None
    if function in ("avg", "sum") and not _adds_up(of, scene, {*NUMBERS, Kind.TEXT}):
        return None
    return replace(_showing(query, *query.group, Aggregate(function, of)), distinct=False, order=())


def _measured(scene: Scene) -> Expression | None:
    """The numbers that the query before was about."""
    terms = (*scene.query.select, *(order.by for order in scene.query.order))
    inner = (part.of for term in terms for part in walk(term) if isinstance(part, Aggregate))
    named = (column for term in terms for column in columns(term))
    return next((one for one in (*inner, *named) if _adds_up(one, scene, NUMBERS)), None)


def _adds_up(term: Expression, scene: Scene, kinds: frozenset[Kind] | set[Kind]) -> bool:
    known = [known_column(column, scene.schemas) for column in columns(term)]
    return all(one and one.kind in kinds and not one.primary_key for one in known)


def grouped_by(scene: Scene, words: str) -> Query | None:
    """What was computed, for each value of a column."""
    found, query = scene.column(words), scene.query
    if found is None or query.limit is not None:
        return None
    measures = [term for term in query.select if is_measure(term)] or [Count()]
    changed = _showing(query, found[0], *measures)
    return replace(changed, group=(found[0],), order=(), distinct=False)
