"""Groups: `for each country`, `per month`, `by category`."""

from collections.abc import Iterator
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, join, skip, slot
from oldhand.agent.analyst.candidates.days import (
    adverbial_parts,
    of_its_table,
    part_at,
    rates,
    tables_of_dates,
)
from oldhand.agent.analyst.candidates.events import (
    ITS,
    EventColumn,
    events_between,
    may_be_meant,
)
from oldhand.agent.analyst.candidates.group_words import (
    ALSO,
    NAMED,
    kind_after,
    kind_of_groups,
    named_until,
)
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Mention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import is_past_form
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import DatePart, Expression

_COMPUTING = ("count", *AGGREGATES, "superlative", "most_count")
_DOING = words("verbs.do")
_KIND = 0.7
"""How well they must fit one of things that are named behind it, to be the only groups."""
_OF_PERIODS = words("sorting.of_periods")
_BETWEEN = ITS | words("ends.between")
"""Words between a part of a date and the deed of that day."""
_GOING = words("verbs.going")


def group_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each phrase that may name the groups, and one for each further name in it."""
    taken = 0
    for cue in asked.links.cues_of("per", "group", "by"):
        if cue.span.mask & taken or _is_order(asked, cue):
            continue
        taken |= cue.span.mask
        choices = list(_choices(asked, cue))
        yield from slot(cue.span.mask, choices, skip(kind_of_groups(asked, cue)))
        if choices:
            yield from _further(asked, cue, taken)
    yield from _asked_parts(asked)
    yield from _repeated(asked)
    yield from _opposed(asked)


def _opposed(asked: Asked) -> Iterator[Slot]:
    """`How many male and female staff`: the words are the groups, where no value is called so."""
    said = [m for m in asked.links.columns if asked.says_value(m) and not asked.is_value(m)]
    of_one = (
        len({m.best.id for m in said}) == 1 and len({asked.links.text(m.span) for m in said}) > 1
    )
    if of_one and asked.links.cues_of(*_COMPUTING):
        cue = Cue("per", said[0].span, "per")
        features: Features = (("group.per", 1.0), ("group.column", said[0].best.score))
        shown = _shown(asked, cue, said[0].span, features, asked.ref(said[0].best.id))
        yield from slot(spans(said), [replace(one, used=spans(said)) for one in shown])


def _asked_parts(asked: Asked) -> Iterator[Slot]:
    """`Which month had the most orders?`, `the busiest month`: the part of a date is what is asked for."""
    for position in range(1, len(asked.links.tokens)):
        found = part_at(asked, position)
        asking = asked.word(position - 1) in ("which", "what")
        if found is None or not (asking or _is_ranked(asked, position)):
            continue
        start = position - asking
        asking = Cue("per", Span(start, position), "asked")
        span = Span(start, found[1].end)
        parts = _by_part(asked, asking, found[0], span)
        yield from slot(span.mask, (choice for choice in parts if choice.shown == "first"))


def _is_ranked(asked: Asked, place: int) -> bool:
    """True for the month of `the best month`, and of `the top 3 months`."""
    cue = asked.cue_before(place, 1, "superlative", "top")
    dated = spans(asked.links.dates) >> place & 1
    return (
        cue is not None
        and not dated
        and (cue.kind == "top" or cue.argument.removeprefix("-") in _OF_PERIODS)
    )


def _repeated(asked: Asked) -> Iterator[Slot]:
    """`Monthly revenue`, `orders a month`: the words say what the groups are."""
    named = spans(mention for mention in asked.links.columns if mention.best.score >= 0.6)
    said = [one for one in adverbial_parts(asked) if not named & one[1].mask]
    for part, span in (*said, *rates(asked)):
        if asked.cue_before(span.start, 1, "per", "group", "by") is None:
            choices = _by_part(asked, Cue("per", span, "per"), part, span)
            yield from slot(span.mask, choices, skip("per"))


def _further(asked: Asked, cue: Cue, taken: int) -> Iterator[Slot]:
    """`per country and year`: each name that follows on."""
    kind, end = kind_of_groups(asked, cue), named_until(asked, cue.span.end)
    while end is not None:
        start = end
        while asked.word(start) in ALSO:
            start += 1
        following = named_until(asked, start, reach=0)
        if start == end or following is None or asked.cue_after(start, 0, *_COMPUTING):
            return
        link = Cue(cue.kind, Span(start - 1, start), kind)
        named = Span(start, following)
        choices = [
            replace(c, features=(*c.features, ("group.further", 1.0)))
            for c in _choices(asked, link)
            if c.used & named.mask & ~taken
        ]
        yield Slot(named.mask, (*choices, skip(kind)))
        end = following


def _is_order(asked: Asked, cue: Cue) -> bool:
    return any(cue.span.overlaps(other.span) for other in asked.links.cues_of("order"))


def _choices(asked: Asked, cue: Cue) -> Iterator[Choice]:
    start = cue.span.end
    for place in (start, start + 1):
        if found := part_at(asked, place):
            yield from _by_part(asked, cue, found[0], Span(cue.span.start, found[1].end))
    least = 0.5 if any(m.best.score >= 0.5 for m in asked.tables_after(start, 0)) else NAMED
    sure = (m for m in asked.columns_after(start, 2) if m.best.score >= least)
    columns = [m for m in sure if not asked.is_thing(m) and not _tells_of_thing(asked, m)]
    for mention in columns[:1]:
        for rank, option in enumerate(mention.options[:4]):
            features: Features = (
                (f"group.{kind_of_groups(asked, cue)}", 1.0),
                ("group.column", option.score),
                ("group.near", option.nearness),
                ("group.rank", float(rank)),
            )
            yield from _shown(asked, cue, mention.span, features, asked.ref(option.id))
    for mention in [*asked.tables_after(start, 2), *kind_after(asked, cue)][:1]:
        if not any(c.span.start == mention.span.end or _is_of(asked, c, mention) for c in columns):
            yield from _by_things(asked, cue, mention)


def _is_of(asked: Asked, column: Mention, thing: Mention) -> bool:
    """True for the kind and the exam of `per kind of exam` and the town and the orders of `per town of orders`: no single ones are the groups."""
    own = asked.column(column.best.id).table in {option.id for option in thing.options}
    own = own or asked.word(thing.span.end - 1).endswith("s")
    between = asked.words(column.span.end, thing.span.start)
    return own and column.best.score >= _KIND and between[:1] == ["of"]


def _tells_of_thing(asked: Asked, mention: Mention) -> bool:
    """True for `hired` in `per employee hired in 2025`, and for the verb of `did each employee work`."""
    things = [m for m in asked.links.tables if m.span.end == mention.span.start]
    acting = any(asked.word(m.span.start - 2) in _DOING for m in things)
    return bool(things) and (acting or is_past_form(asked.word(mention.span.end - 1)))


def _by_things(asked: Asked, cue: Cue, mention: Mention) -> Iterator[Choice]:
    """`per customer`: by the name of the thing, or by its key; `average hours per job` are those of all jobs, where each has its own."""
    averaged = asked.columns_before(cue.span.start, 0) if asked.links.cues_of("avg") else ()
    means = [asked.column(one.best.id) for one in averaged]
    # `By village of deliveries` and `per room type` tell of no deliveries and of no rooms.
    beside = mention.span.start == cue.span.end
    named = (m for m in asked.columns_after(cue.span.end, 0) if m.best.score >= _KIND)
    beside = beside and all(m.span.end <= mention.span.end for m in named)
    if beside and mention.best.id in {entry.table for entry in means if entry.measures}:
        span = Span(cue.span.start, mention.span.end)
        yield join(span, (("mean.count", mention.best.score),), mention.best.id)
    # Whoever says `per borrower` means no loan, though it is a deed of both.
    least = WHOLE if asked.vocabulary.tables[mention.best.id].is_end else 0.6
    likely = [o for o in mention.options[:2] if o.score >= least * mention.best.score]
    # Rows that only tie others together have no name of their own.
    named = [o for o in likely if not asked.column(asked.labels(o.id)[0]).foreign]
    for option in named or likely:
        features: Features = (
            (f"group.{kind_of_groups(asked, cue)}", 1.0),
            ("group.table", option.score),
        )
        names = asked.names(option.id)
        keys = tuple(asked.ref(key) for key in asked.key(option.id)[:1])
        for name, terms in (("group.label", names), ("group.key", keys)):
            if terms and (name == "group.label" or terms != names):
                told: Features = (*features, (name, 1.0))
                yield from _shown(asked, cue, mention.span, told, *terms, table=option.id)


def _shown(
    asked: Asked, cue: Cue, named: Span, features: Features, *terms: Expression, table: int = -1
) -> Iterator[Choice]:
    used, bit = cue.span.mask | named.mask, asked.bits(*terms)
    for shown, name in (("first", "shown"), ("placed", "placed"), ("", "hidden")):
        extra: Features = (*features, (f"group.{name}", 1.0))
        yield Choice("group", extra, used, bit, cue.span.start, terms, table=table, shown=shown)


def _by_part(asked: Asked, cue: Cue, part: str, span: Span) -> Iterator[Choice]:
    """`per month`: a part of a date column of a table that is named; `per year of birth`, `by the month in which they were sent` tell which."""
    told = _day_told(asked, span)
    meant, subjects = tables_of_dates(asked, cue.span.start)
    for entry in asked.times:
        near = meant.get(entry.table, 0.0)
        if told is not None and entry.id != told.column:
            continue
        if near > 0 and (told or may_be_meant(asked, entry)):
            features: Features = (
                (f"group.{kind_of_groups(asked, cue)}", 1.0),
                ("group.part", near),
                ("group.part_of_subject", float(entry.table in subjects)),
                *of_its_table(asked, entry, grouped=True),
            )
            said = Span(told.place, told.place + 1) if told else span
            named = Span(min(span.start, said.start), max(span.end, said.end))
            yield from _shown(asked, cue, named, features, DatePart(asked.ref(entry.id), part))


def _day_told(asked: Asked, span: Span) -> EventColumn | None:
    """The day of the deed in `year of birth`, `year in which they went out` and `sent per year`; None where none is told, or several may be."""
    place, tokens = span.end, asked.links.tokens
    things = spans(m for m in asked.links.tables if m.best.score >= _KIND)
    while place < len(tokens) and (
        asked.word(place) in _BETWEEN
        or (place > span.end and (things >> place & 1 or asked.word(place) in _GOING))
    ):
        place += 1
    places = [place] if place > span.end else []
    places += [span.start - 1] if is_past_form(asked.word(span.start - 1)) else []
    found = [e for at in places for e in events_between(asked, at, at + 1)]
    near = [one for one in found if asked.meant(asked.column(one.column).table) > 0]
    return near[0] if len(near) == 1 else None
