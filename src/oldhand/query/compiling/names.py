"""Queries and their parts as people read them in SQL: with the names of tables in place of aliases."""

from sqlglot import exp

from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import Join, Predicate, Query, Rows, Value
from oldhand.query.walk import relations


def named_tree(query: Query) -> exp.Query:
    """A query whose columns are named by their tables; not to be run, since roles of one table look the same then.

    >>> from oldhand.query.form import ColumnRef, Relation, Rows
    >>> orders = Relation("shop", "main", "orders")
    >>> named_tree(Query(Rows((orders,)), (ColumnRef(orders, "status"),))).selects[0].sql()
    'orders.status'
    """
    tree = to_tree(query)
    names = {table.alias: table.name for table in tree.find_all(exp.Table)}
    for column in tree.find_all(exp.Column):
        column.set("table", exp.to_identifier(names.get(column.table, column.table)))
    return tree


def bare_condition(predicate: Predicate) -> str:
    """A predicate on the rows of one table, whose columns name no table.

    >>> from oldhand.query.form import ColumnRef, Comparison, Relation
    >>> bare_condition(Comparison(ColumnRef(Relation("shop", "main", "orders"), "status"), "!=", ("paid",)))
    "status <> 'paid'"
    """
    first, *others = relations(predicate)
    joins = tuple(Join(first, other, ()) for other in others)
    tree = to_tree(Query(Rows((first, *others), joins), (Value(1),), (predicate,)))
    for column in tree.find_all(exp.Column):
        column.set("table", None)
    return tree.args["where"].this.sql()
