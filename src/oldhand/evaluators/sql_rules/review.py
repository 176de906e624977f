"""Review a query: what makes its result wrong, and what could be better."""

import re
from collections.abc import Iterable, Sequence

from oldhand.evaluators.sql_rules.antipatterns import antipattern
from oldhand.evaluators.sql_rules.columns import (
    alias_in_where,
    missing_comma,
    sides_at_odds,
    value_of_any_row,
)
from oldhand.evaluators.sql_rules.conditions import condition_without_effect, impossible_condition
from oldhand.evaluators.sql_rules.joins import (
    cartesian_join,
    counted_without_match,
    key_against_key,
    turned_outer_join,
)
from oldhand.evaluators.sql_rules.rows import aggregate_without_grouping, missing_limit
from oldhand.evaluators.sql_rules.spatial import SPATIAL_RULES
from oldhand.evaluators.sql_rules.spatial.calls import with_plain_operators
from oldhand.evaluators.sql_rules.spatial.makers import SPATIALITE
from oldhand.evaluators.sql_rules.subqueries import (
    column_of_outer_query,
    exists_for_all,
    nulls_in_list,
    several_rows,
)
from oldhand.evaluators.sql_rules.values import (
    cross_kind_comparison,
    integer_division,
)
from oldhand.record.base import Record
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.sql_issues import (
    Rule,
    Severity,
    SqlIssue,
    StatementReading,
    issues_in,
    read_query,
)

VALID, DOUBTFUL, REJECTED = 1.0, 0.7, 0.3
"""The scale of scores: nothing found; it runs, but its result is doubtful; the database would reject it.

Worse issues have lower scores, and come first among notes.
"""

DIALECTS = ("postgres", "duckdb", "mysql", "sqlite")
"""Tried in this order when the dialect is not known; the first one that can read the query reads it."""
_ALIASES = {
    "postgresql": "postgres", "postgis": "postgres", "redshift": "postgres", "mariadb": "mysql", "sqlite3": "sqlite",
    "spatialite": "sqlite",
}  # fmt: skip
_NEEDS_SCHEMA = frozenset({"unknown_table"})
_REJECTED_DOUBTS = frozenset({"mixed_srids"})
"""What only the rules of this room find, and a database rejects all the same."""
_PATH = re.compile(r"(?:[\w\"`\[\]]+\.)*([\w\"`\[\]]+)(?:\s+AS\s+\S+)?", re.IGNORECASE)
_LITERAL = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b")


