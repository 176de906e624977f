"""How tables hang together: foreign keys as a graph, and the smallest tree that joins some tables."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.words.entries import TableEntry
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Join, Rows
from oldhand.record.schema import ForeignKey, Table

_UNSURE = 2.0
"""How much longer than a declared key one is of which nothing is certain."""
_MANY = 0.02
"""What a step to rows of which there may be many costs more: among paths as long, it is the worse one."""
_THROUGH = 0.01
"""What it costs to go on from the staff: the branch of a booking is that of its room, not that of who took it."""
_STAFF = word_stems("people.employees")


@dataclass(frozen=True, slots=True)
class JoinEdge:
    """A way to join two tables, which go by their numbers."""

    left: int
    right: int
    join: Join
    length: float = 1.0
    """1 over a declared key, more over one that was inferred."""
    confidence: float = 1.0
    """How likely the columns are a key; 1 when that is declared or confirmed."""

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """Pairs of column names that must be equal."""
        return self.join.keys

    def other(self, table: int) -> int:
        """The table at the other end."""
        return self.right if table == self.left else self.left


class JoinGraph:
    """The tables of all schemas, numbered in their order, and the edges between them."""

    def __init__(self, tables: Sequence[TableEntry]) -> None:
        self._tables = list(tables)
        self._staff = {entry.id for entry in tables if entry.words & _STAFF}
        self._near: list[list[JoinEdge]] = [[] for _ in tables]
        self._edges: dict[Join, JoinEdge] = {}
        for entry in tables:
            for key in entry.table.foreign_keys:
                target = self._find(key)
                if target is not None and target != entry.id:
                    pairs = tuple(zip(key.columns, key.target_columns, strict=False))
                    length = 1.0 if key.database == entry.database else 1.05
                    length += 0.1 * _may_be_empty(entry.table, key)
                    length += _UNSURE * (1 - key.confidence)
                    self._add(entry.id, target, pairs, length, key.confidence)

    def edges(self, table: int) -> tuple[JoinEdge, ...]:
        """All edges at a table."""
        return tuple(self._near[table])

    def held(self, table: int) -> list[int]:
        """The tables that the rows of a table refer to."""
        return [edge.right for edge in self._near[table] if edge.left == table]

    def holders(self, table: int) -> list[int]:
        """The tables whose rows refer to those of a table."""
        return [edge.left for edge in self._near[table] if edge.right == table]

    def add_role(
        self, role: TableEntry, pair: tuple[str, str], like: JoinEdge | None = None
    ) -> None:
        """Join the rows that have a role to those that refer to them in it by `pair`, as surely as the key that this is."""
        self._tables.append(role)
        self._near.append([])
        length, confidence = (like.length, like.confidence) if like else (1.0, 1.0)
        self._add(role.holder, role.id, (pair,), length, confidence)

    def between(self, one: int, other: int) -> tuple[JoinEdge, ...]:
        """All edges that join two tables directly."""
        return tuple(edge for edge in self._near[one] if edge.other(one) == other)

    def edge(self, join: Join) -> JoinEdge:
        """The edge of a join that a tree holds."""
        return self._edges[join]

    def tree(
        self, tables: Iterable[int], wanted: Mapping[tuple[int, str], float] | None = None
    ) -> Rows | None:
        """The smallest tree found that joins `tables`, or None when some can't be reached.

        Args:
            tables: the tables that must be in it.
            wanted: (table, column) named in the question, with how surely; an edge over
                such a column is shorter.
        """
        needed = sorted(set(tables))
        best: tuple[float, list[int], list[JoinEdge]] | None = None
        for start in needed:
            found = self._grow(start, set(needed), wanted or {})
            if found is not None and (best is None or _cost(found[1]) < best[0]):
                best = (_cost(found[1]), *found)
        if best is None:
            return None
        _, joined, edges = best
        relations = tuple(self._tables[table].relation for table in joined)
        return Rows(relations, tuple(edge.join for edge in edges))

    def _grow(
        self, start: int, needed: set[int], wanted: Mapping[tuple[int, str], float]
    ) -> tuple[list[int], list[JoinEdge]] | None:
        inside = [start]
        edges: list[JoinEdge] = []
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
        return inside, edges

    def _nearest(
        self, inside: list[int], missing: set[int], wanted: Mapping[tuple[int, str], float]
    ) -> list[JoinEdge] | None:
        """The shortest path from the tree to a table that is missing (Dijkstra)."""
        queue: list[tuple[float, int, int, tuple[JoinEdge, ...]]] = [
            (0.0, -t, t, ()) for t in inside
        ]
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
                    step += _MANY * (edge.left == other) + _THROUGH * (
                        table in self._staff and bool(path)
                    )
                    ties += 1
                    heapq.heappush(queue, (length + step, ties, other, (*path, edge)))
        return None

    def _find(self, key: ForeignKey) -> int | None:
        for entry in self._tables:
            table = entry.table
            if (
                entry.database == key.database
                and table.name.casefold() == key.table.casefold()
                and table.schema_name.casefold() == key.schema_name.casefold()
            ):
                return entry.id
        return None

    def _add(
        self,
        left: int,
        right: int,
        keys: tuple[tuple[str, str], ...],
        length: float = 1.0,
        confidence: float = 1.0,
    ) -> None:
        join = Join(self._tables[left].relation, self._tables[right].relation, keys)
        edge = JoinEdge(left, right, join, length, confidence)
        self._edges[join] = edge
        self._near[left].append(edge)
        self._near[right].append(edge)


def _cost(edges: Sequence[JoinEdge]) -> float:
    """Their length, and more where two tables meet in a third that both refer to: their rows would be multiplied.

    The physicians and the admissions of a ward are joined by who treated whom, not by the ward.
    """
    met = [edge.right for edge in edges]
    return sum(edge.length for edge in edges) + _MANY * (len(met) - len(set(met)))


def _may_be_empty(table: Table, key: ForeignKey) -> bool:
    """True when a row may refer to nothing, so that joining loses it."""
    columns = [table.column(name) for name in key.columns]
    return any(column is not None and column.nullable for column in columns)


def _wish(edge: JoinEdge, wanted: Mapping[tuple[int, str], float]) -> float:
    named = [
        wanted.get((table, column), 0.0)
        for pair in edge.keys
        for table, column in zip((edge.left, edge.right), pair, strict=True)
    ]
    return max(named, default=0.0)
