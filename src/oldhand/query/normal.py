"""Spellings of queries that make no difference taken away: what is left is the same for queries that mean the same.

Names of roles, the order of conditions and of the sides of an equation, and one of several ways to say the same are such
spellings. What is normal is compared and never compiled.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from oldhand.query.form import (
    AllOf,
    AnyOf,
    ColumnRef,
    Comparison,
    Has,
    Join,
    Negation,
    Node,
    Predicate,
    Query,
    Relation,
)
from oldhand.query.negating import negated
from oldhand.query.parts import Part, Path, own_parts, queries_in
from oldhand.query.spelling import ANY, in_order, settled
from oldhand.query.walk import equal_columns, relations, walk

Key = Node | int | str
"""A normal part; the number of a limit, the kind of a compound."""
PRESENCE = ("null", "not null")
"""Operators that ask whether there is a value at all."""
_KEPT = 8192
_TELLING, _TYING = ("select", "where", "having", "limit"), ("relation", "join")
_UNORDERED = ("intersect", "union", "union all")


@dataclass(frozen=True, slots=True)
class Normal:
    """One part, and what is the same for all parts that mean the same in the same place."""

    part: Part
    kind: str
    """That of the part, with where it stands: `where.select` is what a query inside of a condition shows."""
    key: Key
    """The part in its normal form, `spelling.ANY` in place of queries inside."""
    inside: Part
    """Of a part that holds several conditions the one that this is."""


@lru_cache(maxsize=_KEPT)
def normal(query: Query) -> tuple[Normal, ...]:
    """The parts of a query in their normal form, those of queries inside of it included; what is implied is left out."""
    return tuple(_everything(_Scope(query)))


@lru_cache(maxsize=_KEPT)
def meaning(query: Query) -> object:
    """The same for all queries that mean the same, and for no others; it can be a key."""
    return _meaning(_Scope(query))


def same(one: Query, other: Query) -> bool:
    """True when two queries mean the same, whatever their roles are called and in whatever order they say it.

    >>> from oldhand.query.form import Count, Rows
    >>> people, others = Relation("hr", "main", "people"), Relation("hr", "main", "people", role="others")
    >>> same(Query(Rows((people,)), (Count(),)), Query(Rows((others,)), (Count(),)))
    True
    """
    return meaning(one) == meaning(other)


@dataclass(frozen=True)
class _Scope:
    """A query in its surroundings."""

    query: Query
    path: Path = ()
    place: str = ""
    around: Mapping[Relation, Relation] = field(default_factory=dict[Relation, Relation])
    among: bool = False
    """True when its rows are looked for by `Has`."""
    names: dict[Relation, Relation] = field(init=False)
    """What its relations are in the normal form."""

    def __post_init__(self) -> None:
        names = {one: replace(to, role=f"{to.role}'") for one, to in self.around.items()}
        object.__setattr__(self, "names", names | _names(self.query))

    def sides(self) -> "tuple[_Scope, ...]":
        """The queries that are set against each other, in a fixed order where it makes no difference; none for a plain one."""
        compound = self.query.compound
        if compound is None:
            return ()
        plain = replace(self.query, compound=None, order=(), limit=None, offset=0)
        second = (*self.path, "compound", "second")
        sides = [
            _Scope(plain, self.path, around=self.around),
            _Scope(compound.second, second, around=self.around),
        ]
        if compound.kind in _UNORDERED:
            sides.sort(key=lambda side: repr(_meaning(side)))
        return tuple(
            _Scope(side.query, side.path, f"{self.place}{number}.", self.around, self.among)
            for number, side in enumerate(sides, 1)
        )

    def own(self) -> Iterator[Normal]:
        """Its own parts, without those of queries inside."""
        wanted = ("order", "limit", "offset", "compound") if self.query.compound else ()
        settled = [
            (part, one, self._settled(one))
            for part in own_parts(self.query, self.path)
            if not wanted or part.kind in wanted
            for one in _conditions(part)
        ]
        joins = [key for part, _, key in settled if part.kind == "join" and isinstance(key, Join)]
        for part, inside, key in settled:
            for kind, one in self._read(part, key, joins):
                yield Normal(part, f"{self.place}{kind}", one, inside)

    def inner(self, part: Part) -> "Iterator[_Scope]":
        """The queries inside of a part."""
        for path, query in queries_in(part):
            if part.kind != "compound":
                place = f"{self.place}{part.kind}."
                yield _Scope(query, path, place, self.names, path[-1] == "rows")

    def _settled(self, part: Part) -> Key:
        if isinstance(part.node, int):
            return part.node
        if part.kind == "compound" and self.query.compound is not None:
            return self.query.compound.kind
        if part.kind == "join" and isinstance(part.node, Join) and part.node.outer:
            brought = self.query.rows.relations[self.query.rows.joins.index(part.node) + 1]
            return settled(self._from_before(part.node, brought), self.names)
        return settled(part.node, self.names)

    def _from_before(self, join: Join, brought: Relation) -> Join:
        """An outer join from the side whose rows all stay."""
        if join.right == brought:
            return join
        keys = tuple((right, left) for left, right in join.keys)
        return replace(join, left=join.right, right=join.left, keys=keys)

    def _read(self, part: Part, key: Key, joins: Sequence[Join]) -> Iterator[tuple[str, Key]]:
        if part.kind == "join" and isinstance(key, Join) and not key.outer:
            for pair in key.keys:  # without any, the relation alone says that each row meets each
                yield "join", replace(key, keys=(pair,))
        elif part.kind in ("order", "distinct") and self.among and self.query.limit is None:
            return  # makes no difference to what is found
        elif part.kind == "group":
            if (group := _group(key, joins, self)) is not None:
                yield "group", group
        elif part.kind in ("where", "having"):
            for one in _conjuncts(key):
                if self.among and isinstance(one, Comparison) and one.operator == "not null":
                    continue  # rows without a value are never found
                tie = _tie(one)
                yield ("join", tie) if tie is not None else (part.kind, one)
        else:
            yield part.kind, key


def _everything(scope: _Scope) -> Iterator[Normal]:
    told: set[Path] = set()
    for one in scope.own():
        yield one
        if one.inside.path not in told:
            told.add(one.inside.path)
            for inner in scope.inner(one.inside):
                yield from _everything(inner)
    for side in scope.sides():
        yield from _everything(side)


def _meaning(scope: _Scope) -> object:
    shown: list[object] = []
    rest: set[object] = set()
    for one in scope.own():
        kind = one.kind.removeprefix(scope.place)
        held = (kind, one.key, tuple(_meaning(inner) for inner in scope.inner(one.inside)))
        if kind in ("select", "order"):
            shown.append(held)
        else:
            rest.add(held)
    return tuple(shown), frozenset(rest), tuple(_meaning(side) for side in scope.sides())


def _names(query: Query) -> dict[Relation, Relation]:
    """What relations are called where their roles' own names make no difference: by the order in which they are spoken of."""
    first = [
        one.of
        for clause in (query.select, query.where, query.group, query.having, query.order)
        for node in clause
        for one in walk(node)
        if isinstance(one, ColumnRef)
    ]
    own = set(query.rows.relations)
    seen: dict[tuple[str, str, str], int] = {}
    names: dict[Relation, Relation] = {}
    for relation in dict.fromkeys((*first, *query.rows.relations)):
        if relation in own:
            table = (relation.database, relation.schema, relation.table)
            seen[table] = number = seen.get(table, 0) + 1
            role = "" if number == 1 else str(number)
            names[_without_query(relation)] = replace(_without_query(relation), role=role)
    return names


