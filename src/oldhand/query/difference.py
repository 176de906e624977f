"""What one query says that another one doesn't, part by part; the order of what is shown aside."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.query.blanking import EXCHANGES, blanked
from oldhand.query.form import Query
from oldhand.query.normal import Normal, normal
from oldhand.query.parts import Part


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two parts that stand in the same place, and what makes the difference between them."""

    what: str
    """`value`, `time`, `column`, `operator`, `direction`, `measure` or `join`."""
    one: Part
    other: Part


@dataclass(frozen=True, slots=True)
class Difference:
    """The parts that two queries don't share."""

    only_one: tuple[Part, ...]
    only_other: tuple[Part, ...]
    exchanged: tuple[Exchange, ...]
    """Parts of the one, each with that of the other in its place."""

    def __bool__(self) -> bool:
        return bool(self.only_one or self.only_other or self.exchanged)


def difference(one: Query, other: Query) -> Difference:
    """How two queries differ; nothing where only their spelling does.

    >>> from oldhand.query.form import ColumnRef, Comparison, Count, Relation, Rows
    >>> orders = Relation("shop", "main", "orders")
    >>> paid, open_ = (Query(Rows((orders,)), (Count(),), (Comparison(ColumnRef(orders, "status"), "=", (s,)),))
    ...                for s in ("paid", "open"))
    >>> [(found.what, found.one.node.values, found.other.node.values) for found in difference(paid, open_).exchanged]
    [('value', ('paid',), ('open',))]
    >>> bool(difference(paid, paid))
    False
    """
    ours, theirs = _unshared(one, other), _unshared(other, one)
    exchanged: list[Exchange] = []
    for what in EXCHANGES:
        for mine in tuple(ours):
            shape = (mine.kind, _shape(mine, what))
            for yours in theirs:
                if (yours.kind, _shape(yours, what)) == shape:
                    exchanged.append(Exchange(what, mine.part, yours.part))
                    ours.remove(mine)
                    theirs.remove(yours)
                    break
    return Difference(_parts(ours), _parts(theirs), tuple(dict.fromkeys(exchanged)))


def _unshared(one: Query, other: Query) -> list[Normal]:
    """The normal parts of the first query that the second one doesn't have, or not as often."""
    there = Counter((part.kind, part.key) for part in normal(other))
    left: list[Normal] = []
    for part in normal(one):
        if there[part.kind, part.key] > 0:
            there[part.kind, part.key] -= 1
        else:
            left.append(part)
    return left


def _shape(one: Normal, what: str) -> object:
    """What is left of a part without that which may be exchanged."""
    if isinstance(one.key, int):
        return one.key if what != "value" else 0
    return (
        "" if isinstance(one.key, str) and what == "operator" else blanked(one.key, EXCHANGES[what])
    )


def _parts(of: Sequence[Normal]) -> tuple[Part, ...]:
    return tuple(dict.fromkeys(one.part for one in of))
