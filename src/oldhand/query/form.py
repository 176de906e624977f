"""The one form of a query: what is read, of which rows, under which conditions, in which order.

The analyst thinks in it, people exchange its parts, memory compares it part by part, and the verbalizer says it. It holds no
SQL and no dialect: `compile` writes it as SQL, `lift` reads SQL into it, and nothing else stands between the two.

    Query       rows, select, where, group, having, order, limit, offset, each, distinct, compound
    rows        Rows = relations and the joins that tie them; a Relation is a table in one role, or the rows of a query
    attributes  Column · DatePart · Elapsed · Value · Worth · Arithmetic · Function · Case      of one row
    measures    Count · Aggregate · Share · Proportion · Ratio · OwnGroup                       of many rows
    predicates  Comparison · Has · AnyOf · AllOf · Negation

An attribute says something of one row, a measure of many. Types decide where a part belongs: a predicate that holds a
measure restricts groups (`having`), one that holds none restricts rows (`where`), and anything can be sorted by.

>>> customers = Relation("shop", "main", "customers")
>>> city = ColumnRef(customers, "city")
>>> Query(Rows((customers,)), select=(city, Count()), group=(city,), order=(Order(Count(), descending=True),), limit=3)
Query(rows=Rows(relations=(Relation(database='shop', ...
"""

from dataclasses import dataclass

Scalar = str | int | float | bool
"""What a column is compared with; days and moments as ISO 8601 text. That a value is missing is an operator, not a value."""


@dataclass(frozen=True, slots=True)
class Relation:
    """The rows of a table, in one of its roles."""

    database: str
    """Empty for the rows of an earlier step, and for those of a query."""
    schema: str
    table: str
    role: str = ""
    """What the rows are where the table takes part twice: the `manager` of an employee."""
    query: "Query | None" = None
    """Whose rows they are, when they are not those of a table; its columns go by `Query.names`."""

    def __hash__(self) -> int:
        """Relations are looked up all the time, and seldom differ in anything else."""
        return hash((self.table, self.role))


@dataclass(frozen=True, slots=True)
class Join:
    """How two relations are tied: the named columns of both must be equal."""

    left: Relation
    """The side that refers, as an order does to its customer, where that is known."""
    right: Relation
    keys: tuple[tuple[str, str], ...]
    """Columns of the left side with those of the right one; without any, each row meets each."""
    outer: bool = False
    """True when rows of the relations before stay though they have no partner."""

    def other(self, relation: Relation) -> Relation:
        """The relation at the other end."""
        return self.right if relation == self.left else self.left


@dataclass(frozen=True, slots=True)
class Rows:
    """The relations that take part, in the order in which they are joined."""

    relations: tuple[Relation, ...]
    joins: tuple[Join, ...] = ()
    """The join that brings in each relation but the first."""


# Attributes: what one row says.


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of a relation."""

    of: Relation
    name: str

    def __hash__(self) -> int:
        """Columns are looked up all the time, and seldom differ in anything else."""
        return hash((self.name, self.of.table, self.of.role))


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The time from one moment to another of the same row, or to today: an age."""

    since: ColumnRef
    until: ColumnRef | None
    """None for the day on which it is asked."""
    unit: str = "days"
    """`days`, `hours` or `minutes`; full `years` up to today."""
    exact: bool = False
    """True between moments, which may be parts of a unit apart; False for whole days."""


@dataclass(frozen=True, slots=True)
class DatePart:
    """A part of a date, which is a text, save for `day of the week`, in which Monday is 1."""

    of: "Attribute"
    part: str
    """`year`, `quarter`, `month`, `day`, `weekday`, `month of the year`, `day of the month`, `hour` or `day of the week`."""


@dataclass(frozen=True, slots=True)
class Value:
    """A fixed value; None where one is missing."""

    value: Scalar | None


@dataclass(frozen=True, slots=True)
class Worth:
    """What a row is worth: its factors multiplied, and rates between 0 and 1 taken off the product."""

    factors: tuple["Attribute", ...]
    off: tuple["Attribute", ...] = ()


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Two values computed into one; also of measures, and of a measure and an attribute."""

    operator: str
    """`+`, `-`, `*`, `%`, `||`, `/`, or `//` where whole numbers give a whole number."""
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of values that every database has under some name: `round`, `lower`, `coalesce`, `cast integer`."""

    name: str
    of: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Case:
    """The value of the first predicate that holds."""

    when: tuple[tuple["Predicate", "Expression"], ...]
    otherwise: "Expression | None" = None


