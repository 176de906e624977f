"""Puts the rows of an answer into a sentence, and says no more than the rows do."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from oldhand.agent.analyst.describing import described_conditions, plain_column
from oldhand.agent.analyst.names import Source, finest, joins, subject
from oldhand.agent.analyst.wording import counted, human, listed, plural, singular, value_text
from oldhand.record.base import Cell, Row
from oldhand.record.schema import DatabaseSchema

SHOWN = 8
"""Values of a list that are written out."""
SHOWN_GROUPS = 5
"""Groups of a table that are written out."""
_AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Avg: "average",
    exp.Sum: "total",
    exp.Max: "highest",
    exp.Min: "lowest",
}


@dataclass(frozen=True)
class Rows:
    """What the last step brought."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    row_count: int
    truncated: bool = False
    """True when there are more rows than were fetched."""


def phrase(
    question: str,
    query: exp.Expr | None,
    found: Rows,
    schemas: Sequence[DatabaseSchema] = (),
) -> str:
    """A sentence or two for the rows that `query` brought.

    Args:
        question: as it was asked; it only decides what the rows are called.
        query: what was asked of the databases; None when it is not known.
        found: the rows.
        schemas: tell by their foreign keys what joined rows are.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT COUNT(*) FROM crm.main.customers AS c WHERE c.city = 'Berlin'")
    >>> phrase("How many customers live in Berlin?", query, Rows(("n",), ((42,),), 1))
    'There are 42 customers in Berlin.'
    """
    select = query if isinstance(query, exp.Select) else None
    if select is None:
        return _plain(found)
    about = _About.of(select, question, schemas)
    if not found.rows:
        return _nothing(select, about)
    if len(found.columns) == 1 and found.row_count == 1:
        return _one_value(select, about, found.rows[0][0])
    if len(found.columns) == 1:
        return _list(select, about, found)
    if len(found.columns) == 2 and select.args.get("group"):
        return _groups(select, found)
    own = not select.args.get("group") and not about.repeats
    return _plain(found, about.noun if own else "rows")


@dataclass(frozen=True)
class _About:
    """What the rows are, and what they meet."""

    noun: str
    """In the plural."""
    conditions: str | None
    """Words to follow the noun; None when they can't be told."""

    counted: str
    """What `COUNT(*)` counts, in the plural."""
    repeats: bool = False
    """True when a join may show the same thing several times."""

    @classmethod
    def of(cls, select: exp.Select, question: str, schemas: Sequence[DatabaseSchema]) -> "_About":
        rows = finest(select, schemas)
        plain = all(isinstance(o.unalias(), exp.Count) for o in select.selects)
        main = rows if plain and rows is not None else subject(select, question)
        if main is None:
            return cls("rows", None if select.args.get("where") else "", "rows")
        conditions = described_conditions(select, main.alias)
        once = select.args.get("distinct") or select.args.get("group") or not joins(select)
        repeats = not once and rows != main
        return cls(_noun(main), conditions, _noun(rows) if rows is not None else "rows", repeats)

    @property
    def things(self) -> str:
        """The noun with what is known of it."""
        return f"{self.noun} {self.conditions}".strip() if self.conditions else self.noun

    @property
    def unsaid(self) -> str:
        """What to add when the conditions are not in the words."""
        return " that match" if self.conditions is None else ""


def _noun(source: Source) -> str:
    return plural(human(source.table.name)) if source.table is not None else "rows"


def _nothing(select: exp.Select, about: _About) -> str:
    if about.conditions:
        return f"None found: there are no {about.things}."
    filtered = select.args.get("where") or select.args.get("having")
    return f"None found: no {about.noun} match." if filtered else f"There are no {about.noun}."


def _one_value(select: exp.Select, about: _About, cell: Cell) -> str:
    output = select.selects[0].unalias()
    if isinstance(output, exp.Count) and isinstance(cell, int):
        return _count(output, about, cell)
    inner = output.this if type(output) in _AGGREGATES else output
    column = plain_column(inner)
    name = column.name if column is not None else ""
    word = _AGGREGATES.get(type(output))
    if word is not None and column is not None and not select.args.get("group"):
        of = f" of {about.things}{about.unsaid}"
        if cell is None:
            return f"There is no {word} {human(name)}{of}: no row has a value."
        return f"The {word} {human(name)}{of} is {value_text(cell, name)}."
    said = human(name) or "answer"
    best = _superlative(select, about)
    if cell is None:
        return f"The {said} is not recorded{about.unsaid and ' for what matches'}."
    if best:
        said = _best_of(said, best, about)
    return f"The {said} is {value_text(cell, name)}."


def _best_of(said: str, best: str, about: _About) -> str:
    """What the first row in an order is: `customer with the highest age`, `highest price of products`."""
    if best.endswith(f" {said}"):
        return f"{best.removeprefix('with the ')} of {about.things}{about.unsaid}"
    what = singular(about.noun) if said in {"name", "title"} else said
    among = "" if about.conditions == "" else f" among the {about.things}{about.unsaid}"
    return f"{what} {best}{among}"


