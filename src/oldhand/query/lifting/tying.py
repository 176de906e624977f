"""Relations tied by equal columns: in which order they are joined, and by which keys."""

from collections.abc import Callable, Sequence

from oldhand.query.form import Column, Join, Predicate, Relation, Rows
from oldhand.query.lifting.unfit import Unfit
from oldhand.query.walk import equal_columns

Refers = Callable[[Column, Column], bool]
"""Whether the first column refers to the second one, as an order does to its customer."""


def tied(
    relations: Sequence[Relation],
    said: Sequence[Sequence[Predicate]],
    outer: Sequence[bool],
    where: Sequence[Predicate],
    refers: Refers,
) -> tuple[Rows, tuple[Predicate, ...]]:
    """Join relations so that each is tied to one before it, as far as equations do that; with the conditions that are left.

    Args:
        relations: in the order in which they were named; they keep it where an outer join is among them.
        said: what was said where each of them was joined.
        outer: which of them may lack.
        where: conditions on all rows; their equations are used where nothing else ties a relation.
        refers: which of two equal columns is the one that refers.

    Raises:
        Unfit: an outer join is by more than equal columns.
    """
    first, *left = relations
    taken, joins = [first], list[Join]()
    rest = [one for conditions in said for one in conditions]
    weaker = list(where)
    while left:
        place = relations.index(left[0])
        ahead, strong = (left[:1], list(said[place])) if any(outer) else (left, rest)
        found = _next(ahead, taken, strong)
        pool = rest
        if found is None and not outer[place]:
            found, pool = _next(ahead, taken, weaker), weaker
        relation, other = found or (left[0], first)
        among = strong if pool is rest else weaker
        keys = [one for one in among if _between(one, relation, other)]
        if outer[place] and (not keys or len(keys) < len(strong)):
            raise Unfit("outer join by more than equal columns")
        for key in keys:
            pool.remove(key)
        joins.append(_join(other, relation, keys, refers, outer=outer[place]))
        left.remove(relation)
        taken.append(relation)
    return Rows(tuple(taken), tuple(joins)), (*rest, *weaker)


def _join(
    one: Relation, two: Relation, keys: Sequence[Predicate], refers: Refers, *, outer: bool
) -> Join:
    """The join of two relations by equations between them: as the first one is written, where nothing tells who refers."""
    pairs = [pair for key in keys if (pair := equal_columns(key))]
    if pairs:
        first, second = pairs[0]
        turned = refers(second, first) and not refers(first, second)
        one, two = (second.of, first.of) if turned else (first.of, second.of)
    pairs = [pair if pair[0].of == one else pair[::-1] for pair in pairs]
    names = dict.fromkeys((left.name, right.name) for left, right in pairs)
    return Join(one, two, tuple(names), outer)


def _next(
    left: Sequence[Relation], taken: Sequence[Relation], equations: Sequence[Predicate]
) -> tuple[Relation, Relation] | None:
    """The first relation that an equation ties to one that is taken, and that one."""
    pairs = [pair for equation in equations if (pair := equal_columns(equation)) is not None]
    for relation in left:
        for one, two in pairs:
            for near, far in ((one.of, two.of), (two.of, one.of)):
                if near == relation and far in taken:
                    return relation, far
    return None


def _between(equation: Predicate, one: Relation, two: Relation) -> bool:
    pair = equal_columns(equation)
    return pair is not None and {pair[0].of, pair[1].of} == {one, two}
