"""Splits a query over several databases into queries of one database each and one that joins their rows.

Whatever lies in one database alone is left to that database: whole queries inside, joins between its
tables, predicates. The last piece runs in the workspace, where the rows of piece n are the table `step_n`,
and does the rest. Nothing is aggregated or made distinct before the last piece, unless a query inside of
one database says so itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from oldhand.query.form import (
    ColumnRef,
    Compound,
    Expression,
    Has,
    Join,
    Node,
    OwnGroup,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import known_column
from oldhand.query.opaque import Opaque
from oldhand.query.splitting.fetching import (
    Fetch,
    fetches_of,
    named,
    needs,
    source,
    stands_alone,
    wanted,
)
from oldhand.query.splitting.keys import agreeing, compared_as
from oldhand.query.walk import all_queries, databases, is_measure, replaced
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import Column as KnownColumn
from oldhand.record.schema import DatabaseSchema


@dataclass(frozen=True)
class Link:
    """An equality between a column of a piece and one of an earlier piece.

    Rows whose key is not among the earlier piece's rows can't reach the answer.
    """

    own: Expression
    step: int
    column: str


@dataclass(frozen=True)
class Piece:
    """One query of a plan."""

    number: int
    database: str
    """`workspace` for the last piece of several."""
    query: Query | Opaque
    depends_on: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    columns: Mapping[str, KnownColumn | None] = field(default_factory=dict[str, KnownColumn | None])
    """The columns of the result, when they are known, with what the schemas say of those that are plain copies."""

    @property
    def table(self) -> str:
        """Its name in the workspace."""
        return f"step_{self.number}"


def split(query: Query, schemas: Sequence[DatabaseSchema]) -> tuple[Piece, ...]:
    """The pieces of `query`, in the order in which they run; a single one when one database suffices.

    >>> from oldhand.query.compiling.tree import to_tree
    >>> from oldhand.query.form import Comparison, Count
    >>> customers, orders = Relation("crm", "main", "customers"), Relation("shop", "main", "orders")
    >>> rows = Rows((customers, orders), (Join(orders, customers, (("customer", "id"),)),))
    >>> city = Comparison(ColumnRef(customers, "city"), "=", ("Berlin",))
    >>> query = Query(rows, (ColumnRef(customers, "name"), Count()), (city,), (ColumnRef(customers, "name"),))
    >>> for piece in split(query, ()):
    ...     print(piece.database, "|", to_tree(piece.query).sql())
    crm | SELECT t1.name, t1.id FROM crm.main.customers AS t1 WHERE t1.city = 'Berlin'
    shop | SELECT t1.customer FROM shop.main.orders AS t1
    workspace | SELECT t1.name, COUNT(*) FROM step_1 AS t1 JOIN step_2 AS t2 ON t2.customer = t1.id GROUP BY t1.name
    """
    read = databases(query)
    if len(read) <= 1:
        return (Piece(1, read[0] if read else WORKSPACE, query),)
    splitting = _Splitting(schemas)
    last = splitting.over_steps(query)
    fetched = _linked(splitting.pieces, last)
    last = agreeing(last, {piece.table: piece.columns for piece in fetched})
    numbers = tuple(piece.number for piece in fetched)
    return (*fetched, Piece(len(fetched) + 1, WORKSPACE, last, numbers))


def _linked(pieces: Sequence[Piece], last: Query) -> tuple[Piece, ...]:
    """The pieces with the equalities over which their rows are joined, where these need no change to be equal."""
    found = {piece.table: piece for piece in pieces}
    for query in all_queries(last):
        if any(join.outer for join in query.rows.joins):
            continue
        for join in query.rows.joins:
            for left, right in join.keys:
                ends = (join.left.table, left), (join.right.table, right)
                for (table, own), (other, far) in (ends, ends[::-1]):
                    if table in found and other in found:
                        found[table] = _after(found[table], own, found[other], far)
    return tuple(found.values())


def _after(piece: Piece, own: str, other: Piece, far: str) -> Piece:
    """A piece that need only fetch the keys which another one has brought, if that is an earlier one."""
    mine, theirs = piece.columns[own], other.columns[far]
    alike = mine and theirs and mine.kind is theirs.kind and not compared_as(mine, theirs)
    if not alike or other.number > piece.number or isinstance(piece.query, Opaque):
        return piece
    shown = piece.query.select[piece.query.names.index(own)]
    links = (*piece.links, Link(shown, other.number, far))
    return replace(piece, depends_on=tuple({link.step: 0 for link in links}), links=links)


class _Splitting:
    """Replaces, in one query, what lies in the databases by the rows of steps."""

    def __init__(self, schemas: Sequence[DatabaseSchema]) -> None:
        self._schemas = schemas
        self._known: dict[Query, Query] = {}
        self.pieces: list[Piece] = []

    def over_steps(self, query: Query) -> Query:
        """`query` over the rows of steps; what it leans on in queries around it stays."""
        if query not in self._known:
            self._known[query] = self._over_steps(query)
        return self._known[query]

    def _over_steps(self, query: Query) -> Query:
        if stands_alone(query):
            return self._fetched_whole(query)
        if query.compound is None:
            return self._joined(query)
        first = self.over_steps(replace(query, order=(), limit=None, offset=0, compound=None))
        second = self.over_steps(query.compound.second)
        return replace(
            first,
            order=tuple(replace(o, by=first.select[query.select.index(o.by)]) for o in query.order),
            limit=query.limit,
            offset=query.offset,
            compound=Compound(query.compound.kind, second),
        )

    def _fetched_whole(self, query: Query) -> Query:
        """A query that one database can answer is one piece."""
        names = query.names or named(query.select)
        whole = replace(query, names=names)
        step = self._add(databases(query)[0], whole)
        return Query(
            Rows((step,)), tuple(ColumnRef(step, name) for name in names), names=query.names
        )

    def _joined(self, query: Query) -> Query:
        """The relations of `query` become pieces: those of one database together where they join."""
        fetches, rest = fetches_of(query)
        inside = {relation: fetch for fetch in fetches for relation in fetch.relations}
        own, across = list[Join](), list[Join]()
        for join in query.rows.joins:
            left, right = inside.get(join.left), inside.get(join.right)
            (own if left is not None and left is right else across).append(join)
        read = [*needs(rest), *(one for join in across for one in wanted(join))]
        for fetch in fetches:
            fetch.read(one for one in read if source(one) in fetch.relations)
            fetch.step = self._add(fetch.database, fetch.query(own))
        return self._over(rest, inside, across)

    def _add(self, database: str, query: Query) -> Relation:
        known = {
            name: known_column(output, self._schemas) if isinstance(output, ColumnRef) else None
            for name, output in zip(query.names, query.select, strict=True)
        }
        piece = Piece(len(self.pieces) + 1, database, query, columns=known)
        self.pieces.append(piece)
        return Relation("", "", piece.table)

    def _over(
        self, query: Query, inside: Mapping[Relation, Fetch], across: Sequence[Join]
    ) -> Query:
        """`query` over the rows of its fetches instead of its relations."""
        steps = {relation: fetch.step for relation, fetch in inside.items()}
        for relation in query.rows.relations:
            if relation.query is not None and relation not in steps:
                steps[relation] = replace(relation, query=self.over_steps(relation.query))

        def moved(part: Node) -> Node | None:
            if not isinstance(part, ColumnRef | OwnGroup):
                return None
            fetch = inside.get(source(part))
            if fetch is not None:
                return ColumnRef(fetch.step, fetch.outputs[part])
            return (
                replace(part, of=steps.get(part.of, part.of))
                if isinstance(part, ColumnRef)
                else None
            )

        def change(part: Node) -> Node | None:
            if part is bare:
                return None
            if isinstance(part, Has):
                rows = change(once(part.rows))
                return replace(part, left=replaced(part.left, change), rows=rows)
            if isinstance(part, Query):
                return replaced(self.over_steps(part), moved)
            return moved(part)

        def key(relation: Relation, name: str) -> str:
            fetch = inside.get(relation)
            return name if fetch is None else fetch.outputs[ColumnRef(relation, name)]

        bare = replace(query, rows=Rows(()))
        joins = tuple(
            replace(
                join,
                left=steps[join.left],
                right=steps[join.right],
                keys=tuple((key(join.left, a), key(join.right, b)) for a, b in join.keys),
            )
            for join in across
        )
        placed = tuple(dict.fromkeys(steps[relation] for relation in query.rows.relations))
        return replace(replaced(bare, change), rows=Rows(placed, joins))


def once(rows: Query) -> Query:
    """What shows the same values, but none of them twice where that is for nothing."""
    if rows.limit is not None or rows.group or rows.compound or any(map(is_measure, rows.select)):
        return rows
    return replace(rows, order=(), distinct=True)