def _superlative(select: exp.Select, about: _About) -> str:
    """`with the highest price`, when the rows are the first in the order of one column or aggregate."""
    order, limit = select.args.get("order"), select.args.get("limit")
    if not isinstance(order, exp.Order) or limit is None or len(order.expressions) != 1:
        return ""
    by, most = order.expressions[0].this, bool(order.expressions[0].args.get("desc"))
    if isinstance(by, exp.Count):
        return f"with the {'most' if most else 'fewest'} {about.counted}"
    column = plain_column(by.this if type(by) in _AGGREGATES else by)
    if column is None:
        return ""
    measured = (
        human(column.name)
        if type(by) not in _AGGREGATES
        else f"{_AGGREGATES[type(by)]} {human(column.name)}"
    )
    return f"with the {'highest' if most else 'lowest'} {measured}"


def _count(output: exp.Count, about: _About, number: int) -> str:
    what = about.noun
    if isinstance(output.this, exp.Distinct) and len(output.this.expressions) == 1:
        column = output.this.expressions[0]
        what = _distinct_noun(column.name, about.noun)
        if what != about.noun and about.conditions is not None:
            there = "is" if number == 1 else "are"
            rest = f" among the {about.things}" if about.conditions else ""
            return f"There {there} {counted(number, what)}{rest}."
    if number == 0:
        return f"There are no {what} {about.conditions or ''}".rstrip() + f"{about.unsaid}."
    verb = "is" if number == 1 else "are"
    return f"There {verb} {counted(number, what)} {about.conditions or ''}".rstrip() + f"{about.unsaid}."  # fmt: skip


def _distinct_noun(column: str, noun: str) -> str:
    words = human(column)
    return noun if words == "id" or words.endswith(" id") else f"different {plural(words)}"


def _list(select: exp.Select, about: _About, found: Rows) -> str:
    output = select.selects[0].unalias()
    column = output.name if isinstance(output, exp.Column) else found.columns[0]
    cells = [row[0] for row in found.rows]
    values = [value_text(cell, column) for cell in cells]
    words = human(column)
    things = about.noun if words in {"name", "title"} else plural(words)
    best = _superlative(select, about)
    if about.repeats:
        return f"{_size(found)} rows; the first are {listed(values[:3])}."
    if best and things == about.noun:
        things = f"{things} {best}"
    elif things == about.noun and about.conditions:
        things = about.things
    if found.row_count <= SHOWN and not found.truncated:
        return f"{found.row_count:,} {things}: {listed(values)}."
    return f"{_size(found)} {things}; the first are {listed(values[:3])}."


def _groups(select: exp.Select, found: Rows) -> str:
    """A value for each group, when the one column is the key and the other is computed."""
    keys = [i for i, output in enumerate(select.selects) if not output.find(exp.AggFunc)]
    if len(keys) != 1:
        return _plain(found)
    key, value = keys[0], 1 - keys[0]
    key_node = select.selects[key].unalias()
    key_column = key_node.find(exp.Column)
    key_name = key_column.name if key_column is not None else found.columns[key]
    said = _measure(select.selects[value].unalias(), found.columns[value])
    measured = select.selects[value].find(exp.Column)
    name = measured.name if measured is not None else ""
    pairs = [
        f"{value_text(row[key], key_name)} {value_text(row[value], name)}" for row in found.rows
    ]
    if found.row_count <= SHOWN_GROUPS and not found.truncated:
        return f"{said.capitalize()} by {human(key_name)}: {', '.join(pairs)}."
    return (
        f"{said.capitalize()} by {human(key_name)}: {_size(found)} rows; the first is {pairs[0]}."
    )


def _measure(output: exp.Expr, fallback: str) -> str:
    if isinstance(output, exp.Count):
        return "number"
    word = _AGGREGATES.get(type(output))
    column = plain_column(output.this if word else output)
    return f"{word} {human(column.name)}" if word and column is not None else human(fallback)


def _plain(found: Rows, noun: str = "rows") -> str:
    """What the rows are when nothing better can be said."""
    if not found.rows:
        return "None found."
    first = _row(found)
    if found.row_count == 1:
        return f"{first[:1].upper()}{first[1:]}."
    return f"{_size(found)} {noun}; the first is {first}."


def _row(found: Rows) -> str:
    """The first row: its name, if it begins with one, and what else it holds."""
    names = _names(found.columns)
    cells = zip(names, found.rows[0], strict=True)
    said = [(name, value_text(cell, name)) for name, cell in cells]
    if names[0] in {"name", "title"} and len(said) > 1:
        rest = ", ".join(f"{name} {text}" for name, text in said[1:])
        return f"{said[0][1]} ({rest})"
    return ", ".join(f"{name} {text}" for name, text in said)


def _names(columns: Sequence[str]) -> list[str]:
    return [human(name) if name else f"column {i}" for i, name in enumerate(columns, 1)]


def _size(found: Rows) -> str:
    return f"More than {found.row_count:,}" if found.truncated else f"{found.row_count:,}"
