"""Negation: `not from`, `without orders`, `never`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.sketch import Condition, Term
from oldhand.agent.analyst.linking.links import Cue

_REACH = 8
_STRONG = ("never", "without", "no", "none", "lack")


def negation_slots(asked: Asked) -> list[Slot]:
    """One slot for each negation: a condition turned round, or rows that have no partner."""
    slots: list[Slot] = []
    for cue in asked.links.cues_of("not"):
        if any(cue.span.overlaps(o.span) for o in asked.links.cues_of(">=", "<=")):
            continue
        choices = [*_turned(asked, cue), *_excluded(asked, cue), *_empty(asked, cue)]
        slots.append(Slot(cue.span.mask, (*choices, skip("not"))))
    return slots


def _turned(asked: Asked, cue: Cue) -> Iterator[Choice]:
    spans = [
        *(v.span for v in asked.links.values),
        *(n.span for n in asked.links.numbers),
        *(d.span for d in asked.links.dates),
    ]
    after = [span for span in spans if cue.span.end <= span.start <= cue.span.end + _REACH]
    if after:
        distance = min(span.start for span in after) - cue.span.end
        features: Features = (("not.condition", 1.0), ("not.distance", float(distance)))
        yield Choice("negate", features, cue.span.mask, 0, cue.span.start)


def _excluded(asked: Asked, cue: Cue) -> Iterator[Choice]:
    word = asked.word(cue.span.start)
    strong: Features = (("not.strong", 1.0),) if word in _STRONG else ()
    seen: set[int] = set()
    for mention in list(asked.tables_after(cue.span.end, _REACH))[:2]:
        for option in mention.options[:3]:
            if option.id not in seen:
                seen.add(option.id)
                features: Features = (
                    *strong,
                    ("not.table", option.score),
                    ("not.distance", float(mention.span.start - cue.span.end)),
                )
                used = cue.span.mask | mention.span.mask
                yield Choice("exclude", features, used, 0, cue.span.start, table=option.id)
    if _named_next(asked, cue):
        return
    for table, score in asked.named_tables.items():
        for edge in asked.vocabulary.joins.edges(table):
            other = edge.other(table)
            if other not in seen and score > 0.6 and edge.left == other:
                seen.add(other)
                features = (
                    *strong,
                    ("not.related", max(score, asked.named_tables.get(other, 0.0))),
                )
                yield Choice("exclude", features, cue.span.mask, 0, cue.span.start, table=other)


def _named_next(asked: Asked, cue: Cue) -> bool:
    """True when the very next words say what there is none of."""
    near = [*asked.tables_after(cue.span.end, 1), *asked.columns_after(cue.span.end, 1)]
    return any(mention.best.score >= 0.9 for mention in near)


def _empty(asked: Asked, cue: Cue) -> Iterator[Choice]:
    """`without a phone number`: the column is empty."""
    for mention in list(asked.columns_after(cue.span.end, 3))[:1]:
        for option in mention.options[:2]:
            if asked.column(option.id).column.nullable:
                direct = mention.span.start == cue.span.end and not asked.is_thing(mention, 1.1)
                features: Features = (
                    ("not.null", option.score),
                    ("sel.near", option.nearness),
                    ("not.null_direct", option.score * direct),
                )
                used = cue.span.mask | mention.span.mask
                bit = asked.table_bit(option.id)
                condition = Condition(Term(option.id), "null")
                yield Choice("where", features, used, bit, cue.span.start, condition=condition)
