"""Numbers and times: compared with a column, with a count, or with an average."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.comparing import Compared, adjective_in, comparison_at
from oldhand.agent.analyst.candidates.costs import may_be_the_cost
from oldhand.agent.analyst.candidates.identified import with_number
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.agent.analyst.candidates.select import aggregates_before
from oldhand.agent.analyst.candidates.totals import with_totals
from oldhand.agent.analyst.candidates.whereabouts import is_age
from oldhand.agent.analyst.words.links import Cue, Mention, Option, Span
from oldhand.query.form import Aggregate, Comparison, Count, Has, Query
from oldhand.record.schema import Kind


def number_slots(asked: Asked) -> list[Slot]:
    """One slot for each number that is not part of a value or a date."""
    slots: list[Slot] = []
    for number in asked.links.numbers:
        comparison = comparison_at(asked, number)
        choices = [
            *with_number(asked, number),
            *_with_columns(asked, number.span, comparison),
            *_with_counts(asked, number.span, comparison),
            *with_totals(asked, number.span, comparison),
        ]
        left = skip("number_compared" if comparison.operator != "=" else "number")
        slots.append(Slot(number.span.mask, (*choices, left)))
    return slots


def _with_columns(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    seen: set[tuple[int, str]] = set()
    for mention, distance in _mentions_near(asked, span, comparison.start):
        cues = aggregates_before(asked, mention.span.start)
        for option in mention.options[:4]:
            entry = asked.column(option.id)
            equal = comparison.operator == "=" and not entry.temporal
            comparable = entry.numeric or (equal and entry.column.kind is not Kind.BOOLEAN)
            if not comparable or not may_be_the_cost(asked, mention, option):
                continue
            features: Features = (
                ("num.score", option.score),
                ("num.near", option.nearness),
                ("num.distance", float(distance)),
                ("num.after", float(mention.span.start >= span.end)),
                ("num.key", float(entry.key_like)),
                ("num.text", float(not entry.numeric)),
                ("num.selected", float(asked.region(mention.span) == "S")),
            )
            if (option.id, "where") not in seen:
                seen.add((option.id, "where"))
                mine = distance <= 1 or asked.region(mention.span) != "S"
                used = mention.span.mask if mine else 0
                yield _where(asked, comparison, option.id, features, used, False)
            if cues and cues[0].kind != "superlative" and entry.numeric:
                used = comparison.used | mention.span.mask | cues[0].span.mask
                condition = Comparison(
                    Aggregate(cues[0].kind, asked.ref(option.id)),
                    comparison.operator,
                    comparison.values,
                )
                named: Features = (*features, ("having.aggregate", 1.0))
                yield Choice(
                    "having",
                    named,
                    used,
                    asked.table_bit(option.id),
                    span.start,
                    condition=condition,
                )
    if comparison.adjective:
        for option, upwards in measured(asked, comparison.adjective):
            entry = asked.column(option.id)
            if entry.temporal and not _are_years(comparison.values):
                continue
            if not is_age(asked, comparison.adjective, entry):
                continue
            features = (("num.adjective", option.score), ("num.near", option.nearness))
            yield _where(asked, _more_of_it(comparison), option.id, features, 0, not upwards)


def _more_of_it(comparison: Compared) -> Compared:
    """`cheaper than 30` is more of `cheap`, though it is less of a price."""
    operator = {"<": ">", "<=": ">="}.get(comparison.operator, comparison.operator)
    return replace(comparison, operator=operator)


def _are_years(values: tuple[int | float, ...]) -> bool:
    return all(1000 <= value < 3000 for value in values)


def _mentions_near(asked: Asked, span: Span, start: int) -> Iterator[tuple[Mention, int]]:
    for mention in asked.columns_before(span.start, 6 + span.start - start):
        distance = start - mention.span.end if mention.span.end <= start else 0
        yield mention, distance
    for mention in asked.columns_after(span.end, 2):
        yield mention, mention.span.start - span.end


def _where(
    asked: Asked, comparison: Compared, column: int, features: Features, used: int, turned: bool
) -> Choice:
    operator = comparison.operator
    if turned:
        operator = {">": "<", "<": ">", ">=": "<=", "<=": ">="}.get(operator, operator)
    values: tuple[str | int | float, ...] = comparison.values
    if asked.column(column).column.kind is Kind.TEXT:
        values = tuple(str(value) for value in values)
    compared = "num.compared" if operator != "=" else "num.equal"
    return Choice(
        "where",
        (*features, (compared, 1.0)),
        comparison.used | used,
        asked.table_bit(column),
        comparison.start,
        condition=Comparison(asked.ref(column), operator, values),
    )


def _with_counts(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`more than 3 orders`: how many rows of a table belong together."""
    compared = "having.compared" if comparison.operator != "=" else "having.equal"
    near = [(m, "having.table_after") for m in asked.tables_after(span.end, 3)][:1]
    if cue := asked.cue_before(comparison.start, 5, "count"):
        near += [(m, "having.number_of") for m in asked.tables_after(cue.span.end, 2)][:1]
    if asked.cue_after(span.end, 0, "distinct") is not None:
        yield from _with_different(asked, span, comparison)
    if not near:
        yield from _with_attributes(asked, span, comparison, compared)
    for mention, name in near:
        for option in mention.options[:3]:
            features: Features = (
                (name, option.score),
                (compared, 1.0),
                ("having.gap", float(abs(mention.span.start - span.end))),
            )
            used = comparison.used | mention.span.mask
            if name == "having.number_of" and cue:
                used |= cue.span.mask
            yield _having(comparison, option, features, used)
            yield from _in_groups(asked, comparison, option, features, used)
    if asked.word(span.end) in ("times", "time") or comparison.values in ((1,), (2,)):
        for table in asked.named_tables or asked.implied_tables:
            features = (("having.times", 1.0), (compared, 1.0))
            yield _having(comparison, Option(table, 1.0, 1.0), features, comparison.used)


