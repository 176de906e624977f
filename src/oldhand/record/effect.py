"""What a memory does to a mind that cannot read: the part of it that rules can carry out."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Final, Literal, Self, cast

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from oldhand.record.base import Record, is_none
from oldhand.record.filter_condition import read_filter, said_of
from oldhand.record.formula import read_condition, read_formula
from oldhand.record.join_path import JoinPath, Name

Comparison = Literal["=", ">", ">=", "<", "<=", "between"]
EQUAL: Final = "="


@lru_cache(maxsize=4096)
def _checked_condition(text: str) -> str:
    return read_filter(text).sql()


def _read_condition(text: str) -> str:
    return read_condition(text).sql()


def _read_formula(text: str) -> str:
    return read_formula(text).sql()


class Alias(Record):
    """A word or phrase that people use for a table, a column, a value, a range of values, some rows, or a number computed of each.

    >>> Alias(phrase="clients", database="shop", table="customers").target
    'shop.customers'
    >>> Alias(phrase="big orders", database="shop", table="orders", column="total", operator=">", value=100).target
    'shop.orders.total > 100'
    >>> Alias(phrase="raves", database="shop", table="reviews", condition="stars = 5 AND NOT text IS NULL").target
    'shop.reviews with stars = 5 AND NOT text IS NULL'
    >>> Alias(phrase="profit", database="shop", table="orders", formula="price - cost").target
    'price - cost of shop.orders'
    """

    kind: Literal["alias"] = "alias"
    phrase: str = Field(min_length=1, max_length=100)
    """As people write it, in lower case; words with single blanks between them."""
    database: str
    schema_name: str | None = None
    """The schema that holds the table; None when the table's name is enough to find it."""
    table: str
    column: str | None = None
    """None when the phrase means the table."""
    value: str | int | float | None = None
    """A value of the column; None when the phrase means the column itself."""
    operator: Comparison = Field(default=EQUAL, exclude_if=EQUAL.__eq__)
    """How the column compares with `value`; the record of an ordinary word does not name it."""
    upper: str | int | float | None = Field(default=None, exclude_if=is_none)
    """The largest value of a range; only with `between`, whose smallest one is `value`."""
    condition: Annotated[str, AfterValidator(_read_condition)] | None = Field(default=None, exclude_if=is_none)  # fmt: skip
    """What the rows of the table meet that the phrase means, as `NamedCondition` has it."""
    formula: Annotated[str, AfterValidator(_read_formula)] | None = Field(default=None, exclude_if=is_none)  # fmt: skip
    """What is computed of each row of the table, as `Measure` has it."""

    @model_validator(mode="after")
    def _value_belongs_to_a_column(self) -> Self:
        if self.value is not None and self.column is None:
            raise ValueError("a value needs the column that holds it")
        if self.operator != EQUAL and self.value is None:
            raise ValueError("a comparison needs a value")
        if (self.upper is not None) != (self.operator == "between"):
            raise ValueError("a range has a smallest and a largest value, and nothing else has")
        if sum(one is not None for one in (self.column, self.condition, self.formula)) > 1:
            raise ValueError("a phrase means a column, some rows, or what is computed of each")
        return self

    @property
    def is_defined(self) -> bool:
        """Whether it means some rows of the table, or what is computed of each."""
        return self.condition is not None or self.formula is not None

    @property
    def values(self) -> tuple[str | int | float, ...]:
        """What the column is compared with: nothing, one value, or the two ends of a range."""
        return tuple(one for one in (self.value, self.upper) if one is not None)

    @property
    def target(self) -> str:
        """What it means, for people to read."""
        name = ".".join(part for part in (self.database, self.table, self.column) if part)
        if self.is_defined:
            return (
                f"{name} with {self.condition}" if self.condition else f"{self.formula} of {name}"
            )
        compared = " and ".join(map(repr, self.values))
        return f"{name} {self.operator} {compared}" if compared else name

    @property
    def says(self) -> str:
        """The effect as a sentence without its full stop, for people to read."""
        return f"'{self.phrase}' means {self.target}"