class Review(Record):
    """What the rules say about one query."""

    errors: tuple[SqlIssue, ...] = ()
    """They make the query invalid."""
    advice: tuple[SqlIssue, ...] = ()
    """It could be better; this never makes it invalid."""
    database: str = ""
    """The name of the schema it was read against; empty when there was none."""
    score: float = VALID
    """See `VALID`, `DOUBTFUL`, `REJECTED`."""

    @property
    def is_valid(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    @property
    def keys(self) -> tuple[str, ...]:
        """What each error is about: the rule, the database and the object, so that the same mistake is known again.

        >>> review_sql("SELECT nmae FROM shop AS s WHERE s.city = NULL").keys
        ('comparison_with_null::s.city = null',)
        """
        return tuple(f"{issue.code}:{self.database}:{_object(issue)}" for issue in self.errors)


def review_sql(sql: str, dialect: str = "", schemas: Sequence[DatabaseSchema] = ()) -> Review:
    """What can be seen to be wrong with a query without running it.

    Args:
        sql: One query.
        dialect: `sqlite`, `postgres`, `mysql` or `duckdb`; anything else counts as not known, and then an error is only
            what none of them would take, or what is doubtful in each.
        schemas: The databases that may be meant; the one that has most of the query's tables is taken.

    >>> near = "ST_SetSRID(ST_MakePoint(144.38, -38.08), 4326)"
    >>> review = review_sql(f"SELECT * FROM audit_point WHERE ST_DWithin(geom, {near}, 100)")
    >>> review.is_valid, review.score, [issue.code for issue in review.errors]
    (False, 0.7, ['degrees_with_planar_distance', 'metres_against_degrees'])
    >>> review_sql(f"SELECT * FROM audit_point WHERE ST_DWithin(geom::geography, {near}::geography, 100)").is_valid
    True
    >>> [issue.code for issue in review_sql("SELECT 7 / 2", "sqlite").advice]
    ['integer_division']
    """
    known = _ALIASES.get(dialect.casefold(), dialect.casefold())
    if known not in DIALECTS:
        known = ""
    readings = _against(sql, known, schemas) if schemas else _without_schema(sql, known)
    reading = readings[0]
    if isinstance(reading, SqlIssue):
        return Review(errors=(reading,), score=REJECTED)
    certain = _common(readings)
    doubts = _without_repeats(_doubts(reading, known or schemas), certain)
    return _review(certain, doubts, reading.schema.name if schemas else "")


def _review(certain: Sequence[SqlIssue], doubts: Sequence[SqlIssue], database: str) -> Review:
    found = sorted([*certain, *doubts], key=lambda issue: issue.position or 0)
    errors = tuple(issue for issue in found if issue.severity is Severity.ERROR)
    rejected = any(issue in certain or issue.code in _REJECTED_DOUBTS for issue in errors)
    return Review(
        errors=errors,
        advice=tuple(issue for issue in found if issue.severity is Severity.ADVICE),
        database=database,
        score=REJECTED if rejected else DOUBTFUL if errors else VALID,
    )


def _read(
    sql: str, schema: DatabaseSchema, others: Sequence[DatabaseSchema] = ()
) -> StatementReading | SqlIssue:
    reading = read_query(sql, schema, others=tuple(others))
    if isinstance(reading, SqlIssue) and (plain := with_plain_operators(sql)) != sql:
        return read_query(plain, schema, others=tuple(others))
    return reading


def _against(
    sql: str, dialect: str, schemas: Sequence[DatabaseSchema]
) -> list[StatementReading | SqlIssue]:
    """The query read against the schema that fits it best."""
    same = [schema for schema in schemas if schema.dialect == dialect] or list(schemas)
    readings = [_read(sql, schema, [o for o in schemas if o is not schema]) for schema in same]
    return [min(readings, key=_strangeness)] if len(readings) > 1 else readings[:1]


def _strangeness(reading: StatementReading | SqlIssue) -> tuple[bool, int, int]:
    """How badly a schema fits: unread, then tables it does not have, then other errors."""
    if isinstance(reading, SqlIssue):
        return True, 0, 0
    unknown = len(reading.gathered.unknown_tables)
    return False, unknown, 0 if unknown else len(issues_in(reading))


def _without_schema(sql: str, dialect: str) -> list[StatementReading | SqlIssue]:
    """The query as each dialect that may be meant reads it; those that can read it come first."""
    readings: list[StatementReading | SqlIssue] = []
    for one in [dialect] if dialect else DIALECTS:
        readings.append(_read(sql, DatabaseSchema(name="any", dialect=one, tables=())))
        if not isinstance(readings[-1], SqlIssue) and not _errors(readings[-1]):
            return [readings[-1]]  # one that would take it is enough
    return sorted(readings, key=lambda reading: isinstance(reading, SqlIssue))


def _common(readings: Iterable[StatementReading | SqlIssue]) -> tuple[SqlIssue, ...]:
    """What every dialect that can read the query finds; worded as the first one does."""
    read = [reading for reading in readings if isinstance(reading, StatementReading)]
    first, *rest = [_found(reading) for reading in read]
    places = [{(issue.code, issue.position) for issue in found} for found in rest]
    return tuple(issue for issue in first if all((issue.code, issue.position) in p for p in places))


def _doubts(reading: StatementReading, tells_dialect: object) -> list[SqlIssue]:
    """What is doubtful; where nobody tells the dialect, what is so in each that can read the query."""
    found = issues_in(reading, DOUBTS)
    if tells_dialect or not found:
        return [*found, *issues_in(reading, SPATIAL_RULES)]
    for one in DIALECTS:
        other = _read(reading.sql, DatabaseSchema(name="any", dialect=one, tables=()))
        if isinstance(other, StatementReading):
            codes = {issue.code for issue in issues_in(other, DOUBTS)}
            found = tuple(issue for issue in found if issue.code in codes)
    return [*found, *issues_in(reading, SPATIAL_RULES)]


def _found(reading: StatementReading) -> tuple[SqlIssue, ...]:
    issues = issues_in(reading)
    if reading.schema.tables:
        return issues
    return tuple(
        issue
        for issue in issues
        if issue.code not in _NEEDS_SCHEMA and issue.fragment.casefold() not in SPATIALITE
    )


def _errors(reading: StatementReading) -> list[SqlIssue]:
    return [issue for issue in _found(reading) if issue.severity is Severity.ERROR]


def _without_repeats(doubts: Sequence[SqlIssue], certain: Sequence[SqlIssue]) -> list[SqlIssue]:
    """The doubts about places of which nothing certain is known."""
    taken = {issue.position for issue in certain if issue.severity is Severity.ERROR}
    return [issue for issue in doubts if issue.position is None or issue.position not in taken]


def _object(issue: SqlIssue) -> str:
    """The name that an issue is about, without alias; else its fragment without literals."""
    if issue.about:
        return issue.about.casefold()
    match = _PATH.fullmatch(issue.fragment)
    text = match[1].strip('"`[]') if match else _LITERAL.sub("?", issue.fragment)
    return " ".join(text.casefold().split())[:120]


DOUBTS: tuple[Rule, ...] = (
    cartesian_join,
    aggregate_without_grouping,
    cross_kind_comparison,
    integer_division,
    missing_limit,
    impossible_condition,
    condition_without_effect,
    antipattern,
    turned_outer_join,
    counted_without_match,
    key_against_key,
    several_rows,
    column_of_outer_query,
    exists_for_all,
    nulls_in_list,
    missing_comma,
    alias_in_where,
    value_of_any_row,
    sides_at_odds,
)
"""Each looks at one reading and yields what it finds."""
