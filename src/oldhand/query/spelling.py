"""One spelling for parts that say the same: sides, values and alternatives in a fixed order, negation inside out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from oldhand.query.form import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Column,
    Comparison,
    Expression,
    Join,
    Negation,
    Node,
    Order,
    Predicate,
    Query,
    Relation,
    Rows,
    Value,
    Worth,
)
from oldhand.query.negating import MIRRORED, negated
from oldhand.query.walk import changed

ANY = Query(Rows(()), ())
"""Stands in place of a query inside of a part: its own parts are compared by themselves."""
_ENDS = {"between": (">=", "<="), "within": (">=", "<")}
"""Conditions on two ends, by the condition on each."""
OF_ONE = {"in": "=", "not in": "!="}
"""What operators for several values are for a single one."""


def settled(node: Node, names: Mapping[Relation, Relation]) -> Node:
    """A part in the one spelling, its relations by other names.

    Args:
        node: the part.
        names: what relations are called; they are known without the queries that they may be the rows of.
    """

    def settle(part: Node) -> Node:
        match part:
            case Query():
                return ANY
            case Relation():
                return names.get(part, part)
            case _:
                rule = _RULES.get(type(part))
                return rule(part) if rule is not None else part

    if any(one.query is not None for one in names):
        node = changed(node, _by_place)
    return changed(node, settle)


def _by_place(node: Node) -> Node:
    """Columns of the rows of a query go by their place in it, whatever they are called."""
    if isinstance(node, Column):
        return replace(node, name=_place(node.of, node.name))
    if isinstance(node, Join):
        keys = ((_place(node.left, one), _place(node.right, two)) for one, two in node.keys)
        return replace(node, keys=tuple(keys))
    return node


def _place(relation: Relation, name: str) -> str:
    names = relation.query.names if relation.query is not None else ()
    return f"c{names.index(name) + 1}" if name in names else name


def in_order(join: Join) -> Join:
    """An inner join says the same from both sides; one of them is the first."""
    left, right, keys = join.left, join.right, join.keys
    if repr(right) < repr(left):
        left, right = right, left
        keys = tuple((two, one) for one, two in keys)
    return Join(left, right, tuple(sorted(keys)))


def _join(node: Node) -> Node:
    return in_order(node) if isinstance(node, Join) and not node.outer else node


def _comparison(node: Node) -> Node:
    if not isinstance(node, Comparison):
        return node
    other = node.other
    if other is not None and isinstance(node.left, Value) and not isinstance(other, Value):
        value = node.left.value
        if value is not None and node.operator in MIRRORED:
            return Comparison(other, MIRRORED[node.operator], (value,))
    if isinstance(other, Value) and other.value is not None:
        return replace(node, right=(other.value,))
    if other is not None and node.operator in MIRRORED and repr(other) < repr(node.left):
        return Comparison(other, MIRRORED[node.operator], node.left)
    plain = node.operator.removeprefix("not ")
    if plain in _ENDS:
        low, high = zip(_ENDS[plain], node.values, strict=True)
        ends = tuple(Comparison(node.left, one, (value,)) for one, value in (low, high))
        if plain == node.operator:
            return _connective(AllOf(ends))
        return _connective(AnyOf(tuple(map(negated, ends))))
    if node.operator in OF_ONE and node.values:
        values = tuple(sorted(set(node.values), key=repr))
        operator = node.operator if len(values) > 1 else OF_ONE[node.operator]
        return replace(node, operator=operator, right=values)
    return node


def _connective(node: Node) -> Node:
    """All or any of several predicates, one by one and in a fixed order; `x = 1 or x = 2` is `x in (1, 2)`."""
    if not isinstance(node, AllOf | AnyOf):
        return node
    flat: list[Predicate] = []
    for one in node.predicates:
        flat += one.predicates if isinstance(one, type(node)) else (one,)
    if isinstance(node, AnyOf):
        flat = _gathered(flat)
    made = tuple(sorted(dict.fromkeys(flat), key=repr))
    return made[0] if len(made) == 1 else type(node)(made)


def _gathered(predicates: Sequence[Predicate]) -> list[Predicate]:
    values: dict[Expression, list[Comparison]] = {}
    rest: list[Predicate] = []
    for one in predicates:
        if isinstance(one, Comparison) and one.values and one.operator in ("=", "in"):
            values.setdefault(one.left, []).append(one)
        else:
            rest.append(one)
    for left, several in values.items():
        together = tuple(value for one in several for value in one.values)
        made = _comparison(Comparison(left, "in", together))
        rest += (made,) if isinstance(made, Comparison) else ()
    return rest


def _negation(node: Node) -> Node:
    if not isinstance(node, Negation):
        return node
    inner = node.predicate
    if isinstance(inner, AllOf | AnyOf):
        kind = AnyOf if isinstance(inner, AllOf) else AllOf
        return _connective(kind(tuple(negated(one) for one in inner.predicates)))
    return negated(inner)


def _product(node: Node) -> Node:
    """Factors and summands in a fixed order."""
    if isinstance(node, Worth):
        return Worth(tuple(sorted(node.factors, key=repr)), tuple(sorted(node.off, key=repr)))
    if not isinstance(node, Arithmetic) or node.operator not in "+*":
        return node
    left, right = sorted((node.left, node.right), key=repr)
    return replace(node, left=left, right=right)


def _order(node: Node) -> Node:
    """Where rows without a value come is a matter of the database."""
    return replace(node, nulls="") if isinstance(node, Order) else node


def _extreme(node: Node) -> Node:
    """The highest of all values is that of the different ones."""
    if isinstance(node, Aggregate) and node.function in ("min", "max"):
        return replace(node, distinct=False)
    return node


_RULES: Mapping[type[Node], Callable[[Node], Node]] = {
    Join: _join, Comparison: _comparison, AllOf: _connective, AnyOf: _connective,
    Negation: _negation, Worth: _product, Arithmetic: _product, Aggregate: _extreme,
    Order: _order,
}  # fmt: skip
