"""How the four databases differ in reading names, as far as the rules depend on it."""

from dataclasses import dataclass

EVERYWHERE = frozenset({"where", "group", "having", "order", "join", "qualify"})


@dataclass(frozen=True)
class Habits:
    """One dialect's habits; found out by trying (see the fixtures of the tests)."""

    alias_clauses: frozenset[str]
    """Where the name of an output column may be used inside of an expression."""
    bare_alias_clauses: frozenset[str] = frozenset({"group", "order"})
    """Where it may be used when it stands alone."""
    order_prefers_outputs: bool = True
    """A name alone in ORDER BY means the output column first, also when that has its name from a plain column."""
    quoted_text: bool = False
    """`"x"` is the text x when no column has that name."""
    row_ids: frozenset[str] = frozenset()
    """Columns that every table has without their being declared."""
    rows_are_values: bool = False
    """A table's name means its row, and a value may have fields of its own."""
    from_sees_neighbours: bool = False
    """A subquery in FROM sees the tables before it without LATERAL."""
    joins_see_later: bool = False
    """ON may name a table that is joined after it."""
    own_names_only: frozenset[str] = frozenset()
    """Clauses of a subquery in which the columns of the query around it cannot be named."""
    forward_ctes: bool = False
    """A CTE may use one that is defined after it."""
    calls_name_outputs: bool = False
    """An output column without a name is called like its function; elsewhere by the text of the expression."""
    value_name: str = "column{}"
    """What the columns of VALUES are called."""
    first_value: int = 1
    duplicate_outputs: bool = True
    """A name that a subquery gives to two columns may be used; the first is meant."""
    keeps_letter_case: bool = False
    """Names without quotes are folded to lower case, names in quotes must be written exactly."""
    strict_grouping: bool = True
    """Every column must be grouped by, or stand in an aggregate."""
    key_covers_row: bool = False
    """Grouping by a table's primary key covers all its columns."""
    strict_types: bool = False
    """Text is not compared with numbers, and the like."""


HABITS: dict[str, Habits] = {
    "sqlite": Habits(
        alias_clauses=EVERYWHERE,
        bare_alias_clauses=EVERYWHERE,
        order_prefers_outputs=False,
        quoted_text=True,
        row_ids=frozenset({"rowid", "oid", "_rowid_"}),
        joins_see_later=True,
        own_names_only=frozenset({"group", "order", "limit"}),
        forward_ctes=True,
        strict_grouping=False,
    ),
    "postgres": Habits(
        alias_clauses=frozenset(),
        row_ids=frozenset({"ctid", "tableoid", "xmin", "xmax", "cmin", "cmax"}),
        rows_are_values=True,
        calls_name_outputs=True,
        duplicate_outputs=False,
        keeps_letter_case=True,
        key_covers_row=True,
        strict_types=True,
    ),
    "mysql": Habits(
        alias_clauses=frozenset({"having", "order", "group"}),
        bare_alias_clauses=frozenset({"having", "order", "group"}),
        value_name="column_{}",
        first_value=0,
        duplicate_outputs=False,
        key_covers_row=True,
    ),
    "duckdb": Habits(
        alias_clauses=EVERYWHERE | {"select"},
        bare_alias_clauses=EVERYWHERE | {"select"},
        row_ids=frozenset({"rowid"}),
        rows_are_values=True,
        value_name="col{}",
        first_value=0,
        from_sees_neighbours=True,
        strict_types=True,
    ),
}