class DefaultFilter(Record):
    """A condition that the rows of a table meet wherever nothing else is asked for.

    >>> rule = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    >>> rule.says
    "Leave out orders with status = 'cancelled'"
    >>> rule.target
    "shop.orders with status <> 'cancelled'"
    """

    kind: Literal["default_filter"] = "default_filter"
    database: Name
    schema_name: str | None = None
    """The schema that holds the table; None when the table's name is enough to find it."""
    table: Name
    condition: Annotated[str, AfterValidator(_checked_condition)]
    """What the rows that count meet: comparisons of columns of this table with literals, in sqlglot's own dialect."""

    @property
    def target(self) -> str:
        """What it is about, for people to read."""
        return f"{self.database}.{self.table} with {self.condition}"

    @property
    def says(self) -> str:
        """The effect as a sentence without its full stop, for people to read."""
        return said_of(read_filter(self.condition), self.table)


class TimeColumn(Record):
    """The column of a table that a time means where none is named.

    >>> TimeColumn(database="shop", table="orders", column="paid_at").says
    'Take times of orders as those of paid_at'
    """

    kind: Literal["time_column"] = "time_column"
    database: Name
    table: Name
    column: Name

    @property
    def target(self) -> str:
        """What it is about."""
        return f"{self.database}.{self.table}"

    @property
    def says(self) -> str:
        """The effect as a sentence without its full stop, for people to read."""
        return f"Take times of {self.table} as those of {self.column}"


RowRule = DefaultFilter | JoinPath | TimeColumn
"""Effects that change queries, whatever their words."""


class ValueMapping(Record):
    """How people call a value of a column.

    >>> ValueMapping(database="shop", table="orders", column="status", spoken="called off", value="cancelled").says
    "'called off' means shop.orders.status = 'cancelled'"
    """

    kind: Literal["value_mapping"] = "value_mapping"
    database: Name
    schema_name: str | None = None
    """The schema that holds the table; None when the table's name is enough to find it."""
    table: Name
    column: Name
    spoken: str = Field(min_length=1, max_length=100)
    """As people say it."""
    value: str | int | float
    """As the column has it."""

    @property
    def alias(self) -> Alias:
        """The word that it is, since a word may mean a value."""
        return Alias(
            phrase=" ".join(self.spoken.casefold().split()),
            database=self.database,
            schema_name=self.schema_name,
            table=self.table,
            column=self.column,
            value=self.value,
        )

    @property
    def target(self) -> str:
        """What it means, for people to read."""
        return self.alias.target

    @property
    def says(self) -> str:
        """The effect as a sentence without its full stop, for people to read."""
        return self.alias.says


class ToolBan(Record):
    """A tool that is not offered where the lesson applies.

    >>> ToolBan(tool="code_executor").says
    "Don't use the tool code_executor"
    """

    kind: Literal["tool_ban"] = "tool_ban"
    tool: Name

    @property
    def target(self) -> str:
        """What it is about, for people to read."""
        return self.tool

    @property
    def says(self) -> str:
        """The effect as a sentence without its full stop, for people to read."""
        return f"Don't use the tool {self.tool}"


Word = Alias | ValueMapping
"""Effects that say what a phrase of the question means; they are of use only where it occurs."""


def spoken_as(effect: object) -> Alias | None:
    """The word that an effect explains; None when it is about something else, or no effect.

    >>> spoken_as(ToolBan(tool="code_executor")) is None
    True
    """
    if isinstance(effect, Alias):
        return effect
    return effect.alias if isinstance(effect, ValueMapping) else None


def _kind(value: object) -> object:
    """Which effect a record is of; those that name no kind were written when there was one only."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, object]", value).get("kind", "alias")
    return getattr(value, "kind", None)


Effect = Annotated[
    Annotated[Alias, Tag("alias")]
    | Annotated[DefaultFilter, Tag("default_filter")]
    | Annotated[JoinPath, Tag("join_path")]
    | Annotated[TimeColumn, Tag("time_column")]
    | Annotated[ValueMapping, Tag("value_mapping")]
    | Annotated[ToolBan, Tag("tool_ban")],
    Discriminator(_kind),
]
"""Every effect there is; told apart by `kind`."""
