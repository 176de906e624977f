"""What is told of a correction that was understood."""

from collections.abc import Iterator

from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wording import listed
from oldhand.query.describing.describing import describe, describe_part
from oldhand.query.describing.nouns import Schemas
from oldhand.query.difference import Exchange, difference
from oldhand.query.form import Compound, Query, Rows
from oldhand.query.parts import Part

_RESTRICTING = ("where", "having")


def understood(before: Query, after: Query, schemas: Schemas) -> str:
    """What has changed from one query to another, in a sentence.

    >>> from oldhand.query.form import ColumnRef, Comparison, Count, Relation
    >>> orders = Relation("shop", "main", "orders")
    >>> paid = Query(Rows((orders,)), (Count(),), (Comparison(ColumnRef(orders, "status"), "=", ("paid",)),))
    >>> understood(Query(Rows((orders,)), (Count(),)), paid, ())
    "Understood: only orders with status 'paid'."
    """
    told = list(dict.fromkeys(_changes(before, after, schemas)))
    return f"Understood: {listed(told) if told else describe(after, schemas)}."


def _changes(before: Query, after: Query, schemas: Schemas) -> Iterator[str]:
    found = difference(before, after)
    gone = [one for one in found.only_one if one.kind in _RESTRICTING]
    fresh = [one for one in found.only_other if one.kind in _RESTRICTING]
    others = [
        one
        for one in (*found.only_one, *found.only_other)
        if one.kind not in (*_RESTRICTING, "relation", "join", "group")
    ]
    if others or any(one.what == "join" for one in found.exchanged):
        return  # the whole query says more than its pieces
    for one in found.exchanged:
        if one.one.kind != "group":
            yield _exchange(one, schemas)
    for one in fresh:
        yield f"only {said_part(one, schemas)}"
    for one in gone:
        yield f"{'no longer' if not fresh else 'instead of'} only {said_part(one, schemas)}"


def _exchange(one: Exchange, schemas: Schemas) -> str:
    new, old = said_part(one.other, schemas), said_part(one.one, schemas)
    return f"{new} in place of {old}"


def said_part(part: Part, schemas: Schemas) -> str:
    """A part in words."""
    if isinstance(part.node, int):
        return f"{part.node:,} rows" if part.kind == "limit" else f"{part.kind} {part.node}"
    if isinstance(part.node, Query | Rows | Compound):
        return part.kind
    return describe_part(part.node, schemas)


def names_things(words: str, query: Query) -> bool:
    """Whether words name a table that a query reads; others only happen to be like the name of a column."""
    said = {token.stem for token in tokenise(words)}
    names = (one.table for one in query.rows.relations)
    return any({stem(part) for part in split_name(name)} <= said for name in names)
