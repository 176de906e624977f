"""Candidates for an answer, and groups of those whose rows are equal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from oldhand.record.base import Row
from oldhand.record.row_digest import comparable, rows_digest

USUAL = 0.75
"""How often a language model is right of whom nothing is known."""


@dataclass(frozen=True)
class StatementShape:
    """What can be seen of a statement without knowing the schema."""

    tables: frozenset[str] = frozenset()
    distinct: bool = False
    sorts: bool = False

    @classmethod
    def of(cls, sql: str, dialect: str) -> "StatementShape":
        """The shape of a statement; an empty one when it can't be read.

        >>> StatementShape.of("SELECT DISTINCT city FROM Shop ORDER BY city", "sqlite")
        StatementShape(tables=frozenset({'shop'}), distinct=True, sorts=True)
        """
        try:
            tree = parse_one(sql, read=dialect)
        except (SqlglotError, RecursionError):
            return cls()
        tables = frozenset(table.name.casefold() for table in tree.find_all(exp.Table))
        sorts = isinstance(tree, exp.Query) and tree.args.get("order") is not None
        return cls(tables, tree.args.get("distinct") is not None, sorts)


@dataclass(frozen=True)
class ResultShape:
    """What a choice needs to know of rows."""

    digest: str
    """The same for equal rows, in any order of rows and columns."""
    width: int
    """Columns."""
    empty: bool
    nulls: bool
    """Whether nothing but NULL stands there."""
    zero: bool
    """Whether a lone 0 stands there."""
    repeated: bool
    """Whether a row stands there more than once."""

    @classmethod
    def of(cls, rows: Sequence[Row], width: int = 0) -> "ResultShape":
        """The shape of rows; `width` counts where there are none.

        >>> found = ResultShape.of([(None,), (None,)])
        >>> found.width, found.nulls, found.repeated
        (1, True, True)
        """
        return cls(
            digest=rows_digest(rows),
            width=len(rows[0]) if rows else width,
            empty=not rows,
            nulls=bool(rows) and all(cell is None for row in rows for cell in row),
            zero=len(rows) == 1 and tuple(rows[0]) == (0,),
            repeated=len(set(map(tuple, rows))) < len(rows),
        )


@dataclass(frozen=True)
class RowsCandidate:
    """What one voice answers, as far as a choice needs it."""

    voice: str
    rows: Sequence[Row]
    result: ResultShape
    statement: StatementShape = StatementShape()
    sure: float | None = None
    """How sure the built-in analyst is; None for a language model, whose own word does not count."""
    rightness: float = USUAL
    """How often the voice is right by itself."""
    absent: bool = False
    """Whether it looks for a text that its column does not hold while something like it is there."""


@dataclass(frozen=True)
class Group:
    """Candidates with equal rows; at least one."""

    members: tuple[RowsCandidate, ...]

    @property
    def rows(self) -> Sequence[Row]:
        """Their rows."""
        return self.members[0].rows

    @property
    def result(self) -> ResultShape:
        """What a choice needs to know of the rows."""
        return self.members[0].result

    @cached_property
    def spokesman(self) -> RowsCandidate:
        """The member whose answer is given: it sorts when most do, and is the one most often right."""
        sorting = sum(member.statement.sorts for member in self.members)
        wanted = 2 * sorting >= len(self.members)
        return max(
            self.members,
            key=lambda m: (m.statement.sorts is wanted, m.sure is None, m.rightness),
        )


def grouped(candidates: Sequence[RowsCandidate]) -> tuple[Group, ...]:
    """Candidates by equal rows, each group where its first member stood."""
    groups: dict[str, list[RowsCandidate]] = {}
    for one in candidates:
        groups.setdefault(one.result.digest, []).append(one)
    return tuple(Group(tuple(members)) for members in groups.values())


def only_in(one: Sequence[Row], other: Sequence[Row]) -> Row | None:
    """The first row that only the one has; None when there is none.

    >>> only_in([("Ann",), ("Bo",)], [("Ann",)]), only_in([("Ann",)], [("Ann",), ("Bo",)])
    (('Bo',), None)
    """
    left = Counter(map(_cells, other))
    for row in one:
        key = _cells(row)
        if not left[key]:
            return row
        left[key] -= 1
    return None


def in_both(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether any row of the one is one of the other, too.

    >>> in_both([("Ann", 1), ("Bo", 2)], [(1, "Ann")]), in_both([("Ann",)], [(1,)])
    (True, False)
    """
    return not {_cells(row) for row in one}.isdisjoint(map(_cells, other))


def _cells(row: Row) -> frozenset[tuple[object, int]]:
    """The cells of a row, in any order."""
    return frozenset(Counter(map(comparable, row)).items())
