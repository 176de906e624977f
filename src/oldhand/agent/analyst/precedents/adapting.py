"""Changes the SQL of an old question so that it answers a new one, and says what is still left of the difference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import exp

from oldhand.agent.analyst.precedents.comparing import KEPT, Difference
from oldhand.agent.analyst.precedents.fitting import fits
from oldhand.agent.analyst.precedents.gist import Slot
from oldhand.agent.analyst.precedents.parts import Parts
from oldhand.agent.analyst.precedents.precedent import Precedent
from oldhand.agent.analyst.precedents.turning import turned
from oldhand.agent.analyst.precedents.wheres import (
    column_number,
    columns_of,
    joins_tables,
    literal_column,
    moved,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.sources.databases.value_files import normal

MOST_COLUMNS = 2
"""Columns that are changed at most: where more differ, the questions have little to do with each other."""


@dataclass(frozen=True, slots=True)
class Past:
    """A pair, seen from a new question."""

    precedent: Precedent
    left: Difference
    """How the questions differ."""
    read: Parts
    """The pieces of the query that the rules alone read into the old question."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of an old query for a new question."""

    old: exp.Query
    """As it was confirmed or rejected."""
    query: exp.Query
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
    def query(self) -> exp.Query:
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
    """The query as it is or with other values; and, where columns or forms differ, with those changed too."""
    changes = _changes(past.precedent.query, past.left, words)
    return tuple(Adaptation(past, change) for change in changes)


@lru_cache(maxsize=KEPT)
def _changes(query: exp.Query, left: Difference, words: Vocabulary) -> tuple[Change, ...]:
    plain = _with_values(Change(query, query, left, {}), words)
    changed = _with_forms(_with_columns(plain, words))
    found = (plain, changed) if changed.changed != plain.changed else (plain,)
    return tuple(one for one in found if one.query is query or fits(one.query, words.schemas))


def _with_values(start: Change, words: Vocabulary) -> Change:
    """Put the values and numbers of the new question in place of the old ones that the query holds."""
    left = start.left
    if not left.old_slots or not left.new_slots:
        return start
    query = start.query.copy()
    changed: dict[str, int] = {}
    gone: list[Slot] = []
    used: list[Slot] = []
    swapped: list[tuple[str, str]] = []
    for old in left.old_slots:
        literals = [node for node in query.find_all(exp.Literal) if holds(node, old)]
        if not literals:
            if (new := _put_names(query, old, left.new_slots, used)) is not None:
                gone.append(old)
                used.append(new)
                swapped.append((old.written, new.written))
                changed["value"] = changed.get("value", 0) + 1
            continue
        new = _in_place_of(old, literals[0], [s for s in left.new_slots if s not in used], words)
        if new is not None and all(_put(literal, old, new, words) for literal in literals):
            gone.append(old)
            used.append(new)
            swapped.append((old.written, new.written))
            changed[new.kind] = changed.get(new.kind, 0) + 1
    if not used:
        return start
    left = replace(
        left,
        old_slots=tuple(slot for slot in left.old_slots if slot not in gone),
        new_slots=tuple(slot for slot in left.new_slots if slot not in used),
    )
    return replace(start, query=query, left=left, changed=changed, swapped=tuple(swapped))


def _put_names(
    query: exp.Query, old: Slot, among: Sequence[Slot], used: Sequence[Slot]
) -> Slot | None:
    """`Linda Smith` for `Tracy Kim` where the query holds first and last name apart."""
    before = normal(old.written).split()
    held = {normal(node.name): node for node in query.find_all(exp.Literal) if node.is_string}
    if len(before) < 2 or any(word not in held for word in before):
        return None
    for new in among:
        after = new.written.split()
        if new.kind == "value" and new not in used and len(after) == len(before):
            for word, other in zip(before, after, strict=True):
                held[word].replace(exp.Literal.string(other))
            return new
    return None


def holds(literal: exp.Literal, slot: Slot) -> bool:
    """True when a literal of SQL is what the words of a slot say."""
    return normal(literal.name.strip("%")) in slot.texts


