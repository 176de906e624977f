"""Columns of yes and no in conditions: `not closed`."""

from collections.abc import Callable

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from oldhand.agent.analyst.candidates.states import yes_and_no
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.query import form
from oldhand.record.formula import read_condition
from oldhand.record.schema import Kind, Table


def with_flags(table: Table) -> Callable[[str], exp.Expr]:
    """Reads conditions in which yes-or-no columns of a table may stand alone."""

    def read(text: str) -> exp.Expr:
        try:
            return read_condition(text)
        except ValueError:
            try:
                tree: exp.Expr = sqlglot.parse_one(f"SELECT {text}").expressions[0].copy()
            except (SqlglotError, IndexError) as error:
                raise ValueError(text) from error
            return read_condition(tree.transform(_as_flag, table).sql())

    return read


def _as_flag(node: exp.Expr, table: Table) -> exp.Expr:
    """A yes-or-no column that stands alone, compared with yes or no."""
    turned = isinstance(node, exp.Not)
    column = node.this.unnest() if isinstance(node, exp.Not) else node
    around = node.parent
    alone = around is None or isinstance(around, exp.And | exp.Or | exp.Paren | exp.Select)
    if not isinstance(column, exp.Column) or not (alone or turned):
        return node
    known = table.column(column.name)
    both = None if known is None else flag_of(table, column.name)
    if both is None:
        return node
    return exp.EQ(this=column.copy(), expression=exp.convert(both[turned]))


def flag_of(table: Table, name: str) -> tuple[str | int, str | int] | None:
    """How a column says yes and no; None where it says anything else."""
    column = table.column(name)
    if column is None:
        return None
    samples = {*column.samples}
    if column.kind is Kind.INTEGER and samples and samples <= {0, 1}:
        return 1, 0
    ref = form.ColumnRef(form.Relation("", table.schema_name, table.name), name)
    return yes_and_no(ColumnEntry(0, 0, column, ref, ((name,),), ((1.0,),), False))