def _without_query(relation: Relation) -> Relation:
    return relation if relation.query is None else replace(relation, query=ANY)


def _conditions(part: Part) -> Iterator[Part]:
    """A part, or the conditions that it holds all of."""
    match part.node:
        case AllOf(predicates=several):
            inner = [(("predicates", n), one) for n, one in enumerate(several)]
        case Negation(predicate=AnyOf(predicates=several)):
            inner = [(("predicate", "predicates", n), negated(o)) for n, o in enumerate(several)]
        case _:
            yield part
            return
    for step, one in inner:
        yield from _conditions(replace(part, path=(*part.path, *step), node=one))


def _conjuncts(key: Key) -> Iterator[Predicate]:
    if isinstance(key, AllOf):
        yield from key.predicates
    elif isinstance(key, Comparison | Has | AnyOf | Negation):
        yield key


def _tie(predicate: Predicate) -> Join | None:
    """A condition that joins two relations as a join would."""
    pair = equal_columns(predicate)
    if pair is None:
        return None
    one, other = pair
    return in_order(Join(one.of, other.of, ((one.name, other.name),)))


def _group(key: Key, joins: Sequence[Join], scope: _Scope) -> Key | None:
    """What is grouped by: of columns that a join holds equal the first; nothing for one that a key implies."""
    equal = dict(_equal(joins))
    if key in equal or key in equal.values():
        return equal.get(key, key)
    told = {*relations(key)} if isinstance(key, Node) else set[Relation]()
    shown: list[Key] = [settled(term, scope.names) for term in scope.query.select]
    return None if told and told <= {*_keyed(scope, equal)} and key in shown else key


def _keyed(scope: _Scope, equal: Mapping[Key, Key]) -> Iterator[Relation]:
    """The relations that each group has one row of: those of a key, and those that it refers to."""
    known = {*equal, *equal.values()}
    for term in scope.query.group:
        if not isinstance(term, ColumnRef) or settled(term, scope.names) not in known:
            continue
        yield from relations(settled(term, scope.names))
        for join in scope.query.rows.joins:
            if term in [ColumnRef(join.left, left) for left, _ in join.keys]:
                yield from relations(settled(replace(term, of=join.right), scope.names))


def _equal(joins: Sequence[Join]) -> Iterator[tuple[Key, Key]]:
    for join in joins:
        for left, right in join.keys:
            one, other = sorted(
                (ColumnRef(join.left, left), ColumnRef(join.right, right)), key=repr
            )
            yield other, one


def same_in_any_order(one: Query, other: Query) -> bool:
    """Whether two queries mean the same, however their rows are sorted where all of them are shown."""
    whole = one.limit is None and other.limit is None
    return same(*(replace(it, order=()) if whole else it for it in (one, other)))


def asks_alike(one: Query, other: Query) -> bool:
    """Whether two queries are about the same rows, and compute and show the same of them; one may show more, and how they tie tables, group and sort is aside."""
    first, second = _shown_and_rest(one), _shown_and_rest(other)
    shown = first[0] <= second[0] or second[0] <= first[0]
    return shown and first[1] == second[1]


def _shown_and_rest(query: Query) -> tuple[frozenset[object], frozenset[object]]:
    """The columns that a query shows, and what tells its rows and what it computes of them."""
    shown, rest = set[object](), set[object]()
    for one in normal(query):
        if one.kind == "select" and isinstance(one.key, ColumnRef):
            shown.add(one.key)
        elif one.kind.startswith(_TELLING) and not one.kind.endswith(_TYING):
            rest.add((one.kind, one.key))
    return frozenset(shown), frozenset(rest)
