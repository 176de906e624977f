"""The form of a query before it is written: what is chosen for each of its parts."""

from dataclasses import dataclass, replace

from oldhand.agent.analyst.linking.joins import JoinTree

ROWS = -1
"""In place of a column: the row itself, as in `COUNT(*)`."""


@dataclass(frozen=True, slots=True)
class Term:
    """A column, or what is computed from it."""

    column: int
    aggregate: str = ""
    """`count`, `sum`, `avg`, `min`, `max`, `share` or `proportion` in percent; empty for the column itself."""
    distinct: bool = False
    part: str = ""
    """`year`, `quarter`, `month`, `day`, `weekday`, `month of the year` or `day of the week` of a date; empty for all of it."""
    times: tuple[int, ...] = ()
    """Columns of the same table that it is multiplied by."""
    off: tuple[int, ...] = ()
    """Rates between 0 and 1, columns of the same table, that are taken off the product."""
    each: "Term | None" = None
    """The aggregate is divided by the number of different values of this."""
    when: "tuple[Condition, ...]" = ()
    """With `share`, the part of all rows or of their worth: what a row must meet to belong to the part."""

    @property
    def columns(self) -> tuple[int, ...]:
        """All columns that it reads, those of its conditions and of their queries aside."""
        own = (self.column, *self.times, *self.off, *(self.each.columns if self.each else ()))
        return tuple(column for column in own if column != ROWS)


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of a term with values, or with the result of a query."""

    term: Term
    operator: str
    """`=`, `!=`, `<`, `<=`, `>`, `>=`, `like`, `not like`, `between`, `in`, `not in`, `null`, `not null`."""
    values: tuple[str | int | float, ...] = ()
    query: "Sketch | None" = None
    other: Term | None = None
    """What the term is compared with in the same row."""

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns on its two sides."""
        return (self.term.column, *((self.other.column,) if self.other is not None else ()))

    def negated(self) -> "Condition":
        """The condition that holds when this one does not."""
        return replace(self, operator=_OPPOSITE[self.operator])


_OPPOSITE = {
    "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "like": "not like",
    "not like": "like", "in": "not in", "not in": "in", "null": "not null", "not null": "null",
    "between": "not between", "not between": "between", "within": "not within",
    "not within": "within",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Order:
    """A term that the rows are sorted by."""

    term: Term
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Sketch:
    """One query over joined tables, perhaps combined with a second one."""

    select: tuple[Term, ...]
    tree: JoinTree
    where: tuple[Condition, ...] = ()
    either: bool = False
    """True when one of the conditions is enough."""
    group: tuple[Term, ...] = ()
    having: tuple[Condition, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    passed: int = 0
    """Rows that are left out before the first that is shown."""
    each: tuple[Term, ...] = ()
    """What tells groups apart, in each of which the rows are sorted and cut by themselves."""
    distinct: bool = False
    alike: tuple[int, ...] = ()
    """With the query of a condition: columns that are the same as in the row that it is compared with."""
    compound: "tuple[str, Sketch] | None" = None
    """`intersect`, `union` or `except`, and the second query."""
