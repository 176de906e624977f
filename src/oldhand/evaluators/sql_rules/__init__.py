"""What is wrong with a query, certain or doubtful, found by rules on its syntax tree.

`sources.databases.sql_issues` finds what a database would reject. The rules of this room find what a database would run,
and what yet does not say what was meant: comparisons with NULL, joins without a condition, degrees taken for metres.
`review_sql` applies both. Errors make a query invalid, advice never does.
"""

# pyright: reportUnusedImport=false
from oldhand.evaluators.sql_rules.review import (
    DOUBTFUL,
    REJECTED,
    VALID,
    Review,
    review_sql,
)
