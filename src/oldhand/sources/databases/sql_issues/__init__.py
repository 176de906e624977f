"""What can be seen to be wrong with a query without running it.

`find_issues` reads the query against a schema and names what the database would reject, with what to do about it: before
execution to repair early, in the prompt after an error, and as the half of a validator that needs no model.

Each rule is a small function (`rules.RULES`); what the rules read is gathered once (`reading`): scopes with their
tables, columns and aggregates.
"""

# pyright: reportUnusedImport=false
from oldhand.sources.databases.sql_issues.reading import Severity, SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.rules import (
    RULES,
    Rule,
    find_errors,
    find_issues,
    issues_in,
    read_query,
)
