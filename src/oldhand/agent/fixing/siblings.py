"""What could stand in the place of a part, as the schema sees it: other columns, values, measures, keys and directions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import TypeVar, cast

from oldhand.agent.analyst.effects.joining import rejoined
from oldhand.agent.analyst.stating.written_keys import undeclared
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.query.describing.nouns import is_key, is_timely, place_of
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    DatePart,
    Expression,
    Has,
    Join,
    Node,
    Order,
    Predicate,
    Query,
    Relation,
    Scalar,
)
from oldhand.query.known import kind_of, known_table, profile_of
from oldhand.query.negating import OPPOSITE, negated
from oldhand.query.normal import PRESENCE
from oldhand.query.parts import Part
from oldhand.query.walk import changed, columns, is_measure
from oldhand.record.join_path import JoinPath, KeyPair
from oldhand.record.schema import NUMBERS, Column, DatabaseSchema, ForeignKey, Table, schema_of

N = TypeVar("N", bound=Node)
_ORDERED = ("<", "<=", ">", ">=")
_COMMON = ("sum", "avg", "max", "min")
FEW_ROWS = (1, 2, 3, 5, 10)
"""How many of the first rows can be picked."""
_YEARS = 12
"""Years that can be picked."""


@dataclass(frozen=True)
class Siblings:
    """Over the database of one query."""

    query: Query
    schemas: tuple[DatabaseSchema, ...]
    few: Mapping[ColumnRef, tuple[Scalar, ...]]
    """The values of columns that have only some; columns as relations without roles name them."""

    def of(self, part: Part) -> Iterator[Node | int]:
        """Other parts of the same kind, those most alike first."""
        match part.node:
            case int():
                yield from FEW_ROWS if part.kind == "limit" else ()
            case Join():
                yield from self._joins(part.node)
            case Order(by=by):
                yield replace(part.node, descending=not part.node.descending)
                yield from (replace(part.node, by=other) for other in self._terms(by))
            case Comparison() | Has():
                yield from self._predicates(part.node)
            case _:
                if part.kind in ("select", "group", "each"):
                    yield from self._terms(cast("Expression", part.node))

    def conditions(self) -> Iterator[Comparison]:
        """Conditions that rows of the query could have to meet: to have one of few values, or not to."""
        fixed = {one.left for one in self.query.where if isinstance(one, Comparison)}
        for relation in self.query.rows.relations:
            for column, values in self.few.items():
                if ColumnRef(relation, column.name) not in fixed and place_of(
                    column.of
                ) == place_of(relation):
                    of = ColumnRef(relation, column.name)
                    for value, operator in product(values, ("=", "!=")):
                        yield Comparison(of, operator, (value,))
            for of in self._columns(relation):
                profile = profile_of(of, self.schemas)
                if profile and profile.missing and of not in fixed:
                    yield from (Comparison(of, operator) for operator in PRESENCE)

    def times(self) -> Iterator[Comparison]:
        """Years in which rows could lie, the last ones first."""
        told = {column for one in self.query.where for column in columns(one)}
        for relation in self.query.rows.relations:
            for column in self._columns(relation):
                if column not in told and self._sort(column) == "time":
                    yield from (_in_year(column, year) for year in self._years(column))

    def limits(self) -> Iterator[Comparison]:
        """How many rows groups could have at least, where they are counted."""
        counts = [one for one in self.query.select if isinstance(one, Count)]
        wanted = self.query.group and not self.query.having
        yield from (Comparison(one, ">", (number,)) for one in (counts if wanted else ()) for number in FEW_ROWS)  # fmt: skip

    def _years(self, column: ColumnRef) -> Sequence[int]:
        """The years of which a column holds days, the last ones first."""
        profile = profile_of(column, self.schemas)
        ends = [str(one)[:4] for one in (profile.low, profile.high)] if profile is not None else []
        if not ends or not all(map(str.isdecimal, ends)) or (profile and profile.form):
            return ()
        return range(int(ends[1]), int(ends[0]) - 1, -1)[:_YEARS]

    def shown(self) -> Iterator[ColumnRef]:
        """Columns that could be shown: those of the query's own tables, then names and the like of near ones."""
        own = self.query.rows.relations
        for relation in self._near():
            for column in self._columns(relation):
                if relation in own or self._sort(column) == "text":
                    yield column

    def keys(self) -> Iterator[Expression]:
        """What could make groups: what names things, and parts of times."""
        for relation in self._near():
            for column in self._columns(relation):
                if (sort := self._sort(column)) == "text":
                    yield column
                elif sort == "time" and relation in self.query.rows.relations:
                    yield from (DatePart(column, part) for part in ("year", "month"))

    def orders(self) -> Iterator[Order]:
        """By what is computed, then by what is shown, then by other numbers and times of the tables."""
        figures = [one for one in self.query.select if is_measure(one)]
        grouped = bool(figures) or bool(self.query.group)
        plain = [] if grouped else [one for relation in self.query.rows.relations for one in self._columns(relation) if self._sort(one) in ("number", "time")]  # fmt: skip
        for by in dict.fromkeys((*figures, *self.query.select, *plain)):
            yield from (Order(by, descending) for descending in (True, False))

    def totals(self, things: Relation) -> Iterator[tuple[Order, Relation]]:
        """By what rows that belong to some things add up to, with the table of these rows."""
        for relation in self._near():
            if relation != things:
                for column in self._columns(relation):
                    if self._sort(column) == "number":
                        yield Order(Aggregate("sum", column), descending=True), relation

    def key_of(self, things: Relation) -> tuple[ColumnRef, ...]:
        """What tells things from each other."""
        table = known_table(things, self.schemas)
        return tuple(ColumnRef(things, name) for name in (table.primary_key if table else ()))

    def _terms(self, term: Expression) -> Iterator[Expression]:
        if is_measure(term):
            yield from self._measures(term)
        for column in columns(term):
            for other in self._alike(column):
                yield _with(term, column, other)

    def _measures(self, term: Expression) -> Iterator[Expression]:
        if isinstance(term, Aggregate):
            yield from (replace(term, function=one) for one in _COMMON if one != term.function)
        if term != Count():
            yield Count()
        for relation in self.query.rows.relations:
            for column in self._columns(relation):
                if is_key(column, self.schemas):
                    yield Count(column, distinct=True)
        for relation in self._near():
            for column in self._columns(relation):
                if self._sort(column) == "number":
                    yield from (Aggregate(one, column) for one in ("sum", "avg"))

    def _predicates(self, predicate: Comparison | Has) -> Iterator[Predicate]:
        if isinstance(predicate, Has):
            yield negated(predicate)
            for column in (predicate.left, *predicate.rows.select):
                if isinstance(column, ColumnRef):
                    yield from (_with(predicate, column, other) for other in self._rivals(column))
            return
        yield from self._other_values(predicate)
        for column in columns(predicate.left):
            for other in self._alike(column, predicate.values):
                yield _with(predicate, column, other)
        if predicate.operator in _ORDERED:
            yield from (replace(predicate, operator=one) for one in _ORDERED)
        elif predicate.operator in OPPOSITE:
            yield negated(predicate)

    def _other_values(self, one: Comparison) -> Iterator[Comparison]:
        """The same compared with other values, or with one more."""
        if isinstance(one.left, ColumnRef) and one.operator in ("=", "!="):
            few = self.few.get(ColumnRef(replace(one.left.of, role=""), one.left.name), ())
            yield from (replace(one, right=(value,)) for value in few)
            if one.operator == "=":
                others = (value for value in few if value not in one.values)
                yield from (Comparison(one.left, "in", (*one.values, value)) for value in others)
        if isinstance(one.left, ColumnRef) and one.operator == "within":
            years = (_in_year(one.left, year) for year in self._years(one.left))
            yield from (other for other in years if other != one)
        if isinstance(one.left, Count) and one.operator in _ORDERED:
            yield from (replace(one, right=(number,)) for number in FEW_ROWS)

    def _alike(self, column: ColumnRef, values: tuple[Scalar, ...] = ()) -> Iterator[ColumnRef]:
        """Other columns of the same sort, those of the same table first; texts must hold one of the values."""
        sort = self._sort(column)
        texts = {value for value in values if isinstance(value, str) and sort == "text"}
        for relation in sorted(self._near(), key=lambda one: one != column.of):
            for other in self._columns(relation):
                if other == column or self._sort(other) != sort:
                    continue
                held = self.few.get(ColumnRef(replace(relation, role=""), other.name), ())
                if not texts or texts & set(held):
                    yield other

    def _joins(self, join: Join) -> Iterator[Join]:
        """Other keys between the same two tables, and the rows without a partner."""
        for one, two in ((join.left, join.right), (join.right, join.left)):
            table = known_table(one, self.schemas)
            for key in table.foreign_keys if table is not None else ():
                if (key.database, key.table) == (two.database, two.table):
                    pairs = tuple(zip(key.columns, key.target_columns, strict=True))
                    turned = tuple((right, left) for left, right in pairs)
                    yield replace(join, keys=pairs if one == join.left else turned)
        yield replace(join, outer=not join.outer)

    def ways(self) -> Iterator[tuple[Join, Query]]:
        """Other ways between two tables of the query: by a key that is declared or could be one, where it goes another way or over other tables."""
        for rows, other in permutations(self.query.rows.relations, 2):
            table, target = known_table(rows, self.schemas), known_table(other, self.schemas)
            schema = schema_of(rows.database, self.schemas)
            if table is None or target is None or schema is None or rows.database != other.database:
                continue
            declared = (one for one in table.foreign_keys if (one.database, one.table) == (schema.name, target.name))  # fmt: skip
            likely = (key for one in table.columns if self._sort(ColumnRef(rows, one.name)) == "key" and (key := undeclared(one, table, target, schema)) and _fits(one, target, key))  # fmt: skip
            for key in (*declared, *likely):
                pairs = tuple(zip(key.columns, key.target_columns, strict=True))
                on = tuple(KeyPair(table=table.name, column=one, other_table=target.name, other_column=two) for one, two in pairs)  # fmt: skip
                path = JoinPath(database=schema.name, tables=(table.name, target.name), on=on)
                made = rejoined(self.query, path, "", self.schemas)
                if made is not None:
                    yield Join(rows, other, pairs), made

    def _rivals(self, key: ColumnRef) -> Iterator[ColumnRef]:
        """Other keys of the same rows that lead where this one leads."""
        table = known_table(key.of, self.schemas)
        keys = [one for one in table.foreign_keys if len(one.columns) == 1] if table else []
        leads = {(one.database, one.table) for one in keys if one.columns == (key.name,)}
        for one in keys:
            if (one.database, one.table) in leads and one.columns != (key.name,):
                yield ColumnRef(key.of, one.columns[0])

    def _near(self) -> tuple[Relation, ...]:
        """The relations of the query, and the tables that a key ties to one of them."""
        own = self.query.rows.relations
        places = {(one.database, one.table) for one in own}
        near = list(own)
        for schema in self.schemas:
            for table in schema.tables:
                refers = {(key.database, key.table) for key in table.foreign_keys}
                named = {
                    (key.database, key.table)
                    for relation in own
                    if (known := known_table(relation, self.schemas)) is not None
                    for key in known.foreign_keys
                }
                place = (schema.name, table.name)
                if place not in places and (refers & places or place in named):
                    near.append(Relation(schema.name, table.schema_name, table.name))
        return tuple(near)

    def _columns(self, relation: Relation) -> Iterator[ColumnRef]:
        table = known_table(relation, self.schemas)
        if table is not None:
            yield from (ColumnRef(relation, one.name) for one in table.columns)

    def _sort(self, column: ColumnRef) -> str:
        """What a column can be used for: to say when, to tell rows apart, to say whether, to compute with, or to name things."""
        if is_timely(column, self.schemas):
            return "time"
        kind = kind_of(column, self.schemas)
        if kind is None:
            return ""
        entry = vocabulary(tuple(self.schemas)).entry(replace(column, of=replace(column.of, role="")))  # fmt: skip
        if entry.key_like:
            return "key"
        if entry.is_flag:  # nobody wants a total of whether it is so
            return "flag"
        return "number" if kind in NUMBERS else "text"


def _fits(column: Column, target: Table, key: ForeignKey) -> bool:
    """Whether the values of a column lie among those that tell the rows of a table apart, as far as that is known."""
    own = target.column(key.target_columns[0])
    here, there = column.profile, own and own.profile
    match here and here.low, here and here.high, there and there.low, there and there.high:
        case int(low), int(high), int(first), int(last):
            return first <= low and high <= last
        case str(low), str(high), str(first), str(last):
            return first <= low and high <= last
        case _:
            return False


def _in_year(column: ColumnRef, year: int) -> Comparison:
    return Comparison(column, "within", (f"{year}-01-01", f"{year + 1}-01-01"))


def _with(node: N, column: ColumnRef, other: ColumnRef) -> N:
    return changed(node, lambda one: other if one == column else one)
