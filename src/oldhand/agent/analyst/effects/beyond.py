"""Rules about rows that a query does not read, but refers to: revenue of invoices leaves out those of cancelled visits."""

from collections.abc import Sequence

from oldhand.agent.analyst.effects.conditions import condition_of, on
from oldhand.query.form import AnyOf, ColumnRef, Comparison, Has, Predicate, Query, Relation, Rows
from oldhand.query.known import known_table
from oldhand.query.walk import relations
from oldhand.record.effect import DefaultFilter
from oldhand.record.schema import DatabaseSchema


def ruled_beyond(
    query: Query, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]
) -> Predicate | None:
    """What rows of a query must refer to by a rule on the rows of another table; None where that is read, or no single key leads there.

    Rows that refer to nothing stay.
    """
    read = {one.table.casefold() for one in relations(query, inner=True)}
    if rule.table.casefold() in read or query.compound is not None:
        return None
    found: list[Predicate] = []
    for relation in query.rows.relations:
        table = known_table(relation, schemas) if relation.database == rule.database else None
        if table is None:
            continue
        keys = [key for key in table.foreign_keys if key.table.casefold() == rule.table.casefold()]
        ends = [pair for key in keys for pair in zip(key.columns, key.target_columns, strict=False)]
        if not keys:
            continue
        target = Relation(keys[0].database, keys[0].schema_name, keys[0].table)
        other = known_table(target, schemas)
        condition = condition_of(rule, other) if other is not None else None
        if condition is None or len(ends) != 1:
            return None
        ((mine, theirs),) = ends
        own, rows = ColumnRef(relation, mine), Rows((target,))
        led = Has(own, Query(rows, (ColumnRef(target, theirs),), on(target, condition)))
        known = table.column(mine)
        always = known and known.profile and known.profile.never_missing
        found.append(led if always else AnyOf((Comparison(own, "null"), led)))
    return found[0] if len(found) == 1 else None
