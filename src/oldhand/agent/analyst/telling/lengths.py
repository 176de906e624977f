"""How long something took, in words: `average days from ordered to delivered`."""

from sqlglot import exp

from oldhand.agent.analyst.words.spans import UNITS, event_name

_AGGREGATES: dict[type[exp.Expr], str] = {exp.Avg: "average", exp.Max: "most", exp.Min: "fewest", exp.Sum: "total", exp.Median: "median"}  # fmt: skip


def span_words(output: exp.Expr) -> str:
    """What a span of time between two columns is called; empty for anything else.

    >>> ends = {"this": exp.column("delivered_on", "o"), "expression": exp.column("ordered_on", "o")}
    >>> span_words(exp.Avg(this=exp.DateDiff(**ends, unit=exp.var("DAY"))))
    'average days from ordered to delivered'
    """
    word = _AGGREGATES.get(type(output), "")
    inner = output.this if word else output
    unit = "days"
    while isinstance(inner, exp.Paren):
        inner = inner.this
    if isinstance(inner, exp.Div) and isinstance(inner.expression, exp.Literal):
        seconds = float(inner.expression.name) if inner.expression.is_number else 0
        unit = next((name for name, length in UNITS.items() if length == seconds), "")
        inner = inner.this
    until, since = (inner.this, inner.expression) if isinstance(inner, exp.DateDiff) else (None, None)  # fmt: skip
    if not unit or not isinstance(until, exp.Column) or not isinstance(since, exp.Column):
        return ""
    return f"{word} {unit} from {event_name(since.name)} to {event_name(until.name)}".strip()
