"""Readable headings for the rows of an answer: `average_price` instead of `AVG(t1.price)`."""

from collections.abc import Sequence

from oldhand.lexicon.privacy import tells_birth
from oldhand.lexicon.wording import human, plural
from oldhand.query import form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.converting import converted
from oldhand.query.describing.nouns import (
    Schemas,
    event_name,
    finest,
    noun,
    one_of,
    said_name,
)
from oldhand.query.known import kind_of
from oldhand.query.opaque import Opaque
from oldhand.record.schema import TIMES

LONGEST = 60
"""Letters of a heading; PostgreSQL allows 63, MySQL 64."""
AGE = "age"
"""The years since somebody was born."""
_CONVERTING = frozenset({"trim", "lower"})


def headings(query: form.Query, schemas: Schemas = ()) -> tuple[str, ...]:
    """A heading for each output of a query, no two the same.

    >>> from oldhand.query.form import Aggregate, ColumnRef, Count, Query, Relation, Rows
    >>> customers = Relation("crm", "main", "customers")
    >>> city, age = ColumnRef(customers, "city"), ColumnRef(customers, "age")
    >>> headings(Query(Rows((customers,)), (city, Count(), Aggregate("avg", age)), group=(city,)))
    ('city', 'number_of_customers', 'average_age')
    """
    plain = [one.name for one in query.select if isinstance(one, form.ColumnRef)]
    names: list[str] = []
    for place, output in enumerate(query.select):
        name = _heading(output, query, schemas)
        if query.names:
            name = query.names[place]
        elif isinstance(output, form.ColumnRef) and plain.count(output.name) > 1:
            name = f"{_joined(one_of(output.of))}_{output.name}"[:LONGEST]
        names.append(unlike(name, names))
    return tuple(names)


def ranked_heading(query: form.Query | Opaque | None, schemas: Schemas = ()) -> str:
    """A heading for what the rows of a query are sorted by; empty where they are not, or where that is not known."""
    if not isinstance(query, form.Query) or not query.order:
        return ""
    return _heading(query.order[0].by, query, schemas)


def plain_column(expression: form.Expression) -> form.ColumnRef | None:
    """The column that an expression is, but for conversions of its type; None when something is computed from it."""
    plain = unconverted(expression)
    return plain if isinstance(plain, form.ColumnRef) else None


def unconverted(expression: form.Expression) -> form.Expression:
    """An expression without the conversions around it."""
    while isinstance(expression, form.Function) and (
        expression.name in _CONVERTING or expression.name.startswith("cast ")
    ):
        expression = expression.of[0]
    return expression


def span_words(expression: form.Expression) -> str:
    """What a span of time is called, `average days from ordered to delivered`; empty for anything else."""
    word = ""
    if isinstance(expression, form.Aggregate):
        function, expression = AGGREGATES[expression.function], expression.of
        word = function.of_spans or function.word
    if not isinstance(expression, form.Elapsed):
        return ""
    return f"{word} {elapsed_words(expression)}".strip()


def elapsed_words(elapsed: form.Elapsed) -> str:
    """What a span of time is called without its table: `days from ordered to delivered`, `age`."""
    since = event_name(elapsed.since.name)
    if elapsed.until is None:
        return AGE if tells_birth(elapsed.since.name) else f"{elapsed.unit} since {since}"
    return f"{elapsed.unit} from {since} to {event_name(elapsed.until.name)}"


def is_worth(expression: form.Expression) -> bool:
    """True for what lines are worth: the sum of a product of their columns."""
    plain = unconverted(expression)
    if not isinstance(plain, form.Aggregate) or plain.function != "sum":
        return False
    of = plain.of
    return isinstance(of, form.Worth) or (isinstance(of, form.Arithmetic) and of.operator == "*")


def group_noun(key: form.Expression) -> str:
    """What a key tells apart, in the singular: `customer`, `city`, `month`."""
    if isinstance(key, form.DatePart):
        return key.part
    column = plain_column(key)
    words = said_name(column.name) if column is not None else ""
    if column is not None and words in ("id", "name"):
        return one_of(column.of)
    return words.removesuffix(" id")


def _heading(output: form.Expression, query: form.Query, schemas: Schemas) -> str:
    match output:
        case form.ColumnRef(name=name):
            return name
        case form.Count():
            return f"number_of_{_counted(output, query)}"[:LONGEST]
        case form.DatePart(part=part):
            return _joined(part)
        case form.Share() | form.Proportion():
            return "percentage"
        case form.Ratio(bottom=form.Count(of=key, distinct=True)) if key is not None and group_noun(
            key
        ):
            return f"average_per_{_joined(group_noun(key))}"[:LONGEST]
        case form.OwnGroup(measure=measure):
            return _heading(measure, query, schemas)
        case _ if found := converted(output, schemas):
            return _joined(found.said(human(_heading(found.of, query, schemas))))[:LONGEST]
        case _ if is_worth(output):
            return "revenue"
        case _ if span := span_words(output):
            return _joined(span)[:LONGEST]
        case _:
            return _of_column(output, schemas)


def _of_column(output: form.Expression, schemas: Schemas) -> str:
    function = AGGREGATES[output.function] if isinstance(output, form.Aggregate) else None
    column = plain_column(output.of if isinstance(output, form.Aggregate) else output)
    if column is None:
        return "result"
    said = _joined(human(column.name))
    if function is None:
        return said
    timely = kind_of(column, schemas) in TIMES
    word = (timely and function.of_times) or function.word
    return said if f"{said}_".startswith(f"{word}_") else f"{word}_{said}"[:LONGEST]


def _counted(output: form.Count, query: form.Query) -> str:
    """What is counted, in the plural: the rows, or the values of a column that is no key."""
    column = plain_column(output.of) if output.of is not None and output.distinct else None
    words = said_name(column.name) if column is not None else ""
    if words and words != "id":
        return _joined(plural(words.removesuffix(" id")))
    things = column.of if column is not None else finest(query.rows)
    return _joined(noun(things or query.rows.relations[0]))


def _joined(words: str) -> str:
    return "_".join(part for part in words.lower().split() if part) or "result"


def unlike(name: str, taken: Sequence[str]) -> str:
    """`name`, numbered when it is taken already; case makes no difference to databases."""
    used = {other.casefold() for other in taken}
    if name.casefold() not in used:
        return name
    number = next(n for n in range(2, len(used) + 3) if f"{name}_{n}".casefold() not in used)
    return f"{name}_{number}"
