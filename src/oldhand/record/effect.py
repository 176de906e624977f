"""What a memory does to a mind that cannot read: the part of it that rules can carry out."""

from typing import Literal, Self

from pydantic import Field, model_validator

from oldhand.record.base import Record


class Alias(Record):
    """A word or phrase that people use for a table, a column or a value.

    >>> Alias(phrase="clients", database="shop", table="customers").target
    'shop.customers'
    >>> Alias(phrase="top tier", database="shop", table="customers", column="tier", value="A1").target
    "shop.customers.tier = 'A1'"
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

    @model_validator(mode="after")
    def _value_belongs_to_a_column(self) -> Self:
        if self.value is not None and self.column is None:
            raise ValueError("a value needs the column that holds it")
        return self

    @property
    def target(self) -> str:
        """What it means, for people to read."""
        name = ".".join(part for part in (self.database, self.table, self.column) if part)
        return name if self.value is None else f"{name} = {self.value!r}"


Effect = Alias
"""Every effect there is; told apart by `kind`."""
