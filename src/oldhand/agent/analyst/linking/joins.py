"""How tables hang together: foreign keys as a graph, and the smallest tree that joins some tables."""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import split_name
from oldhand.record.schema import DatabaseSchema, ForeignKey, Kind, Table

GUESSED = 1.6
"""Length of a join over columns of the same name, against 1 for a declared foreign key."""
SHARED = 2.2
"""Length of a join over a column that merely has the same name in both tables."""
_MANY = 0.02
"""What a step to rows of which there may be many costs more: among paths as long, it is the worse one."""
_COMMON = words("names.shared")


@dataclass(frozen=True, slots=True)
class Edge:
    """A way to join two tables: pairs of column names that must be equal."""

    left: int
    right: int
    pairs: tuple[tuple[str, str], ...]
    length: float = 1.0

    def other(self, table: int) -> int:
        """The table at the other end."""
        return self.right if table == self.left else self.left


@dataclass(frozen=True, slots=True)
class JoinTree:
    """Tables in the order in which they are joined, with the edge that brings in each but the first."""

    tables: tuple[int, ...]
    edges: tuple[Edge, ...]

    @property
    def length(self) -> float:
        """The sum of the edges' lengths."""
        return sum(edge.length for edge in self.edges)


class JoinGraph:
    """The tables of all schemas, numbered in their order, and the edges between them."""

    def __init__(self, schemas: tuple[DatabaseSchema, ...]) -> None:
        self._tables = [(schema.name, table) for schema in schemas for table in schema.tables]
        self._near: list[list[Edge]] = [[] for _ in self._tables]
        declared: set[frozenset[int]] = set()
        for number, (database, table) in enumerate(self._tables):
            for key in table.foreign_keys:
                target = self._find(key)
                if target is not None and target != number:
                    declared.add(frozenset((number, target)))
                    pairs = tuple(zip(key.columns, key.target_columns, strict=False))
                    length = 1.0 if key.database == database else 1.05
                    self._add(Edge(number, target, pairs, length + 0.1 * _may_be_empty(table, key)))
        for edge in self._guessed(declared):
            self._add(edge)
        for edge in list(self._shared(declared)):
            self._add(edge)

    def edges(self, table: int) -> tuple[Edge, ...]:
        """All edges at a table."""
        return tuple(self._near[table])

    def add_role(self, table: int, role: int, pair: tuple[str, str]) -> None:
        """Join a table with itself under another number: `role` are the rows that `pair` leads to."""
        self._near.append([])
        self._add(Edge(table, role, (pair,)))

    def between(self, one: int, other: int) -> tuple[Edge, ...]:
        """All edges that join two tables directly."""
        return tuple(edge for edge in self._near[one] if edge.other(one) == other)

    def tree(
        self, tables: Iterable[int], wanted: Mapping[tuple[int, str], float] | None = None
    ) -> JoinTree | None:
        """The smallest tree found that joins `tables`, or None when some can't be reached.

        Args:
            tables: the tables that must be in it.
            wanted: (table, column) named in the question, with how surely; an edge over
                such a column is shorter.
        """
        needed = sorted(set(tables))
        if not needed:
            return None
        wanted = wanted or {}
        best: JoinTree | None = None
        for start in needed:
            found = self._grow(start, set(needed), wanted)
            if found is not None and (best is None or _cost(found) < _cost(best)):
                best = found
        return best

    def _grow(
        self, start: int, needed: set[int], wanted: Mapping[tuple[int, str], float]
    ) -> JoinTree | None:
        inside = [start]
        edges: list[Edge] = []
        missing = needed - {start}
        while missing:
            path = self._nearest(inside, missing, wanted)
            if path is None:
                return None
            for edge in path:
                new = edge.right if edge.left in inside else edge.left
                inside.append(new)
                edges.append(edge)
            missing -= set(inside)
        return JoinTree(tuple(inside), tuple(edges))

    def _nearest(
        self, inside: list[int], missing: set[int], wanted: Mapping[tuple[int, str], float]
    ) -> list[Edge] | None:
        """The shortest path from the tree to a table that is missing (Dijkstra)."""
        queue: list[tuple[float, int, int, tuple[Edge, ...]]] = [(0.0, -t, t, ()) for t in inside]
        ties = 0
        heapq.heapify(queue)
        seen: set[int] = set()
        while queue:
            length, _, table, path = heapq.heappop(queue)
            if table in seen:
                continue
            seen.add(table)
            if table in missing:
                return list(path)
            for edge in self._near[table]:
                other = edge.other(table)
                if other not in seen and other not in inside:
                    step = edge.length - 0.3 * _wish(edge, wanted)
                    step += _MANY * (edge.left == other)
                    ties += 1
                    heapq.heappush(queue, (length + step, ties, other, (*path, edge)))
        return None

    def _find(self, key: ForeignKey) -> int | None:
        for number, (database, table) in enumerate(self._tables):
            if (
                database == key.database
                and table.name.casefold() == key.table.casefold()
                and table.schema_name.casefold() == key.schema_name.casefold()
            ):
                return number
        return None

    def _add(self, edge: Edge) -> None:
        self._near[edge.left].append(edge)
        self._near[edge.right].append(edge)

    def _guessed(self, declared: set[frozenset[int]]) -> Iterable[Edge]:
        """Joins over a key's name, for pairs of tables of one database that declare none."""
        for one, (database, table) in enumerate(self._tables):
            for other, (its_database, target) in enumerate(self._tables):
                pair = frozenset((one, other))
                if one == other or database != its_database or pair in declared:
                    continue
                if column := _reference(table, target):
                    declared.add(pair)
                    yield Edge(one, other, (column,), GUESSED)

    def _shared(self, joined: set[frozenset[int]]) -> Iterable[Edge]:
        """Joins over a column of the same name, for tables that nothing else joins."""
        alone = [number for number, edges in enumerate(self._near) if not edges]
        for one in alone:
            database, table = self._tables[one]
            for other, (its_database, target) in enumerate(self._tables):
                pair = frozenset((one, other))
                if one == other or database != its_database or pair in joined:
                    continue
                if name := _same_column(table, target):
                    joined.add(pair)
                    yield Edge(one, other, (name,), SHARED)


