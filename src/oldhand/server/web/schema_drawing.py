"""A schema drawn: a box for each table, a line for each key."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, sqrt

from oldhand.record.schema import DatabaseSchema, Table

WIDTH, GAP_X, GAP_Y, LINE, HEAD = 190, 70, 28, 18, 26
MOST_TABLES = 80
_MOST_COLUMNS = 9
_MOST_CHARS = 25


@dataclass(frozen=True)
class DrawnTable:
    """One box."""

    name: str
    x: int
    y: int
    height: int
    columns: tuple[tuple[str, str], ...]
    """Names as they fit, with what they are: `key`, `refers` or nothing."""
    more: int
    """Columns that are not drawn."""


@dataclass(frozen=True)
class DrawnKey:
    """One line."""

    path: str
    says: str
    is_inferred: bool


@dataclass(frozen=True)
class SchemaDrawing:
    """Where everything lies."""

    width: int
    height: int
    tables: tuple[DrawnTable, ...]
    keys: tuple[DrawnKey, ...]
    left_out: int
    """Tables that there is no room for: those with the fewest keys."""


def drawn(schema: DatabaseSchema) -> SchemaDrawing:
    """The schema as boxes in columns, tables that refer to each other near each other."""
    order = list(_by_nearness(schema))[:MOST_TABLES]
    across = max(1, min(4, ceil(sqrt(len(order)))))
    bottoms, boxes = [0] * across, dict[str, DrawnTable]()
    for number, table in enumerate(order):
        at = number % across
        columns = tuple(_columns(table))
        more = len(table.columns) - len(columns)
        height = HEAD + LINE * (len(columns) + bool(more)) + 8
        boxes[table.name] = DrawnTable(
            table.name, at * (WIDTH + GAP_X), bottoms[at], height, columns, more
        )
        bottoms[at] += height + GAP_Y
    return SchemaDrawing(
        width=across * (WIDTH + GAP_X) - GAP_X,
        height=max(*bottoms, GAP_Y) - GAP_Y,
        tables=tuple(boxes.values()),
        keys=tuple(_keys(schema.name, order, boxes)),
        left_out=len(schema.tables) - len(order),
    )


def _by_nearness(schema: DatabaseSchema) -> Iterator[Table]:
    """The table with the most keys first, then those that it is tied to, and so on."""
    near = defaultdict[str, set[str]](set)
    for table in schema.tables:
        for key in table.foreign_keys:
            if key.database == schema.name and key.table != table.name:
                near[table.name].add(key.table)
                near[key.table].add(table.name)
    left = {one.name: one for one in sorted(schema.tables, key=lambda one: -len(near[one.name]))}
    while left:
        waiting = deque([next(iter(left))])
        while waiting:
            table = left.pop(waiting.popleft(), None)
            if table is not None:
                yield table
                waiting.extend(sorted(near[table.name] & left.keys()))


def _columns(table: Table) -> Iterator[tuple[str, str]]:
    """Keys first: they are what lines lead to."""
    refers = {name for key in table.foreign_keys for name in key.columns}
    ranked = sorted(table.columns, key=lambda one: (not one.primary_key, one.name not in refers))
    for one in ranked[:_MOST_COLUMNS]:
        what = "key" if one.primary_key else "refers" if one.name in refers else ""
        name = one.name if len(one.name) <= _MOST_CHARS else f"{one.name[: _MOST_CHARS - 1]}…"
        yield name, what


def _keys(name: str, tables: Iterable[Table], boxes: dict[str, DrawnTable]) -> Iterator[DrawnKey]:
    for table in tables:
        for key in table.foreign_keys:
            end = boxes.get(key.table) if key.database == name else None
            if end is not None:
                start = boxes[table.name]
                says = f"{table.name}.{', '.join(key.columns)} → {key.table}.{', '.join(key.target_columns)}"
                path = _curve(start, _height(start, key.columns), end, _height(end, key.target_columns))  # fmt: skip
                yield DrawnKey(path, says, key.is_unconfirmed)


def _height(box: DrawnTable, columns: tuple[str, ...]) -> int:
    place = next((n for n, (name, _) in enumerate(box.columns) if name == columns[0]), None)
    return box.y + (HEAD // 2 if place is None else HEAD + LINE * place + LINE // 2 + 2)


def _curve(start: DrawnTable, from_y: int, end: DrawnTable, to_y: int) -> str:
    """From the side of one box to the nearer side of the other; in one column, around the right."""
    if start.x == end.x:
        x, bend = start.x + WIDTH, start.x + WIDTH + GAP_X // 2
        return f"M{x} {from_y}C{bend} {from_y} {bend} {to_y} {x} {to_y}"
    x1, x2 = (start.x + WIDTH, end.x) if start.x < end.x else (start.x, end.x + WIDTH)
    middle = (x1 + x2) // 2
    return f"M{x1} {from_y}C{middle} {from_y} {middle} {to_y} {x2} {to_y}"
