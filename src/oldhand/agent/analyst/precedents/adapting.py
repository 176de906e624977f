"""Changes the SQL of an old question so that it answers a new one, and says what is still left of the difference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from oldhand.agent.analyst.precedents.comparing import KEPT, QuestionDifference
from oldhand.agent.analyst.precedents.exchanging import in_place_of, put, put_names
from oldhand.agent.analyst.precedents.gist import GistSlot, QuestionGist
from oldhand.agent.analyst.precedents.held import (
    column_numbers,
    columns_in,
    holds,
    number_of,
    stand_in,
    values_of,
)
from oldhand.agent.analyst.precedents.precedent import Precedent
from oldhand.agent.analyst.precedents.turning import Pair, turned
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import ColumnRef, Node, Query
from oldhand.query.likeness import Mark
from oldhand.query.opaque import Opaque
from oldhand.query.parts import is_whole
from oldhand.query.walk import changed

MOST_COLUMNS = 2
"""Columns that are changed at most: where more differ, the questions have little to do with each other."""


@dataclass(frozen=True, slots=True)
class Past:
    """A pair, seen from a new question."""

    precedent: Precedent
    left: QuestionDifference
    """How the questions differ."""
    new: QuestionGist
    old: QuestionGist
    read: frozenset[Mark]
    """The marks of the query that the rules alone read into the old question."""


@dataclass(frozen=True, slots=True)
class QueryChange:
    """What becomes of an old query for a new question."""

    old: Query | Opaque
    """As it was confirmed or rejected."""
    query: Query | Opaque
    left: QuestionDifference
    """What the changes do not account for."""
    changed: Mapping[str, int]
    """How much was changed, by kind: `value`, `number`, `date`, `column`, `form`."""
    swapped: tuple[tuple[str, str], ...] = ()
    """Words of the old question, and those of the new one in their place."""
    exchanged: tuple[tuple[GistSlot, GistSlot], ...] = ()
    """The same with all that they may stand for."""
    turned: tuple[Pair, ...] = ()
    """Forms of the old question, and those of the new one that took their place."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The query of a pair, changed to fit a new question."""

    past: Past
    change: QueryChange

    @property
    def precedent(self) -> Precedent:
        """The pair."""
        return self.past.precedent

    @property
    def query(self) -> Query | Opaque:
        """As changed."""
        return self.change.query

    @property
    def left(self) -> QuestionDifference:
        """What the changes do not account for."""
        return self.change.left

    @property
    def changed(self) -> Mapping[str, int]:
        """How much was changed, by kind."""
        return self.change.changed

    @property
    def swapped(self) -> tuple[tuple[str, str], ...]:
        """Words of the old question, and those of the new one in their place."""
        return self.change.swapped

    @property
    def nearness(self) -> float:
        """How near the questions are once the changes are made; only to put adaptations in an order."""
        left = self.left
        slots = sum(slot.weight for slot in (*left.new_slots, *left.old_slots))
        forms = len(left.new_forms) + len(left.old_forms)
        return left.likeness - 0.3 * slots - 0.1 * forms - 0.05 * sum(self.changed.values())


def adaptations(past: Past, words: Vocabulary) -> tuple[Adaptation, ...]:
    """The query as it is or with other values; and, where columns or forms differ, with those changed too.

    What the form can't hold answers the very same question only.
    """
    changes = _changes(past.precedent.query, past.left, words)
    return tuple(Adaptation(past, change) for change in changes)


@lru_cache(maxsize=KEPT)
def _changes(
    query: Query | Opaque, left: QuestionDifference, words: Vocabulary
) -> tuple[QueryChange, ...]:
    if isinstance(query, Opaque):
        return (QueryChange(query, query, left, {}),) if left.identical else ()
    made, plain = _with_values(query, QueryChange(query, query, left, {}), words)
    made, turned_round = _with_forms(*_with_columns(made, plain, words))
    found = (plain, turned_round) if turned_round.changed != plain.changed else (plain,)
    return tuple(
        one
        for one in found
        if one.query is query or (isinstance(one.query, Query) and is_whole(one.query))
    )


