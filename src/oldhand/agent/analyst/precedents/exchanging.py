"""Puts the values, numbers and times of a new question in place of those that an old query holds."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from oldhand.agent.analyst.precedents.gist import GistSlot
from oldhand.agent.analyst.precedents.held import (
    holds,
    number_of,
    spoken,
    stand_in,
    values_of,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.wording import number_in
from oldhand.query.form import ColumnRef, Comparison, Node, Query, Scalar, Value
from oldhand.query.walk import changed


def in_place_of(
    old: GistSlot, column: ColumnRef | None, among: Sequence[GistSlot], words: Vocabulary
) -> GistSlot | None:
    """The slot of the new question that plays the part of an old one; of the same column if there is any."""
    alike = [slot for slot in among if slot.kind == old.kind]
    number = number_of(column, words) if column is not None and old.kind == "value" else None
    same = (s for s in alike if any(option == number for option, _ in s.columns))
    return next(same, alike[0] if alike else None)


def put(query: Query, old: GistSlot, new: GistSlot, words: Vocabulary) -> Query | None:
    """The query with a new slot's value in place of an old one's; None when it cannot hold it there."""
    if new.kind != "value":
        texts = [one.value for one in values_of(query) if isinstance(one.value, str)]
        written = [(text, f"{_rewritten(text, old, new)}") for text in texts]
        if new.kind == "date" and any(_shape(one) != _shape(other) for one, other in written):
            return None  # the year of `substr(day, 1, 4)` is no month
        return _with_each(query, lambda value: _rewritten(value, old, new))
    targets: dict[ColumnRef, tuple[ColumnRef, str]] = {}
    for held in values_of(query):
        if not holds(held.value, old):
            continue
        target = None if held.column is None else _target(held.column, new, query, words)
        if held.column is None or target is None:
            return None
        targets[held.column] = target

    def swap(node: Node) -> Node:
        if not isinstance(node, Comparison) or not isinstance(node.left, ColumnRef):
            return node
        if not any(holds(value, old) for value in node.values):
            return node
        column, text = targets[node.left]
        put = tuple(_like(v, text) if holds(v, old) else v for v in node.values)
        return replace(node, left=column, right=put)

    return changed(query, swap)


def _target(
    column: ColumnRef, new: GistSlot, query: Query, words: Vocabulary
) -> tuple[ColumnRef, str] | None:
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


def put_names(
    query: Query, old: GistSlot, among: Sequence[GistSlot]
) -> tuple[GistSlot | None, Query | None]:
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


def _rewritten(value: Scalar, old: GistSlot, new: GistSlot) -> Scalar:
    """A number or time as the new slot writes it; within a text only what the old one wrote."""
    if not holds(value, old):
        return value
    for before, after in zip(old.bounds, new.bounds, strict=False):
        if before and isinstance(value, str) and value.strip("%") == before:
            return value.replace(before, after or new.written)
    if isinstance(value, str) and old.written:
        return value.replace(old.written, new.written)
    return new.written if isinstance(value, str) else _number(new.written)


def _shape(text: str) -> str:
    return re.sub(r"\d", "0", text)


def _like(value: Scalar, text: str) -> Scalar:
    """A text with the signs for any letters that stood around the one before; a number for a number."""
    if not isinstance(value, str):
        return _number(text)
    start, end = ("%" if value[at : at + 1] == "%" else "" for at in (0, len(value) - 1))
    return f"{start}{text}{end}"


def _number(text: str) -> Scalar:
    number = number_in(text)
    return text if number is None else number
