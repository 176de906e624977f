"""Rules about columns of results: names that are taken for something else, groups, and the sides of a set operation."""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from oldhand.sources.databases.sql_issues import SqlIssue, StatementReading
from oldhand.sources.databases.sql_issues.grouping import grouped_by, is_grouped
from oldhand.sources.databases.sql_issues.kinds import mixed_sides
from oldhand.sources.databases.sql_issues.naming import NameMeaning
from oldhand.sources.databases.sql_issues.scopes import ColumnUse, Scope


def missing_comma(reading: StatementReading) -> Iterator[SqlIssue]:
    """`SELECT name city FROM …`: a column under the name of another column of the same table, without AS."""
    for scope in reading.gathered.scopes:
        for item in scope.query.expressions:
            alias = item.args.get("alias") if isinstance(item, exp.Alias) else None
            start = alias.meta.get("start") if isinstance(alias, exp.Identifier) else None
            if start is None or not isinstance(item.this, exp.Column):
                continue
            before = [token.token_type for token in reading.tokens if token.start < start][-1:]
            if before != [TokenType.ALIAS] and any(
                s.has(item.alias.casefold()) for s in scope.sources
            ):
                message = f"{item.alias} is a column itself, and here it names {item.this.name}: put a comma between them, or write AS."
                yield reading.issue("missing_comma", item, message)


def alias_in_where(reading: StatementReading) -> Iterator[SqlIssue]:
    """WHERE comes before SELECT, and does not know the names that AS gives."""
    if "where" in reading.habits.alias_clauses:
        return
    for use, found in reading.meanings:
        output = (
            use.scope.output(use.name, named=True) if found.meaning is NameMeaning.UNSURE else None
        )
        if use.clause != "where" or use.qualifier or output is None or output.node is None:
            continue
        names = {column.name.casefold() for column in output.node.find_all(exp.Column)}
        if not isinstance(output.node, exp.Column) and use.name not in names:
            message = (
                f"WHERE does not know the name {use.column.name} of SELECT: repeat the expression."
            )
            yield reading.issue("alias_in_where", use.column, message)


_KEYS = ("id", "key", "code", "no", "number")
"""How the names of keys end: by one of them, all columns of its table are grouped."""


def value_of_any_row(reading: StatementReading) -> Iterator[SqlIssue]:
    """HAVING, and where a database minds it SELECT, with a column that is neither grouped nor aggregated."""
    for scope in reading.gathered.scopes:
        group = scope.query.args.get("group")
        terms: list[exp.Expr] = group.expressions if group else []
        names = {term.name.casefold() for term in terms if isinstance(term, exp.Column)}
        if not terms or len(names) < len(terms) or any(name.endswith(_KEYS) for name in names):
            continue
        grouped = grouped_by(reading, scope) or (set(), set(), [])
        for use in scope.uses:
            if not _is_free(reading, scope, use) or use.name in names:
                continue
            is_known = reading.meaning[id(use.column)].sources
            if not is_known or not is_grouped(reading, scope, use, grouped):
                name = reading.written(use.column)
                advice = f"filter rows in WHERE, or use an aggregate such as MAX({name})"
                message = f"{name} has many values in each group: {advice if use.clause == 'having' else 'add it to GROUP BY'}."
                yield reading.issue("value_of_any_row", use.column, message)


def _is_free(reading: StatementReading, scope: Scope, use: ColumnUse) -> bool:
    """Whether it is a column of this SELECT, outside of aggregates, of which nothing certain is said elsewhere."""
    clauses = {"having", "select"} if reading.habits.strict_grouping else {"having"}
    if use.aggregate is not None or use.clause not in clauses or scope.veils:
        return False
    found = reading.meaning[id(use.column)]
    if found.meaning is NameMeaning.COLUMN:
        return use.clause == "having" and found.scope is scope
    is_own = scope.parent is None and scope.output(use.name, named=True) is None
    is_minded = use.clause == "having" or reading.dialect != "mysql"
    return found.meaning is NameMeaning.UNSURE and is_own and is_minded


def sides_at_odds(reading: StatementReading) -> Iterator[SqlIssue]:
    """Set operations whose sides have the same columns in another order, other kinds, or are the same."""
    for node, scopes in reading.gathered.compounds:
        if (
            reading.written(node.this) == reading.written(node.expression)
            and node.args.get("distinct") is not False
        ):
            message = "Both sides of the set operation are the same: correct one of them."
            yield reading.issue("same_sides", node, message)
        names = [[output.name for output in scope.outputs or ()] for scope in scopes]
        first = names[0] if names else []
        for other in names[1:]:
            if (
                None not in first
                and other != first
                and sorted(map(str, other)) == sorted(map(str, first))
            ):
                message = "The sides of the set operation have the same columns in another order: they are put together by place, not by name."
                yield reading.issue("swapped_sides", node, message)
    yield from mixed_sides(reading)
