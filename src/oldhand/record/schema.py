"""What is known of a database: tables, columns, types, keys, and examples of values."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from operator import is_
from typing import Literal, Self

from pydantic import Field, model_validator

from oldhand.errors import DuplicateTable
from oldhand.record.base import Cell, Record, SafeName, is_none
from oldhand.record.semantics import Rule, Semantics

Holds = Literal["date", "number", "flag", "json"]
"""What texts hold that is no text."""


class Kind(StrEnum):
    """What a column's values can be used for, whatever its dialect calls the type."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    JSON = "json"
    BINARY = "binary"
    SPATIAL = "spatial"
    OTHER = "other"


class Disclosure(StrEnum):
    """What language models may learn of a database, a table or a column."""

    SAMPLES = "samples"
    """Names, types, keys, and what the values look like."""
    NAMES = "names"
    """Names, types and keys; no value, neither from the schema nor from rows."""
    NOTHING = "nothing"
    """Not even that it is there."""


NUMBERS = frozenset({Kind.INTEGER, Kind.NUMBER})
"""Kinds of values that can be computed with."""
STATED = "stated"
"""The type of a column that stands for a measure or a condition that people stated; no database has it."""
DATES = frozenset({Kind.DATE, Kind.DATETIME})
"""Kinds of values that lie on a day."""
TIMES = DATES | {Kind.TIME}
"""Kinds of values that say when."""


