"""What people have confirmed or rejected before changes what a question is read as."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from oldhand.agent.analyst.candidates.ranking import chance, score, shares
from oldhand.agent.analyst.precedents.adapting import Adaptation, Past, adaptations
from oldhand.agent.analyst.precedents.agreeing import THINGS, clash, is_near, unexchanged
from oldhand.agent.analyst.precedents.answering import answering
from oldhand.agent.analyst.precedents.comparing import difference
from oldhand.agent.analyst.precedents.features import features_of
from oldhand.agent.analyst.precedents.gate import signals_of, trained
from oldhand.agent.analyst.precedents.gist import QuestionGist, gist
from oldhand.agent.analyst.precedents.habits import HABITS, habit
from oldhand.agent.analyst.precedents.held import number_of
from oldhand.agent.analyst.precedents.outright import held_against
from oldhand.agent.analyst.precedents.pool import (
    PoolEntry,
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
from oldhand.query.form import ColumnRef, Join, Query
from oldhand.query.likeness import Mark
from oldhand.query.normal import asks_alike
from oldhand.query.opaque import Opaque
from oldhand.query.walk import walk
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

JUDGED = 100.0
"""What the score of a query gains or loses that was judged for the very same question: it comes first, or last."""
SETTLED = 0.95
"""Confidence at least in a query that was confirmed for the very same question."""

DOUBTED_FROM = 0.2
"""Confidence of the rules in a reading from which on it is worth asking about whatever people said of others."""

Weighed = tuple[PoolEntry, dict[str, float]]
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
    scores = [
        score(features, trained().weights) + JUDGED * (is_settled(entry) - is_barred(entry))
        for entry, features in found
    ]
    order = _in_order(found, scores)
    light = _enlightened(understanding, found, scores, order, vocabulary(schemas))
    entry = found[order[0]][0]
    if entry.confirmed and not light.settled and (light.unknown_words or light.left_out):
        # What leaves words of the question unanswered is not reused: it must not silence the rules either.
        behind = {one.precedent.id for one in entry.confirmed}
        others = [one for one in precedents if one.id not in behind]
        return informed(understanding, others, schemas, values, today=today)
    return light


def _in_order(found: Sequence[Weighed], scores: Sequence[float]) -> list[int]:
    """The places of the queries, best first; the rules' own first where no pair speaks for another one."""
    order = sorted(range(len(found)), key=lambda place: -scores[place])
    first = next((place for place in order if found[place][0].rank == 0), None)
    if first is None or _is_backed(found[order[0]], found[first]):
        return order
    return [first, *(place for place in order if place != first)]


def _is_backed(one: Weighed, first: Weighed) -> bool:
    """True when pairs speak for a query or against the rules' first: that they exist changes nothing by itself."""
    if one[0] is first[0] or one[0].confirmed or first[0].rejected or first[0].opposed:
        return True
    for_it, against = (
        score({name: features.get(name, 0.0) for name in HABITS}, trained().weights)
        for features in (one[1], first[1])
    )
    return for_it > against


def _enlightened(
    understanding: Understanding,
    found: Sequence[Weighed],
    scores: Sequence[float],
    order: Sequence[int],
    words: Vocabulary,
) -> Understanding:
    beliefs = shares(scores)
    best = order[0]
    margin = beliefs[best] - (beliefs[order[1]] if len(order) > 1 else 0.0)
    entry, features = found[best]
    everything = [other for other, _ in found]
    signals = signals_of(features, beliefs[best], margin, understanding.confidence)
    sure = chance(signals, trained().calibration)
    first = next((other for other in everything if other.rank == 0), entry)
    if not (entry.confirmed or entry.rejected or first.rejected or first.opposed):
        sure = understanding.confidence  # habits put queries in order, and prove none
    elif entry is first and not entry.rejected:
        # What was confirmed for other questions is no reason to believe less in what stays the likeliest.
        sure = max(sure, understanding.confidence)
    elif not entry.confirmed and (first.rejected or first.opposed):
        # That another reading was wrong proves this one no better than the rules think it to be.
        sure = min(sure, understanding.confidence * entry.share / max(first.share, entry.share))
    if is_barred(entry) or is_like_barred(entry, everything):
        sure = 0.0
    candidates = tuple(candidate_of(*found[place], scores[place]) for place in order)
    light = replace(
        understanding,
        candidates=candidates,
        confidence=max(sure, SETTLED) if is_settled(entry) else sure,
        settled=is_settled(entry),
        doubted=_doubted(understanding, everything, sure),
        rejected=is_barred(entry),
        signals=replace(understanding.signals, share=beliefs[best], margin=margin),
    )
    return in_its_light(light, entry, everything, words)


