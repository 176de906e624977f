"""Tables and columns with the words by which they may be called."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import word_stems
from oldhand.query import form
from oldhand.query.units import Unit, unit_of
from oldhand.record.schema import DATES, NUMBERS, Column, Kind, Table

_ASKING, _FLAGS = words("verbs.auxiliary"), words("names.flags")
_NUMBERING = words("numbers.of_counts") | words("names.identifying")
"""They make the 0 and 1 of a column numbers of something."""
_NAMES = ("name", "titl", "label")
_DESCRIPTIONS = word_stems("names.descriptions")
_LONGEST_NAME = 4
"""Words of a description that does for a name."""
_APART = 0.9
"""Share of the rows that have a description of their own, from which it does for a name."""
_SOLD = word_stems("verbs.selling")
_NO_PIECES = word_stems("money.prices") | word_stems("time.columns")

_YEARS = range(1500, 2200)

Forms: TypeAlias = tuple[tuple[str, ...], ...]
"""The names of something, each as the stems of its words."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnEntry:
    """A column and the words by which it may be called."""

    id: int
    table: int
    column: Column
    ref: form.ColumnRef | form.Elapsed
    """What stands for it in a query."""
    forms: tuple[tuple[str, ...], ...]
    """Its name as stems, and its description as stems where that is short."""
    weights: tuple[tuple[float, ...], ...]
    """How much each word of each form tells it apart."""
    foreign: bool
    since: int = -1
    """With a span of time between two columns, the column from which it counts."""
    until: int = -1
    """With a span of time, the column up to which it counts."""
    exact: bool = False
    """True for a span between moments, which is more than whole days."""

    @property
    def words(self) -> frozenset[str]:
        """All words by which it may be called."""
        return frozenset(word for form in self.forms for word in form)

    @property
    def numeric(self) -> bool:
        """True when it holds numbers that can be compared; spans of time are found by their ends alone."""
        profile = self.column.profile
        numbers = profile is not None and profile.holds == "number"
        return self.since < 0 and (self.column.kind in NUMBERS or numbers)

    @property
    def temporal(self) -> bool:
        """True when it holds dates."""
        return self.column.kind in DATES

    @property
    def unit(self) -> Unit | None:
        """What its numbers count, where its name or description says so."""
        return unit_of(self.column)

    @property
    def is_flag(self) -> bool:
        """True when it tells of each row whether something holds."""
        name, profile = split_name(self.column.name), self.column.profile
        if self.column.kind is Kind.BOOLEAN or (name and name[0] in _ASKING):
            return True
        if profile is None or self.foreign or self.column.primary_key:
            return False
        counts = bool(name) and (name[-1].endswith("s") or not _NUMBERING.isdisjoint(name))
        counts = counts and _FLAGS.isdisjoint((*name[:1], *name[-1:]))
        digits = self.column.kind is Kind.INTEGER and (profile.low, profile.high) == (0, 1)
        return profile.holds == "flag" or (digits and not counts)

    @property
    def key_like(self) -> bool:
        """True for keys and ids: numbers that are not quantities."""
        return self.column.primary_key or self.foreign or self.forms[0][-1:] in (("id",), ("code",))

    @property
    def measures(self) -> bool:
        """True when it holds quantities."""
        return self.numeric and not (self.key_like or self.is_flag or self.holds_years)

    @property
    def holds_years(self) -> bool:
        """True where all that is known of it are whole years, whatever it is called, and nothing says that they count something."""
        samples = self.column.samples if self.column.kind is Kind.INTEGER else ()
        years = bool(samples) and all(isinstance(one, int) and one in _YEARS for one in samples)
        return years and self.unit is None

    @property
    def fractional(self) -> bool:
        """True when it holds quantities that are no whole numbers: of nothing that is counted."""
        return self.measures and self.column.kind is Kind.NUMBER

    @property
    def counts_sold(self) -> bool:
        """True for whole numbers that are called after a sale: `copies_sold`, and no `sold_for`."""
        whole = self.column.kind is Kind.INTEGER and self.measures
        return (
            whole and not _SOLD.isdisjoint(self.forms[0]) and _NO_PIECES.isdisjoint(self.forms[0])
        )

    @property
    def textual(self) -> bool:
        """True when its values are written in words."""
        return self.column.kind in (Kind.TEXT, Kind.OTHER)

    @property
    def name_like(self) -> bool:
        """True when its values name things."""
        return self.textual and (self.is_called_name or self.describes)

    @property
    def is_called_name(self) -> bool:
        """True for a name or a title."""
        return any(word in form for form in self.forms for word in _NAMES)

    @property
    def describes(self) -> bool:
        """True for a description that does for a name: a few words, and hardly any two rows have the same."""
        seen, samples = self.column.profile, [f"{sample}" for sample in self.column.samples]
        if seen is None or seen.holds or self.forms[0][-1] not in _DESCRIPTIONS or not samples:
            return False
        short = all(s[:1].isalpha() and len(s.split()) <= _LONGEST_NAME for s in samples)
        return self.textual and short and seen.distinct >= _APART * seen.rows > 1


@dataclass(frozen=True, slots=True, eq=False)
class TableEntry:
    """A table and the words by which it may be called."""

    id: int
    table: Table
    relation: form.Relation
    """What stands for its rows in a query."""
    forms: tuple[tuple[str, ...], ...]
    columns: tuple[int, ...]
    of: int = -1
    """With a role, the table itself."""
    holder: int = -1
    """With a role, the table whose rows refer to them in it: the table itself, or one with several keys to it."""

    @property
    def words(self) -> frozenset[str]:
        """All words by which it may be called."""
        return frozenset(word for form in self.forms for word in form)

    @property
    def database(self) -> str:
        """The database that it is in."""
        return self.relation.database

    @property
    def role(self) -> str:
        """What its rows are to others, as the `manager` is to an employee and the `origin` to a train."""
        return self.relation.role

    @property
    def is_end(self) -> bool:
        """True for a role of several that the rows of another table refer to: the `origin` of a train."""
        return bool(self.role) and self.holder != self.of


def in_role(
    entry: TableEntry,
    columns: Sequence[ColumnEntry],
    numbers: tuple[int, int],
    role: str,
    forms: Forms,
    holder: int,
) -> tuple[TableEntry, list[ColumnEntry]]:
    """A table and its columns once more, in a role that its rows have for those of `holder`; `numbers` are its own and that of its first column."""
    relation = replace(entry.relation, role=role)
    table, first = numbers
    made = [
        replace(one, id=number, table=table, ref=form.ColumnRef(relation, one.column.name))
        for number, one in enumerate(columns, first)
    ]
    ids = tuple(one.id for one in made)
    return TableEntry(table, entry.table, relation, forms, ids, entry.id, holder), made


@dataclass(frozen=True, slots=True)
class WordHit:
    """One word of a schema item that a word of the question may be."""

    table: int
    """Index of the table, or -1."""
    column: int
    """Index of the column, or -1."""
    form: int
    word: int
    strength: float

    def weaker(self, factor: float) -> "WordHit":
        """The same, less surely."""
        return WordHit(self.table, self.column, self.form, self.word, self.strength * factor)


def holding_all(found: Sequence[Sequence[WordHit]]) -> list[WordHit]:
    """The hits of several words, given for each of them, in the names that hold all of them."""
    found = [[hit for hit in hits if hit.word >= 0] for hits in found]
    names = [{(hit.table, hit.column, hit.form) for hit in hits} for hits in found]
    shared = names[0].intersection(*names[1:]) if names else names
    return [h for hits in found for h in hits if (h.table, h.column, h.form) in shared]
