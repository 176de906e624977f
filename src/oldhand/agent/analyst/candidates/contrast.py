"""Those with something set against those without: `the average fare of bookings with and without complaints`."""

from collections.abc import Iterator
from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, select, slot
from oldhand.agent.analyst.candidates.exclusion import excluded
from oldhand.agent.analyst.candidates.versus import added_up
from oldhand.agent.analyst.words.links import Cue, Mention, Span, spans
from oldhand.lexicon.entries import words
from oldhand.query.form import Case, Count, Expression, Value
from oldhand.query.negating import negated

_AGAINST, _COMPARED = words("comparing.against"), words("comparing.compared")
_THOSE = words("comparing.those")
_NAMED = 0.8
"""How well the things must be named, and what some of them are with."""


@dataclass(frozen=True, slots=True)
class WithAndWithout:
    """Things of which some have what others have not."""

    things: Mention
    held: Mention
    used: int
    """The tokens that tell the two sides."""


def told_apart(asked: Asked, cue: Cue) -> WithAndWithout | None:
    """The things with and without something that a `without` tells apart; None where it only leaves some out."""
    start, end = cue.span.start, cue.span.end
    if asked.word(start) != "without":
        return None
    named = [m for m in asked.links.tables if m.best.score >= _NAMED]
    after = next((m for m in named if m.span.start == end), None)
    end = after.span.end if after else end
    if says_both(asked, cue):
        held, start = after, start - 2
    else:
        held = next((m for m in named if asked.word(m.span.start - 1) == "with" and m.span.end < start), None)  # fmt: skip
        between = asked.words(held.span.end, start) if held else []
        known = spans(m for m in named if held and m.span.start > held.span.end) >> (held.span.end if held else 0)  # fmt: skip
        glue = (
            word in _AGAINST | _THOSE or known >> place & 1 for place, word in enumerate(between)
        )
        ends = asked.word(end) in ("", "?", *_THOSE) and (after is None or (held and after.best.id == held.best.id))  # fmt: skip
        if not (between and all(glue) and ends):
            return None
        start = held.span.start - 1 if held else start
    things = next((m for m in reversed(named) if m.span.end <= start), None)
    if held is None or things is None:
        return None
    return WithAndWithout(things, held, Span(start, end).mask | asked.marked(_THOSE, end, end + 1))


def says_both(asked: Asked, cue: Cue) -> bool:
    """True for the `without` of `with and without`."""
    with_it, joined = asked.word(cue.span.start - 2), asked.word(cue.span.start - 1)
    return (with_it, asked.word(cue.span.start)) == ("with", "without") and joined in ("and", "or")


def contrast_slots(asked: Asked) -> Iterator[Slot]:
    """A slot for `with and without`: a figure for those that have some, and one for those that have none."""
    for cue in asked.links.cues_of("not"):
        found = told_apart(asked, cue)
        if found is not None:
            yield from slot(cue.span.mask, _figures(asked, found, cue.span.start))


def _figures(asked: Asked, found: WithAndWithout, place: int) -> Iterator[Choice]:
    things, held = found.things.best.id, found.held.best.id
    none = excluded(asked, {things}, held, ())
    if none is None:
        return
    called = asked.links.text(found.held.span)
    sides = (((negated(none), Value(f"with {called}")),), Value(f"without {called}"))
    group = Choice("group", (), 0, 0, place, (Case(*sides),), shown="first")
    used = found.used | found.things.span.mask | asked.marked(_COMPARED)
    counts = spans(asked.links.cues_of("count")[:1])
    figures: list[tuple[Expression, int]] = [
        (term, mask) for term, table, mask, _ in added_up(asked) if table == things
    ]
    for term, mask in figures or [(Count(), counts)]:
        amount = float(not isinstance(term, Count))
        features: Features = (("versus.count", 1.0), ("versus.own", 1.0), ("versus.worth", amount))
        yield select(asked, place, used | mask, features, term, table=things, along=(group,))
