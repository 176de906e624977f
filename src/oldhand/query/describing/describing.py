"""Says what a query reads, on one line, so that no two queries of different meaning sound the same.

    number of customers with city 'Berlin'
    name of each customer with segment 'retail', the 3 with the most orders
    total amount of orders ordered in 2024 for each city of customers with more than 5 orders

One rule for each kind of node; a node says its parts by their rules.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from oldhand.lexicon.wording import listed
from oldhand.query.describing.conditions import Conditions
from oldhand.query.describing.nouns import (
    Schemas,
    is_key,
    noun,
    one_of,
    owner_of,
    said_name,
    spoken_of,
    unclear_joins,
    unprefixed,
)
from oldhand.query.describing.orders import order_words, sorted_by
from oldhand.query.form import (
    ColumnRef,
    Comparison,
    Count,
    Expression,
    Join,
    Order,
    Predicate,
    Query,
    Relation,
    Rows,
    Share,
)
from oldhand.query.opaque import Opaque
from oldhand.query.walk import columns, is_measure, measures, relations

_KEPT = 16_384
_COMPOUNDS = {
    "intersect": "and also", "union": "or else", "union all": "together with", "except": "but not",
}  # fmt: skip


def describe(query: Query | Opaque, schemas: Schemas = ()) -> str:
    """What a query reads.

    >>> customers = Relation("shop", "main", "customers")
    >>> berlin = Comparison(ColumnRef(customers, "city"), "=", ("Berlin",))
    >>> describe(Query(Rows((customers,)), (Count(),), (berlin,)))
    "number of customers with city 'Berlin'"
    """
    if isinstance(query, Opaque):
        return f"what this SQL reads: {' '.join(query.sql.split())}"
    said = Speaker(query.rows, spoken_of(query), schemas, exact=True).whole(query)
    return unprefixed(said, query, schemas)


def describe_part(
    part: Expression | Predicate | Order | Join | Relation, schemas: Schemas = ()
) -> str:
    """One part of a query by itself.

    >>> price = ColumnRef(Relation("shop", "main", "products"), "price")
    >>> describe_part(price), describe_part(Order(price, descending=True))
    ('price of products', 'sorted by price of products, highest first')
    """
    rows = Rows(relations(part))
    speaker = Speaker(rows if rows.relations else None, None, schemas, exact=True)
    if isinstance(part, Relation):
        return noun(part)
    if isinstance(part, Join):
        return tied(part, schemas)
    if isinstance(part, Order):
        return f"sorted by {sorted_by(speaker, part)}"
    if not isinstance(part, Predicate):
        return speaker.term(part)
    owner = owner_of(part)
    said = (speaker.on(owner) if owner else speaker).conditions((part,))
    return f"{noun(owner)} {said}" if owner else said


def things_read(query: Query, schemas: Schemas = ()) -> str:
    """The rows that a query reads, and what they meet, in short: `customers in Berlin`.

    >>> customers = Relation("shop", "main", "customers")
    >>> berlin = Comparison(ColumnRef(customers, "city"), "=", ("Berlin",))
    >>> things_read(Query(Rows((customers,)), (Count(),), (berlin,)))
    'customers in Berlin'
    """
    first, *others = query.rows.relations
    if others:
        return listed(list(dict.fromkeys(map(noun, query.rows.relations))))
    speaker = Speaker(query.rows, first, schemas, exact=False)
    return speaker.things(query.where, set())


class Speaker(Conditions):
    """Says queries."""

    def whole(self, query: Query) -> str:
        """A query inside, or the one that is spoken of itself."""
        speaker = self if query.rows is self.rows else self.inside(query)
        said = [speaker.read(query)]
        if query.compound is not None:
            said.append(speaker.second(query, query.compound.kind, query.compound.second))
        if query.order or query.limit is not None or query.offset:
            said.append(order_words(speaker, query))
        return ", ".join([*said, *speaker.ties(query.rows)])

    def second(self, query: Query, kind: str, other: Query) -> str:
        """The query whose rows are set against those of the first; what both show is said once."""
        inner = self.inside(other)
        alike = (other.select, other.rows, other.group) == (query.select, query.rows, query.group)
        simple = alike and not (other.order or other.limit or other.having or other.compound)
        said = f"of {inner.rows_of(other)}" if simple else inner.whole(other)
        return f"{_COMPOUNDS[kind]} {said}"

    def read(self, query: Query) -> str:
        """What is shown, of which rows, for which groups."""
        things = self._things(query.group) if query.group else []
        keys = [key for key in query.group if not (columns(key) and columns(key)[0].of in things)]
        outputs = [one for one in query.select if one not in keys]
        groups = [*map(one_of, things), *map(self.term, keys)]
        hidden = "" if all(key in query.select for key in keys) else " (not shown)"
        having = self.conditions(query.having)
        if not query.group:
            shown = self.outputs(query.select, query)
            if query.distinct:
                one = self.said(query.select[0]).head
                many = self.values(one) if len(query.select) == 1 else one
                shown = f"different {shown.replace(one, many, 1)}"
            return f"{shown}, only {having}" if having else shown
        after = f" {having}" if having else ""
        if not outputs:
            return f"each {listed(groups)}{self._aside(keys, query)}{after}"
        if things == [self.main] and not keys and not any(map(is_measure, outputs)):
            return f"{self.outputs(outputs, query, f'each {groups[0]}')}{after}"
        return f"{self.outputs(outputs, query)} for each {listed(groups)}{hidden}{after}"

    def _things(self, group: Sequence[Expression]) -> list[Relation]:
        """The relations whose rows the groups tell apart by their key."""
        own = (key for key in group if isinstance(key, ColumnRef) and is_key(key, self.schemas))
        return list(dict.fromkeys(key.of for key in own))

    def _aside(self, keys: Sequence[Expression], query: Query) -> str:
        """Whose the keys are that are shown."""
        rows = self.rows_of(query)
        of = {column.of for key in keys for column in columns(key)}
        return f" of {rows}" if of == {self.main} else f", from {rows}"

    def outputs(self, outputs: Sequence[Expression], query: Query, things: str = "") -> str:
        """Several outputs, and the rows that they are of, which are said once."""
        said = [self.said(one) for one in outputs]
        rows = self.rows_of(query, things)
        plain = all(not one.tail and one.link == " of " for one in said[:-1])
        if plain and all(one.of == self.main for one in said):
            return f"{listed([one.head for one in said])}{said[-1].link}{rows}{said[-1].tail}"
        shown = listed([self.whole_term(one) for one in said])
        bare = self.main is not None and rows == noun(self.main)
        return shown if bare and any(one.of for one in said) else f"{shown}, from {rows}"

    def rows_of(self, query: Query, things: str = "") -> str:
        """The rows that are spoken of; relations that are spoken of elsewhere need not be said."""
        said: set[Relation | None] = set()
        spoken: Iterable[Expression] = (*query.select, *query.group, *(o.by for o in query.order))
        said.update(column.of for one in spoken for column in columns(one))
        said.update(column.of for one in query.having for column in columns(one))
        if any(map(_counts_rows, (*spoken, *query.having))):
            said.add(self.counted())
        told = [one for one in query.where if not _is_common(one, query)]
        inner = "".join(f" ({self.whole(r.query)})" for r in query.rows.relations if r.query)
        return f"{self.things(told, said, things)}{inner}"

    def ties(self, rows: Rows) -> list[str]:
        """How relations are joined, as far as it doesn't go without saying."""
        said = [tied(join, self.schemas) for join in unclear_joins(rows, self.schemas)]
        outer = [r for r, join in zip(rows.relations[1:], rows.joins, strict=True) if join.outer]
        return [*said, *(f"those without {noun(relation)} included" for relation in outer)]


def tied(join: Join, schemas: Schemas) -> str:
    """How two relations are joined."""
    left, right = noun(join.left), noun(join.right)
    if not join.keys:
        return f"each of the {left} with each of the {right}"
    pairs = [
        said_name(one)
        if one == two or is_key(ColumnRef(join.right, two), schemas)
        else f"{said_name(one)} = {said_name(two)}"
        for one, two in join.keys
    ]
    return f"{left} tied to {right} by {listed(pairs)}"


@lru_cache(maxsize=_KEPT)
def _counts_rows(part: Expression | Predicate) -> bool:
    """True where the noun of what is counted is said."""
    return any(isinstance(one, Share) or one == Count() for one in measures(part))


def _is_common(predicate: Predicate, query: Query) -> bool:
    """True for what goes without saying: that what groups are made by is known."""
    return any(predicate == Comparison(key, "not null") for key in query.group)
