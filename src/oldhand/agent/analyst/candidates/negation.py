"""Negation: `not from`, `without orders`, `never`."""

from collections.abc import Iterator

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, Slot, skip
from oldhand.agent.analyst.candidates.filters import flags
from oldhand.agent.analyst.candidates.presence import empty
from oldhand.agent.analyst.candidates.sales import is_selling
from oldhand.agent.analyst.candidates.shared import absent
from oldhand.agent.analyst.candidates.verbs import done_at
from oldhand.agent.analyst.words.links import Cue, Option, Span
from oldhand.lexicon.entries import words

_REACH = 8
_STRONG = words("negation.strong")
_DETERMINERS = words("negation.before_nouns")
_VERBS = words("verbs.denied")


def negation_slots(asked: Asked) -> list[Slot]:
    """One slot for each negation: a condition turned round, or rows that have no partner."""
    slots: list[Slot] = []
    for cue in asked.links.cues_of("not"):
        if any(cue.span.overlaps(o.span) for o in asked.links.cues_of(">=", "<=")):
            continue
        choices = [*_turned(asked, cue), *_excluded(asked, cue), *empty(asked, cue)]
        choices.extend(absent(asked, cue))
        slots.append(Slot(cue.span.mask, (*choices, skip("not"))))
    return slots


def _turned(asked: Asked, cue: Cue) -> Iterator[Choice]:
    spans = [
        *(v.span for v in asked.links.values),
        *(n.span for n in asked.links.numbers),
        *(d.span for d in asked.links.dates),
        *(mention.span for mention, _ in flags(asked)),
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
    for option, span in _done(asked, cue):
        if option.id not in seen:
            seen.add(option.id)
            features: Features = (*strong, ("not.table", option.score), ("not.verb", 1.0))
            used = cue.span.mask | span.mask
            yield Choice("exclude", features, used, 0, cue.span.start, table=option.id)
    for mention in list(asked.tables_after(cue.span.end, _REACH))[:2]:
        least = 0.8 if asked.word(mention.span.start).endswith("ed") else 0.0
        for option in mention.options[:3]:
            if option.id not in seen and option.score >= least:
                seen.add(option.id)
                features = (
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


def _done(asked: Asked, cue: Cue) -> Iterator[tuple[Option, Span]]:
    """What was never done: the tables that the verb right after a negation names.

    `Never ordered` names orders, and so does `never prescribed` by the column `prescribed_on`.
    """
    if asked.word(cue.span.start) not in _VERBS and asked.word(cue.span.end - 1) != "never":
        return
    start = cue.span.end + (asked.word(cue.span.end) in ("been", "be", "ever"))
    if is_selling(asked, start) or not any(asked.tables_after(start + 1, 3)):
        yield from done_at(asked, start)


def _named_next(asked: Asked, cue: Cue) -> bool:
    """True when the very next words say what there is none of."""
    noun = asked.word(cue.span.end - 1) in _DETERMINERS
    reach, least = (3, 0.4) if noun else (1, 0.9)
    near = [*asked.tables_after(cue.span.end, reach), *asked.columns_after(cue.span.end, reach)]
    return any(mention.best.score >= least for mention in near)
