"""The semantic layer of a database: what people here mean by measures, conditions, words and dates, and which rows count."""

from collections.abc import Mapping
from typing import Annotated, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from oldhand.record.base import Record, is_none
from oldhand.record.effect import Alias, DefaultFilter
from oldhand.record.filter_condition import columns_of, read_filter, said_of
from oldhand.record.formula import adds_up, read_condition, read_formula
from oldhand.record.join_path import Equality, JoinPath, Name, key_pair

Phrase = Annotated[str, Field(min_length=1, max_length=100)]


def _checked_formula(text: str) -> str:
    return read_formula(text).sql()


def _checked_condition(text: str) -> str:
    return read_condition(text).sql()


def _checked_filter(text: str) -> str:
    return read_filter(text).sql()


class _Stated(Record):
    """A rule that somebody has stated."""

    table: Name
    """The table that it is about."""
    says: str = ""
    """The sentence that it comes from."""
    by: str = ""
    """Who stated it."""
    since: str = ""
    """The day on which it was stated, as ISO 8601."""


class Measure(_Stated):
    """A number that is computed from the columns of a row, or of all rows, and has a name.

    >>> Measure(name="profit", table="orders", formula="price - cost").told
    "'profit' is price - cost of each row of orders"
    """

    name: Phrase
    formula: Annotated[str, AfterValidator(_checked_formula)]
    """Columns of the table by their names, those of a table that it refers to as `table.column`."""

    @property
    def told(self) -> str:
        """What it says, without a full stop."""
        rows = "all rows" if self.is_of_many else "each row"
        return f"'{self.name}' is {self.formula} of {rows} of {self.table}"

    @property
    def is_of_many(self) -> bool:
        """Whether it is computed from many rows at once, as a ratio of sums is."""
        return adds_up(read_formula(self.formula))

    @property
    def reads_back(self) -> str:
        """What it will do, for who states it."""
        of_each = "it (both sides of / added up)" if "/" in self.formula else "its total"
        asked = "it" if self.is_of_many else f"{of_each}, its average, or the highest one"
        return f"{self.told}: questions can ask for {asked}"


class NamedCondition(_Stated):
    """A condition on the rows of a table that has a name.

    >>> NamedCondition(name="active", table="customers", condition="closed = 0").told
    "'active' means customers with closed = 0"
    """

    name: Phrase
    condition: Annotated[str, AfterValidator(_checked_condition)]

    @property
    def told(self) -> str:
        """What it says, without a full stop."""
        return f"'{self.name}' means {self.table} with {self.condition}"

    @property
    def reads_back(self) -> str:
        """What it will do, for who states it."""
        return f"{self.told}; 'not {self.name}' are the others"


class Synonym(_Stated):
    """A word for a table or a column.

    >>> Synonym(name="clients", table="customers").told
    "'clients' means customers"
    """

    name: Phrase
    column: str | None = None

    @property
    def told(self) -> str:
        """What it says, without a full stop."""
        return f"'{self.name}' means {'.'.join(filter(None, (self.table, self.column)))}"

    @property
    def reads_back(self) -> str:
        """What it will do, for who states it."""
        return f"{self.told} in every question"

    def alias(self, database: str) -> Alias:
        """The word as linking knows it."""
        phrase = " ".join(self.name.casefold().split())
        return Alias(phrase=phrase, database=database, table=self.table, column=self.column)


class DefaultDate(_Stated):
    """The date of a table that a time means where the question names none.

    >>> DefaultDate(table="orders", column="paid_at").told
    'times of orders, such as "in March", are those of paid_at'
    """

    column: Name
    phrase: str = ""
    """What people call that date; empty where they have no word for it."""

    @property
    def told(self) -> str:
        """What it says, without a full stop."""
        return f'times of {self.table}, such as "in March", are those of {self.column}'

    @property
    def reads_back(self) -> str:
        """What it will do, for who states it."""
        return f"{self.told} unless a question names another date"

    @property
    def name(self) -> str:
        """What it goes by."""
        return f"date of {self.table}"

    def aliases(self, database: str) -> tuple[Alias, ...]:
        """The word for it as linking knows it, if there is one."""
        word = Synonym(name=self.phrase or " ", table=self.table, column=self.column)
        return (word.alias(database),) if self.phrase else ()


class RowFilter(_Stated):
    """A condition that rows of a table meet unless a question speaks of it.

    >>> RowFilter(table="orders", condition="status <> 'cancelled'", when="revenue").told
    "orders with status = 'cancelled' are left out whenever 'revenue' is asked for"
    """

    condition: Annotated[str, AfterValidator(_checked_filter)]
    """What the rows that count meet."""
    when: str = ""
    """Words of the questions that it is about; empty for all."""

    @property
    def told(self) -> str:
        """What it says, without a full stop."""
        said = said_of(read_filter(self.condition), self.table)
        left_out = said.removeprefix("Leave out ")
        where = f"whenever '{self.when}' is asked for" if self.when else "from every question"
        if left_out != said:
            return f"{left_out} are left out {where}"
        return f"{said.removeprefix('Take only ')} alone count {where if self.when else 'in every question'}"

    @property
    def reads_back(self) -> str:
        """What it will do, for who states it."""
        return f"{self.told}, unless it speaks of them"

    @property
    def name(self) -> str:
        """What it goes by."""
        return f"rows of {self.table}" + (f" for {self.when}" if self.when else "")

    def effect(self, database: str) -> DefaultFilter:
        """The filter as the analyst applies it."""
        return DefaultFilter(database=database, table=self.table, condition=self.condition)