# What the values of a database look like: measured once, kept beside the schema.
class ColumnProfile(Record):
    """The values of one column."""

    rows: int
    """How many rows were looked at."""
    missing: int = 0
    """Rows without a value."""
    empty: int = 0
    """Rows with the empty text, which stands for no value."""
    distinct: int = 0
    """Different values, without missing and empty ones."""
    low: Cell = Field(default=None, exclude_if=is_none)
    """The smallest value; None where values have no order, or must not be shown."""
    high: Cell = Field(default=None, exclude_if=is_none)
    """The largest value."""
    values: tuple[Cell, ...] = ()
    """All values, where there are few different ones."""
    holds: Holds | None = Field(default=None, exclude_if=is_none)
    """What its texts are, where they are dates, numbers, flags or JSON."""
    form: str = ""
    """How its dates are written, such as `%d/%m/%Y`; empty for ISO dates. Of JSON the keys of its objects."""

    @property
    def present(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing - self.empty

    @property
    def never_missing(self) -> bool:
        """True when every row looked at has a value."""
        return 0 < self.rows == self.present

    @property
    def tells_apart(self) -> bool:
        """True when every row looked at has a value of its own."""
        return 0 < self.rows == self.distinct


class Column(Record):
    """One column as the database declares it."""

    name: str
    type: str
    """The declared type, such as `VARCHAR(50)`; may be empty in SQLite."""
    kind: Kind
    nullable: bool = True
    primary_key: bool = False
    unique: bool = False
    description: str = ""
    samples: tuple[Cell, ...] = ()
    """A few distinct values, to show how they are written."""
    profile: ColumnProfile | None = Field(default=None, exclude_if=is_none)
    """What its values look like; None where nobody has looked."""
    to_models: Disclosure | None = Field(default=None, exclude_if=is_none)
    """What language models may learn of it; None where nobody has said so."""

    @property
    def is_array(self) -> bool:
        """True when each cell holds several values of one type, as `TEXT[]` declares."""
        return self.type.rstrip().endswith("]") or self.type.upper().endswith(" ARRAY")


class KeyEvidence(Record):
    """Why columns are taken for a key that no database declares."""

    because: str
    """Such as `named like customers and its key id; 312 of 312 values are there`."""
    confidence: float = Field(ge=0, le=1)
    """How likely it is a key, as long as nobody has confirmed it."""
    confirmed: bool = False
    """Whether somebody who knows has said so."""


class ForeignKey(Record):
    """Columns of one table that hold the key of another, perhaps in another database."""

    columns: tuple[str, ...] = Field(min_length=1)
    database: str
    schema_name: str
    table: str
    target_columns: tuple[str, ...] = Field(min_length=1)
    evidence: KeyEvidence | None = Field(default=None, exclude_if=is_none)
    """What speaks for it where it was inferred; None where it is declared."""

    @property
    def ends(self) -> tuple[object, ...]:
        """Its columns and where they lead: what two keys have in common that are the same."""
        return self.columns, self.database, self.schema_name, self.table, self.target_columns

    @property
    def is_unconfirmed(self) -> bool:
        """True when it was inferred, and nobody has said that it is one."""
        return self.evidence is not None and not self.evidence.confirmed

    @property
    def confidence(self) -> float:
        """How likely it is a key; 1 when it is declared or confirmed."""
        return self.evidence.confidence if self.evidence and self.is_unconfirmed else 1.0


class Table(Record):
    """One table or view."""

    name: str
    schema_name: str
    """`main` in SQLite and DuckDB, `public` in Postgres by default, the database's name in MySQL."""
    description: str = ""
    columns: tuple[Column, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_count: int | None = None
    """Rows when it was introspected (an estimate on servers); None when unknown."""
    key_evidence: KeyEvidence | None = Field(default=None, exclude_if=is_none)
    """What speaks for the primary key where it was inferred."""
    rejected_keys: tuple[ForeignKey, ...] = Field(default=(), exclude_if=lambda keys: not keys)
    """Keys that somebody has said to be none: they are not inferred again."""
    to_models: Disclosure | None = Field(default=None, exclude_if=is_none)
    """What language models may learn of its columns; None where nobody has said so."""

    def column(self, name: str) -> Column | None:
        """The column of that name, letter case aside, or None."""
        folded = name.casefold()
        return next((c for c in self.columns if c.name.casefold() == folded), None)

    @property
    def primary_key(self) -> tuple[str, ...]:
        """Names of the key's columns, in order; empty when there is none."""
        return tuple(c.name for c in self.columns if c.primary_key)


def _says_nothing(semantics: Semantics) -> bool:
    return not semantics.rules


class DatabaseSchema(Record):
    """One database: what the minds read before they write SQL."""

    name: SafeName
    dialect: str
    """sqlglot's name: `sqlite`, `postgres`, `mysql` or `duckdb`."""
    description: str = ""
    tables: tuple[Table, ...]
    semantics: Semantics = Field(default=Semantics(), exclude_if=_says_nothing)
    """What people here mean by words, and which rows count."""
    to_models: Disclosure | None = Field(default=None, exclude_if=is_none)
    """What language models may learn of its tables; None where nobody has said so."""

    @model_validator(mode="after")
    def _no_table_twice(self) -> Self:
        seen: set[tuple[str, str]] = set()
        for table in self.tables:
            key = (table.schema_name.casefold(), table.name.casefold())
            if key in seen:
                raise DuplicateTable(f"{self.name}: table {table.name} is described twice.")
            seen.add(key)
        return self

    def table(self, name: str, schema_name: str | None = None) -> Table | None:
        """The table of that name, letter case aside, or None."""
        folded = name.casefold()
        for table in self.tables:
            if table.name.casefold() == folded and schema_name in (None, table.schema_name):
                return table
        return None


def schema_of(database: str | None, schemas: Iterable[DatabaseSchema]) -> DatabaseSchema | None:
    """The schema of the database of that name, or None."""
    return next((one for one in schemas if one.name == database), None)


def with_rule(
    schemas: Iterable[DatabaseSchema], database: str, rule: Rule
) -> tuple[DatabaseSchema, ...]:
    """The schemas, that of a database with one more rule, in place of one that goes by the same name."""
    return with_semantics(schemas, database, lambda known: known.having(rule))


def with_semantics(
    schemas: Iterable[DatabaseSchema], database: str, change: Callable[[Semantics], Semantics]
) -> tuple[DatabaseSchema, ...]:
    """The schemas, that of a database with other rules."""
    return tuple(
        one.model_copy(update={"semantics": change(one.semantics)}) if one.name == database else one
        for one in schemas
    )


@dataclass(frozen=True, slots=True, eq=False)
class Same:
    """Schemas that are told apart by which objects they are: comparing all that is in them takes long."""

    schemas: tuple[DatabaseSchema, ...]

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.schemas)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Same) or len(self.schemas) != len(other.schemas):
            return False
        return all(map(is_, self.schemas, other.schemas))
