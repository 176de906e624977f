"""Relations tied by equal columns: in which order they are joined, and by which keys."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oldhand.query.form import Column, Comparison, Join, Predicate, Relation, Rows

Refers = Callable[[Column, Column], bool]
"""Whether the first column refers to the second one, as an order does to its customer."""


@dataclass(frozen=True)
class Tied:
    """Joined relations, and the equations that no join has taken."""

    rows: Rows
    left_over: tuple[Comparison, ...]
    used: frozenset[int]
    """Places of the weaker equations that became keys."""


def ends(equation: Predicate) -> tuple[Column, Column] | None:
    """The two columns, of different relations, that an equation says are equal."""
    if not (isinstance(equation, Comparison) and equation.operator == "="):
        return None
    one, two = equation.left, equation.right
    if isinstance(one, Column) and isinstance(two, Column) and one.of != two.of:
        return one, two
    return None


def tied(
    relations: Sequence[Relation],
    equations: Sequence[Comparison],
    weaker: Sequence[Predicate],
    refers: Refers,
) -> Tied:
    """Join relations so that each is tied to one before it, as far as equations do that.

    Args:
        relations: in the order in which they were named.
        equations: what was said where they were joined.
        weaker: conditions on all rows; their equations are used where nothing else ties a relation.
        refers: which of two equal columns is the one that refers.
    """
    taken, left, joins = [relations[0]], list(relations[1:]), list[Join]()
    strong = list(equations)
    weak = dict(enumerate(weaker))
    while left:
        found = _next(left, taken, strong) or _next(left, taken, list(weak.values()))
        if found is None:
            relation = left.pop(0)
            joins.append(Join(taken[0], relation, ()))
            taken.append(relation)
            continue
        relation, other = found
        keys = [one for one in strong if _between(one, relation, other)]
        strong = [one for one in strong if one not in keys]
        if not keys:
            places = [n for n, one in weak.items() if _between(one, relation, other)]
            keys = [weak.pop(n) for n in places]
        joins.append(join(other, relation, keys, refers))
        left.remove(relation)
        taken.append(relation)
    used = frozenset(range(len(weaker))) - frozenset(weak)
    return Tied(Rows(tuple(taken), tuple(joins)), tuple(strong), used)


def join(
    one: Relation,
    two: Relation,
    keys: Sequence[Predicate],
    refers: Refers,
    *,
    outer: bool = False,
) -> Join:
    """The join of two relations by equations between them."""
    pairs = [pair if pair[0].of == one else pair[::-1] for key in keys if (pair := ends(key))]
    if pairs and refers(pairs[0][1], pairs[0][0]):
        one, two, pairs = two, one, [pair[::-1] for pair in pairs]
    names = dict.fromkeys((left.name, right.name) for left, right in pairs)
    return Join(one, two, tuple(names), outer)


def _next(
    left: Sequence[Relation], taken: Sequence[Relation], equations: Sequence[Predicate]
) -> tuple[Relation, Relation] | None:
    """The first relation that an equation ties to one that is taken, and that one."""
    pairs = [pair for equation in equations if (pair := ends(equation)) is not None]
    for relation in left:
        for one, two in pairs:
            for near, far in ((one.of, two.of), (two.of, one.of)):
                if near == relation and far in taken:
                    return relation, far
    return None


def _between(equation: Predicate, one: Relation, two: Relation) -> bool:
    pair = ends(equation)
    return pair is not None and {pair[0].of, pair[1].of} == {one, two}
