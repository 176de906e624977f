"""Rows compared with those above them: `who earn more than their manager`, `hired before their boss`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot
from oldhand.agent.analyst.candidates.events import event_before
from oldhand.agent.analyst.candidates.ladders import Ladder, Spoken, Tie, told_ladders
from oldhand.agent.analyst.candidates.measured_by import comparative_before, compared_column
from oldhand.agent.analyst.words.links import Span
from oldhand.lexicon.entries import words
from oldhand.query.form import Comparison

_TOLD: Features = (("hierarchy.told", 1.0), ("hierarchy.compared", 1.0))
_OWN = words("function_words.determiners")
_REACH = 6


def superior_slots(asked: Asked) -> list[Slot]:
    """One slot for rows that are compared with those above them."""
    choices = [
        choice
        for ladder, spoken in told_ladders(asked)
        if len(spoken) == 1 and spoken[0].tie is Tie.SUPERIOR
        for choice in _compared(asked, ladder, spoken[0])
    ]
    return [Slot(choices[0].used, (*choices, Choice("skip")))] if choices else []


def _compared(asked: Asked, ladder: Ladder, spoken: Spoken) -> Iterator[Choice]:
    start = spoken.start
    while asked.word(start - 1) in _OWN:
        start -= 1
    if start == spoken.start:
        return
    lead = asked.word(start - 1)
    end = spoken.end + (asked.word(spoken.end) == "s")
    same = [m for m in asked.links.columns if end <= m.span.start <= end + 1]
    end = same[0].span.end if end > spoken.end and same else end
    found = None
    if lead == "than":
        there = comparative_before(asked, start - 1, _REACH)
        found = None if there is None else compared_column(asked, there, start - 1, ladder.below)
    elif lead in ("before", "after"):
        events = [e for e in event_before(asked, start - 1) if asked.column(e.column).table == ladder.below]  # fmt: skip
        if len(events) == 1:
            mask = 1 << events[0].place | 1 << start - 1
            found = events[0].column, mask, "<" if lead == "before" else ">"
    if found is None:
        return
    column, mask, operator = found
    place = asked.vocabulary.tables[ladder.below].columns.index(column)
    theirs = asked.ref(asked.vocabulary.tables[ladder.above].columns[place])
    used = mask | Span(start - 1, end).mask
    condition = Comparison(asked.ref(column), operator, theirs)
    tables = 1 << ladder.below | 1 << ladder.above
    yield Choice("where", _TOLD, used, tables, start - 1, condition=condition, table=ladder.below)
