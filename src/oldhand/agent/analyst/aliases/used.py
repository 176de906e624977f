"""What the SQL of a confirmed pair uses: tables, columns and values, and in which part of the query."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import (
    ColumnRef,
    Comparison,
    Compound,
    Count,
    Has,
    Negation,
    Node,
    Query,
    Relation,
)
from oldhand.query.opaque import Opaque
from oldhand.query.parts import own_parts, queries_in
from oldhand.query.walk import MEASURES, children, columns, function_of, walk

SHOWN, NARROWED, GROUPED, ORDERED, COUNTED, JOINED, DENIED, BETWEEN = "SFGOCJDB"


@dataclass(slots=True)
class Item:
    """A table, a column, or a value of a column that a query uses."""

    table: int
    column: int = -1
    """-1 for the table itself."""
    value: str | None = None
    roles: set[str] = field(default_factory=set[str])
    aggregates: set[str] = field(default_factory=set[str])
    """`avg`, `sum`, `max`, `min` where the column is computed with."""
    place: int = 0
    """Its place in the query, counted as it is read."""


def items_of(query: Query | Opaque, words: Vocabulary) -> list[Item]:
    """The items of a query in the order in which it names them; keys that only join are left out."""
    found: dict[tuple[int, int, str | None], Item] = {}
    for table, column, value, role, aggregate in (
        _uses(query, words) if isinstance(query, Query) else ()
    ):
        key = (table, column, value)
        item = found.setdefault(key, Item(table, column, value, place=len(found)))
        item.roles.add(role)
        if aggregate:
            item.aggregates.add(aggregate)
    return list(found.values())


def forms_of(item: Item, words: Vocabulary) -> Sequence[tuple[str, ...]]:
    """What the table or the column of an item is called, in stems."""
    return words.columns[item.column].forms if item.column >= 0 else words.tables[item.table].forms


_Use = tuple[int, int, str | None, str, str]
_ROLES: Mapping[str, str] = {
    "select": SHOWN, "where": NARROWED, "having": NARROWED, "group": GROUPED, "order": ORDERED,
}  # fmt: skip


def _uses(
    query: Query, words: Vocabulary, *, within: bool = False, looked_for: bool = False
) -> Iterator[_Use]:
    """What a query uses. `within` another one, what it shows narrows that; rows are `looked_for` by the keys that it shows."""
    absent = {column.of for one in query.where if _is_denied(one) for column in columns(one)}
    for part in own_parts(query):
        role = NARROWED if within and part.kind == "select" else _ROLES.get(part.kind)
        ties = looked_for and part.kind == "select"
        if role is not None and not ties and not isinstance(part.node, int):
            yield from _said(part.node, role, words)
    counted = any(one == Count() for one in (*query.select, *(o.by for o in query.order)))
    outer = {join.left for join in query.rows.joins if join.outer}
    outer |= {join.right for join in query.rows.joins if join.outer}
    tied = Counter(side for join in query.rows.joins for side in (join.left, join.right))
    read = {part.of for part in walk(query, inner=True) if isinstance(part, ColumnRef)}
    for place, relation in enumerate(query.rows.relations):
        if (table := _table(relation, words)) is not None:
            missed = place > 0 and relation in absent & outer
            role = DENIED if missed else COUNTED if counted else JOINED
            # A table that only leads from one to another goes unsaid.
            yield (
                table,
                -1,
                None,
                BETWEEN if tied[relation] > 1 and relation not in read else role,
                "",
            )
    for part in own_parts(query):
        for path, inner in queries_in(part):
            inside = within or part.kind != "compound"
            used = _uses(inner, words, within=inside, looked_for=path[-1] == "rows")
            denied = _is_denied(part.node)
            yield from ((*one[:3], DENIED, one[4]) if denied else one for one in used)


def _is_denied(node: Node | int) -> bool:
    """True for a condition that says which rows don't count, and for rows that are taken away."""
    if isinstance(node, Comparison | Has):
        return node.operator in ("!=", "null") or node.operator.startswith("not ")
    return isinstance(node, Negation) or (isinstance(node, Compound) and node.kind == "except")


def _said(node: Node, role: str, words: Vocabulary, function: str = "") -> Iterator[_Use]:
    """What a part uses without the queries inside of it, and without the keys by which rows are looked for."""
    if isinstance(node, Query | Has):
        return
    if isinstance(node, ColumnRef):
        of = node.of
        number = words.column_ids.get((of.database, of.schema, of.table, node.name))
        table = _table(of, words)
        if number is not None and table is not None:
            if function == "count":
                yield table, -1, None, COUNTED, ""
            yield table, number, None, role, function
        return
    function = function_of(node) if isinstance(node, MEASURES) else function
    role = DENIED if _is_denied(node) else role
    for child in children(node):
        yield from _said(child, role, words, function)
    if isinstance(node, Comparison) and node.operator in ("=", "!="):
        texts = [value for value in node.values if isinstance(value, str)]
        if isinstance(node.left, ColumnRef):
            for table, number, *_ in _said(node.left, role, words):
                yield from ((table, number, text, role, "") for text in texts)


def _table(relation: Relation, words: Vocabulary) -> int | None:
    for entry in words.tables:
        path = (entry.database, entry.table.schema_name, entry.table.name)
        if not entry.role and path == (relation.database, relation.schema, relation.table):
            return entry.id
    return None
