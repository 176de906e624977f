"""Which rows of one table words mean: `cancelled orders`, `customers without an email`, `customers with more than 3 orders`."""

import re
from dataclasses import dataclass, replace
from datetime import date

from sqlglot import exp

from oldhand.agent.analyst.covering.covering import unread
from oldhand.agent.analyst.reaching import joined
from oldhand.agent.analyst.restriction import Restriction, RestrictionReader
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import listed
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import (
    ColumnRef,
    Comparison,
    Count,
    Elapsed,
    Has,
    Node,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import known_table
from oldhand.query.walk import changed, columns, replaced, walk
from oldhand.record.filter_condition import columns_of, read_filter
from oldhand.record.formula import own_parts, read_condition
from oldhand.record.schema import DatabaseSchema, Table, schema_of
from oldhand.sources.databases.values import Values

_THERE, _ALSO = words("rules.present"), words("rules.joining")
_PRESENT = re.compile(
    rf"\b(an?|any|the|no|without|with) (?:{'|'.join(sorted(_THERE))}) ", re.IGNORECASE
)
_JOINING = re.compile(
    rf",? \b(?:{'|'.join(one.replace('-', ' ') for one in sorted(_ALSO, key=len, reverse=True))}) ",
    re.IGNORECASE,
)
_RELATING = (
    words("rules.having")
    | words("rules.relating")
    | words("rules.denying")
    | words("rules.before_times")
)


@dataclass(frozen=True, slots=True)
class Things:
    """Rows of one table."""

    database: str
    table: str
    condition: str
    """What tells them from others, in neutral SQL without the name of the table."""
    sure: float


def things_meant(
    said: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    tables: tuple[tuple[str, Table], ...] = (),
    *,
    only: bool = False,
) -> Things | None:
    """What rows some words mean; None when not all words are understood.

    Args:
        said: such as `cancelled orders`, or `not closed`.
        schemas: the databases that they may speak of.
        values: what these hold.
        tables: whose rows they are, where the words don't say so.
        only: True when they can be those of no other table.
    """
    reader = RestrictionReader(schemas, values)
    own = () if not tables else tuple(Relation(database, table.schema_name, table.name) for database, table in tables)  # fmt: skip
    plain = _PRESENT.sub(r"\1 ", said)
    told = (_meant(plain, reader, own, only=only), _of_both(plain, reader, own, only=only))
    return next((one for one in told if one is not None), None)


def _meant(
    said: str, reader: RestrictionReader, own: tuple[Relation, ...], *, only: bool
) -> Things | None:
    """What rows some words mean that are read as one."""
    read = (reader.of_any(said), *(reader.of(one, said) for one in own))
    told = [one for one in read if one is not None and (not only or one.things in own)]
    surest = max(told, key=lambda one: one.sure, default=None)
    if surest is None or _not_taken_up(said, surest, reader):
        return None
    return _things(surest, reader.schemas)


def _of_both(
    said: str, reader: RestrictionReader, own: tuple[Relation, ...], *, only: bool
) -> Things | None:
    """What rows are meant by two things that are said of them: `reviews with 5 stars and a comment`."""
    for found in _JOINING.finditer(said):
        first = _meant(said[: found.start()], reader, own, only=only)
        table = first and known_table_of(first, reader.schemas)
        if first is None or table is None:
            continue
        rest = said[found.end() :]
        rest = rest if rest.split()[0].lower() in _RELATING else f"with {rest}"
        things = (Relation(first.database, table.schema_name, table.name),)
        second = _meant(rest, reader, things, only=True)
        if second is not None:
            both = f"({first.condition}) AND ({second.condition})"
            return replace(first, condition=read_condition(both).sql(), sure=min(first.sure, second.sure))  # fmt: skip
    return None


def known_table_of(things: Things, schemas: tuple[DatabaseSchema, ...]) -> Table | None:
    """The table whose rows are meant."""
    schema = schema_of(things.database, schemas)
    return None if schema is None else schema.table(things.table)


@dataclass(frozen=True)
class _AllRows:
    """All rows of a table, of which something is said."""

    query: Query
    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date | None


def _not_taken_up(said: str, meant: Restriction, reader: RestrictionReader) -> tuple[str, ...]:
    """The words that a condition does not answer to, though the question did that it was read in: a written comment."""
    plain = Query(Rows((meant.things,)), (Count(),))
    asked = joined(replace(plain, where=meant.where), reader.schemas)
    if asked is None:
        return ()
    ground = _AllRows(plain, reader.schemas, reader.values, reader.today)
    left = (*unread(said, ground, asked).words, *_glued(said, asked))
    stated = {stem(word) for schema in reader.schemas for rule in schema.semantics.rules for word in split_name(rule.name)}  # fmt: skip
    return tuple(one for one in left if stem(one.lower()) not in stated)


def _glued(said: str, asked: Query) -> list[str]:
    """The words of which only a number was read: `m3`."""
    read = {one for part in asked.where for node in walk(part, inner=True) if isinstance(node, Comparison) for one in node.values}  # fmt: skip
    return [one[0] for one in re.finditer(r"[^\W\d]+(\d+)\b", said) if int(one[1]) in read and not re.search(rf"(?<!\w){one[1]}\b", said)]  # fmt: skip


def not_understood(
    said: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    things: tuple[str, Table],
) -> str:
    """Which of some words about the rows of a table are not understood, in a sentence."""
    database, table = things
    relation = Relation(database, table.schema_name, table.name)
    reader = RestrictionReader(schemas, values)
    unread = reader.unread(relation, said)
    if unread.unknown:
        strange = listed([repr(one) for one in unread.unknown])
        return f"No table, column or value here is called {strange}."
    if unread.left_out:
        # `20 orders`: a number is left out where nothing is called what it counts.
        whole = [
            re.search(rf"{re.escape(one)}(?: \w+)?" if one.isdigit() else re.escape(one), said)
            for one in unread.left_out
        ]
        left = listed([repr(one[0]) for one in whole if one])
        return f"I don't understand what {left} says of {table.name}, in {said!r}."
    read = reader.of(relation, said) or reader.of_any(said)
    if read is not None and (missed := _not_taken_up(said, read, reader)):
        return f"I don't understand what {listed([repr(one) for one in missed])} says of {table.name}, in {said!r}."
    return (
        f"I don't understand {said!r} as something that is so for each of {table.name}, or is not."
    )


def the_others(things: Things, schema: DatabaseSchema) -> str:
    """The condition of the rows that are not meant, those without a value among them."""
    others = opposite(things.condition)
    table = schema.table(things.table)
    empty = [
        name
        for name in columns_of(read_filter(others))
        if table is not None and (column := table.column(name)) is not None and column.nullable
    ]
    asked = "IS NULL" in things.condition.upper()
    return f"{others} OR {empty[0]} IS NULL" if len(empty) == 1 and not asked else others


def opposite(condition: str) -> str:
    """The condition of the rows that are known to be others.

    >>> opposite("status = 'open'"), opposite("paid_on IS NULL")
    ("status <> 'open'", 'NOT paid_on IS NULL')
    """
    try:
        tree = read_filter(condition)
    except ValueError:
        return f"NOT ({condition})"  # it is told by other rows
    operator = {"eq": "<>", "neq": "="}.get(tree.key)
    if operator is not None:
        return f"{tree.this.sql()} {operator} {tree.expression.sql()}"
    return f"NOT ({condition})" if isinstance(tree, exp.And | exp.Or) else f"NOT {condition}"


def _things(said: Restriction, schemas: tuple[DatabaseSchema, ...]) -> Things | None:
    """A restriction as a condition on the rows of its table; None where it can't be written as one."""
    things = said.things
    asked = joined(Query(Rows((things,)), (Count(),), said.where), schemas)
    if asked is None or not all(
        _is_tied(one, schemas) for part in said.where for one in walk(part)
    ):
        return None
    if not all(_is_referred_to(one, asked, schemas) for one in asked.rows.relations[1:]):
        table = known_table(things, schemas)
        if table is None or len(table.primary_key) != 1:
            return None
        key = ColumnRef(things, table.primary_key[0])
        asked = Query(Rows((things,)), (Count(),), (Has(key, replace(asked, select=(key,))),))
    condition = _condition_text(asked)
    try:
        read_condition(condition)
    except ValueError:
        return None
    return Things(things.database, things.table, condition, said.sure)


def _is_tied(one: Node, schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether rows of others are told by a key, and not by what they happen to share."""
    if not isinstance(one, Has):
        return True
    (column,) = columns(one.left) or (None,)
    table = None if column is None else known_table(column.of, schemas)
    foreign = () if table is None else (key.columns for key in table.foreign_keys)
    keys = () if table is None else (table.primary_key, *foreign)
    return column is not None and (column.name,) in keys


def _is_referred_to(one: Relation, query: Query, schemas: tuple[DatabaseSchema, ...]) -> bool:
    """Whether the rows of a query's first table refer to those of another one by a single key."""
    table = known_table(query.rows.relations[0], schemas)
    keys = table.foreign_keys if table is not None else ()
    there = [key for key in keys if key.table.casefold() == one.table.casefold()]
    return len(there) == 1 and not one.role and there[0].database == one.database


def _condition_text(query: Query) -> str:
    """The conditions of a query as neutral SQL; the columns of its first table stand without its name."""
    where = tuple(changed(changed(one, _compared), _by_reference) for one in query.where)
    whole = to_tree(replace(query, where=where))
    tree = whole.args["where"].this
    around = (table for table in whole.find_all(exp.Table) if table.find_ancestor(exp.Select) is whole)  # fmt: skip
    names = {table.alias: table.name for table in around}
    names[next(iter(names))] = ""
    for one in tuple(own_parts(tree)):
        if isinstance(one, exp.Column):
            name = names[one.table]
            one.set("table", exp.to_identifier(name) if name else None)
    for table in tree.find_all(exp.Table):
        table.set("catalog", None)
    return tree.sql()


def _by_reference(node: Node) -> Node:
    """Rows of others grouped by what refers to things, rather than by these, where nothing else of things is read."""
    shown = node.rows.select[0] if isinstance(node, Has) else None
    if not isinstance(node, Has) or not isinstance(shown, ColumnRef) or not node.rows.group:
        return node
    inner, things = node.rows, shown.of
    parts = (*inner.select, *inner.where, *inner.group, *inner.having)
    read = {column for part in parts for column in columns(part) if column.of == things}
    ties = [join for join in inner.rows.joins if things in (join.left, join.right)]
    refers = [mine for mine, its in ties[0].keys if its == shown.name] if len(ties) == 1 else []
    if read != {shown} or not refers or ties[0].right != things or len(ties[0].keys) > 1:
        return node
    others = tuple(one for one in inner.rows.relations if one != things)
    joins = tuple(join for join in inner.rows.joins if join is not ties[0])
    reference = ColumnRef(ties[0].left, refers[0])
    made = replace(inner, rows=Rows(others, joins))
    return replace(node, rows=replaced(made, lambda part: reference if part == shown else None))


def _compared(node: Node) -> Node:
    """Two moments that are compared by the time between them, compared as they are: `shipped > required`."""
    match node:
        case Comparison(left=Elapsed(since=since, until=ColumnRef() as until), right=(0,)):
            return Comparison(until, node.operator, since)
        case _:
            return node
