"""The rules of this room: queries that a database would run, and that yet go wrong."""

from oldhand.evaluators.sql_rules.aggregates import aggregate_without_grouping
from oldhand.evaluators.sql_rules.arithmetic import integer_division
from oldhand.evaluators.sql_rules.comparisons import cross_kind_comparison
from oldhand.evaluators.sql_rules.joins import cartesian_join
from oldhand.evaluators.sql_rules.nulls import comparison_with_null
from oldhand.evaluators.sql_rules.sizes import missing_limit
from oldhand.evaluators.sql_rules.spatial import SPATIAL_RULES
from oldhand.sources.databases.sql_issues import Rule

DOUBTS: tuple[Rule, ...] = (
    comparison_with_null,
    cartesian_join,
    aggregate_without_grouping,
    cross_kind_comparison,
    integer_division,
    missing_limit,
    *SPATIAL_RULES,
)
"""Each looks at one reading and yields what it finds."""
