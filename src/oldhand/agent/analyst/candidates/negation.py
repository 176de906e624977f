"""Negation: `not from`, `without orders`, `never`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip, slot
from oldhand.agent.analyst.candidates.filters import flags
from oldhand.agent.analyst.candidates.presence import empty
from oldhand.agent.analyst.candidates.sales import deeds_called, done_at, is_selling
from oldhand.agent.analyst.candidates.shared import absent
from oldhand.agent.analyst.words.links import Cue, LinkOption, Span
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import is_past_form

_REACH = 8
_SURER = 0.5
"""By how much better words must name a column than a table, to be no table."""
_STRONG = words("negation.strong")
_JOINING, _PLACING = words("function_words.joining"), words("places.prepositions")
_DETERMINERS = words("negation.before_nouns")
_VERBS = words("verbs.denied")


def negation_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each negation: a condition turned round, or rows that have no partner."""
    for cue in asked.links.cues_of("not"):
        if not any(cue.span.overlaps(o.span) for o in asked.links.cues_of(">=", "<=")):
            choices = [*_turned(asked, cue)]
            if not choices or not _is_of_stated(asked, cue):
                choices += [*_excluded(asked, cue), *empty(asked, cue)]
            yield Slot(cue.span.mask, (*choices, *absent(asked, cue), skip("not")))
    for place, token in enumerate(asked.links.tokens):
        undone = token.lower.removeprefix("un")
        features: Features = (("not.strong", 1.0), ("not.table", 1.0), ("not.verb", 1.0))
        tables = deeds_called(asked, undone) if undone != token.lower else ()  # `unpaid bookings`
        choices = (Choice("exclude", features, 1 << place, 0, place, table=t) for t in tables)
        yield from slot(1 << place, choices)


def _is_of_stated(asked: Asked, cue: Cue) -> bool:
    """Whether what is denied has a meaning that people have stated: it says nothing else then."""
    start = _behind(asked, cue)
    return any(mask >> start & 1 for mask, _ in asked.links.stated)


def _behind(asked: Asked, cue: Cue) -> int:
    """Where what is denied begins."""
    return cue.span.end + (asked.word(cue.span.end) in ("been", "be", "ever"))


def _turned(asked: Asked, cue: Cue) -> Iterator[Choice]:
    links, flagged = asked.links, (mention for mention, _ in flags(asked))
    starts = [m.span.start for m in (*links.values, *links.numbers, *links.dates, *flagged)]
    after = [start for start in starts if cue.span.end <= start <= cue.span.end + _REACH]
    if after:
        distance = min(after) - cue.span.end
        features: Features = (("not.condition", 1.0), ("not.distance", float(distance)))
        yield Choice("negate", features, cue.span.mask, 0, cue.span.start)


def _excluded(asked: Asked, cue: Cue) -> Iterator[Choice]:
    if _only_narrows(asked, cue):
        return
    word = asked.word(cue.span.start)
    strong: Features = (("not.strong", 1.0),) if word in _STRONG else ()
    seen: set[int] = set()
    for table, named, features in _without(asked, cue):
        if table not in seen:
            seen.add(table)
            used = cue.span.mask | named
            yield Choice("exclude", (*strong, *features), used, 0, cue.span.start, table=table)


def _only_narrows(asked: Asked, cue: Cue) -> bool:
    """True for `but never with Dr. Birk`, `and none in May`: of the same kind of rows as before, there are none of that."""
    said = {asked.word(cue.span.start - 1), asked.word(cue.span.start)}
    return asked.word(cue.span.end) in _PLACING | {"since"} and bool(said & _JOINING)


def _without(asked: Asked, cue: Cue) -> Iterator[tuple[int, int, Features]]:
    """The tables in which there may be no partner, with the tokens that name them."""
    for option, span in _done(asked, cue):
        yield option.id, span.mask, (("not.table", option.score), ("not.verb", 1.0))
    for mention in list(asked.tables_after(cue.span.end, _REACH))[:2]:
        least = 0.8 if is_past_form(asked.word(mention.span.start)) else 0.0
        distance = ("not.distance", float(mention.span.start - cue.span.end))
        named = (m.best.score for m in asked.links.columns if m.span.holds(mention.span))
        least = max(least, *(score - _SURER for score in named), 0.0)
        for option in mention.options[:3]:
            if option.score >= least:
                yield option.id, mention.span.mask, (("not.table", option.score), distance)
    dated = any(0 <= date.span.start - cue.span.end <= 2 for date in asked.links.dates)
    for table, score in asked.named_tables.items() if not _named_next(asked, cue) else ():
        for other in asked.vocabulary.joins.holders(table) if score >= 0.6 else ():
            if dated and not any(asked.column(c).temporal for c in asked.vocabulary.tables[other].columns):  # fmt: skip
                continue
            best = max(score, asked.named_tables.get(other, 0.0))
            yield other, 0, (("not.related", best),)


def _done(asked: Asked, cue: Cue) -> Iterator[tuple[LinkOption, Span]]:
    """What was never done: the tables that the verb right after a negation names.

    `Never ordered` names orders, and so does `never prescribed` by the column `prescribed_on`.
    """
    start = _behind(asked, cue)
    denied = asked.word(cue.span.start) in _VERBS or asked.word(cue.span.end - 1) == "never"
    if not (denied or is_past_form(asked.word(start))):  # `were not invoiced`
        return
    for table in deeds_called(asked, asked.word(start)):
        yield LinkOption(table, 1.0, 0.0), Span(start, start + 1)
    if is_selling(asked, start) or not any(asked.tables_after(start + 1, 3)):
        yield from done_at(asked, start)


def _named_next(asked: Asked, cue: Cue) -> bool:
    """True when the very next words say what there is none of."""
    noun = asked.word(cue.span.end - 1) in _DETERMINERS
    reach, least = (3, 0.4) if noun else (1, 0.9)
    near = [*asked.tables_after(cue.span.end, reach), *asked.columns_after(cue.span.end, reach)]
    return any(mention.best.score >= least for mention in near)
