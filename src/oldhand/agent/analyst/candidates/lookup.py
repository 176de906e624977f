"""What the schemas say of columns and tables, by their numbers and by the parts of a query that stand for them."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.joins import JoinEdge
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.privacy import looks_private
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.query.form import ColumnRef, Elapsed, Expression, Node, Relation, Rows
from oldhand.query.walk import attribute, attributes
from oldhand.record.schema import Kind

_NUMBERS = words("names.identifying") | {"no"}
"""Words in the names of columns that number the rows of a table for people."""


_PEOPLE = word_stems("people.anybody")
PERSONS, _MARKS = word_stems("people.persons"), word_stems("people.marks")
_ADDRESS = stem("address")
_KEYS = 5
"""The rank of a primary key among what may stand for a row."""
APART = 0.9
"""Share of the rows that have a text of their own, from which that tells what a row is."""
_LONGEST_NAME = 60
_ADDRESSES = words("places.whereabouts")
_NAME = ("name", "nam")
_FIRST, _LAST = word_stems("names.first_half"), word_stems("names.last_half")
_TITLES = word_stems("names.titles")


class Lookup:
    """A vocabulary, as those look at it who make queries."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._labels: dict[int, tuple[int, ...]] = {}

    def column(self, number: int) -> ColumnEntry:
        """A column by its number."""
        return self.vocabulary.columns[number]

    def ref(self, number: int) -> ColumnRef | Elapsed:
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

    def plain(self, column: int) -> int:
        """The same column of the rows without their role, where they are an end of a key; else the column itself."""
        return self.vocabulary.plain(column)

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

    def edges(self, rows: Rows) -> list[JoinEdge]:
        """The joins, between tables that go by their numbers."""
        return [self.vocabulary.joins.edge(join) for join in rows.joins]

    def bits(self, *expressions: Expression) -> int:
        """The bits of the tables that some expressions are about; none for a count of rows."""
        return sum(1 << table for table in self.owners(expressions))

    def labels(self, table: int) -> tuple[int, ...]:
        """The columns that best stand for a row of a table: names first, then numbers for people, then texts of its own, then the key."""
        if table not in self._labels:
            columns = self.vocabulary.tables[table].columns
            self._labels[table] = tuple(sorted(columns, key=self._rank))
        return self._labels[table]

    def _rank(self, number: int) -> tuple[int, int]:
        entry = self.column(number)
        kind, form = entry.column.kind, entry.forms[0]
        short = len(form) <= 1 + len(self.vocabulary.tables[entry.table].forms[0])
        named = not entry.foreign and not self._is_of_another(entry)
        if named and "name" in form and short and kind is Kind.TEXT:
            return 0, number
        if named and entry.name_like:
            return 1 if entry.is_called_name else 2, number
        if self._is_numbered(entry):
            return 3, number
        if self._tells_what(entry):
            return 4, number
        if entry.column.primary_key:
            return _KEYS, number
        return 6 if kind is Kind.TEXT and not entry.key_like else 7, number

    def _tells_what(self, entry: ColumnEntry) -> bool:
        """True for the `theme` of a party, where nothing is called a name and the key is but a number: words that hardly any two rows share."""
        seen, column = entry.column.profile, entry.column
        if seen is None or seen.holds or column.kind is not Kind.TEXT or entry.key_like:
            return False
        samples = [str(sample) for sample in column.samples]
        named = sum(s[:1].isalpha() and len(s) <= _LONGEST_NAME for s in samples)
        about = entry.words & _ADDRESSES or looks_private(column.name)
        about = about and not self._is_where_it_is(entry)
        coded = any(self.column(c).column.kind is Kind.TEXT for c in self.key(entry.table))
        apart = seen.distinct >= APART * seen.rows > 1
        return apart and 2 * named > len(samples) and not (about or coded)

    def _is_where_it_is(self, entry: ColumnEntry) -> bool:
        """True for the address of a property, which is what people call it; not for that of a person, or to which an order goes."""
        table = self.vocabulary.tables[entry.table]
        people = table.words & PERSONS or any(self.column(c).words & _MARKS for c in table.columns)
        return set(entry.forms[0]) <= {_ADDRESS, *table.words} and not people

    def _is_numbered(self, entry: ColumnEntry) -> bool:
        """True for the `room_number` of a room that has no name: people know it by that, not by its key."""
        own, words = self.vocabulary.tables[entry.table].words, set(entry.forms[0])
        text = entry.column.kind is Kind.TEXT and not entry.foreign
        described = bool(words & own) and bool(words - own) and words - own <= _NUMBERS
        seen = entry.column.profile
        alone = words <= _NUMBERS and seen is not None and seen.distinct == seen.rows > 1
        return text and (described or words <= own or (alone and not entry.column.primary_key))

    def _is_of_another(self, entry: ColumnEntry) -> bool:
        """True for the `ship_name` of an order that has a `ship_city` too: it names where it goes."""
        first = entry.forms[0][0]
        table = self.vocabulary.tables[entry.table]
        if len(entry.forms[0]) < 2 or first in table.words:
            return False
        alike = sum(self.column(c).forms[0][0] == first for c in table.columns)
        return 2 < alike < len(table.columns)  # what opens the names of all tells none apart

    def full_name(self, table: int) -> tuple[int, int] | None:
        """The columns of first and last name, when a table has both."""
        first, last = (self._called(table, half) for half in (_FIRST, _LAST))
        return None if first is None or last is None else (first, last)

    def _called(self, table: int, half: AbstractSet[str]) -> int | None:
        """The column of one half of a name, such as `first_name`, `forename` or `surname`."""
        columns = self.vocabulary.tables[table].columns
        names = (c for c in columns if any(half & {*f} and any(w.endswith(_NAME) for w in f) for f in self.column(c).forms))  # fmt: skip
        return next(names, None)

    def names(self, table: int) -> tuple[ColumnRef | Elapsed, ...]:
        """What shows a row of a table: first and last name, or what best stands for it."""
        columns = self.full_name(table) or self.labels(table)[:1]
        return tuple(self.ref(column) for column in columns)

    def is_person(self, entry: ColumnEntry) -> bool:
        """True for a column that is called after a person, or that stands in a table of people: such as have a gender."""
        table = self.vocabulary.tables[entry.table]
        # The key of `customer orders` is no person.
        heads = {form[-1] for form in table.forms} if entry.key_like else table.words
        marked = any(self.column(one).words & _MARKS for one in table.columns)
        named = bool((entry.words | heads) & PERSONS)
        return named or marked or self.full_name(entry.table) is not None

    def unnamed(self, table: int) -> list[int]:
        """The column that tells what the rows are where nothing is called a name."""
        return [c for c in self.labels(table)[:1] if self._rank(c)[0] == _KEYS - 1]

    def leading_to_name(self, key: ColumnEntry) -> JoinEdge | None:
        """From a key to the named rows that it leads to, or to the person that its row without a name is."""
        columns = [key.id] if key.foreign else self._of_one_person(key)
        edges = (edge for column in columns if (edge := self.leading(column)) is not None)
        return next((e for e in edges if e.right != key.table and self.has_name(e.right)), None)

    def _of_one_person(self, key: ColumnEntry) -> Iterator[int]:
        """The column by which each of the candidates is one of the people, where only these have names."""
        if not key.column.primary_key or self.has_name(key.table):
            return
        for column in map(self.column, self.vocabulary.tables[key.table].columns):
            edge, seen = self.leading(column.id), column.column.profile
            people = edge is not None and bool(self.vocabulary.tables[edge.right].words & _PEOPLE)
            if people and seen is not None and seen.tells_apart:
                yield column.id

    def has_name(self, table: int) -> bool:
        """True where a column holds what the rows are called by."""
        return self._rank(self.labels(table)[0])[0] < _KEYS

    def has_own_name(self, table: int) -> bool:
        """True for books, which have a title; false for the lines of orders, though they hold the name of a product."""
        entry = self.vocabulary.tables[table]
        named = (one for one in map(self.column, entry.columns) if one.textual and not one.foreign)
        return any(_TITLES.union(entry.words).issuperset(one.forms[0]) for one in named)

    def leading(self, column: int) -> JoinEdge | None:
        """How a key of one column leads to the rows of a table: to the physicians, from the head of a department."""
        entry = self.column(column)
        edges = self.vocabulary.joins.edges(entry.table) if entry.foreign else ()
        own = (e for e in edges if e.left == entry.table)
        return next((e for e in own if [k for k, _ in e.keys] == [entry.column.name]), None)

    def key(self, table: int) -> list[int]:
        """The columns of a table's primary key."""
        columns = self.vocabulary.tables[table].columns
        return [c for c in columns if self.column(c).column.primary_key]

    def named(self, table: int, name: str) -> int | None:
        """The column of a table that bears a name, in whichever letter case."""
        columns, folded = self.vocabulary.tables[table].columns, name.casefold()
        return next((c for c in columns if self.column(c).column.name.casefold() == folded), None)
