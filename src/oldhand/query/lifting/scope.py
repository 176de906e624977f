"""What the names in a query mean: the relations that it reads, with their columns, and the outputs that it names."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from oldhand.query.form import ColumnRef, Expression, Predicate, Query, Relation, Value
from oldhand.record.schema import Column as Described
from oldhand.record.schema import Kind, Table

Common = Mapping[str, "CommonTable"]


@dataclass(frozen=True)
class CommonTable:
    """A named query of a WITH clause, and the named ones that it may read."""

    node: exp.CTE
    known: "Common"


class PartReader(Protocol):
    """Reads parts of a statement; each part may hold all the others."""

    dialect: str
    """The name that sqlglot gives it; empty for a neutral tree."""

    def table(self, node: exp.Table) -> tuple[Relation, Table | None]:
        """The relation of a table, without its role, and what is known of it."""
        ...

    def term(self, node: exp.Expr, scope: "LiftScope") -> Expression:
        """An attribute or a measure."""
        ...

    def predicate(self, node: exp.Expr, scope: "LiftScope") -> Predicate:
        """One condition."""
        ...

    def query(self, node: exp.Expr, around: "LiftScope | None", common: Common) -> Query:
        """A whole query."""
        ...


@dataclass
class LiftedSource:
    """One entry of a FROM."""

    name: str
    """How its columns are addressed, in small letters."""
    relation: Relation
    columns: Sequence[str] | None
    """As the schema writes them; None when they are not known, as those of an earlier step."""
    table: Table | None = None
    optional: bool = False
    """True when rows may come without a partner here."""
    folded: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Know each column by its name in small letters."""
        for name in self.columns or ():
            self.folded.setdefault(name.casefold(), []).append(name)

    def column(self, name: str) -> ColumnRef | None:
        """The column of that name, letter case aside; None when there is none."""
        if self.columns is None:
            return ColumnRef(self.relation, name)
        found = self.folded.get(name.casefold(), [])
        if len(found) > 1 and name not in found:
            raise Unfit("unclear column")
        return ColumnRef(self.relation, name if name in found else found[0]) if found else None


class LiftScope:
    """One SELECT with what it reads; names that it doesn't know are looked for around it."""

    def __init__(self, reader: PartReader, around: "LiftScope | None", common: Common) -> None:
        self.reader = reader
        self.around = around
        self.common = common
        self.sources: list[LiftedSource] = []
        self.merged: dict[str, ColumnRef] = {}
        """Columns that USING made one, by their names in small letters."""
        self.outputs: dict[str, Expression] = {}
        """What outputs stand for, by their names in small letters."""

    def relations(self) -> Iterator[Relation]:
        """The relations of this query and of those around it."""
        yield from (source.relation for source in self.sources)
        if self.around is not None:
            yield from self.around.relations()

    def column(self, node: exp.Column) -> Expression:
        """What a name stands for: a column, an output, or a text that SQLite lets stand in double quotes.

        Raises:
            Unfit: it stands for nothing that is known, or for several things.
        """
        found = self._own(node)
        if found is not None:
            return found
        if not node.table and (output := self.outputs.get(node.name.casefold())) is not None:
            return output
        scope, passed = self.around, list[LiftScope]([self])
        while scope is not None:
            outer = scope._own(node)
            if outer is not None:
                if any(s.relation == outer.of for one in passed for s in one.sources):
                    raise Unfit("rows of one table inside and around")
                return outer
            passed.append(scope)
            scope = scope.around
        if _may_be_text(node, self.reader.dialect):
            return Value(node.name)
        raise Unfit("unknown column")

    def _own(self, node: exp.Column) -> ColumnRef | None:
        name = node.name.casefold()
        if node.table:
            wanted = node.table.casefold()
            found = [s.column(node.name) for s in self.sources if s.name == wanted]
        elif name in self.merged:
            return self.merged[name]
        else:
            found = [s.column(node.name) for s in self.sources if s.columns is not None]
            if not any(found):
                found = [s.column(node.name) for s in self.sources if s.columns is None]
        known = [one for one in found if one is not None]
        if len(known) > 1:
            raise Unfit("unclear column")
        return known[0] if known else None

    def described(self, column: Expression) -> Described | None:
        """What the schema says of a column of this query or of one around it."""
        if not isinstance(column, ColumnRef):
            return None
        source = self._source(column.of)
        table = source.table if source is not None else None
        return table.column(column.name) if table is not None else None

    def kind(self, column: Expression) -> Kind | None:
        """What the values of a column are; None where that isn't known."""
        known = self.described(column)
        return known.kind if known is not None else None

    def never_missing(self, column: Expression) -> bool:
        """True for a column of this query's own rows that surely has a value in each."""
        known = self.described(column)
        if known is None or not isinstance(column, ColumnRef) or known.nullable:
            return False
        if (
            known.primary_key
            and self.reader.dialect in ("", "sqlite")
            and known.kind is not Kind.INTEGER
        ):
            return False  # SQLite lets keys of texts be missing
        return any(s.relation == column.of and not s.optional for s in self.sources)

    def _source(self, relation: Relation) -> LiftedSource | None:
        scope: LiftScope | None = self
        while scope is not None:
            for source in scope.sources:
                if source.relation == relation:
                    return source
            scope = scope.around
        return None


def _may_be_text(node: exp.Column, dialect: str) -> bool:
    name = node.this
    quoted = isinstance(name, exp.Identifier) and bool(name.args.get("quoted"))
    return dialect == "sqlite" and quoted and not node.table


# What ends a lift: a part of a statement that the form can't hold.
class Unfit(Exception):
    """A part of a statement has no place in the form. It never leaves `lift`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def only(node: exp.Expr, known: Collection[str]) -> None:
    """Refuse a node in which anything but the known parts is said.

    Raises:
        Unfit: there is more.
    """
    for name, part in node.args.items():
        if part and name not in known:
            raise Unfit(f"{type(node).__name__.lower()} with {name.rstrip('_')}")
