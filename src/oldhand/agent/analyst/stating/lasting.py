"""The time from one day to another in formulas: `days between start and end`, `paid_on - ordered_on`."""

import re
from collections.abc import Collection

from sqlglot import exp

from oldhand.agent.analyst.stating.named import NamedColumn
from oldhand.lexicon.entries import meanings
from oldhand.query.compiling.times import span
from oldhand.query.form import ColumnRef, Elapsed, Relation
from oldhand.record.schema import DATES, Kind, Table

_IN_DAYS = meanings("rules.lasting")
_SPAN = re.compile(
    rf"(?:\b(?:number|count) of )?\b(?P<unit>{'|'.join(_IN_DAYS)})(?: passed| elapsed)? (?:between|from) (?:the )?"
    r"(?P<since>\w.*?) (?:and|to|until|till) (?:the )?(?P<until>\w[\w. ]*)",
    re.IGNORECASE,
)
_SOME = Relation("", "", "rows")


def in_differences(text: str) -> str:
    """A text in which times between two days stand as differences.

    >>> in_differences("the number of days between start date and end date"), in_differences("hours from opened_at to closed_at")
    ('the (end date - start date)', '((closed_at - opened_at) * 24)')
    """

    def written(found: re.Match[str]) -> str:
        difference = f"({found['until'].strip()} - {found['since'].strip()})"
        factor = _IN_DAYS[found["unit"].lower()]
        return (
            difference if factor == "in-days" else f"({difference} {' '.join(factor.split('-'))})"
        )

    return _SPAN.sub(written, text)


def with_spans(tree: exp.Expr, table: Table, named: Collection[NamedColumn]) -> exp.Expr:
    """A formula or condition in which the difference of two days is the time between them.

    Args:
        tree: as it was written.
        table: whose columns stand without its name.
        named: the columns that it may read.
    """
    kinds = {
        (one.table.name if one.table is not table else "", one.column.name): one.column.kind
        for one in named
    }

    def change(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Sub):
            return node
        until, since = node.this.unnest(), node.expression.unnest()
        read = [one for one in (until, since) if isinstance(one, exp.Column)]
        found = [kinds.get((one.table, one.name)) for one in read]
        if len(found) != 2 or not all(kind in DATES for kind in found):
            return node
        exact = all(kind is Kind.DATETIME for kind in found)
        ends = ColumnRef(_SOME, "since"), ColumnRef(_SOME, "until")
        return span(until.copy(), since.copy(), Elapsed(*ends, exact=exact))

    return tree.transform(change)
