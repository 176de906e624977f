"""The parts of a query, each with its place.

A part is what people point at: a relation, a join, something shown, a condition, a group, an order, a limit. Its path leads
to it from the query, so that a part of a query inside of a condition is found and replaced by the same means.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from oldhand.query.form import Compound, Node, Query, Relation
from oldhand.query.walk import INSIDE, relations

Path = tuple[str | int, ...]
"""Names of fields and places in them, from the query inwards."""

CLAUSES: Mapping[str, Path] = {
    "relation": ("rows", "relations"), "join": ("rows", "joins"), "select": ("select",),
    "where": ("where",), "group": ("group",), "having": ("having",), "order": ("order",),
    "each": ("each",),
}  # fmt: skip
"""The kinds of parts of which a query may have several, and where they stand."""
SINGLE = ("limit", "offset", "distinct", "compound")
"""The kinds of parts that a query has at most once."""


def inside(node: Node) -> Iterator[tuple[Path, Node]]:
    """What `node` is directly made of, each with where it stands, in the order in which it is read."""
    for name in INSIDE[type(node)]:
        yield from _placed(cast("object", getattr(node, name)), (name,))


def _placed(held: object, place: Path) -> Iterator[tuple[Path, Node]]:
    if type(held) in INSIDE:
        yield place, cast("Node", held)
    elif isinstance(held, tuple):
        for number, one in enumerate(cast("tuple[object, ...]", held)):
            yield from _placed(one, (*place, number))


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a query."""

    kind: str
    """`relation`, `join`, `select`, `where`, `group`, `having`, `order`, `each`, `limit`, `offset`, `distinct` or `compound`."""
    path: Path
    node: Node | int
    """The part itself; the number of `limit` and `offset`, 1 for `distinct`."""

    @property
    def holder(self) -> Path:
        """The path of the query whose part it is: empty for the outermost one."""
        own = 1 if self.kind in SINGLE else len(CLAUSES[self.kind]) + 1
        return self.path[: len(self.path) - own]


def parts(query: Query) -> tuple[Part, ...]:
    """The parts of a query in the order in which they are read, those of a query inside of a part right after it.

    >>> from oldhand.query.form import ColumnRef, Comparison, Count, Rows
    >>> customers = Relation("shop", "main", "customers")
    >>> where = Comparison(ColumnRef(customers, "city"), "=", ("Rome",))
    >>> for part in parts(Query(Rows((customers,)), (Count(),), (where,), limit=3)): print(part.kind, *part.path)
    relation rows relations 0
    select select 0
    where where 0
    limit limit
    """
    return tuple(_parts(query, ()))


def _parts(query: Query, path: Path) -> Iterator[Part]:
    for part in own_parts(query, path):
        yield part
        for place, inner in queries_in(part):
            yield from _parts(inner, place)


def own_parts(query: Query, path: Path = ()) -> Iterator[Part]:
    """The parts of a query without those of queries inside of it."""
    for kind, clause in CLAUSES.items():
        for number, node in enumerate(cast("tuple[Node, ...]", at(query, clause))):
            yield Part(kind, (*path, *clause, number), node)
    for kind in SINGLE:
        node = cast("Node | int | None", getattr(query, kind))
        if node or (kind == "limit" and node is not None):
            yield Part(kind, (*path, kind), int(node) if isinstance(node, bool) else node)


def queries_in(part: Part) -> Iterator[tuple[Path, Query]]:
    """The outermost queries inside of a part, with their paths."""
    if not isinstance(part.node, int):
        yield from _queries(part.node, part.path)


def _queries(node: Node, path: Path) -> Iterator[tuple[Path, Query]]:
    for step, child in inside(node):
        if isinstance(child, Query):
            yield (*path, *step), child
        elif not isinstance(child, Relation):
            yield from _queries(child, (*path, *step))


def at(held: object, path: Path) -> object:
    """What stands at a path of a query, or of a part."""
    for step in path:
        held = (
            cast("tuple[object, ...]", held)[step]
            if isinstance(step, int)
            else cast("object", getattr(held, step))
        )
    return held


def is_whole(query: Query, around: Sequence[Relation] = ()) -> bool:
    """True when a query, and each one inside of it, reads all relations whose columns it names."""
    known = (*query.rows.relations, *around)
    for part in own_parts(query):
        if not isinstance(part.node, int | Compound) and not set(known).issuperset(
            relations(part.node)
        ):
            return False
        if not all(is_whole(inner, known) for _, inner in queries_in(part)):
            return False
    return True
