"""Changes to a query that was answered before: another value, fewer rows, another order, another output."""

import re

from sqlglot import exp

from oldhand.agent.analyst.conversation.scene import Scene, column_node
from oldhand.lexicon.entries import meanings
from oldhand.lexicon.tokens import split_name, stem
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.schema import DATES, NUMBERS, Column, Kind, Table


def first_rows(scene: Scene, number: int, *, last: bool = False) -> exp.Select | None:
    """The first rows, or the last ones where the rows have an order."""
    query = scene.query.copy()
    order = query.args.get("order")
    if last:
        if not isinstance(order, exp.Order):
            return None
        for ordered in order.expressions:
            ordered.set("desc", not ordered.args.get("desc"))
    return query.limit(number, copy=False)


def fixed(scene: Scene) -> exp.Select | None:
    """The query before without its limit, restricted to the very rows that the limit left.

    They are told by their key; None when the table spoken of has no key of one column.
    """
    query, main = scene.query, scene.main_table()
    if not query.args.get("limit"):
        return query.copy()
    if main is None or query.args.get("group") or query.args.get("distinct"):
        return None
    alias, table = main
    if len(table.primary_key) != 1 or len(list(scene.tables())) != 1:
        return None
    key = column_node(table.primary_key[0], alias)
    few = query.copy()
    few.set("expressions", [key.copy()])
    rows = query.copy()
    rows.set("limit", None)
    rows.set("offset", None)
    rows.set("where", None)
    return rows.where(exp.In(this=key, query=exp.Subquery(this=few)), copy=False)


def ordered_by(scene: Scene, words: str, *, descending: bool) -> exp.Select | None:
    """The same rows in the order of a column, of what is computed, or of the alphabet."""
    query = fixed(scene)
    if query is None:
        return None
    term = _order_term(scene, query, words)
    if term is None:
        return None
    query.set("order", None)
    ordered = exp.Ordered(this=term, desc=descending, nulls_first=False)
    return query.order_by(ordered, copy=False)


def _order_term(scene: Scene, query: exp.Select, words: str) -> exp.Expr | None:
    computed = [o.unalias() for o in query.selects if o.find(exp.AggFunc)]
    if computed and re.search(r"\b(number|count|total|sum|average|it|that|amount)\b", words):
        return computed[0].copy()
    if found := scene.column(words):
        if query.args.get("group") and found[0] not in query.args["group"].expressions:
            same = [o for o in computed if o.find(exp.Column) == found[0]]
            return same[0].copy() if same else None
        if query.args.get("distinct") and found[0] not in [o.unalias() for o in query.selects]:
            return None
        return None if computed and not query.args.get("group") else found[0]
    return None


def superlative(scene: Scene, adjective: str, *, least: bool) -> exp.Select | None:
    """The one row with the most or the least of what an adjective such as `expensive` measures."""
    measures = word_lists().measures.get(adjective, {})
    for alias, table in scene.tables():
        for column in table.columns:
            ups = [measures[s] for word in split_name(column.name) if (s := stem(word)) in measures]
            if not ups or column.primary_key or column.kind not in NUMBERS | DATES:
                continue
            listing = any(not output.find(exp.AggFunc) for output in scene.query.selects)
            rows = _all_of_one(scene) or fixed(scene) if listing else showing(scene, "")
            if rows is None or rows.args.get("group"):
                return None
            by = exp.Ordered(
                this=column_node(column.name, alias), desc=ups[0] != least, nulls_first=False
            )
            return rows.order_by(by, append=False, copy=False).limit(1, copy=False)
    return None


def _all_of_one(scene: Scene) -> exp.Select | None:
    """The rows out of which the query before took the first one; None when it took more, or all."""
    limit = scene.query.args.get("limit")
    if not isinstance(limit, exp.Limit) or limit.expression.name != "1":
        return None
    rows = scene.query.copy()
    rows.set("limit", None)
    rows.set("order", None)
    return rows


def alphabetical(scene: Scene, *, descending: bool) -> exp.Select | None:
    """The same rows in the order of their first text."""
    query = fixed(scene)
    if query is None:
        return None
    plain = [o.unalias() for o in query.selects if isinstance(o.unalias(), exp.Column)]
    if not plain:
        return None
    query.set("order", None)
    return query.order_by(exp.Ordered(this=plain[0].copy(), desc=descending), copy=False)


def counted(scene: Scene) -> exp.Select | None:
    """How many rows there are, in place of the rows."""
    query = scene.query
    if query.args.get("limit") or query.args.get("group") or query.args.get("having"):
        rows = query.copy()
        rows.set("order", None if not query.args.get("limit") else query.args.get("order"))
        inner = _with_names(rows).subquery("found")
        return exp.select(exp.Count(this=exp.Star())).from_(inner)
    changed = query.copy()
    outputs = [o.unalias() for o in changed.selects]
    if any(o.find(exp.AggFunc) for o in outputs):
        what: exp.Expr = exp.Count(this=exp.Star())
        if isinstance(outputs[0], exp.Count):
            what = outputs[0].copy()
    elif changed.args.get("distinct"):
        what = exp.Count(this=exp.Distinct(expressions=[o.copy() for o in outputs[:1]]))
    else:
        what = exp.Count(this=exp.Star())
    changed.set("expressions", [what])
    changed.set("distinct", None)
    changed.set("order", None)
    return changed