def _cost(tree: JoinTree) -> float:
    """Its length, and more where two tables meet in a third that both refer to: their rows would be multiplied.

    The physicians and the admissions of a ward are joined by who treated whom, not by the ward.
    """
    met = [edge.right for edge in tree.edges]
    return tree.length + _MANY * (len(met) - len(set(met)))


def _same_column(table: Table, target: Table) -> tuple[str, str] | None:
    names = {c.name.casefold(): c.name for c in target.columns}
    for column in table.columns:
        folded = column.name.casefold()
        common = folded == "id" or _COMMON & set(split_name(column.name))
        if folded in names and not common and column.kind is not Kind.NUMBER:
            return column.name, names[folded]
    return None


def _reference(table: Table, target: Table) -> tuple[str, str] | None:
    """A column of `table` that by its name holds the key of `target`, with that key."""
    if len(target.primary_key) != 1:
        return None
    key = target.primary_key[0]
    names = {key.casefold()} if key.casefold() not in ("id", "name", "code", "key") else set[str]()
    single = target.name.casefold().removesuffix("s")
    names |= {f"{single}_{key.casefold()}", f"{single}{key.casefold()}", f"{single}_id"}
    for column in table.columns:
        if column.name.casefold() in names and table.primary_key != (column.name,):
            return column.name, key
    return None


def _may_be_empty(table: Table, key: ForeignKey) -> bool:
    """True when a row may refer to nothing, so that joining loses it."""
    columns = [table.column(name) for name in key.columns]
    return any(column is not None and column.nullable for column in columns)


def _wish(edge: Edge, wanted: Mapping[tuple[int, str], float]) -> float:
    named = [
        wanted.get((table, column), 0.0)
        for pair in edge.pairs
        for table, column in zip((edge.left, edge.right), pair, strict=True)
    ]
    return max(named, default=0.0)
