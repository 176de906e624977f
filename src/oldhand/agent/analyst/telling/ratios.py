"""Sentences for percentages, and for how many of one thing there are for each of another."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import sources
from oldhand.agent.analyst.telling.describing import described_conditions
from oldhand.agent.analyst.telling.happening import part_of_date
from oldhand.agent.analyst.telling.operands import plain_column
from oldhand.lexicon.wording import human, plural, singular, value_text
from oldhand.record.base import Cell

_PERCENT = 100.0


def part_of(output: exp.Expr) -> exp.Expr | None:
    """What a row must meet to be counted in a percentage; None for anything else.

    >>> from sqlglot import parse_one
    >>> part_of(parse_one("AVG(CASE WHEN c.city = 'Rome' THEN 100.0 ELSE 0.0 END)")).sql()
    "c.city = 'Rome'"
    """
    case = output.this if isinstance(output, exp.Avg) else None
    met = case.find(exp.If) if isinstance(case, exp.Case) else None
    return met.this if met is not None and met.parent is case else None


def is_percentage(output: exp.Expr) -> bool:
    """True for what a sum, or a count, makes up of another one, in percent."""
    above = output.this if isinstance(output, exp.Div) else None
    while isinstance(above, exp.Cast | exp.Paren):
        above = above.this
    left = above.this if isinstance(above, exp.Mul) else None
    return isinstance(left, exp.Literal) and float(left.name if left.is_number else 0) == _PERCENT


def said_part(select: exp.Select, part: exp.Expr, main: str) -> str | None:
    """What distinguishes the part, in words that follow the noun; None when there are none."""
    only = select.copy()
    only.set("where", exp.Where(this=part.copy()))
    return described_conditions(only, main)


def share_sentence(noun: str, part: str | None, whole: str, cell: Cell) -> str:
    """A percentage.

    >>> share_sentence("customers", "in Rome", "customers", 12.5)
    'Customers in Rome make up 12.5 % of all customers.'
    >>> share_sentence("customers", None, "customers in Italy", None)
    'There are no customers in Italy, so that no share can be told.'
    """
    if cell is None:
        return f"There are no {whole}, so that no share can be told."
    if not part:
        return f"The share is {value_text(cell)} % of all {whole}."
    return f"{noun[:1].upper()}{noun[1:]} {part} make up {value_text(cell)} % of all {whole}."


def one_of(select: exp.Select, output: exp.Expr) -> str:
    """What each mean is for: `customer` in orders per customer; empty when `output` is no such mean.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT COUNT(o.customer_id) / NULLIF(COUNT(DISTINCT o.customer_id), 0) FROM orders AS o")
    >>> one_of(query, query.selects[0])
    'customer'
    """
    below = output.expression if isinstance(output, exp.Div) else None
    counted = below.this if isinstance(below, exp.Nullif) else None
    distinct = counted.this if isinstance(counted, exp.Count) else None
    if not isinstance(distinct, exp.Distinct) or len(distinct.expressions) != 1:
        return ""
    return group_noun(select, distinct.expressions[0])


def added_up(output: exp.Expr) -> exp.Sum | None:
    """What is added up and then divided; None when things are only counted.

    >>> from sqlglot import parse_one
    >>> added_up(parse_one("CAST(SUM(i.price) AS REAL) / COUNT(DISTINCT i.order_id)")).sql()
    'SUM(i.price)'
    """
    above = output.this if isinstance(output, exp.Div) else None
    while isinstance(above, exp.Cast | exp.Paren):
        above = above.this
    return above if isinstance(above, exp.Sum) else None


def group_noun(select: exp.Select, key: exp.Expr) -> str:
    """What a key, a column or a part of a date tells apart, in the singular."""
    column = plain_column(key)
    if column is None:
        return part_of_date(key)
    words = human(column.name)
    if words in ("id", "name"):
        owner = next((s.table for s in sources(select) if s.alias == column.table), None)
        return singular(human(owner.name)) if owner is not None else words
    return words.removesuffix(" id")


def mean_sentence(things: str, one: str, cell: Cell, what: str = "") -> str:
    """How many things there are for each, or what they are worth.

    Args:
        things: what is counted, or added up, in the plural.
        one: what each mean is for, in the singular.
        cell: the mean.
        what: the value that is added up, such as `revenue`; empty when things are counted.

    >>> mean_sentence("orders in 2025", "customer", 4.5)
    'On average there are 4.5 orders in 2025 for each customer that has any.'
    >>> mean_sentence("order items", "order", 4.5, "value")
    'The average value for each order with order items is 4.5.'
    >>> mean_sentence("orders in 2025", "order", 4.5, "revenue")
    'The average revenue for each order in 2025 is 4.5.'
    """
    if cell is None:
        return f"There are no {things}, so that no average can be told."
    if what:
        own, same = plural(one), things.startswith(plural(one))
        rows = f"{one}{things.removeprefix(own)}" if same else f"{one} with {things}"
        return f"The average {what} for each {rows} is {value_text(cell)}."
    return f"On average there are {value_text(cell)} {things} for each {one} that has any."


def extreme_count(select: exp.Select, things: str, number: int) -> str:
    """The most, or the fewest, that one has; empty when `select` doesn't ask for it."""
    order, group = select.args.get("order"), select.args.get("group")
    if not isinstance(order, exp.Order) or not isinstance(group, exp.Group):
        return ""
    most = bool(order.expressions[0].args.get("desc"))
    one = group_noun(select, group.expressions[0])
    named = things.removesuffix(f" with a {one}").removesuffix(f" with an {one}")
    return f"The {'highest' if most else 'lowest'} number of {named} for one {one} is {number:,}."
