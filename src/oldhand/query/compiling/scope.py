"""What the relations of a query are called in its SQL."""

from sqlglot import exp

from oldhand.query.form import ColumnRef, Relation


class AliasScope:
    """Aliases `t1`, `t2`, … of the relations of one query; those of queries inside follow on."""

    def __init__(self, outer: "AliasScope | None") -> None:
        self._outer = outer
        self._aliases: dict[Relation, str] = {}
        self._first = outer.next if outer is not None else 0

    @property
    def next(self) -> int:
        """The number of aliases that are taken, here and around."""
        return self._first + len(self._aliases)

    def take(self, relation: Relation) -> str:
        """The alias of a relation of this query."""
        return self._aliases.setdefault(relation, f"t{self.next + 1}")

    def alias(self, relation: Relation) -> str:
        """The alias of a relation of this query, or of one around it."""
        known = self._aliases.get(relation)
        if known is not None:
            return known
        return self._outer.alias(relation) if self._outer is not None else self.take(relation)

    def table(self, relation: Relation, rows: exp.Query | None = None) -> exp.Expr:
        """The relation as it stands after FROM or JOIN; `rows` is the query whose rows it has, if it is no table."""
        alias = self.take(relation)
        if rows is not None:
            return rows.subquery(alias, copy=False)
        place = relation.schema or None, relation.database or None
        return exp.table_(relation.table, *place, alias=alias)

    def column(self, column: ColumnRef) -> exp.Column:
        """A column with its relation's alias."""
        return self.named(column.of, column.name)

    def named(self, relation: Relation, name: str) -> exp.Column:
        """A column of a relation by its name."""
        return exp.column(name, self.alias(relation))
