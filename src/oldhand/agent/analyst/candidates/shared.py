"""What two tables share: `cities with both customers and stores`, `cities that have no store`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip, slot, where
from oldhand.agent.analyst.words.links import Cue
from oldhand.query.form import Comparison, Has, Query


def shared_slots(asked: Asked) -> Iterator[Slot]:
    """One slot for each `both` of two things in which a column of the same name is asked for."""
    for cue in asked.links.cues_of("both"):
        things = list(asked.tables_after(cue.span.end, 4))[:2]
        if len(things) < 2 or asked.word(cue.span.start) != "both":
            continue
        used = cue.span.mask | things[0].span.mask | things[1].span.mask
        one, other = (thing.best.id for thing in things)
        features: Features = (("shared.both", 1.0),)
        choices = [
            _among(asked, pair, False, used, cue.span.start, features)
            for pair in _same_columns(asked, cue, one, other)
        ]
        yield from slot(cue.span.mask, choices, skip("both"))


def absent(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`Cities that have no store`: those that another table holds and the stores do not."""
    for thing in list(asked.tables_after(cue.span.end, 1))[:1]:
        used = cue.span.mask | thing.span.mask
        for entry in asked.vocabulary.tables:
            if entry.role or entry.id == thing.best.id:
                continue
            for pair in _same_columns(asked, cue, entry.id, thing.best.id):
                features: Features = (("shared.absent", 1.0),)
                yield _among(asked, pair, True, used, cue.span.start, features)


def _same_columns(asked: Asked, cue: Cue, one: int, other: int) -> Iterator[tuple[int, int]]:
    """Columns of the same name in two tables, of which the words before a cue name the first."""
    for mention in list(asked.columns_before(cue.span.start, 4))[:1]:
        for option in mention.options:
            entry = asked.column(option.id)
            partner = asked.named(other, entry.column.name)
            plain = not (entry.key_like or entry.numeric) and option.score >= 0.8
            if entry.table == one and partner is not None and plain:
                yield option.id, partner


def _among(
    asked: Asked, pair: tuple[int, int], none: bool, used: int, position: int, features: Features
) -> Choice:  # fmt: skip
    column, partner = pair
    inner = asked.ref(partner)
    known = (Comparison(inner, "not null"),) if asked.column(partner).column.nullable else ()
    query = Query(asked.alone(asked.column(partner).table), (inner,), known)
    condition = Has(asked.ref(column), query, none)
    return where(asked, position, used, features, condition)
