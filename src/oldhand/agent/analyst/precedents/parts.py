"""A query taken apart into named pieces, so that queries can be compared whatever their aliases are."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import fsum

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import conjuncts, joins, sources

Part = tuple[str, str]
"""Kind and content, such as ('select', 'shop.main.customers.name')."""
Parts = tuple[Part, ...]

WEIGHTS: Mapping[str, float] = {
    "select": 1.0, "distinct": 0.5, "from": 0.7, "join": 0.3, "where": 1.0, "value": 0.7, "group": 0.8,
    "having": 1.0, "order": 0.8, "limit": 0.6, "set": 1.0, "number": 0.3,
}  # fmt: skip
"""How much a piece of each kind counts when queries are compared."""


@lru_cache(maxsize=8192)
def parts_of(query: exp.Query) -> Parts:
    """The pieces of `query` in a fixed order; pieces of inner queries are marked by where they stand.

    >>> from sqlglot import parse_one
    >>> query = parse_one("SELECT t1.name FROM d.s.c AS t1 WHERE t1.city = 'Rome' ORDER BY t1.age DESC LIMIT 3")
    >>> for part in parts_of(query): print(*part)
    from d.s.c
    limit 3
    number 1
    order d.s.c.age desc
    select d.s.c.name
    value d.s.c.city = 'Rome'
    where d.s.c.city =
    """
    return tuple(sorted(_query(query, "", {})))


@lru_cache(maxsize=8192)
def meaning(query: exp.Query) -> tuple[str, ...]:
    """What two queries that return the same have in common: their pieces, with the order of the output columns.

    >>> from sqlglot import parse_one
    >>> one = parse_one("SELECT a.x FROM d.s.t AS a WHERE a.y = 1 AND a.z = 2")
    >>> two = parse_one("SELECT b.x FROM d.s.t AS b WHERE b.z = 2 AND b.y = 1")
    >>> meaning(one) == meaning(two)
    True
    """
    shown: list[str] = []
    for select in query.find_all(exp.Select):
        aliases = _aliases(select, {})
        shown.append(", ".join(_text(output, aliases) for output in select.expressions))
    return (*(f"{kind} {content}" for kind, content in parts_of(query)), *shown)


def likeness(one: Parts, other: Parts) -> float:
    """How much of two queries is the same, 0..1: the weight of the pieces they share over that of all.

    >>> likeness((("from", "t"), ("select", "t.a")), (("from", "t"), ("select", "t.b")))
    0.25925925925925924
    """
    first, second = set(one), set(other)
    return weight(first & second) / (weight(first | second) or 1.0)


def of_kind(parts: Parts, kind: str) -> frozenset[Part]:
    """The pieces of one kind."""
    return frozenset(part for part in parts if part[0] == kind)


def weight(parts: set[Part]) -> float:
    """The sum of the weights of some pieces."""
    return fsum(WEIGHTS.get(kind.rpartition(".")[2], 0.5) for kind, _ in parts)


def _query(query: exp.Expr, place: str, outer: Mapping[str, str]) -> Iterator[Part]:
    if isinstance(query, exp.Subquery):
        yield from _query(query.this, place, outer)
    elif isinstance(query, exp.SetOperation):
        yield f"{place}set", query.key
        sides = [tuple(_query(side, "", outer)) for side in (query.this, query.expression)]
        for number, side in enumerate(sides if isinstance(query, exp.Except) else sorted(sides), 1):
            yield from ((f"{place}{number}.{kind}", content) for kind, content in side)
        yield from _ordering(query, place, outer)
    elif isinstance(query, exp.Select):
        yield from _select(query, place, outer)


def _select(select: exp.Select, place: str, outer: Mapping[str, str]) -> Iterator[Part]:
    aliases = _aliases(select, outer)
    for output in select.expressions:
        yield f"{place}select", _text(output, aliases)
    yield f"{place}number", str(len(select.expressions))
    if select.args.get("distinct"):
        yield f"{place}distinct", ""
    yield from _tables(select, place, aliases)
    for clause in ("where", "having"):
        if node := select.args.get(clause):
            for condition in conjuncts(node.this):
                yield from _condition(condition, f"{place}{clause}", aliases)
    for term in _groups(select, aliases):
        yield f"{place}group", term
    yield from _ordering(select, place, aliases)


def _tables(select: exp.Select, place: str, aliases: Mapping[str, str]) -> Iterator[Part]:
    for source in sources(select):
        if source.table is None:
            yield from _query(source.node, f"{place}from.", aliases)
        else:
            yield f"{place}from", aliases[source.alias]
    for join in joins(select):
        if on := join.args.get("on"):
            yield f"{place}join", _text(on, aliases)


def _groups(select: exp.Select, aliases: Mapping[str, str]) -> set[str]:
    """What the rows are grouped by; of columns that a join holds equal the first, and none that a key implies."""
    group = select.args.get("group")
    terms = {_text(term, aliases) for term in group.expressions} if group else set[str]()
    equal: dict[str, str] = {}
    for join in joins(select):
        on = join.args.get("on")
        for same in on.find_all(exp.EQ) if on else ():
            one, other = sorted((_text(same.this, aliases), _text(same.expression, aliases)))
            equal[other] = one
    keys = {equal.get(term, term) for term in terms if term in equal or term in equal.values()}
    shown = {_text(output, aliases) for output in select.expressions}
    return keys | {term for term in terms if term not in equal and not (keys and term in shown)}


def _ordering(query: exp.Query, place: str, aliases: Mapping[str, str]) -> Iterator[Part]:
    if order := query.args.get("order"):
        for ordered in order.expressions:
            way = "desc" if ordered.args.get("desc") else "asc"
            yield f"{place}order", f"{_text(ordered.this, aliases)} {way}"
    if limit := query.args.get("limit"):
        yield f"{place}limit", _text(limit.expression or limit, aliases)


def _condition(condition: exp.Expr, kind: str, aliases: Mapping[str, str]) -> Iterator[Part]:
    """A condition as its form, its values, and the pieces of the queries inside."""
    inner = list(_outermost_queries(condition))
    if inner:
        yield kind, _text(condition, aliases, bare=True)
        for query in inner:
            yield from _query(query, f"{kind}.", aliases)
        return
    bare = _text(condition, aliases, bare=True)
    if kind.endswith("where.where") and bare.startswith("not(is("):
        return  # keys that are not there make no difference inside of IN
    yield kind, bare.replace(" ?", "")
    if any(True for _ in condition.find_all(exp.Literal)):
        yield kind.replace("where", "value").replace("having", "value"), _text(condition, aliases)


def _outermost_queries(node: exp.Expr) -> Iterator[exp.Expr]:
    for child in node.iter_expressions():
        if isinstance(child, exp.Query):
            yield child
        else:
            yield from _outermost_queries(child)


def _aliases(select: exp.Select, outer: Mapping[str, str]) -> dict[str, str]:
    """What each alias stands for, seen from within `select`."""
    found = dict(outer)
    for source in sources(select):
        table = source.table
        if table is not None:
            names = (table.catalog, table.db, table.name)
            found[source.alias] = ".".join(name for name in names if name)
    return found


_SIGNS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=", exp.And: "and",
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Like: "like", exp.ILike: "like",
}  # fmt: skip
_UNORDERED = (exp.EQ, exp.And)


def _text(node: object, aliases: Mapping[str, str], *, bare: bool = False) -> str:
    """An expression with its tables' full names in place of aliases; with `bare`, `?` for each value."""
    if isinstance(node, (exp.Paren, exp.Alias)):
        return _text(node.this, aliases, bare=bare)
    if not isinstance(node, exp.Expr) or isinstance(node, (exp.Column, exp.Literal, exp.Query)):
        return _leaf(node, aliases, bare)
    if isinstance(node, exp.Or) or (isinstance(node, exp.In) and node.expressions):
        return " or ".join(sorted(_alternatives(node, aliases, bare)))
    if sign := _SIGNS.get(type(node)):
        sides = [_text(node.args.get(arg), aliases, bare=bare) for arg in ("this", "expression")]
        if isinstance(node, _UNORDERED) and not isinstance(node.args["expression"], exp.Literal):
            sides.sort()
        return f"{sides[0]} {sign} {sides[1]}"
    inner = [_text(child, aliases, bare=bare) for child in _children(node)]
    return f"{node.key}({', '.join(inner)})"