def _doubted(
    understanding: Understanding, pool: Sequence[PoolEntry], sure: float
) -> Candidate | None:
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
    pasts = [_past(precedent, new, words, values, today) for precedent in precedents]
    seen = held_against(understanding.candidates, pasts)
    first = understanding.candidates[0].query if understanding.candidates else None
    lent, opposed = _lent(seen, words, first)
    pool = pool_of(understanding.candidates, lent, opposed)
    habits = [
        habit(past.precedent.id, past.left.likeness, marks_of(past.precedent.query), past.read)
        for past in seen
        if past.precedent.right
    ]
    return [
        (entry, features_of(entry, pool, habits, answering(entry.query, new, words), understanding))
        for entry in pool
    ]


def _past(
    precedent: Precedent, new: QuestionGist, words: Vocabulary, values: Values, today: date | None
) -> Past:
    old = gist(precedent.question, words, values, today)
    read = _read(precedent.question, words, values, today)
    return Past(precedent, difference(new, old), new, old, read)


def _lent(
    seen: Sequence[Past], words: Vocabulary, read: Query | Opaque | None
) -> tuple[tuple[Adaptation, ...], tuple[Query | Opaque, ...]]:
    """What pairs come out as whose questions agree with the new one, and what was confirmed for its opposite.

    What is `read` without them is no opposite of what was confirmed where it asks the same, by whatever forms it was said.
    """
    lent: list[Adaptation] = []
    opposed: list[Query | Opaque] = []
    for past in seen:
        apart = clash(past.new, past.old, past.left)
        pair = past.precedent
        if not apart and not past.left.identical and by_other_key(pair.query, past.new, past.old, words, right=pair.right):  # fmt: skip
            apart = "operands"
        made = () if apart else adaptations(past, words)
        agreeing = [one for one in made if not unexchanged(one.change, past.new, past.old)]
        lent += agreeing
        near = apart != THINGS and pair.right and is_near(past.left)
        # Who merely says less than the old question did means nothing else.
        formed = past.left.new_forms and not _same(read, pair.query)
        if near and (apart or formed) and all(one.changed for one in agreeing):
            opposed.append(pair.query)
    return tuple(lent), tuple(opposed)


def _same(one: Query | Opaque | None, other: Query | Opaque) -> bool:
    if not isinstance(one, Query) or not isinstance(other, Query):
        return False
    return asks_alike(one, other) and {*one.group} == {*other.group}


@lru_cache(maxsize=1024)
def _read(question: str, words: Vocabulary, values: Values, today: date | None) -> frozenset[Mark]:
    """The marks of the rules' own reading of an old question."""
    found = understand(question, words.schemas, values, limit=1, today=today)
    return marks_of(found.candidates[0].query) if found.candidates else frozenset()


def by_other_key(
    query: Query | Opaque, new: QuestionGist, old: QuestionGist, words: Vocabulary, *, right: bool
) -> bool:
    """Whether a query goes by one of several keys, and another question does not say the same of which one.

    What was not right by a key that nobody had named says nothing of who names it.

    `Sailings that arrive at Kiel` go by the town at the one end, `sailings that depart from Kiel` by that at the other.
    """
    rivals = [*words.roles_by_key] if _says_otherwise(new, old) else []
    named = [*_named_keys(new, old, words)]
    if isinstance(query, Opaque) or not (rivals or named):
        return False
    read = {number_of(column, words) for column in _tied_columns(query)}
    if any(number_of(ColumnRef(of, name), words) in read for of, name in rivals):
        return True
    return any(read.isdisjoint(keys) is right for keys in named)


def _says_otherwise(new: QuestionGist, old: QuestionGist) -> bool:
    if new.ends or old.ends:
        return new.ends != old.ends
    return _telling(new) != _telling(old)


def _named_keys(new: QuestionGist, old: QuestionGist, words: Vocabulary) -> Iterator[set[int]]:
    """The keys that words of the new question alone may name: `handled_by`, where somebody handled complaints."""
    known = {word.stem for word in old.words}
    for word in new.words:
        if word.columns and not word.tables and word.stem not in known:
            named = {words.plain(number) for number in word.columns}
            if all(words.columns[number].foreign for number in named):
                yield named


def _telling(gist: QuestionGist) -> frozenset[str]:
    """The words of a question that name no table: verbs, prepositions and columns."""
    said = {
        word.stem for word in gist.words if word.weight >= 1.0 and not (word.tables or word.cue)
    }
    return frozenset(said | {role for role in ("from", "to") if role in gist.signs.objects})


def _tied_columns(query: Query) -> Iterator[ColumnRef]:
    """All columns that a query reads or joins by."""
    for part in walk(query, inner=True):
        if isinstance(part, ColumnRef):
            yield part
        elif isinstance(part, Join):
            for left, right in part.keys:
                yield ColumnRef(part.left, left)
                yield ColumnRef(part.right, right)
