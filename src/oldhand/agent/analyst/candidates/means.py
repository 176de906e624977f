"""Means and extremes of what each has: `average number of orders per customer`, `average order size`, `the most orders of one customer`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, slot
from oldhand.agent.analyst.candidates.days import part_at
from oldhand.agent.analyst.candidates.deeds import lines_of
from oldhand.agent.analyst.candidates.pruning import multiplies
from oldhand.agent.analyst.candidates.worth import amounts_meant, worth_words
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Mention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.query.form import Aggregate, Attribute, ColumnRef, Count, DatePart, Ratio
from oldhand.query.walk import attribute

_ONE = words("function_words.one")
_DO = words("verbs.do")
_BEFORE_EACH = words("places.prepositions")
_SIZE = words("sorting.how_much_of_it")


def mean_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each mean, or extreme, of numbers that are counted first."""
    for cue in asked.links.cues_of("avg"):
        means = (_mean_counts, _mean_sums, _mean_sizes, _mean_worths)
        yield from slot(cue.span.mask, [one for made in means for one in made(asked, cue)])
    for cue in asked.links.cues_of("most_count", "superlative", "max", "min"):
        yield from slot(cue.span.mask, _most_of_one(asked, cue))


def _mean_counts(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`average number of orders per customer`, `how many orders does a customer have on average`."""
    for counting in asked.links.cues_of("count"):
        beside = counting.span.start == cue.span.end
        on_average = asked.word(cue.span.start) == "on" or cue.span.start > counting.span.end
        things = next(asked.tables_after(counting.span.end, 2), None)
        if things is None or not (beside or on_average) or any(_amounts(asked, counting.span.end)):
            continue
        used = spans((cue, counting, things))
        for option in things.options[:2]:
            for table in (option.id, *lines_of(asked, option.id)):
                for term, named, score in _ones(asked, things.span.end, table):
                    features: Features = (("mean.count", option.score), ("mean.each", score))
                    place, mean = counting.span.start, _rows_each(term)
                    yield select(asked, place, used | named, features, mean, table=table)


def _rows_each(one: Attribute) -> Ratio:
    """All rows, divided among the ones that have some."""
    return Ratio(Count(attribute(one)), Count(one, distinct=True))


def _mean_sums(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`average number of stems per order`: those of each order together, where an order has several rows of them.

    Not the pages of books for each author, which are a mean for each: a book is known by a name, and is more than a part of him.
    """
    counting = asked.cue_after(cue.span.end, 0, "count")
    if counting is None:
        return
    for mention, amount in _amounts(asked, counting.span.end):
        used = spans((cue, counting, mention))
        if asked.has_own_name(amount.table):
            continue
        for term, named, score in _sharers(asked, mention.span.end, amount.table):
            features: Features = (("mean.count", mention.best.score), ("mean.each", score))
            yield _shared(asked, cue, used | named, features, amount, term)


def _sharers(asked: Asked, start: int, table: int) -> Iterator[tuple[Attribute, int, float]]:
    """The ones among which an amount may be divided, as `per order` says of the stems of its lines.

    `For each order` asks for a row of each, and what sorts things into kinds, as a genre does, is nothing that could have some.
    """
    for term, named, score in _ones(asked, start, table):
        lead = next(place for place in range(start, len(asked.links.tokens)) if named >> place & 1)
        each = asked.word(lead) in _BEFORE_EACH and asked.word(lead + 1) in _ONE
        if not each and not (isinstance(term, ColumnRef) and not asked.entry(term).key_like):
            yield term, named, score


def _mean_sizes(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`average order size in stems`, `average class size`: how much of it one has, else how many of its parts."""
    for thing in asked.tables_after(cue.span.end, 1):
        place = thing.span.end
        if asked.word(place) not in _SIZE or any(m.span.holds(Span(place, place + 1)) for m in asked.links.columns):  # fmt: skip
            continue
        used = spans((cue, thing)) | 1 << place
        features: Features = (("mean.count", 1.0), ("mean.each", thing.best.score))
        unit = asked.word(place + 1) == "in"
        for mention, amount in _amounts(asked, place + 2) if unit else ():
            if (key := partner(asked, amount.table, thing.best.id)) is not None:
                said = used | mention.span.mask | 1 << place + 1
                yield _shared(asked, cue, said, features, amount, asked.ref(key))
        for part in asked.vocabulary.joins.holders(thing.best.id) if not unit else ():
            if (key := partner(asked, part, thing.best.id)) is not None:
                mean = _rows_each(asked.ref(key))
                yield select(asked, cue.span.start, used, features, mean, table=part)


def _amounts(asked: Asked, start: int) -> Iterator[tuple[Mention, ColumnEntry]]:
    """Columns of numbers that are named at a place."""
    for mention in asked.columns_after(start, 1):
        for option in mention.options[:2]:
            if option.score >= 0.6 and asked.column(option.id).measures:
                yield mention, asked.column(option.id)


def _shared(
    asked: Asked, cue: Cue, used: int, features: Features, amount: ColumnEntry, one: Attribute
) -> Choice:
    """All of an amount, divided among the ones that have some."""
    mean = Ratio(Aggregate("sum", amount.ref), Count(one, distinct=True))
    return select(asked, cue.span.start, used, features, mean, table=amount.table)


def _mean_worths(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`average revenue per customer`, `average order value`."""
    for span in worth_words(asked.links.tokens):
        between = asked.words(cue.span.end, span.start)
        named = [m for m in asked.links.tables if cue.span.end <= m.span.start < span.start]
        if span.start < cue.span.end or len(between) > 3 or _is_column(asked, span):
            continue
        if any(m.span.end < span.start for m, _ in _amounts(asked, cue.span.end)):
            continue  # `average amount of sales per status`
        for amount in amounts_meant(asked.vocabulary, asked.links, span):
            used = cue.span.mask | span.mask
            found = list(_ones(asked, span.end, amount.table))
            for mention in named[:1]:
                key = partner(asked, amount.table, mention.best.id)
                found += [(asked.ref(key), mention.span.mask, 1.0)] if key is not None else []
            for term, one, score in found:
                features: Features = (("mean.worth", 1.0), ("mean.each", score))
                mean = Ratio(amount.sum, Count(term, distinct=True))
                yield select(asked, cue.span.start, used | one, features, mean, table=amount.table)


def _is_column(asked: Asked, said: Span) -> bool:
    """True where an amount of its own is called so: `average amount of sales per month` is a mean for each."""
    named = (m for m in asked.links.columns if m.span == said and m.best.score >= WHOLE)
    of = asked.word(said.end) == "of"
    return of and any(asked.column(m.best.id).measures for m in named)


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
    used = spans((cue, things, *((counting,) if counting is not None else ())))
    for option in things.options[:2]:
        for term, named, score in _ones(asked, things.span.end, option.id):
            features: Features = (("mean.most", option.score), ("mean.each", score))
            place = cue.span.start
            group = Choice("group", (), 0, 0, place, (term,))
            order = Choice("order", (), 0, 0, place, (Count(),), descending=not down, limit=1, table=option.id)  # fmt: skip
            yield select(asked, place, used | named, features, Count(), table=option.id, along=(group, order))  # fmt: skip


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
    columns = list(asked.columns_after(place, 0))
    longest = max((m.span.end for m in columns if m.best.score >= 0.9), default=place)
    for mention in asked.tables_after(place, 0):
        key = partner(asked, table, mention.best.id)
        if key is not None and longest <= mention.span.end:  # `per room type` is of no room
            yield asked.ref(key), mention.span.mask, mention.best.score
    for mention in columns:
        for option in mention.options[:3] if not asked.is_thing(mention) else ():
            owner = asked.column(option.id).table
            tree = asked.tree({table, owner})
            if option.score >= 0.6 and tree is not None and not multiplies(asked, tree, table):
                surely = 0.5 + asked.nearness(owner) / 2
                yield asked.ref(option.id), mention.span.mask, option.score * surely


def _dates(asked: Asked, table: int, part: str) -> Iterator[DatePart]:
    """The parts of the dates of a table, or of what its rows belong to when something was sold."""
    columns = asked.vocabulary.tables[table].columns
    for deal in asked.dating:
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
        return asked.named(table, edges[0].keys[0][0])
    tree = asked.tree({table, one})
    keys = asked.key(one)
    if edges or table == one or tree is None or len(keys) != 1 or multiplies(asked, tree, table):
        return None
    return keys[0]
