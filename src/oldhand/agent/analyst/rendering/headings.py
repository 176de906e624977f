"""Readable headings for the rows of an answer: `average_price` instead of `AVG(t1.price)`.

They are put on when a query is written out, so that what is compared and decomposed before stays plain.
"""

from collections.abc import Sequence

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import Source, column_of, finest, sources
from oldhand.agent.analyst.rendering.roles import role_of
from oldhand.agent.analyst.telling.happening import part_of_date
from oldhand.agent.analyst.telling.lengths import span_words
from oldhand.agent.analyst.telling.operands import is_worth, plain_column
from oldhand.agent.analyst.telling.ratios import is_percentage, one_of, part_of
from oldhand.lexicon.wording import human, plural, singular
from oldhand.record.schema import TIMES, DatabaseSchema

LONGEST = 60
"""Letters of a heading; PostgreSQL allows 63, MySQL 64."""
_AGGREGATES: dict[type[exp.Expr], tuple[str, str]] = {
    exp.Avg: ("average", "average"),
    exp.Median: ("median", "median"),
    exp.Sum: ("total", "total"),
    exp.Max: ("highest", "latest"),
    exp.Min: ("lowest", "earliest"),
}
"""Words for numbers and texts, and for times."""


def headings(query: exp.Expr, schemas: Sequence[DatabaseSchema] = ()) -> tuple[str, ...]:
    """A heading for each output of `query`, no two the same.

    >>> from sqlglot import parse_one
    >>> headings(parse_one("SELECT c.city, COUNT(*), AVG(c.age) FROM crm.main.customers AS c GROUP BY c.city"))
    ('city', 'number_of_customers', 'average_age')
    """
    select = _first_select(query)
    if select is None:
        return ()
    outputs = list(select.selects)
    plain = [o.name for o in outputs if isinstance(o, exp.Column)]
    names: list[str] = []
    for output in outputs:
        name = _heading(output, select, schemas)
        if isinstance(output, exp.Column) and plain.count(output.name) > 1:
            name = _with_table(output, select)
        names.append(_unlike(name, names))
    return tuple(names)


def headed(query: exp.Expr, names: Sequence[str]) -> exp.Expr:
    """A copy of `query` whose computed outputs bear `names`; it is left alone when they don't fit."""
    tree = query.copy()
    select = _first_select(tree)
    if select is None or len(select.selects) != len(names):
        return tree
    if any(
        output.find(exp.Star)
        for output in select.selects
        if isinstance(output, exp.Column | exp.Star)
    ):
        return tree
    for output, name in zip(list(select.selects), names, strict=True):
        inner = output.unalias()
        if isinstance(inner, exp.Column) and inner.name == name:
            continue
        output.replace(exp.alias_(inner.copy(), name))
    return tree


def _first_select(query: exp.Expr) -> exp.Select | None:
    """The SELECT whose outputs give a query its headings."""
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    return query if isinstance(query, exp.Select) else None


def _heading(output: exp.Expr, select: exp.Select, schemas: Sequence[DatabaseSchema]) -> str:
    if isinstance(output, exp.Alias | exp.Column):
        return output.alias_or_name
    if isinstance(output, exp.Count):
        return f"number_of_{_counted(output, select, schemas)}"[:LONGEST]
    if time := part_of_date(output) or span_words(output):
        return _joined(time)[:LONGEST]
    words = _AGGREGATES.get(type(output))
    column = plain_column(output.this if words else output)
    if column is None:
        return _computed(output, select)
    said = _joined(human(column.name))
    if words is None:
        return said
    known = column_of(column, schemas)
    word = words[known is not None and known.kind in TIMES]
    return said if f"{said}_".startswith(f"{word}_") else f"{word}_{said}"[:LONGEST]


def _computed(output: exp.Expr, select: exp.Select) -> str:
    """A heading for what is computed from several columns."""
    if is_worth(output):
        return "revenue"
    if part_of(output) is not None or is_percentage(output):
        return "percentage"
    one = one_of(select, output)
    return f"average_per_{_joined(one)}"[:LONGEST] if one else "result"


def _counted(output: exp.Count, select: exp.Select, schemas: Sequence[DatabaseSchema]) -> str:
    """What is counted, in the plural: the table's rows, or the values of a column that is no key."""
    inner = output.this
    if isinstance(inner, exp.Distinct) and len(inner.expressions) == 1:
        inner = inner.expressions[0]
        column = plain_column(inner)
        words = human(column.name) if column is not None else ""
        if words.endswith(" id"):
            return _joined(plural(words.removesuffix(" id")))
        if words and words != "id":
            return _joined(plural(words))
    row = finest(select, schemas) or next(iter(sources(select)), None)
    return _joined(counted_noun(row))


def counted_noun(row: Source | None) -> str:
    """What the rows of a table stand for, in the plural; the groups of a derived table that is grouped."""
    if row is None:
        return "rows"
    if row.table is not None:
        return plural(human(row.table.name))
    inner = row.node.this if isinstance(row.node, exp.Subquery) else None
    if not isinstance(inner, exp.Select):
        return "rows"
    group = inner.args.get("group")
    if isinstance(group, exp.Group):
        return _group_noun(group, inner)
    tables = [source for source in sources(inner) if source.table is not None]
    return counted_noun(tables[0]) if len(tables) == 1 else "rows"


def _group_noun(group: exp.Group, select: exp.Select) -> str:
    """What groups are called: `cities`, or the things whose names or keys tell the groups apart."""
    words = [
        (column, human(column.name)) for key in group.expressions if (column := plain_column(key))
    ]
    if not words or len(words) < len(group.expressions):
        return "groups"
    column, said = words[0]
    if said in {"id", "name", "title"} or said.endswith((" id", " name")):
        owner = next((s for s in sources(select) if s.alias == column.table and s.table), None)
        if said.endswith(" id"):
            return plural(said.removesuffix(" id"))
        return counted_noun(owner) if owner is not None else "groups"
    return plural(said) if len(words) == 1 else "groups"


def _with_table(column: exp.Column, select: exp.Select) -> str:
    """`product_name` for a column that another output has the name of."""
    source = next((s for s in sources(select) if s.alias == column.table), None)
    if source is None or source.table is None:
        return column.name
    owner = role_of(column.table, select) or singular(human(source.table.name))
    return f"{_joined(owner)}_{column.name}"[:LONGEST]


def _joined(words: str) -> str:
    return "_".join(part for part in words.lower().split() if part) or "result"


def _unlike(name: str, taken: Sequence[str]) -> str:
    """`name`, numbered when it is taken already; case makes no difference to databases."""
    used = {other.casefold() for other in taken}
    if name.casefold() not in used:
        return name
    number = next(n for n in range(2, len(used) + 3) if f"{name}_{n}".casefold() not in used)
    return f"{name}_{number}"
