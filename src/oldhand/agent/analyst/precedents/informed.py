"""What people have confirmed or rejected before changes what a question is read as."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from oldhand.agent.analyst.candidates.ranking import chance, score, shares
from oldhand.agent.analyst.precedents.adapting import Past, adaptations
from oldhand.agent.analyst.precedents.answering import answering
from oldhand.agent.analyst.precedents.comparing import difference
from oldhand.agent.analyst.precedents.features import features_of
from oldhand.agent.analyst.precedents.gate import signals_of, trained
from oldhand.agent.analyst.precedents.gist import gist
from oldhand.agent.analyst.precedents.habits import habit
from oldhand.agent.analyst.precedents.pool import (
    Entry,
    is_barred,
    is_like_barred,
    is_settled,
    marks_of,
    pool_of,
)
from oldhand.agent.analyst.precedents.precedent import Precedent
from oldhand.agent.analyst.precedents.saying import candidate_of, in_its_light
from oldhand.agent.analyst.understanding import Candidate, Understanding, understand
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.query.likeness import Mark
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

JUDGED = 100.0
"""What the score of a query gains or loses that was judged for the very same question: it comes first, or last."""
SETTLED = 0.95
"""Confidence at least in a query that was confirmed for the very same question."""

DOUBTED_FROM = 0.2
"""Confidence of the rules in a reading from which on it is worth asking about whatever people said of others."""

Weighed = tuple[Entry, dict[str, float]]
"""A query of the pool and its features."""


def informed(
    understanding: Understanding,
    precedents: Sequence[Precedent],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    *,
    today: date | None = None,
) -> Understanding:
    """What a question means in the light of what people have said about others.

    Args:
        understanding: what the rules make of it.
        precedents: confirmed and rejected pairs that may be about something similar.
        schemas: the databases that may be asked.
        values: the index over their values.
        today: what `last year` counts from.

    Returns:
        `understanding` itself when there is no precedent.
    """
    if not precedents:
        return understanding
    found = weighed(understanding, precedents, schemas, values, today=today)
    if not found:
        return understanding
    gate = trained()
    scores = [
        score(features, gate.weights) + JUDGED * (is_settled(entry) - is_barred(entry))
        for entry, features in found
    ]
    beliefs = shares(scores)
    order = sorted(range(len(found)), key=lambda place: -scores[place])
    best = order[0]
    margin = beliefs[best] - (beliefs[order[1]] if len(order) > 1 else 0.0)
    entry, features = found[best]
    signals = signals_of(features, beliefs[best], margin, understanding.confidence)
    everything = [other for other, _ in found]
    wrong = is_barred(entry) or is_like_barred(entry, everything)
    sure = 0.0 if wrong else chance(signals, gate.calibration)
    if entry.rank == 0 and not (wrong or entry.rejected):
        # What was confirmed for other questions is no reason to believe less in what stays the likeliest.
        sure = max(sure, understanding.confidence)
    sure = max(sure, SETTLED) if is_settled(entry) else sure
    candidates = tuple(candidate_of(*found[place], scores[place]) for place in order)
    light = replace(
        understanding,
        candidates=candidates,
        confidence=sure,
        databases=tuple(dict.fromkeys((*candidates[0].databases, *understanding.databases))),
        settled=is_settled(entry),
        doubted=_doubted(understanding, everything, sure),
        signals=replace(understanding.signals, share=beliefs[best], margin=margin),
    )
    return in_its_light(light, entry, everything, vocabulary(schemas))


def _doubted(understanding: Understanding, pool: Sequence[Entry], sure: float) -> Candidate | None:
    """What the rules would answer, if what people have said of like questions speaks against it, or for another one."""
    lacking = understanding.unknown_words or understanding.left_out or understanding.compares
    first = next((one for one in pool if one.rank == 0), None)
    if first is None or lacking or understanding.confidence < DOUBTED_FROM:
        return None
    return first.candidate if first.rejected or sure < understanding.confidence else None


def weighed(
    understanding: Understanding,
    precedents: Sequence[Precedent],
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    *,
    today: date | None = None,
) -> list[Weighed]:
    """The pool of queries for a question, each with its features; the rules' queries first."""
    words = vocabulary(schemas)
    new = gist(understanding.question, words, values, today, understanding.aliases)
    seen = [
        Past(
            precedent,
            difference(new, gist(precedent.question, words, values, today)),
            _read(precedent.question, words, values, today),
        )
        for precedent in precedents
    ]
    lent = [adapted for past in seen for adapted in adaptations(past, words)]
    pool = pool_of(understanding.candidates, lent)
    habits = [
        habit(past.precedent.id, past.left.likeness, marks_of(past.precedent.query), past.read)
        for past in seen
        if past.precedent.right
    ]
    return [
        (entry, features_of(entry, pool, habits, answering(entry.query, new, words), understanding))
        for entry in pool
    ]


@lru_cache(maxsize=1024)
def _read(question: str, words: Vocabulary, values: Values, today: date | None) -> frozenset[Mark]:
    """The marks of the rules' own reading of an old question."""
    found = understand(question, words.schemas, values, limit=1, today=today)
    return marks_of(found.candidates[0].query) if found.candidates else frozenset()
