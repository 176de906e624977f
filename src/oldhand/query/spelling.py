"""One spelling for parts that say the same: sides, values and alternatives in a fixed order, negation inside out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from oldhand.query import form
from oldhand.query.negating import MIRRORED, negated
from oldhand.query.walk import changed

ANY = form.Query(form.Rows(()), ())
"""Stands in place of a query inside of a part: its own parts are compared by themselves."""
_ENDS = {"between": (">=", "<="), "within": (">=", "<")}
"""Conditions on two ends, by the condition on each."""
OF_ONE = {"in": "=", "not in": "!="}
"""What operators for several values are for a single one."""


def settled(node: form.Node, names: Mapping[form.Relation, form.Relation]) -> form.Node:
    """A part in the one spelling, its relations by other names.

    Args:
        node: the part.
        names: what relations are called; they are known without the queries that they may be the rows of.
    """

    def settle(part: form.Node) -> form.Node:
        match part:
            case form.Query():
                return ANY
            case form.Relation():
                return names.get(part, part)
            case _:
                rule = _RULES.get(type(part))
                return rule(part) if rule is not None else part

    if any(one.query is not None for one in names):
        node = changed(node, _by_place)
    return changed(node, settle)


def _by_place(node: form.Node) -> form.Node:
    """Columns of the rows of a query go by their place in it, whatever they are called."""
    if isinstance(node, form.ColumnRef):
        return replace(node, name=_place(node.of, node.name))
    if isinstance(node, form.Join):
        keys = ((_place(node.left, one), _place(node.right, two)) for one, two in node.keys)
        return replace(node, keys=tuple(keys))
    return node


def _place(relation: form.Relation, name: str) -> str:
    names = relation.query.names if relation.query is not None else ()
    return f"c{names.index(name) + 1}" if name in names else name


def in_order(join: form.Join) -> form.Join:
    """An inner join says the same from both sides; one of them is the first."""
    left, right, keys = join.left, join.right, join.keys
    if repr(right) < repr(left):
        left, right = right, left
        keys = tuple((two, one) for one, two in keys)
    return form.Join(left, right, tuple(sorted(keys)))


def _join(node: form.Node) -> form.Node:
    return in_order(node) if isinstance(node, form.Join) and not node.outer else node


def _comparison(node: form.Node) -> form.Node:
    if not isinstance(node, form.Comparison):
        return node
    other = node.other
    if (
        other is not None
        and isinstance(node.left, form.Value)
        and not isinstance(other, form.Value)
    ):
        value = node.left.value
        if value is not None and node.operator in MIRRORED:
            return form.Comparison(other, MIRRORED[node.operator], (value,))
    if isinstance(other, form.Value) and other.value is not None:
        return replace(node, right=(other.value,))
    if other is not None and node.operator in MIRRORED and repr(other) < repr(node.left):
        return form.Comparison(other, MIRRORED[node.operator], node.left)
    plain = node.operator.removeprefix("not ")
    if plain in _ENDS:
        low, high = zip(_ENDS[plain], node.values, strict=True)
        ends = tuple(form.Comparison(node.left, one, (value,)) for one, value in (low, high))
        if plain == node.operator:
            return _connective(form.AllOf(ends))
        return _connective(form.AnyOf(tuple(map(negated, ends))))
    if node.operator in OF_ONE and node.values:
        values = tuple(sorted(set(node.values), key=repr))
        operator = node.operator if len(values) > 1 else OF_ONE[node.operator]
        return replace(node, operator=operator, right=values)
    return node


def _connective(node: form.Node) -> form.Node:
    """All or any of several predicates, one by one and in a fixed order; `x = 1 or x = 2` is `x in (1, 2)`."""
    if not isinstance(node, form.AllOf | form.AnyOf):
        return node
    flat: list[form.Predicate] = []
    for one in node.predicates:
        flat += one.predicates if isinstance(one, type(node)) else (one,)
    if isinstance(node, form.AnyOf):
        flat = _gathered(flat)
    made = tuple(sorted(dict.fromkeys(flat), key=repr))
    return made[0] if len(made) == 1 else type(node)(made)


def _gathered(predicates: Sequence[form.Predicate]) -> list[form.Predicate]:
    values: dict[form.Expression, list[form.Comparison]] = {}
    rest: list[form.Predicate] = []
    for one in predicates:
        if isinstance(one, form.Comparison) and one.values and one.operator in ("=", "in"):
            values.setdefault(one.left, []).append(one)
        else:
            rest.append(one)
    for left, several in values.items():
        together = tuple(value for one in several for value in one.values)
        made = _comparison(form.Comparison(left, "in", together))
        rest += (made,) if isinstance(made, form.Comparison) else ()
    return rest


def _negation(node: form.Node) -> form.Node:
    if not isinstance(node, form.Negation):
        return node
    inner = node.predicate
    if isinstance(inner, form.AllOf | form.AnyOf):
        kind = form.AnyOf if isinstance(inner, form.AllOf) else form.AllOf
        return _connective(kind(tuple(negated(one) for one in inner.predicates)))
    return negated(inner)


def _product(node: form.Node) -> form.Node:
    """Factors and summands in a fixed order."""
    if isinstance(node, form.Worth):
        return form.Worth(tuple(sorted(node.factors, key=repr)), tuple(sorted(node.off, key=repr)))
    if not isinstance(node, form.Arithmetic) or node.operator not in "+*":
        return node
    left, right = sorted((node.left, node.right), key=repr)
    return replace(node, left=left, right=right)


def _order(node: form.Node) -> form.Node:
    """Where rows without a value come is a matter of the database."""
    return replace(node, nulls="") if isinstance(node, form.Order) else node


def _extreme(node: form.Node) -> form.Node:
    """The highest of all values is that of the different ones."""
    if isinstance(node, form.Aggregate) and node.function in ("min", "max"):
        return replace(node, distinct=False)
    return node


_RULES: Mapping[type[form.Node], Callable[[form.Node], form.Node]] = {
    form.Join: _join, form.Comparison: _comparison, form.AllOf: _connective, form.AnyOf: _connective,
    form.Negation: _negation, form.Worth: _product, form.Arithmetic: _product, form.Aggregate: _extreme,
    form.Order: _order,
}  # fmt: skip
