"""How tables are joined where several ways are possible."""

from operator import not_
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from oldhand.record.base import Record, is_none

Name = Annotated[str, Field(min_length=1, max_length=200)]


class KeyPair(Record):
    """Two columns that are equal where two tables are joined."""

    table: Name
    column: Name
    other_table: Name
    other_column: Name

    @property
    def tables(self) -> set[str]:
        """The names of both, or of the one that is joined with itself, in small letters."""
        return {self.table.casefold(), self.other_table.casefold()}

    @property
    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Table and column of both."""
        return (self.table, self.column), (self.other_table, self.other_column)

    @property
    def says(self) -> str:
        """As SQL has it: `orders.customer_id = customers.id`."""
        return f"{self.table}.{self.column} = {self.other_table}.{self.other_column}"


class JoinPath(Record):
    """How tables are joined where several ways are possible.

    >>> pair = KeyPair(table="orders", column="billing_id", other_table="addresses", other_column="id")
    >>> JoinPath(database="shop", tables=("orders", "addresses"), on=(pair,)).says
    'Join orders and addresses on orders.billing_id = addresses.id'
    """

    kind: Literal["join_path"] = "join_path"
    database: Name
    tables: tuple[Name, ...] = Field(min_length=2, max_length=8)
    """In the order in which they are joined: the first and the last are those that a question is about."""
    on: tuple[KeyPair, ...] = Field(min_length=1, max_length=16)
    """What joins each table but the first with one before it; several pairs where a key has several columns."""
    when: tuple[str, ...] = Field(default=(), exclude_if=not_)
    """Words of the questions that it is about, where words tell which of several keys is meant; none for all."""
    filled: bool = Field(default=False, exclude_if=not_)
    """Whether it joins by one of its pairs: the first one that has a value."""
    column: Name | None = Field(default=None, exclude_if=is_none)
    """A column of the last table that is meant of the first one's rows, in place of one by the same name elsewhere."""

    @model_validator(mode="after")
    def _joins_each_table(self) -> Self:
        names = [name.casefold() for name in self.tables]
        if len(set(names)) < len(names):
            raise ValueError("each table stands in a join path once")
        for place, name in enumerate(names[1:], 1):
            if not any(
                pair.tables in [{name, before} for before in names[:place]] for pair in self.on
            ):
                raise ValueError(f"nothing joins {self.tables[place]} with a table before it")
        if any(not pair.tables <= set(names) or len(pair.tables) < 2 for pair in self.on):
            raise ValueError("a join path joins its own tables, each with another")
        return self

    @property
    def target(self) -> str:
        """What it is about, for people to read."""
        return f"{self.database}: {', '.join(self.tables)}"

    @property
    def says(self) -> str:
        """The effect as a sentence without its full stop, for people to read."""
        if self.column is not None:
            on = " and ".join(pair.says for pair in self.on)
            return f"Take {self.column} of {self.tables[0]} as that of {self.tables[-1]}, joined on {on}"
        between = ", or where that is empty " if self.filled else " and "
        on = between.join(pair.says for pair in self.on)
        when = f" where a question says {' '.join(self.when)!r}" if self.when else ""
        return f"Join {', '.join(self.tables[:-1])} and {self.tables[-1]} on {on}{when}"


def key_pair(text: str) -> KeyPair:
    """Two columns that an equation names.

    Raises:
        ValueError: it is none.

    >>> key_pair("orders.customer_id = customers.id").other_table
    'customers'
    """
    sides = [side.strip() for side in text.split("=")]
    ends = [side.rpartition(".") for side in sides]
    if len(ends) != 2 or not all(table and column for table, _, column in ends):
        raise ValueError("two columns are equal here, as in: orders.customer_id = customers.id")
    (one, _, mine), (other, _, theirs) = ends
    return KeyPair(table=one, column=mine, other_table=other, other_column=theirs)


def _checked_equality(text: str) -> str:
    return key_pair(text).says


Equality = Annotated[str, AfterValidator(_checked_equality)]
"""Two columns that are equal: `orders.customer_id = customers.id`."""