class DefaultJoin(_Stated):
    """How the rows of a table belong to those of another, where several keys or ways lead there.

    >>> DefaultJoin(table="jobs", to="towns", keys=("jobs.to_town_id = towns.id",)).told
    'jobs belong to towns by jobs.to_town_id = towns.id'
    """

    to: Name
    """The other table."""
    keys: Annotated[tuple[Equality, ...], Field(min_length=1, max_length=16)]
    """What joins each table on the way with one before it."""
    column: Name | None = Field(default=None, exclude_if=is_none)
    """The column of the other table that is meant, where it is about that alone."""

    @property
    def told(self) -> str:
        """What it says, without a full stop."""
        on = " and ".join(self.keys)
        if self.column is not None:
            return f"{self.column} of {self.table} is that of {self.to}, by {on}"
        return f"{self.table} belong to {self.to} by {on}"

    @property
    def reads_back(self) -> str:
        """What it will do, for who states it."""
        another = "way" if self.column is None else "table"
        return f"{self.told}, unless a question names another {another}"

    @property
    def name(self) -> str:
        """What it goes by."""
        return f"{self.column or 'way'} from {self.table} to {self.to}"

    def effect(self, database: str) -> JoinPath:
        """The way as the analyst takes it."""
        pairs = tuple(map(key_pair, self.keys))
        named = (name for pair in pairs for name in (pair.table, pair.other_table))
        between = (name for name in named if name.casefold() not in (self.table.casefold(), self.to.casefold()))  # fmt: skip
        return JoinPath(database=database, tables=(self.table, *dict.fromkeys(between), self.to), on=pairs, column=self.column)  # fmt: skip

    @model_validator(mode="after")
    def _leads_there(self) -> Self:
        self.effect("here")
        return self


Rule: TypeAlias = Measure | NamedCondition | Synonym | DefaultDate | RowFilter | DefaultJoin
_SECTIONS: Mapping[type[Rule], str] = {
    Measure: "measures", NamedCondition: "conditions", Synonym: "synonyms",
    DefaultDate: "dates", RowFilter: "filters", DefaultJoin: "joins",
}  # fmt: skip


class Semantics(Record):
    """All rules of one database."""

    measures: tuple[Measure, ...] = ()
    conditions: tuple[NamedCondition, ...] = ()
    synonyms: tuple[Synonym, ...] = ()
    dates: tuple[DefaultDate, ...] = ()
    filters: tuple[RowFilter, ...] = ()
    joins: tuple[DefaultJoin, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All of them, in the order of the file."""
        return (*self.measures, *self.conditions, *self.synonyms, *self.dates, *self.filters, *self.joins)  # fmt: skip

    def having(self, rule: Rule) -> "Semantics":
        """With one more rule, in place of one of the same kind that goes by the same name.

        >>> one = Semantics().having(Synonym(name="clients", table="customers"))
        >>> [rule.told for rule in one.having(Synonym(name="Clients", table="people")).rules]
        ["'Clients' means people"]
        """
        kept = self.without(*(one for one in self.rules if _same_place(one, rule)))
        section = section_of(rule)
        return kept.model_copy(update={section: (*getattr(kept, section), rule)})

    def without(self, *gone: Rule) -> "Semantics":
        """Without some rules."""
        return Semantics.model_validate({
            section: tuple(one for one in getattr(self, section) if one not in gone)
            for section in Semantics.model_fields
        })  # fmt: skip


def section_of(rule: Rule) -> str:
    """The section of the file that a rule stands in.

    >>> section_of(DefaultDate(table="orders", column="paid_at"))
    'dates'
    """
    return _SECTIONS[type(rule)]


def _same_place(one: Rule, other: Rule) -> bool:
    """Whether one rule stands where the other one would."""
    if isinstance(one, RowFilter) and isinstance(other, RowFilter):
        read = [columns_of(read_filter(rule.condition)) for rule in (one, other)]
        return (one.table, one.when) == (other.table, other.when) and read[0] == read[1]
    if isinstance(one, DefaultJoin) and isinstance(other, DefaultJoin):
        return (one.table, one.to, one.column) == (other.table, other.to, other.column)
    kinds = type(one), type(other)
    named = {Measure, NamedCondition, Synonym}
    alike = kinds[0] is kinds[1] or set(kinds) <= named
    if one.says == other.says != "" and one.table != other.table:
        return False  # one sentence may say of several tables what a word means
    return alike and one.name.casefold() == other.name.casefold()
