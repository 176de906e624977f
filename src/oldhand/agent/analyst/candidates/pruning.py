"""Leaves out tables that a join brings in without need, and tells which of them multiply rows."""

from collections.abc import Set as AbstractSet

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.query.form import Aggregate, ColumnRef, Comparison, Count, Join, Query, Relation, Rows
from oldhand.query.walk import relations, walk

_ADDING = ("sum", "avg")


def pruned(asked: Asked, rows: Rows, used: AbstractSet[int]) -> Rows:
    """The rows without tables that each row has exactly one of, and that are not used.

    A row of `orders` has one customer: joining `customers` without showing anything of them changes
    nothing. The other way round it would: a customer may have no orders, or many.

    Args:
        asked: the question.
        rows: the tables joined.
        used: the tables whose columns are read, or whose rows are counted.
    """
    needed = {asked.relation(table) for table in used}
    joins = list(rows.joins)
    relations = list(rows.relations)
    while len(relations) > 1:
        leaf = next((r for r in relations if r not in needed and _is_leaf(asked, r, joins)), None)
        if leaf is None:
            break
        relations.remove(leaf)
        joins = [join for join in joins if leaf not in (join.left, join.right)]
    return rows if len(relations) == len(rows.relations) else _ordered(relations[0], joins)


def multiplies(asked: Asked, rows: Rows, table: int) -> bool:
    """True when a row of `table` may come several times: `customers` joined with their orders."""
    return bool(multiplying(asked, rows, table))


def multiplying(asked: Asked, rows: Rows, table: int) -> set[Relation]:
    """The relations of which a row of `table` may meet several rows: for `customers` their orders, and what these lead to."""
    start = asked.relation(table)
    reached, seen, many = [start], {start}, set[Relation]()
    while reached:
        here = reached.pop()
        for join in rows.joins:
            other = join.other(here) if here in (join.left, join.right) else here
            if other in seen:
                continue
            refers = join.right == here and {left for left, _ in join.keys} != _key(asked, other)
            if refers or here in many:
                many.add(other)
            seen.add(other)
            reached.append(other)
    return many


def counted_once(asked: Asked, rows: Rows, table: int) -> Count:
    """What counts the rows of a table in groups: `projects with more than 2 people` by whoever their entries name, not by entries.

    It is the column that refers to them, where several rows of one group may do so.
    """
    leading = [join for join in rows.joins if join.right == asked.relation(table)]
    if len(leading) != 1 or len(leading[0].keys) != 1:
        return Count()
    between = leading[0].left
    keys = {left for join in rows.joins if join.left == between for left, _ in join.keys}
    own = _key(asked, between)
    if own and own <= keys:  # no two rows between them refer to the same two
        return Count()
    return Count(ColumnRef(between, leading[0].keys[0][0]), distinct=True)


def only_multiplying(asked: Asked, query: Query, *, or_narrowing: bool = False) -> set[Relation]:
    """The relations that do nothing but multiply rows whose values are added up: friends of students, in their average age.

    Args:
        asked: the question.
        query: how it is read.
        or_narrowing: also those that rows are restricted by: students who have friends in Rome.
    """
    terms = [*query.select, *(order.by for order in query.order)]
    terms += [c.left for c in query.having if isinstance(c, Comparison)]
    parts = [part for term in terms for part in walk(term) if isinstance(part, Aggregate)]
    summed = [part.of for part in parts if part.function in _ADDING and not part.distinct]
    if not summed or not query.rows.joins:
        return set()
    where = () if or_narrowing else query.where
    told = {one for part in (*terms, *where, *query.group) for one in relations(part)}
    for term in summed:
        times = [multiplying(asked, query.rows, table) for table in asked.read((term,))]
        common = set[Relation].intersection(*times) if times else set[Relation]()
        if common and not common & told:
            return common
    return set()


def joined_by(asked: Asked, rows: Rows, table: int) -> list[int]:
    """The columns over which a table without a key is joined: they tell its rows apart."""
    relation = asked.relation(table)
    names = {
        pair[relation == join.right].casefold()
        for join in rows.joins
        if relation in (join.left, join.right)
        for pair in join.keys
    }
    columns = asked.vocabulary.tables[table].columns
    return [c for c in columns if asked.column(c).column.name.casefold() in names]


def _key(asked: Asked, relation: Relation) -> set[str]:
    """The names of the columns of a primary key."""
    table = asked.vocabulary.table(relation).id
    return {asked.column(column).column.name for column in asked.key(table)}


def _is_leaf(asked: Asked, relation: Relation, joins: list[Join]) -> bool:
    """True when one join leads to a table, from a column that must hold its key."""
    at = [join for join in joins if relation in (join.left, join.right)]
    if len(at) != 1 or at[0].right != relation or relation.role:
        return False
    return {right for _, right in at[0].keys} == _key(asked, relation)


def _ordered(start: Relation, joins: list[Join]) -> Rows:
    """Relations and joins in an order in which each join brings in a new relation."""
    relations, chosen = [start], list[Join]()
    while len(chosen) < len(joins):
        join = next(j for j in joins if (j.left in relations) != (j.right in relations))
        relations.append(join.right if join.left in relations else join.left)
        chosen.append(join)
    return Rows(tuple(relations), tuple(chosen))
