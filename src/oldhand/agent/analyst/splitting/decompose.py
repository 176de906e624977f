"""Cuts a query over several databases into queries of one database each and one that joins their rows.

Whatever lies in one database alone is left to that database: whole nested queries, joins between its
tables, filters. The last piece runs in the workspace, where the rows of piece n are the table `step_n`,
and does the rest. Nothing is aggregated or made distinct before the last piece, unless a nested query of
one database says so itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import (
    column_of,
    databases_of,
    described,
    home,
    is_within,
    joins,
    qualified,
)
from oldhand.agent.analyst.splitting.joining import (
    Group,
    conditions,
    fetch_query,
    groups_of,
    name_outputs,
    rejoin,
)
from oldhand.agent.analyst.splitting.keys import agree_on_keys, form
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import Column, DatabaseSchema


@dataclass(frozen=True)
class Link:
    """An equality between a column of a piece and one of an earlier piece.

    Rows whose key is not among the earlier piece's rows can't reach the answer.
    """

    own: exp.Column
    step: int
    column: str


@dataclass(frozen=True)
class Piece:
    """One query of a plan, neutral as the candidate it comes from."""

    number: int
    database: str
    """`workspace` for the last piece of several."""
    query: exp.Expr
    depends_on: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    """What the schemas say about the columns that are plain copies, by their name in the result."""

    @property
    def table(self) -> str:
        """Its name in the workspace."""
        return f"step_{self.number}"


def decompose(query: exp.Expr, schemas: Sequence[DatabaseSchema]) -> tuple[Piece, ...]:
    """The pieces of `query`, in the order in which they run; a single one when one database suffices.

    >>> from sqlglot import parse_one
    >>> query = parse_one(
    ...     "SELECT c.name, SUM(o.total) FROM crm.public.customers AS c JOIN shop.main.orders AS o"
    ...     " ON o.customer_id = c.id WHERE c.city = 'Berlin' GROUP BY c.name"
    ... )
    >>> for piece in decompose(query, ()):
    ...     print(piece.database, "|", piece.query.sql())
    crm | SELECT c.name, c.id FROM crm.public.customers AS c WHERE c.city = 'Berlin'
    shop | SELECT o.total, o.customer_id FROM shop.main.orders AS o
    workspace | SELECT c.name, SUM(o.total) FROM step_1 AS c JOIN step_2 AS o ON o.customer_id = c.id GROUP BY c.name
    """
    databases = databases_of(query)
    if len(databases) <= 1:
        return (Piece(1, databases[0] if databases else WORKSPACE, query.copy()),)
    tree = qualified(_without_ctes(query.copy()), schemas)
    cutting = _Cutting(tuple(schemas))
    cutting.cut(tree)
    fetched = cutting.pieces
    agree_on_keys(tree, {piece.table: piece.columns for piece in fetched})
    numbers = tuple(piece.number for piece in fetched)
    return (*fetched, Piece(len(fetched) + 1, WORKSPACE, tree, numbers))


def _without_ctes(tree: exp.Expr) -> exp.Expr:
    """`tree` with each common table expression written out where it is used."""
    for block in list(tree.find_all(exp.With)):
        owner = block.parent
        if owner is None or block.args.get("recursive"):
            continue
        for cte in block.expressions:
            for table in list(owner.find_all(exp.Table)):
                if table.name == cte.alias and not table.db and not is_within(table, cte):
                    table.replace(cte.this.copy().subquery(table.alias_or_name))
        block.pop()
    return tree


class _Cutting:
    """Replaces, in one tree, what lies in the databases by the rows of steps."""

    def __init__(self, schemas: tuple[DatabaseSchema, ...]) -> None:
        self.schemas = schemas
        self.pieces: list[Piece] = []

    def cut(self, query: exp.Expr) -> None:
        """Cut `query` and all that is nested in it."""
        if isinstance(query, exp.Subquery):
            self.cut(query.this)
        elif isinstance(query, exp.Query) and _stands_alone(query):
            self._fetch_whole(query)
        elif isinstance(query, exp.SetOperation):
            self.cut(query.this)
            self.cut(query.expression)
        elif isinstance(query, exp.Select):
            self._cut_select(query)
            for nested in list(_nested(query)):
                self.cut(nested)

    def _fetch_whole(self, query: exp.Query) -> None:
        """A nested query that one database can answer is one piece."""
        _name_outputs(query)
        outputs = query.selects
        known = {
            output.alias_or_name: found
            for output in outputs
            if isinstance(plain := output.unalias(), exp.Column)
            and (found := column_of(plain, self.schemas)) is not None
        }
        piece = Piece(len(self.pieces) + 1, databases_of(query)[0], _thinned(query), columns=known)
        self.pieces.append(piece)
        rows = (exp.column(output.alias_or_name, piece.table) for output in outputs)
        query.replace(exp.select(*rows).from_(piece.table))

    def _cut_select(self, select: exp.Select) -> None:
        """The tables of `select` become pieces: those of one database together where they join."""
        groups = groups_of(select)
        inner = not any(join.side for join in joins(select))
        for group in groups:
            name_outputs(select, group)
            group.step = f"step_{len(self.pieces) + 1}"
            known = self._known(group)
            links = tuple(self._links(select, group, groups, known)) if inner else ()
            before = tuple(dict.fromkeys(link.step for link in links))
            database, query = group.database, fetch_query(group)
            self.pieces.append(Piece(len(self.pieces) + 1, database, query, before, links, known))
        if groups:
            rejoin(select, groups)

    def _known(self, group: Group) -> dict[str, Column]:
        known: dict[str, Column] = {}
        for (alias, column), name in group.outputs.items():
            table = described(group.table(alias), self.schemas)
            if table is not None and (found := table.column(column)) is not None:
                known[name] = found
        return known

    def _links(
        self, select: exp.Select, group: Group, groups: list[Group], known: dict[str, Column]
    ) -> Iterator[Link]:
        """The equalities with rows of earlier pieces, of columns that need no change to be equal."""
        for part in conditions(select):
            if not isinstance(part, exp.EQ):
                continue
            for own, other in ((part.this, part.expression), (part.expression, part.this)):
                if not (_is_of(own, select, group) and isinstance(other, exp.Column)):
                    continue
                for piece in self.pieces:
                    earlier = next((g for g in groups if g.step == piece.table), None)
                    if earlier is None or not _is_of(other, select, earlier):
                        continue
                    there = earlier.outputs[other.table, other.name]
                    mine = known.get(group.outputs[own.table, own.name])
                    theirs = piece.columns.get(there)
                    if mine and theirs and mine.kind is theirs.kind and not form(mine, theirs):
                        yield Link(own.copy(), piece.number, there)


def _is_of(node: exp.Expr, select: exp.Select, group: Group) -> bool:
    return isinstance(node, exp.Column) and node.table in group.aliases and home(node) is select


def _stands_alone(query: exp.Query) -> bool:
    """True when one database can answer `query` by itself."""
    databases = databases_of(query)
    if len(databases) != 1 or not all(table.catalog for table in query.find_all(exp.Table)):
        return False
    return all(
        not column.table or ((place := home(column)) is not None and is_within(place, query))
        for column in query.find_all(exp.Column)
    )


def _nested(select: exp.Select) -> Iterator[exp.Query]:
    """The queries directly inside `select`."""
    for query in select.find_all(exp.Select, exp.SetOperation):
        if query.find_ancestor(exp.Select, exp.SetOperation) is select:
            yield query


def _name_outputs(query: exp.Query) -> None:
    """Give each output column a name of its own."""
    first = query
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    taken: set[str] = set()
    for position, output in enumerate(first.selects, 1):
        name = output.alias_or_name
        if not name or name.casefold() in taken or isinstance(output, exp.Literal):
            output.replace(exp.alias_(output.copy(), name := f"c{position}"))
        taken.add(name.casefold())


def _thinned(query: exp.Query) -> exp.Query:
    """A copy of a nested query that yields no more rows than its place needs."""
    copy = query.copy()
    place = query.parent.parent if isinstance(query.parent, exp.Subquery) else query.parent
    if not isinstance(copy, exp.Select) or copy.args.get("limit"):
        return copy
    if isinstance(place, exp.Exists):
        return copy.limit(1)
    return copy.distinct() if isinstance(place, exp.In) and not copy.args.get("group") else copy
