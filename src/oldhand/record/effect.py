"""What a memory does to a mind that cannot read: the part of it that rules can carry out."""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from oldhand.record.base import Record

Comparison = Literal["=", ">", ">=", "<", "<=", "between"]
EQUAL: Final = "="


def _is_equal(operator: object) -> bool:
    return operator == EQUAL


def _is_none(value: object) -> bool:
    return value is None


class Alias(Record):
    """A word or phrase that people use for a table, a column, a value, or a range of values.

    >>> Alias(phrase="clients", database="shop", table="customers").target
    'shop.customers'
    >>> Alias(phrase="top tier", database="shop", table="customers", column="tier", value="A1").target
    "shop.customers.tier = 'A1'"
    >>> Alias(phrase="big orders", database="shop", table="orders", column="total", operator=">", value=100).target
    'shop.orders.total > 100'
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
    operator: Comparison = Field(default=EQUAL, exclude_if=_is_equal)
    """How the column compares with `value`; the record of an ordinary word does not name it."""
    upper: str | int | float | None = Field(default=None, exclude_if=_is_none)
    """The largest value of a range; only with `between`, whose smallest one is `value`."""

    @model_validator(mode="after")
    def _value_belongs_to_a_column(self) -> Self:
        if self.value is not None and self.column is None:
            raise ValueError("a value needs the column that holds it")
        if self.operator != EQUAL and self.value is None:
            raise ValueError("a comparison needs a value")
        if (self.upper is not None) != (self.operator == "between"):
            raise ValueError("a range has a smallest and a largest value, and nothing else has")
        return self

    @property
    def values(self) -> tuple[str | int | float, ...]:
        """What the column is compared with: nothing, one value, or the two ends of a range."""
        return tuple(one for one in (self.value, self.upper) if one is not None)

    @property
    def target(self) -> str:
        """What it means, for people to read."""
        name = ".".join(part for part in (self.database, self.table, self.column) if part)
        compared = " and ".join(map(repr, self.values))
        return f"{name} {self.operator} {compared}" if compared else name


Effect = Alias
"""Every effect there is; told apart by `kind`."""