def _with_different(asked: Asked, span: Span, comparison: Compared) -> Iterator[Choice]:
    """`At least two different cities`: how many there are, not how many rows speak of them."""
    features: Features = (("having.different", 1.0),)
    things = [(asked.key(o.id), m.span, o.score) for m in asked.tables_after(span.end + 1, 0) for o in m.options[:1]]  # fmt: skip
    columns = [([o.id], m.span, o.score) for m in asked.columns_after(span.end + 1, 0) for o in m.options[:2]]  # fmt: skip
    for keys, named, score in (*things, *columns):
        if score < 0.6 or len(keys) != 1:
            continue
        condition = Comparison(
            Count(asked.ref(keys[0]), distinct=True), comparison.operator, comparison.values
        )
        used = comparison.used | Span(span.end, named.end).mask
        bit = asked.table_bit(keys[0])
        yield Choice("having", features, used, bit, comparison.start, condition=condition)


def _with_attributes(
    asked: Asked, span: Span, comparison: Compared, compared: str
) -> Iterator[Choice]:
    """`two or more delegates`, where delegates are a column of another table than the thing's."""
    for mention in list(asked.columns_after(span.end, 3))[:1]:
        for option in mention.options[:2]:
            entry = asked.column(option.id)
            if entry.numeric or asked.named_tables.get(entry.table) or option.score < 0.7:
                continue
            features: Features = (("having.attribute", option.score), (compared, 1.0))
            used = comparison.used | mention.span.mask
            yield _having(comparison, Option(entry.table, option.score, 0.0), features, used)


def _in_groups(
    asked: Asked, comparison: Compared, option: Option, features: Features, used: int
) -> Iterator[Choice]:
    """`stores in cities with more than two stores`: rows whose group is large enough."""
    for mention in list(asked.columns_before(comparison.start, 3))[:1]:
        earlier = any(
            table.span.end < mention.span.start and table.best.id == option.id
            for table in asked.links.tables
        )
        for column in mention.options:
            if not earlier or asked.column(column.id).table != option.id:
                continue
            term = asked.ref(column.id)
            large = Comparison(Count(), comparison.operator, comparison.values)
            query = Query(asked.alone(option.id), (term,), (), (term,), (large,))
            nested: Features = (*features, ("having.nested", column.score))
            both = used | mention.span.mask
            condition = Has(term, query)
            bit = 1 << option.id
            yield Choice("where", nested, both, bit, comparison.start, condition=condition)


def _having(comparison: Compared, option: Option, features: Features, used: int) -> Choice:
    condition = Comparison(Count(), comparison.operator, comparison.values)
    return Choice(
        "having",
        features,
        used,
        1 << option.id,
        comparison.start,
        condition=condition,
        table=option.id,
    )


def average_slots(asked: Asked) -> list[Slot]:
    """`above the average`: a column compared with its own mean."""
    slots: list[Slot] = []
    for cue in asked.links.cues_of("than_average"):
        operator = cue.argument or ">"
        choices: list[Choice] = []
        near = [*asked.columns_after(cue.span.end, 2), *asked.columns_before(cue.span.start, 6)]
        for mention in near[:3]:
            for option in mention.options[:3]:
                fits = may_be_the_cost(asked, mention, option)
                entry = asked.column(option.id)
                if entry.measures and fits:
                    used = cue.span.mask
                    for same in near[:3]:
                        used |= (
                            same.span.mask if any(o.id == option.id for o in same.options) else 0
                        )
                    features: Features = (
                        ("average.score", option.score),
                        ("sel.near", option.nearness),
                    )
                    choices.append(_than_average(asked, cue, option.id, operator, features, used))
        for option, upwards in measured(asked, adjective_in(asked, cue)):
            if not asked.column(option.id).numeric or asked.column(option.id).key_like:
                continue
            turned = ">" if upwards else "<"
            features = (("average.adjective", option.score), ("sel.near", option.nearness))
            choices.append(_than_average(asked, cue, option.id, turned, features, cue.span.mask))
        slots.append(Slot(cue.span.mask, (*choices, skip("average"))))
    return slots


def _than_average(
    asked: Asked, cue: Cue, column: int, operator: str, features: Features, used: int
) -> Choice:  # fmt: skip
    number = asked.ref(column)
    mean = Query(asked.alone(asked.column(column).table), (Aggregate("avg", number),))
    condition = Comparison(number, operator, mean)
    return Choice(
        "where", features, used, asked.table_bit(column), cue.span.start, condition=condition
    )
