"""What is otherwise in an answer than in the one before, in words."""

from collections import Counter
from collections.abc import Iterator, Sequence

from oldhand.lexicon.wording import counted, listed, value_text
from oldhand.record.base import Cell, Row
from oldhand.record.charting import is_numeric
from oldhand.record.row_digest import comparable
from oldhand.record.saved import SavedAnswer

NAMED = 3
"""Rows and numbers that are named; of others it is said how many there are."""


def change_between(before: SavedAnswer, after: SavedAnswer) -> str:
    """What is otherwise; empty when nothing is.

    >>> from datetime import UTC, datetime
    >>> from oldhand.record.answer import Outcome
    >>> kept = SavedAnswer(at=datetime(2026, 1, 1, tzinfo=UTC), outcome=Outcome.ANSWERED, text="", columns=("total",), rows=((1200,),))
    >>> change_between(kept, kept.model_copy(update={"rows": ((1340,),)}))
    'total 1,200 → 1,340 (+11.7 %)'
    >>> cities = kept.model_copy(update={"columns": ("city", "orders"), "rows": (("Rome", 3), ("Oslo", 2))})
    >>> change_between(cities, cities.model_copy(update={"rows": (("Rome", 5), ("Bonn", 1), ("Ulm", 1))}))
    '+2 rows (Bonn, Ulm), -1 row (Oslo), Rome: orders 3 → 5 (+66.7 %)'
    """
    if before.columns != after.columns:
        return f"other columns: {listed(after.columns) or 'none'}"
    if not after.columns:
        return "another answer" if before.text != after.text else ""
    if len(before.rows) == len(after.rows) == 1:
        return ", ".join(_cells(before.columns, before.rows[0], after.rows[0]))
    old, new = _by_label(before, after), _by_label(after, before)
    if old is None or new is None:
        return _as_wholes(before.rows, after.rows)
    came, went = ([one for one in a if one not in b] for a, b in ((new, old), (old, new)))
    parts = [*_rows("+", came), *_rows("-", went)]
    changed = [
        f"{_shown(label)}: {', '.join(cells)}"
        for label, row in new.items()
        if label in old and (cells := [*_cells(after.columns, old[label], row)])
    ]
    parts += changed[:NAMED]
    if len(changed) > NAMED:
        parts.append(f"{len(changed) - NAMED:,} more rows changed")
    if not parts and [*old] != [*new]:
        parts.append("the same rows in another order")
    return ", ".join(parts)


def _by_label(answer: SavedAnswer, other: SavedAnswer) -> dict[Row, Row] | None:
    """Rows by what tells them apart: all that is no number in both answers; None where that does not."""
    both = (*answer.rows, *other.rows)
    labels = [n for n in range(len(answer.columns)) if not is_numeric([row[n] for row in both])]
    found = {tuple(row[n] for n in labels): row for row in answer.rows}
    return found if labels and len(found) == len(answer.rows) else None


def _as_wholes(before: Sequence[Row], after: Sequence[Row]) -> str:
    """How many rows came and went, where none can be followed."""
    old, new = (Counter(tuple(map(comparable, row)) for row in rows) for rows in (before, after))
    came, went = (new - old).total(), (old - new).total()
    signs = (("+", came), ("-", went))
    return ", ".join(f"{sign}{counted(number, 'row')}" for sign, number in signs if number)


def _rows(sign: str, labels: Sequence[Row]) -> Iterator[str]:
    if labels:
        more = ", …" if len(labels) > NAMED else ""
        names = ", ".join(map(_shown, labels[:NAMED]))
        yield f"{sign}{counted(len(labels), 'row')} ({names}{more})"


def _cells(columns: Sequence[str], before: Row, after: Row) -> Iterator[str]:
    for name, old, new in zip(columns, before, after, strict=True):
        if comparable(old) != comparable(new):
            yield f"{name} {value_text(old, name)} → {value_text(new, name)}{_percent(old, new)}"


def _percent(old: Cell, new: Cell) -> str:
    if not (is_numeric([old]) and is_numeric([new])) or not old:
        return ""
    return f" ({(float(new or 0) - float(old)) / abs(float(old)):+,.1%})".replace("%", " %")


def _shown(label: Row) -> str:
    return " / ".join(value_text(cell) for cell in label)
