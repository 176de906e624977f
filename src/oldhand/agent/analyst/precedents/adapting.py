"""Changes the SQL of an old question so that it answers a new one, and says what is still left of the difference."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from oldhand.agent.analyst.precedents.comparing import KEPT, Difference
from oldhand.agent.analyst.precedents.gist import Slot
from oldhand.agent.analyst.precedents.held import (
    column_numbers,
    columns_in,
    holds,
    number_of,
    spoken,
    stand_in,
    values_of,
)
from oldhand.agent.analyst.precedents.precedent import Precedent
from oldhand.agent.analyst.precedents.turning import turned
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.editing import is_whole
from oldhand.query.form import Column, Comparison, Node, Opaque, Query, Scalar, Value
from oldhand.query.likeness import Mark
from oldhand.query.walk import changed

MOST_COLUMNS = 2
"""Columns that are changed at most: where more differ, the questions have little to do with each other."""


@dataclass(frozen=True, slots=True)
class Past:
    """A pair, seen from a new question."""

    precedent: Precedent
    left: Difference
    """How the questions differ."""
    read: frozenset[Mark]
    """The marks of the query that the rules alone read into the old question."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of an old query for a new question."""

    old: Query | Opaque
    """As it was confirmed or rejected."""
    query: Query | Opaque
    left: Difference
    """What the changes do not account for."""
    changed: Mapping[str, int]
    """How much was changed, by kind: `value`, `number`, `date`, `column`, `form`."""
    swapped: tuple[tuple[str, str], ...] = ()
    """Words of the old question, and those of the new one in their place."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The query of a pair, changed to fit a new question."""

    past: Past
    change: Change

    @property
    def precedent(self) -> Precedent:
        """The pair."""
        return self.past.precedent

    @property
    def query(self) -> Query | Opaque:
        """As changed."""
        return self.change.query

    @property
    def left(self) -> Difference:
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
def _changes(query: Query | Opaque, left: Difference, words: Vocabulary) -> tuple[Change, ...]:
    if isinstance(query, Opaque):
        return (Change(query, query, left, {}),) if left.identical else ()
    made, plain = _with_values(query, Change(query, query, left, {}), words)
    made, turned_round = _with_forms(*_with_columns(made, plain, words))
    found = (plain, turned_round) if turned_round.changed != plain.changed else (plain,)
    return tuple(
        one
        for one in found
        if one.query is query or (isinstance(one.query, Query) and is_whole(one.query))
    )


def _with_values(query: Query, start: Change, words: Vocabulary) -> tuple[Query, Change]:
    """Put the values and numbers of the new question in place of the old ones that the query holds."""
    left = start.left
    counted: dict[str, int] = {}
    pairs: list[tuple[Slot, Slot]] = []
    for old in left.old_slots:
        free = [slot for slot in left.new_slots if all(slot is not used for _, used in pairs)]
        held = [one for one in values_of(query) if holds(one.value, old)]
        if held:
            new = _in_place_of(old, held[0].column, free, words)
            made = _put(query, old, new, words) if new is not None else None
        else:
            new, made = _put_names(query, old, free)
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
    return query, replace(start, query=query, left=left, changed=counted, swapped=swapped)


def _in_place_of(
    old: Slot, column: Column | None, among: Sequence[Slot], words: Vocabulary
) -> Slot | None:
    """The slot of the new question that plays the part of an old one; of the same column if there is any."""
    alike = [slot for slot in among if slot.kind == old.kind]
    number = number_of(column, words) if column is not None and old.kind == "value" else None
    same = (s for s in alike if any(option == number for option, _ in s.columns))
    return next(same, alike[0] if alike else None)


def _put(query: Query, old: Slot, new: Slot, words: Vocabulary) -> Query | None:
    """The query with a new slot's value in place of an old one's; None when it cannot hold it there."""
    if new.kind != "value":
        return _with_each(query, lambda value: _rewritten(value, old, new))
    targets: dict[Column, tuple[Column, str]] = {}
    for held in values_of(query):
        if not holds(held.value, old):
            continue
        target = None if held.column is None else _target(held.column, new, query, words)
        if held.column is None or target is None:
            return None
        targets[held.column] = target

    def swap(node: Node) -> Node:
        if not isinstance(node, Comparison) or not isinstance(node.left, Column):
            return node
        if not any(holds(value, old) for value in node.values):
            return node
        column, text = targets[node.left]
        put = tuple(_like(v, text) if holds(v, old) else v for v in node.values)
        return replace(node, left=column, right=put)

    return changed(query, swap)


def _target(
    column: Column, new: Slot, query: Query, words: Vocabulary
) -> tuple[Column, str] | None:
    """The column in which a value stands then, and how that column writes it; None when it can't be reached."""
    number, options = number_of(column, words), dict(reversed(new.columns))
    if number is not None and number in options:
        return column, options[number]
    if not new.columns:
        return column, new.written
    # A value of another table's rows narrows other rows: joins and all would have to follow.
    own = words.columns[number].table if number is not None else -1
    near = [option for option, _ in new.columns if words.columns[option].table == own]
    found = stand_in(column, near, query, words)
    return (found[0], options[found[1]]) if found is not None else None


def _put_names(query: Query, old: Slot, among: Sequence[Slot]) -> tuple[Slot | None, Query | None]:
    """`Linda Smith` for `Tracy Kim` where the query holds first and last name apart."""
    before = spoken(old.written).split()
    held = {spoken(one.value) for one in values_of(query) if isinstance(one.value, str)}
    if len(before) < 2 or not held.issuperset(before):
        return None, None
    for new in among:
        after = new.written.split()
        if new.kind == "value" and len(after) == len(before):
            names = dict(zip(before, after, strict=True))
            return new, _with_each(
                query, lambda value, names=names: names.get(spoken(value), value)
            )
    return None, None


def _with_each(query: Query, change: Callable[[Scalar], Scalar]) -> Query:
    """The query with each of its values changed."""

    def swap(node: Node) -> Node:
        match node:
            case Comparison() if node.values:
                return replace(node, right=tuple(map(change, node.values)))
            case Value(value=value) if value is not None:
                return Value(change(value))
            case Query(limit=int(limit)):
                number = change(limit)
                return replace(node, limit=number) if isinstance(number, int) else node
            case _:
                return node

    return changed(query, swap)


def _rewritten(value: Scalar, old: Slot, new: Slot) -> Scalar:
    """A number or time as the new slot writes it; within a text only what the old one wrote."""
    if not holds(value, old):
        return value
    if isinstance(value, str) and old.written:
        return value.replace(old.written, new.written)
    return new.written if isinstance(value, str) else _number(new.written)


def _like(value: Scalar, text: str) -> Scalar:
    """A text with the signs for any letters that stood around the one before; a number for a number."""
    if not isinstance(value, str):
        return _number(text)
    start, end = ("%" if value[at : at + 1] == "%" else "" for at in (0, len(value) - 1))
    return f"{start}{text}{end}"


def _number(text: str) -> Scalar:
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _with_columns(query: Query, start: Change, words: Vocabulary) -> tuple[Query, Change]:
    """Put columns that only the new question names in place of those that only the old one names."""
    if not isinstance(start.old, Query):
        return query, start
    pairs = list(_column_pairs(start, words))
    moves: dict[Node, Column] = {}
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


def _column_pairs(start: Change, words: Vocabulary) -> Iterator[tuple[frozenset[int], list[int]]]:
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


def _with_forms(query: Query, start: Change) -> tuple[Query, Change]:
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
    return query, replace(start, query=query, left=left, changed=done)