def _with_names(query: exp.Select) -> exp.Select:
    """`query` with a different name for each output, so that it can be a table."""
    for position, output in enumerate(list(query.selects), 1):
        output.replace(exp.alias_(output.unalias().copy(), f"c{position}"))
    return query


def showing(scene: Scene, words: str) -> exp.Select | None:
    """The rows behind the answer, with the columns that `words` name; their names when it names none."""
    asked = [part.strip() for part in re.split(r",|\band\b", words) if part.strip()]
    chosen = [found[0] for part in asked if (found := scene.column(part))]
    if len(chosen) < len(asked):
        return None
    main = scene.main_table()
    if not chosen and main is not None:
        chosen = [column_node(column.name, main[0]) for column in name_columns(main[1])]
    if not chosen or scene.query.args.get("having"):
        return None
    changed = scene.query.copy()
    grouped = changed.args.get("group")
    keys = list(grouped.expressions) if isinstance(grouped, exp.Group) else []
    if keys and not all(key in keys for key in chosen):
        changed.set("group", None)
        changed.set("order", None)
        changed.set("limit", None)
    if keys and main is not None:
        chosen = [*(key.copy() for key in keys if key not in chosen), *chosen]
    aggregated = any(o.find(exp.AggFunc) for o in changed.selects)
    kept = [o.copy() for o in changed.selects] if words and not aggregated else []
    outputs = [*kept, *(c for c in chosen if c not in [o.unalias() for o in kept])]
    changed.set("expressions", outputs)
    if aggregated and (order := changed.args.get("order")) and order.find(exp.AggFunc):
        changed.set("order", None)
    return changed


def name_columns(table: Table) -> list[Column]:
    """The columns by which people know a row: its name or title, else its texts, else its key."""
    words = {column.name: split_name(column.name) for column in table.columns}
    exact = [c for c in table.columns if words[c.name] in (("name",), ("title",))]
    ending = [c for c in table.columns if words[c.name][-1:] in (("name",), ("title",))]
    texts = [c for c in table.columns if c.kind is Kind.TEXT and not c.primary_key]
    keys = [c for c in table.columns if c.primary_key]
    found = exact or ending or [*keys, *texts[:2]]
    return found[:3]


_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "avg": exp.Avg, "sum": exp.Sum, "max": exp.Max, "min": exp.Min,
}  # fmt: skip
_COMPUTED = meanings("grouping.aggregates")
AGGREGATE_WORDS = "|".join(_COMPUTED)


def aggregated(scene: Scene, word: str, words: str) -> exp.Select | None:
    """The average, total, … in place of what was computed or listed, of the column that `words` name."""
    function = _AGGREGATES[_COMPUTED[word]]
    column = scene.column(words) if words else _measured(scene)
    if column is None or (
        function in (exp.Avg, exp.Sum) and column[1].kind not in {*NUMBERS, Kind.TEXT}
    ):
        return None
    changed = scene.query.copy()
    if changed.args.get("limit") or changed.args.get("having"):
        return None
    grouped = changed.args.get("group")
    keys = list(grouped.expressions) if isinstance(grouped, exp.Group) else []
    changed.set("expressions", [*(key.copy() for key in keys), function(this=column[0].copy())])
    changed.set("distinct", None)
    changed.set("order", None)
    return changed


def _measured(scene: Scene) -> tuple[exp.Column, Column] | None:
    """The one number that the query before was about."""
    known = dict(scene.tables())
    found: list[tuple[exp.Column, Column]] = []
    order = scene.query.args.get("order")
    for part in (*scene.query.selects, *([order] if isinstance(order, exp.Order) else [])):
        for node in part.find_all(exp.Column):
            table = known.get(node.table)
            column = table.column(node.name) if table is not None else None
            if column is not None and column.kind in NUMBERS and not column.primary_key:
                found.append((node, column))
    return found[0] if found else None


def grouped_by(scene: Scene, words: str) -> exp.Select | None:
    """What was computed, for each value of a column."""
    found = scene.column(words)
    computed = [o for o in scene.query.selects if o.find(exp.AggFunc)]
    if found is None or scene.query.args.get("limit"):
        return None
    changed = scene.query.copy()
    measures = [o.copy() for o in computed] or [exp.Count(this=exp.Star())]
    changed.set("expressions", [found[0].copy(), *measures])
    changed.set("group", exp.Group(expressions=[found[0].copy()]))
    changed.set("order", None)
    changed.set("distinct", None)
    return changed
