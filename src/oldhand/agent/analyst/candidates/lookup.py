"""What the schemas say of columns and tables, by their numbers and by the parts of a query that stand for them."""

from collections.abc import Iterable

from oldhand.agent.analyst.candidates.labels import labels_of
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.joins import Edge
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.query.form import Column, Elapsed, Expression, Node, Relation, Rows
from oldhand.query.walk import attribute, attributes


class Lookup:
    """A vocabulary, as those look at it who make queries."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def column(self, number: int) -> ColumnEntry:
        """A column by its number."""
        return self.vocabulary.columns[number]

    def ref(self, number: int) -> Column | Elapsed:
        """What stands for a column in a query."""
        return self.vocabulary.columns[number].ref

    def entry(self, expression: Expression) -> ColumnEntry:
        """The column that an expression is about, which must not be a count of rows."""
        about = attribute(expression)
        if about is None:
            raise LookupError(expression)
        return self.vocabulary.entry(about)

    def entries(self, expressions: Iterable[Expression]) -> list[ColumnEntry]:
        """The columns that some expressions are about; counts of rows are about none."""
        found = (attribute(one) for one in expressions)
        return [self.vocabulary.entry(about) for about in found if about is not None]

    def owners(self, expressions: Iterable[Expression]) -> set[int]:
        """The tables of the columns that some expressions are about."""
        return {entry.table for entry in self.entries(expressions)}

    def relation(self, table: int) -> Relation:
        """What stands for the rows of a table in a query."""
        return self.vocabulary.tables[table].relation

    def reading(self, parts: Iterable[Node]) -> list[ColumnEntry]:
        """All columns that some parts of a query read, those of queries inside of them aside."""
        return [self.vocabulary.entry(one) for part in parts for one in attributes(part)]

    def read(self, parts: Iterable[Node]) -> set[int]:
        """The tables whose columns some parts of a query read."""
        return {entry.table for entry in self.reading(parts)}

    def alone(self, table: int) -> Rows:
        """The rows of one table."""
        return Rows((self.relation(table),))

    def inside(self, rows: Rows) -> list[int]:
        """The tables that are joined."""
        return [self.vocabulary.table(relation).id for relation in rows.relations]

    def edges(self, rows: Rows) -> list[Edge]:
        """The joins, between tables that go by their numbers."""
        return [self.vocabulary.joins.edge(join) for join in rows.joins]

    def bit(self, expression: Expression) -> int:
        """The bit of the table that an expression is about; none for a count of rows."""
        return sum(1 << table for table in self.owners((expression,)))

    def table_bit(self, column: int) -> int:
        """The bit of a column's table."""
        return 1 << self.vocabulary.columns[column].table

    def labels(self, table: int) -> list[int]:
        """The columns that best stand for a row of a table: names first, then the key."""
        return labels_of(self.vocabulary, table)

    def full_name(self, table: int) -> tuple[int, int] | None:
        """The columns of first and last name, when a table has both."""
        columns = self.vocabulary.tables[table].columns
        found = [
            next(
                (c for c in columns if any({word, "name"} <= set(f) for f in self.column(c).forms)),
                None,
            )
            for word in ("first", "last")
        ]
        first, last = found
        return None if first is None or last is None else (first, last)

    def key(self, table: int) -> list[int]:
        """The columns of a table's primary key."""
        columns = self.vocabulary.tables[table].columns
        return [c for c in columns if self.column(c).column.primary_key]