def _with_values(query: Query, start: QueryChange, words: Vocabulary) -> tuple[Query, QueryChange]:
    """Put the values and numbers of the new question in place of the old ones that the query holds."""
    left = start.left
    counted: dict[str, int] = {}
    pairs: list[tuple[GistSlot, GistSlot]] = []
    for old in left.old_slots:
        free = [slot for slot in left.new_slots if all(slot is not used for _, used in pairs)]
        held = [one for one in values_of(query) if holds(one.value, old)]
        if held:
            new = in_place_of(old, held[0].column, free, words)
            made = put(query, old, new, words) if new is not None else None
        else:
            new, made = put_names(query, old, free)
        if new is not None and made is not None:
            query = made
            pairs.append((old, new))
            counted[new.kind] = counted.get(new.kind, 0) + 1
    if not pairs:
        return query, start
    left = replace(
        left,
        old_slots=tuple(slot for slot in left.old_slots if slot not in [old for old, _ in pairs]),
        new_slots=tuple(slot for slot in left.new_slots if slot not in [new for _, new in pairs]),
    )
    swapped = tuple((old.written, new.written) for old, new in pairs)
    return query, replace(
        start, query=query, left=left, changed=counted, swapped=swapped, exchanged=tuple(pairs)
    )


def _with_columns(query: Query, start: QueryChange, words: Vocabulary) -> tuple[Query, QueryChange]:
    """Put columns that only the new question names in place of those that only the old one names."""
    if not isinstance(start.old, Query):
        return query, start
    pairs = list(_column_pairs(start, words))
    moves: dict[Node, ColumnRef] = {}
    for old, new in pairs:
        for column in columns_in(query):
            if number_of(column, words) in old:
                found = stand_in(column, new, query, words)
                if found is None:
                    return query, start
                moves[column] = found[0]
    if not moves or len(moves) < len(pairs):
        return query, start
    query = changed(query, lambda node: moves.get(node, node))
    regions = {word.region for word, _ in start.left.new_words if word.columns}
    left = replace(
        start.left,
        new_words=tuple((w, a) for w, a in start.left.new_words if not w.columns),
        old_words=tuple(
            (w, a) for w, a in start.left.old_words if not w.columns or w.region not in regions
        ),
    )
    done = {**start.changed, "column": len(pairs)}
    return query, replace(start, query=query, left=left, changed=done)


def _column_pairs(
    start: QueryChange, words: Vocabulary
) -> Iterator[tuple[frozenset[int], list[int]]]:
    """Columns that the query reads and only the old question names, with those in whose place the new one has others."""
    if not any(word.columns for word, _ in start.left.new_words):
        return
    inside = column_numbers(start.old, words)
    for region in "SFGO":
        old = [
            w.columns for w, _ in start.left.old_words if w.region == region and w.columns & inside
        ]
        new = [w.columns for w, _ in start.left.new_words if w.region == region and w.columns]
        old, new = list(dict.fromkeys(old)), list(dict.fromkeys(new))
        if len(old) != len(new) or not old or len(old) > MOST_COLUMNS:
            continue
        yield from ((one & inside, sorted(other)) for one, other in zip(old, new, strict=True))


def _with_forms(query: Query, start: QueryChange) -> tuple[Query, QueryChange]:
    """Turn directions, comparisons and aggregates round where the questions' cues differ."""
    left = start.left
    query, pairs = turned(query, left.old_forms, left.new_forms)
    if not pairs:
        return query, start
    gone, came = {old for old, _ in pairs}, {new for _, new in pairs}
    left = replace(
        left,
        new_forms=left.new_forms - came,
        old_forms=left.old_forms - gone,
        new_words=tuple((w, a) for w, a in left.new_words if not w.cue),
        old_words=tuple((w, a) for w, a in left.old_words if not w.cue),
    )
    done = {**start.changed, "form": len(pairs)}
    return query, replace(start, query=query, left=left, changed=done, turned=pairs)
