"""Databases out of a few words for each column, the same ones each time."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from random import Random

Table = Mapping[str, str | int]
"""The `rows` that it has, and what each column holds: `key`, `of things`, `people`, `each A/B`, `A/B`, `1..9`, `1.00..9.00`, `2024-01-01..2024-12-28`."""
_FIRST, _LAST = (
    ["Ada", "Bo", "Cem", "Dora", "Eva", "Finn", "Gita", "Hugo"],
    ["Ames", "Berg", "Cole", "Diaz", "Ek", "Falk"],
)


def write(path: Path, tables: Mapping[str, Table], *, keys: bool, seed: int) -> Path:
    """Write a database; `keys` says whether its foreign keys are declared."""
    random = Random(seed)
    counts = {name: int(table.get("rows", 0)) or _listed(table) for name, table in tables.items()}
    with closing(sqlite3.connect(path)) as made, made:
        for name, table in tables.items():
            columns = {column: str(holds) for column, holds in table.items() if column != "rows"}
            declared = ", ".join(_declared(column, holds, tables, keys=keys) for column, holds in columns.items())  # fmt: skip
            made.execute(f"CREATE TABLE {name} ({declared})")
            marks = ", ".join("?" * len(columns))
            for number in range(counts[name]):
                row = [_cell(holds, number, counts, random) for holds in columns.values()]
                made.execute(f"INSERT INTO {name} VALUES ({marks})", row)
    return path


def _listed(table: Table) -> int:
    return next(len(str(one).split("/")) for one in table.values() if str(one).startswith("each "))


def _declared(column: str, holds: str, tables: Mapping[str, Table], *, keys: bool) -> str:
    if holds == "key":
        return f"{column} INTEGER PRIMARY KEY"
    kind, _, target = holds.partition(" ")
    if kind == "of":
        refers = (
            f" REFERENCES {target} ({next(c for c, h in tables[target].items() if h == 'key')})"
        )
        return f"{column} INTEGER{refers if keys else ''}"
    low, to, _ = holds.partition("..")
    if not to or "-" in low:
        return f"{column} {'DATE' if to else 'TEXT'}"
    return f"{column} {'REAL' if '.' in low else 'INTEGER'}"


def _cell(  # noqa: PLR0911 - each is one kind of column
    holds: str, number: int, counts: Mapping[str, int], random: Random
) -> str | float | None:
    if holds == "key":
        return number + 1
    if holds == "people":
        return f"{_FIRST[number % len(_FIRST)]} {_LAST[number // len(_FIRST) % len(_LAST)]}"
    kind, _, rest = holds.partition(" ")
    if kind == "of":
        return random.randint(1, counts[rest])
    if kind == "each":
        names = rest.split("/")
        again = number // len(names)
        return names[number % len(names)] + (f" {again + 1}" if again else "")
    plain = holds.removesuffix(" or nothing")
    if plain != holds and random.random() < 0.2:
        return None
    low, to, high = plain.partition("..")
    if not to:
        return random.choice(plain.split("/"))
    if "-" in low:
        first = date.fromisoformat(low)
        days = (date.fromisoformat(high) - first).days
        return (first + timedelta(random.randint(0, days))).isoformat()
    if "." in low:
        return round(random.uniform(float(low), float(high)), 2)
    return random.randint(int(low), int(high))