def _leaf(node: object, aliases: Mapping[str, str], bare: bool) -> str:
    if isinstance(node, exp.Column):
        home = aliases.get(node.table, node.table)
        return f"{home}.{node.name}" if home else node.name
    if isinstance(node, exp.Literal):
        return "?" if bare else repr(node.this) if node.is_string else str(node.this)
    return "(query)" if isinstance(node, exp.Query) else str(node)


def _alternatives(node: exp.Expr, aliases: Mapping[str, str], bare: bool) -> set[str]:
    """The conditions of which one must hold; `x IN (1, 2)` is `x = 1 or x = 2`."""
    if isinstance(node, exp.In):
        column = _text(node.this, aliases, bare=bare)
        return {f"{column} = {_text(value, aliases, bare=bare)}" for value in node.expressions}
    sides = [node.this.unnest(), node.expression.unnest()]
    return {
        text
        for side in sides
        for text in (
            _alternatives(side, aliases, bare)
            if isinstance(side, (exp.Or, exp.In)) and side.args.get("query") is None
            else {_text(side, aliases, bare=bare)}
        )
    }


def _children(node: exp.Expr) -> Iterator[object]:
    """What stands inside of a node; flags that are off say nothing."""
    for value in node.args.values():
        if isinstance(value, list):
            yield from value
        elif value is not None and not isinstance(value, bool):
            yield value
