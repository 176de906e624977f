"""The relations of one query, grouped by what one database can join and check by itself."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from oldhand.query.form import (
    ColumnRef,
    Expression,
    Join,
    Node,
    OwnGroup,
    Predicate,
    Query,
    Relation,
    Rows,
    Value,
)
from oldhand.query.walk import children, databases, relations

Output = ColumnRef | OwnGroup
"""What is fetched: a column, or a measure of each row's own group, which needs all rows of the relation."""


@dataclass
class Fetch:
    """Relations of one query that one database fetches together."""

    database: str
    relations: list[Relation]
    predicates: list[Predicate] = field(default_factory=list[Predicate])
    """What speaks of these relations only; it is left to the database."""
    outputs: dict[Output, str] = field(default_factory=dict[Output, str])
    """What is wanted of them, with its name in the result."""
    step: Relation = field(default_factory=lambda: Relation("", "", ""))
    """The rows, once they are fetched."""

    def read(self, outputs: Iterable[Output]) -> None:
        """Decide what is wanted, and how it will be called."""
        different = tuple(dict.fromkeys(outputs))
        self.outputs = dict(zip(different, named(different), strict=True))

    def narrows(self) -> bool:
        """True when some predicate speaks of one relation only: its rows are likely to be few."""
        return any(len({source(one) for one in wanted(p)}) == 1 for p in self.predicates)

    def query(self, joins: Sequence[Join]) -> Query:
        """What fetches the rows, with no more columns than wanted."""
        own = tuple(join for join in joins if join.left in self.relations)
        rows = Rows(tuple(self.relations), own)
        select, names = tuple(self.outputs), tuple(self.outputs.values())
        return Query(rows, select or (Value(1),), tuple(self.predicates), names=names or ("one",))


def wanted(node: Node, bound: frozenset[Relation] = frozenset()) -> Iterator[Output]:
    """What `node` reads of relations that stand around it; of queries inside of it, what they read of those.

    Args:
        node: a part of a query; of a whole one, that by which it leans on queries around it.
        bound: relations of queries around `node` that are inside of what is looked at.
    """
    match node:
        case ColumnRef() | OwnGroup():
            if source(node) not in bound:
                yield node
        case Join(left=left, right=right, keys=keys):
            for one, other in keys:
                yield from (ColumnRef(left, one), ColumnRef(right, other))
        case Query(compound=compound):
            own = bound.union(node.rows.relations)
            for child in children(replace(node, compound=None)):
                yield from wanted(child, own)
            if compound is not None:
                yield from wanted(compound, bound)
        case _:
            for child in children(node):
                yield from wanted(child, bound)


def needs(query: Query) -> list[Output]:
    """What the outputs, predicates and order of `query` read of its relations, and of those around it."""
    parts = children(replace(query, rows=Rows(()), compound=None))
    return [one for part in parts for one in wanted(part)]


def named(outputs: Sequence[Expression]) -> tuple[str, ...]:
    """A name for each output, no two the same; a column keeps its own if it can."""
    names: list[str] = []
    for place, output in enumerate(outputs, 1):
        name = output.name if isinstance(output, ColumnRef) else f"c{place}"
        taken = {other.casefold() for other in names}
        if name.casefold() in taken and isinstance(output, ColumnRef):
            name = "_".join([*(output.of.role or output.of.table).split(), name])
        while name.casefold() in taken:
            name += "_"
        names.append(name)
    return tuple(names)


def source(output: Output) -> Relation:
    """The relation that something wanted is of."""
    return output.of if isinstance(output, ColumnRef) else output.same[0].of


def stands_alone(query: Query) -> bool:
    """True when one database can answer `query` by itself."""
    return len(databases(query)) == 1 and not any(wanted(query))


def home(relation: Relation) -> str:
    """The database that a relation lies in; empty for the rows of a query over several ones."""
    if relation.query is None:
        return relation.database
    return databases(relation.query)[0] if stands_alone(relation.query) else ""


def fetches_of(query: Query) -> tuple[list[Fetch], Query]:
    """The relations of `query` by database, together where they join, and `query` without what they check themselves.

    Relations of outer joins stay alone, since joining them earlier could change which rows find no partner.
    """
    outer = any(join.outer for join in query.rows.joins)
    found: list[Fetch] = []
    joins = (None, *query.rows.joins)
    for relation, join in zip(query.rows.relations, joins, strict=True):
        database = home(relation)
        if not database:
            continue
        other = join.other(relation) if join is not None and join.keys and not outer else None
        into = next((f for f in found if other in f.relations and f.database == database), None)
        if into is None:
            found.append(Fetch(database, [relation]))
        else:
            into.relations.append(relation)
    rest = _checked(query, found)
    return sorted(found, key=lambda fetch: not fetch.narrows()), rest


def _checked(query: Query, fetches: Sequence[Fetch]) -> Query:
    """`query` without the predicates that the databases of some fetches can check by themselves."""
    pairs = zip(query.rows.relations[1:], query.rows.joins, strict=True)
    missing = {relation for relation, join in pairs if join.outer}
    kept: list[Predicate] = []
    for predicate in query.where:
        fetch = next((f for f in fetches if _checks(f, predicate)), None)
        if fetch is None or missing.intersection(fetch.relations):
            kept.append(predicate)
        else:
            fetch.predicates.append(predicate)
    return replace(query, where=tuple(kept))


def _checks(fetch: Fetch, predicate: Predicate) -> bool:
    """True when the database of a fetch can check a predicate by itself."""
    of = {source(one) for one in wanted(predicate)}
    read = {one.database for one in relations(predicate, inner=True) if one.query is None}
    return bool(of) and of <= set(fetch.relations) and read == {fetch.database}
