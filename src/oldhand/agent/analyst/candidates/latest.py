"""The last, or the first, of what each thing has: `trees that were healthy at their latest inspection`, `customers whose first order was large`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, told_slot, where
from oldhand.agent.analyst.candidates.events import life, may_be_meant
from oldhand.agent.analyst.candidates.means import partner
from oldhand.agent.analyst.words.links import Cue, Mention, Span
from oldhand.lexicon.entries import words
from oldhand.query.form import Aggregate, ColumnRef, Comparison, OwnGroup

_OWN = words("function_words.owners")
_OF_TIME, _FIRST = words("sorting.of_time"), words("sorting.of_first")
_OF_ONE: Features = (("average.own_group", 1.0),)
_NAMED = 0.5
"""How surely the rows must be named of which each thing has a last one."""


def latest_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each `their latest inspection`: of the rows of each thing, the one of the last day."""
    for cue in asked.links.cues_of("superlative"):
        own = asked.word(cue.span.start - 1) in _OWN
        if own and cue.argument.removeprefix("-") in _OF_TIME:
            near = [m for m in asked.tables_after(cue.span.end, 0) if m.best.score >= _NAMED]
            yield from told_slot(one for mention in near for one in _of_each(asked, cue, mention))


def _of_each(asked: Asked, cue: Cue, mention: Mention) -> Iterator[Choice]:
    rows, start = mention.best.id, cue.span.start - 1
    owners = [m.best.id for m in asked.links.tables if m.span.end <= start and m.best.id != rows]
    keys = [key for one in reversed(owners) if (key := partner(asked, rows, one)) is not None]
    day = _day(asked, rows)
    same = asked.ref(keys[0]) if keys else None
    if day is None or not isinstance(same, ColumnRef):
        return
    end = "min" if cue.argument.removeprefix("-") in _FIRST else "max"
    last = OwnGroup(Aggregate(end, asked.ref(day)), (same,))
    used = Span(start, mention.span.end).mask
    yield where(asked, start, used, _OF_ONE, Comparison(asked.ref(day), "=", last))


def _day(asked: Asked, table: int) -> int | None:
    """The day of rows: the one that is called after them, else the only one, else that on which they begin."""
    days = [e for e in asked.times if e.table == table and may_be_meant(asked, e)]
    own = [e for e in days if set(e.forms[0]) & asked.vocabulary.tables[table].words]
    pair = life(asked, table)
    for found in (own, days):
        if len(found) == 1:
            return found[0].id
    return pair[0] if pair is not None else None
