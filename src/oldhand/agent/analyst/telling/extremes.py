"""Sentences about the first and the last, the highest and the lowest."""

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import sources
from oldhand.agent.analyst.telling.happening import acts, happened
from oldhand.agent.analyst.telling.operands import is_worth, literal, plain_column
from oldhand.agent.analyst.words.cues import ORDINALS
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import human, singular

AGGREGATES: dict[type[exp.Expr], str] = {
    exp.Avg: "average",
    exp.Median: "median",
    exp.Sum: "total",
    exp.Max: "highest",
    exp.Min: "lowest",
}
_TIME_WORDS = words("time.columns")
_IN_TIME = {"highest": "latest", "lowest": "earliest"}


def extreme(word: str, column: str) -> str:
    """`highest price`, but `latest due date`.

    >>> extreme("highest", "unit_price"), extreme("highest", "due_date"), extreme("average", "age")
    ('highest unit price', 'latest due date', 'average age')
    """
    words = human(column)
    timely = words.rpartition(" ")[2] in _TIME_WORDS or happened(column) is not None
    if words.startswith(f"{word} ") or words == word:
        return words
    return f"{_IN_TIME.get(word, word) if timely else word} {words}"


def superlative(select: exp.Select, counted: str, main: str = "") -> str:
    """What the rows are the first of: `with the highest price`, `ordered last`; empty when they are not.

    Args:
        select: its rows are told apart by the order of one column or aggregate, and a limit.
        counted: what `COUNT(*)` counts, in the plural.
        main: the alias of the table whose rows are spoken of; empty when any will do.
    """
    order, limit = select.args.get("order"), select.args.get("limit")
    if not isinstance(order, exp.Order) or limit is None or len(order.expressions) != 1:
        return ""
    by, most = order.expressions[0].this, bool(order.expressions[0].args.get("desc"))
    place = _place(select)
    if isinstance(by, exp.Count):
        return f"with the {place}{'most' if most else 'fewest'} {counted}"
    column = plain_column(by.this if type(by) in AGGREGATES else by)
    if column is None:
        return f"with the {place}{'highest' if most else 'lowest'} revenue" if is_worth(by) else ""
    event = happened(column.name)
    if event and not isinstance(by, exp.Avg | exp.Sum):
        when = f"{place}{'last' if most else 'first' * (not place)}".rstrip()
        said = f"{'that ' * acts(event[0])}{event[0]} {when}"
        return said if main in ("", column.table) else _of_other(said, column.table, select)
    if type(by) in AGGREGATES:
        inner = extreme(AGGREGATES[type(by)], column.name)
        same = isinstance(by, exp.Max) if most else isinstance(by, exp.Min)
        of = inner if same else f"{'highest' if most else 'lowest'} {inner}"
        return f"with the {place}{of}"
    return f"with the {place}{extreme('highest' if most else 'lowest', column.name)}"


def _place(select: exp.Select) -> str:
    """`second `, when the first row is passed over; empty when none is."""
    offset = select.args.get("offset")
    passed = literal(offset.expression) if isinstance(offset, exp.Offset) else 0
    if not isinstance(passed, int) or not passed:
        return ""
    words = {place: word for word, place in ORDINALS.items()}
    return f"{words.get(passed + 1, f'{passed + 1}th')} "


def _of_other(said: str, alias: str, select: exp.Select) -> str:
    """`of the ticket opened last`, when it is not the thing itself that was opened."""
    table = next((s.table for s in sources(select) if s.alias == alias), None)
    return f"of the {singular(human(table.name))} {said}" if table is not None else ""


def last_or_first(word: str, column: str, things: str, value: str) -> str:
    """When something happened last, or first; empty when the column doesn't tell of a happening.

    >>> last_or_first("highest", "hired_on", "employees in Berlin", "2025-03-01")
    'Employees in Berlin were last hired on 2025-03-01.'
    """
    event = happened(column)
    if event is None or word not in _IN_TIME:
        return ""
    when = "last" if word == "highest" else "first"
    return f"{things[:1].upper()}{things[1:]} were {when} {event[0]} {event[1]} {value}."


def among(things: str, conditions: str | None) -> str:
    """What the first were taken from, when it was not all."""
    return f" among the {things}" if conditions else ""
