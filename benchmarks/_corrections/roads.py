"""The three ways in which a person who writes no SQL can put an answer right."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks._spider_data import Rows
from oldhand import Oldhand
from oldhand.agent.analyst.conversation.ran import as_it_ran
from oldhand.agent.analyst.semantics.writing import statement
from oldhand.agent.fixing import Read, other_readings
from oldhand.errors import UsageError
from oldhand.loop.fixing import SHOWN_READINGS, _Work, few_values  # pyright: ignore[reportPrivateUsage]
from oldhand.query.difference import difference
from oldhand.query.form import Query
from oldhand.record.answer import Answer

PICKS = 3
"""Parts that somebody exchanges one after the other, at most."""
_FOLLOWED = 2
"""Readings that are followed from pick to pick: those nearest to the right one."""
_SAYABLE = 4
"""Values that somebody would type."""


@dataclass(frozen=True)
class Right:
    """What would be right; none of it where a correction can't be met."""

    file: Path
    other: Path
    """The same tables with other rows: what gives the right rows by chance gives none there."""
    queries: tuple[str, ...]

    def holds(self, sql: str) -> bool:
        """Whether a query gives the right rows in both, their columns in any order."""
        try:
            found = [fetched(file, sql) for file in (self.file, self.other)]
        except sqlite3.OperationalError:
            return False  # a choice that no database runs
        pairs = list(zip((self.file, self.other), found, strict=True))
        return any(
            all(_same(one, fetched(file, one), rows) for file, rows in pairs)
            for one in self.queries
        )


def fetched(file: Path, sql: str) -> Rows:
    """The rows of a query."""
    with closing(sqlite3.connect(file)) as database:
        return database.execute(sql).fetchall()


def _same(sql: str, right: Rows, found: Rows) -> bool:
    one, two = ([tuple(sorted(map(_cell, row))) for row in rows] for rows in (right, found))
    return one == two if "ORDER BY" in sql else Counter(one) == Counter(two)


def _cell(value: object) -> str:
    return str(round(value, 4)) if isinstance(value, float) else str(value)


def said(old: Oldhand, answer: Answer, words: str, right: Right) -> tuple[str, str]:
    """What becomes of a correction in words, or of a value, and what was replied."""
    receipt = old.feedback(answer, correction=words)
    way, note = "taken", receipt.note
    if not (taught := _taught(receipt.learned)) and "'yes' as the correction" in note:
        receipt = old.feedback(answer, correction="yes")
        way, taught = "proposed", _taught(receipt.learned)
    if not taught:
        return ("refused wrongly" if right.queries else "refused rightly"), note
    if any(map(right.holds, taught)):
        unasked = way == "taken" and len(right.queries) > 1
        return ("taken unasked" if unasked else "right" if way == "taken" else "proposed rightly"), note  # fmt: skip
    return ("wrong" if way == "taken" else "proposed wrongly"), f"{note} {taught[0]}"


def _taught(learned: Sequence[object]) -> list[str]:
    payloads = [getattr(one, "payload", None) for one in learned]
    kept = [one for one in payloads if getattr(one, "type", "") == "example"]
    return [str(getattr(one, "sql", "")) for one in kept]


def value_of(right: Right) -> str | None:
    """What somebody would say who knows the answer; None where it is more than one would type."""
    rows = fetched(right.file, right.queries[0]) if right.queries else []
    if not rows or len(rows) > _SAYABLE or len(rows[0]) > 1:
        return None
    *first, last = (_cell(row[0]) for row in rows)
    return f"It should be {', '.join(first)}{' and ' if first else ''}{last}"


def picks(old: Oldhand, answer: Answer, right: Right) -> int | None:
    """How many picks of `oldhand fix` lead to the right rows, by somebody who knows them; None where none do."""
    by = old._async._opened.home.putting_right  # pyright: ignore
    work = _Work(by, by.store.episode(by.clone_id, answer.episode_id))
    try:
        reading = work._reading()  # pyright: ignore
        database = work._database(reading)  # pyright: ignore
    except UsageError:
        return None
    schema = by.catalog.schema(database)
    first, others = work._start(reading, schema)  # pyright: ignore
    few = few_values(by.catalog, first, schema)
    goals = [
        one for one in (as_it_ran(sql, schema) for sql in right.queries) if isinstance(one, Query)
    ]

    def offered(read: Read) -> Iterator[Read]:
        for one in other_readings(read, others, (schema,))[:SHOWN_READINGS]:
            yield one.read
        for part in work._offered(read, others, schema, few):  # pyright: ignore
            yield from (one.read for one in part.choices)

    followed = [first]
    for number in range(1, PICKS + 1):
        found = [one for read in followed for one in offered(read)]
        for one in found:
            if right.holds(statement(one.query, schema)):
                return number
        if not goals:
            return None
        followed = sorted(found, key=lambda it: min(_apart(it.query, goal) for goal in goals))[:_FOLLOWED]  # fmt: skip
    return None


def _apart(one: Query, goal: Query) -> int:
    found = difference(one, goal)
    return len(found.only_one) + len(found.only_other) + 2 * len(found.exchanged)
