"""Times: `in March 2024`, `since 2020`, `between May and July`, with the columns that may hold them."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Slot, skip
from oldhand.agent.analyst.candidates.comparisons import comparing_cue
from oldhand.agent.analyst.candidates.filters import filter_features
from oldhand.agent.analyst.candidates.sketch import Condition, Term
from oldhand.agent.analyst.linking.links import DateMention


def date_slots(asked: Asked) -> list[Slot]:
    """One slot for each time, with the columns that may hold it."""
    dates = asked.links.dates
    following = [*dates[1:], None]
    return [_one_date(asked, date, later) for date, later in zip(dates, following, strict=False)]


def _one_date(asked: Asked, mention: DateMention, later: DateMention | None) -> Slot:
    span = mention.span
    cue = comparing_cue(asked, span.start)
    if after := asked.cue_after(span.end, 0, "or_more", "or_less"):
        operator = ">=" if after.kind == "or_more" else "<="
        return _date_slot(asked, mention, operator, span.mask | after.span.mask, None)
    word = asked.word(cue.span.start) if cue else ""
    if (
        cue
        and later
        and (cue.kind == "between" or word == "from")
        and later.span.start <= span.end + 2
    ):
        whole = DateMention(span, mention.start, later.end, mention.text)
        years = (mention.year, later.year) if mention.year and later.year else None
        used = span.mask | later.span.mask | cue.span.mask
        return _date_slot(asked, whole, "between", used, years)
    if cue and cue.kind in (">", ">=", "<", "<=") and word != "from":
        operator = ">=" if word in ("since", "starting") else cue.kind
        return _date_slot(asked, mention, operator, span.mask | cue.span.mask, None)
    return _date_slot(asked, mention, "=", span.mask, None)


def _date_slot(
    asked: Asked, mention: DateMention, operator: str, used: int, years: tuple[int, int] | None
) -> Slot:
    choices: list[tuple[float, Choice]] = []
    span = mention.span
    for number, entry in enumerate(asked.vocabulary.columns):
        words = set(entry.forms[0]) | set(entry.forms[-1])
        dated = bool(words & {"date", "year", "time", "month", "day"})
        if not (entry.temporal or dated or (entry.numeric and mention.year and not entry.key_like)):
            continue
        near = asked.nearness(entry.table)
        features, named = filter_features(asked, span.start, span.end, number)
        if near <= 0 and not named and asked.named_tables and entry.table not in asked.deals:
            continue
        condition = _date_condition(asked, number, mention, operator, years)
        if condition is None:
            continue
        kind = (
            "date.temporal"
            if entry.temporal
            else "date.year"
            if "year" in words
            else "date.dated"
            if dated
            else "date.number"
        )
        beside = any(
            o.id == entry.table and o.score >= 0.6 and 0 <= span.start - m.span.end <= 2
            for m in asked.links.tables
            for o in m.options
        )
        features = (
            *features,
            (kind, 1.0),
            ("date.table_beside", float(beside)),
            ("date.table_named", float(asked.named_tables.get(entry.table, 0.0) >= 0.9)),
            ("date.of_deal", float(entry.table in asked.deals)),
        )
        choice = Choice(
            "where",
            features,
            used | named,
            asked.table_bit(number),
            span.start,
            condition=condition,
        )
        good = dict(features)
        rank = (
            float(beside)
            + good.get("where.named", 0.0)
            + good["where.table"]
            + (kind != "date.number")
            + 0.3 * entry.temporal
            + (entry.table in asked.deals)
        )
        choices.append((rank, choice))
    choices.sort(key=lambda pair: -pair[0])
    return Slot(span.mask, (*(choice for _, choice in choices[:5]), skip("date")))


def _date_condition(
    asked: Asked,
    column: int,
    mention: DateMention,
    operator: str,
    years: tuple[int, int] | None,
) -> Condition | None:
    entry = asked.column(column)
    if entry.numeric:
        return _year_condition(asked, column, mention, operator, years)
    if not (entry.temporal or _iso(asked, column)):
        pattern = str(mention.year) if mention.year else mention.text
        like = Condition(Term(column), "like", (f"%{pattern}%",))
        return like if operator == "=" else None
    if mention.month and operator == "=":
        month = Term(column, part="month of the year")
        return Condition(month, "=", (f"{mention.month:02d}",))
    start, end = mention.start.isoformat(), mention.end.isoformat()
    if operator in ("=", "between"):
        return Condition(Term(column), "within", (start, end))
    edge = {">": end, ">=": start, "<": start, "<=": end}[operator]
    return Condition(Term(column), {">": ">=", "<=": "<"}.get(operator, operator), (edge,))


def _year_condition(
    asked: Asked,
    column: int,
    mention: DateMention,
    operator: str,
    years: tuple[int, int] | None,
) -> Condition | None:
    """A column that holds years, or months, as numbers."""
    if operator == "between":
        return Condition(Term(column), "between", years) if years else None
    if mention.year is not None:
        return Condition(Term(column), operator, (mention.year,))
    if mention.month and "month" in asked.column(column).forms[0]:
        return Condition(Term(column), "=", (mention.month,))
    return None


def _iso(asked: Asked, column: int) -> bool:
    samples = asked.column(column).column.samples
    return any(isinstance(s, str) and s[:4].isdigit() and s[4:5] == "-" for s in samples)
