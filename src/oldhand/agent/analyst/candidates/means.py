"""Means and extremes of what each has: `average number of orders per customer`, `the most orders of one customer`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot
from oldhand.agent.analyst.candidates.parts_of_dates import part_at
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.candidates.worth import line_amounts, worth_words
from oldhand.agent.analyst.words.links import Cue, Span
from oldhand.lexicon.entries import words
from oldhand.query.form import Attribute, Count, DatePart, Ratio
from oldhand.query.walk import attribute

_ONE = words("function_words.one")
_DO = words("verbs.do")


def mean_slots(asked: Asked) -> list[Slot]:
    """One slot for each mean, or extreme, of numbers that are counted first."""
    slots: list[Slot] = []
    for cue in asked.links.cues_of("avg"):
        choices = [*_mean_counts(asked, cue), *_mean_worths(asked, cue)]
        if choices:
            slots.append(Slot(cue.span.mask, (*choices, Choice("skip"))))
    for cue in asked.links.cues_of("most_count", "superlative", "max", "min"):
        choices = list(_most_of_one(asked, cue))
        if choices:
            slots.append(Slot(cue.span.mask, (*choices, Choice("skip"))))
    return slots


def _mean_counts(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`average number of orders per customer`, `how many orders does a customer have on average`."""
    for counting in asked.links.cues_of("count"):
        beside = counting.span.start == cue.span.end
        on_average = asked.word(cue.span.start - 1) == "on" or cue.span.start > counting.span.end
        things = next(asked.tables_after(counting.span.end, 2), None)
        if things is None or not (beside or on_average):
            continue
        used = cue.span.mask | counting.span.mask | things.span.mask
        used |= 1 << cue.span.start - 1 if asked.word(cue.span.start - 1) == "on" else 0
        for option in things.options[:2]:
            for term, named, score in _ones(asked, things.span.end, option.id):
                features: Features = (("mean.count", option.score), ("mean.each", score))
                mean = Ratio(Count(attribute(term)), Count(term, distinct=True))
                tables = 1 << option.id
                yield Choice("select", features, used | named, tables, counting.span.start, (mean,), table=option.id)  # fmt: skip


def _mean_worths(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`average revenue per customer`, `average order value`."""
    for span in worth_words(asked.links.tokens):
        between = asked.words(cue.span.end, span.start)
        named = [m for m in asked.links.tables if cue.span.end <= m.span.start < span.start]
        if span.start < cue.span.end or len(between) > 3:
            continue
        for amount in line_amounts(asked.vocabulary):
            used = cue.span.mask | span.mask
            found = list(_ones(asked, span.end, amount.table))
            for mention in named[:1]:
                key = partner(asked, amount.table, mention.best.id)
                found += [(asked.ref(key), mention.span.mask, 1.0)] if key is not None else []
            for term, one, score in found:
                features: Features = (("mean.worth", 1.0), ("mean.each", score))
                mean = Ratio(amount.sum, Count(term, distinct=True))
                yield Choice("select", features, used | one, 1 << amount.table, cue.span.start, (mean,), table=amount.table)  # fmt: skip


def _most_of_one(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`the most orders of one customer`, `highest number of tickets per employee`: the number itself."""
    most = cue.argument in ("most", "-most", "", "asc") or cue.kind in ("max", "min")
    most = most and asked.cue_before(cue.span.start, 0, "ordinal") is None
    if not most or asked.word(0) in ("which", "who", "whose", "list", "show"):
        return
    counting = asked.cue_after(cue.span.end, 0, "count")
    start = counting.span.end if counting is not None else cue.span.end
    things = next(asked.tables_after(start, 1), None)
    if things is None or (cue.kind in ("max", "min") and counting is None):
        return
    down = cue.argument in ("-most", "asc") or cue.kind == "min"
    used = cue.span.mask | things.span.mask | (counting.span.mask if counting is not None else 0)
    for option in things.options[:2]:
        for term, named, score in _ones(asked, things.span.end, option.id):
            features: Features = (("mean.most", option.score), ("mean.each", score))
            place, bit = cue.span.start, 1 << option.id
            group = Choice("group", (), 0, 0, place, (term,))
            order = Choice("order", (), 0, 0, place, (Count(),), descending=not down, limit=1, table=option.id)  # fmt: skip
            yield Choice("select", features, used | named, bit, place, (Count(),), table=option.id, along=(group, order))  # fmt: skip


def _ones(asked: Asked, start: int, table: int) -> Iterator[tuple[Attribute, int, float]]:
    """What tells the ones apart that each have some rows of `table`, the tokens that name it, and how surely."""
    for place in range(start, len(asked.links.tokens)):
        if asked.word(place) in _DO:
            for term, named, score in _named_at(asked, place + 1, table):
                yield term, named | 1 << place, score
        if asked.word(place) not in _ONE or asked.word(place - 1) in _ONE:
            continue
        end = place
        while asked.word(end) in _ONE:
            end += 1
        lead = Span(place - (asked.word(place - 1) in ("by", "of", "for", "from", "in")), end).mask
        for term, named, score in _named_at(asked, end, table):
            yield term, lead | named, score


def _named_at(asked: Asked, place: int, table: int) -> Iterator[tuple[Attribute, int, float]]:
    """A part of a date, a thing or a column that is named at a place, of which each row of `table` has one."""
    if found := part_at(asked, place):
        for term in _dates(asked, table, found[0]):
            yield term, found[1].mask, 1.0
    for mention in asked.tables_after(place, 0):
        key = partner(asked, table, mention.best.id)
        if key is not None:
            yield asked.ref(key), mention.span.mask, mention.best.score
    for mention in asked.columns_after(place, 0):
        for option in mention.options[:3] if not asked.is_thing(mention) else ():
            owner = asked.column(option.id).table
            tree = asked.tree({table, owner})
            if option.score >= 0.6 and tree is not None and not multiplies(asked, tree, table):
                yield asked.ref(option.id), mention.span.mask, option.score * _surely(asked, owner)


def _surely(asked: Asked, table: int) -> float:
    """How much a column counts whose table is named or not, 0.5 to 1."""
    return 0.5 + asked.nearness(table) / 2


def _dates(asked: Asked, table: int, part: str) -> Iterator[DatePart]:
    """The parts of the dates of a table, or of what its rows belong to when something was sold."""
    columns = asked.vocabulary.tables[table].columns
    for deal in asked.deals:
        columns += asked.vocabulary.tables[deal].columns
    for column in columns:
        if asked.column(column).temporal:
            yield DatePart(asked.ref(column), part)


def partner(asked: Asked, table: int, one: int) -> int | None:
    """The column that tells the one partner in `one` of each row of `table`; None where there may be several.

    The column that refers to it does, so that rows without a partner are not counted.
    """
    edges = [e for e in asked.vocabulary.joins.between(table, one) if e.left == table]
    if len(edges) == 1 and len(edges[0].keys) == 1:
        name = edges[0].keys[0][0]
        columns = asked.vocabulary.tables[table].columns
        return next(c for c in columns if asked.column(c).column.name.casefold() == name.casefold())
    tree = asked.tree({table, one})
    keys = asked.key(one)
    if edges or table == one or tree is None or len(keys) != 1 or multiplies(asked, tree, table):
        return None
    return keys[0]