# Measures: what many rows say together.


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows there are; of an attribute, how many have one, or how many different ones there are."""

    of: "Expression | None" = None
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One number, or one value, for all values of an attribute."""

    function: str
    """`sum`, `avg`, `min`, `max`, …: one of `query.aggregates`."""
    of: "Expression"
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """How much of all rows, or of what they are worth, falls to those that meet all of some predicates, in percent."""

    when: tuple["Predicate", ...]
    of: "Attribute | None" = None
    """What is added up; None counts rows."""


@dataclass(frozen=True, slots=True)
class Proportion:
    """How much of all groups falls to each one, in percent."""

    of: "Count | Aggregate"


@dataclass(frozen=True, slots=True)
class Ratio:
    """One measure divided by another; nothing where the other is nothing."""

    top: "Expression"
    bottom: "Expression"


@dataclass(frozen=True, slots=True)
class OwnGroup:
    """A measure over all rows that are in the same group as the row at hand: the average of their department."""

    measure: "Count | Aggregate"
    same: tuple[ColumnRef, ...]


Attribute = ColumnRef | Elapsed | DatePart | Value | Worth | Arithmetic | Function | Case
Measure = Count | Aggregate | Share | Proportion | Ratio | OwnGroup
Expression = Attribute | Measure


# Predicates: what rows, or groups, must meet.


@dataclass(frozen=True, slots=True)
class Comparison:
    """An expression compared with values, with another expression, or with the one value of a query."""

    left: Expression
    operator: str
    """`=`, `!=`, `<`, `<=`, `>`, `>=`; with values also `like`, `in` (false among none), `between` (both ends included), `within` (the second
    end left out), `null` (without a value), and each of these after `not`."""
    right: "tuple[Scalar, ...] | Expression | Query" = ()

    @property
    def values(self) -> tuple[Scalar, ...]:
        """The values on the right; empty when something else stands there."""
        return self.right if isinstance(self.right, tuple) else ()

    @property
    def query(self) -> "Query | None":
        """The query on the right, if there is one."""
        return self.right if isinstance(self.right, Query) else None

    @property
    def other(self) -> Expression | None:
        """The expression on the right, if there is one."""
        return None if isinstance(self.right, tuple | Query) else self.right


@dataclass(frozen=True, slots=True)
class Has:
    """That there are rows, or none, whose shown column equals an expression: customers who have orders."""

    left: Expression
    rows: "Query"
    """Shows one column."""
    none: bool = False
    """True when there must be no such row."""

    @property
    def operator(self) -> str:
        """How the left side stands to what the rows show: `in` or `not in`."""
        return "not in" if self.none else "in"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """That one of several predicates holds."""

    predicates: tuple["Predicate", ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """That several predicates hold, inside of `AnyOf` or `Negation`."""

    predicates: tuple["Predicate", ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """That a predicate does not hold which has no opposite of its own."""

    predicate: "Predicate"


Predicate = Comparison | Has | AnyOf | AllOf | Negation


@dataclass(frozen=True, slots=True)
class Order:
    """An expression that rows are sorted by."""

    by: Expression
    descending: bool = False
    nulls: str = ""
    """Where rows without a value come: `first`; `last` or empty put them last. It makes no difference to what a query means."""


@dataclass(frozen=True, slots=True)
class Compound:
    """A second query whose rows are set against those of the first."""

    kind: str
    """`intersect`, `union`, `union all` or `except`."""
    second: "Query"


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of the databases."""

    rows: Rows
    select: tuple[Expression, ...]
    where: tuple[Predicate, ...] = ()
    """What each row must meet; all of them."""
    group: tuple[Expression, ...] = ()
    having: tuple[Predicate, ...] = ()
    """What each group must meet; all of them."""
    order: tuple[Order, ...] = ()
    """With `compound`, of the rows of both queries."""
    limit: int | None = None
    offset: int = 0
    each: tuple[Expression, ...] = ()
    """What tells groups apart in each of which the rows are sorted and cut by themselves; rows that tie share a place."""
    distinct: bool = False
    compound: Compound | None = None
    names: tuple[str, ...] = ()
    """What the outputs are called where somebody named them; empty when nobody did, as is the name of a single one that nobody named."""


Node = Relation | Join | Rows | Expression | Predicate | Order | Compound | Query
"""Everything that a query is made of."""