def _in_place_of(
    old: Slot, literal: exp.Literal, among: Sequence[Slot], words: Vocabulary
) -> Slot | None:
    """The slot of the new question that plays the part of an old one; of the same column if there is any."""
    alike = [slot for slot in among if slot.kind == old.kind]
    if old.kind != "value":
        return alike[0] if alike else None
    column = literal_column(literal)
    number = column_number(column, words) if column is not None else None
    for slot in alike:
        if any(option == number for option, _ in slot.columns):
            return slot
    return alike[0] if alike else None


def _put(literal: exp.Literal, old: Slot, new: Slot, words: Vocabulary) -> bool:
    """Write a new slot in place of an old one's literal; False when the query cannot hold it there."""
    if new.kind != "value":
        text = literal.name.replace(old.written, new.written) if old.written else new.written
        made = exp.Literal.string(text) if literal.is_string else exp.Literal.number(new.written)
        literal.replace(made)
        return True
    column = literal_column(literal)
    if column is None:
        return False
    number = column_number(column, words)
    options = dict(reversed(new.columns))
    if number in options:
        text = options[number]
    elif new.columns:
        # A value of another table's rows narrows other rows: joins and all would have to follow.
        own = words.columns[number].table if number is not None else -1
        near = [option for option, _ in new.columns if words.columns[option].table == own]
        target = moved(column, near, words)
        if target is None:
            return False
        text = options[target]
    else:
        text = new.written
    start, end = (mark if literal.name[at] == "%" else "" for mark, at in (("%", 0), ("%", -1)))
    literal.replace(exp.Literal.string(f"{start}{text}{end}"))
    return True


def _with_columns(start: Change, words: Vocabulary) -> Change:
    """Put columns that only the new question names in place of those that only the old one names."""
    pairs = list(_column_pairs(start, words))
    if not pairs:
        return start
    query = start.query.copy()
    done = 0
    for old, new in pairs:
        places = [
            column
            for column in query.find_all(exp.Column)
            if column_number(column, words) in old and not joins_tables(column)
        ]
        made = [moved(column, new, words) is not None for column in places]
        done += bool(made) and all(made)
    if not done or done < len(pairs):
        return start
    regions = {word.region for word, _ in start.left.new_words if word.columns}
    left = replace(
        start.left,
        new_words=tuple((w, a) for w, a in start.left.new_words if not w.columns),
        old_words=tuple(
            (w, a) for w, a in start.left.old_words if not w.columns or w.region not in regions
        ),
    )
    return replace(start, query=query, left=left, changed={**start.changed, "column": done})


def _column_pairs(start: Change, words: Vocabulary) -> Iterator[tuple[frozenset[int], list[int]]]:
    """Columns that the query reads and only the old question names, with those in whose place the new one has others."""
    if not any(word.columns for word, _ in start.left.new_words):
        return
    inside = columns_of(start.old, words)
    for region in "SFGO":
        old = [
            w.columns for w, _ in start.left.old_words if w.region == region and w.columns & inside
        ]
        new = [w.columns for w, _ in start.left.new_words if w.region == region and w.columns]
        old, new = list(dict.fromkeys(old)), list(dict.fromkeys(new))
        if len(old) != len(new) or not old or len(old) > MOST_COLUMNS:
            continue
        yield from ((one & inside, sorted(other)) for one, other in zip(old, new, strict=True))


def _with_forms(start: Change) -> Change:
    """Turn directions, comparisons and aggregates round where the questions' cues differ."""
    left = start.left
    if not left.old_forms or not left.new_forms:
        return start
    query = start.query.copy()
    pairs = turned(query, left.old_forms, left.new_forms)
    if not pairs:
        return start
    gone, came = {old for old, _ in pairs}, {new for _, new in pairs}
    left = replace(
        left,
        new_forms=left.new_forms - came,
        old_forms=left.old_forms - gone,
        new_words=tuple((w, a) for w, a in left.new_words if not w.cue),
        old_words=tuple((w, a) for w, a in left.old_words if not w.cue),
    )
    return replace(start, query=query, left=left, changed={**start.changed, "form": len(pairs)})
