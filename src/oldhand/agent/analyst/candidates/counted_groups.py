"""How many groups are large enough: `How many customers have more than 5 orders`."""

from collections.abc import Set as AbstractSet

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.sketch import ROWS, Condition, Sketch, Term
from oldhand.agent.analyst.linking.joins import JoinTree

Conditions = tuple[Condition, ...]


def counted_groups(
    asked: Asked,
    select: tuple[Term, ...],
    tree: JoinTree,
    conditions: tuple[Conditions, Conditions],
    counted: AbstractSet[int],
) -> Sketch | None:
    """A query that counts the groups that meet a condition; None when none are counted.

    Args:
        asked: the question.
        select: what is selected.
        tree: the tables joined.
        conditions: those on rows, and those on groups.
        counted: the table whose rows are counted, if any.
    """
    where, having = conditions
    grouped = asked.links.cues_of("per", "group")
    if not having or grouped or len(select) != 1 or select[0].aggregate != "count":
        return None
    column = select[0].column
    if column == ROWS:
        keys = [key for table in counted for key in asked.key(table)]
        if len(keys) != 1:
            return None
        column = keys[0]
    one = Term(column)
    groups = Sketch((one,), tree, where, group=(one,), having=having)
    table = asked.column(column).table
    entry = asked.column(column)
    alone = entry.column.primary_key and len(asked.key(table)) == 1
    count = Term(ROWS, "count") if alone else Term(column, "count", distinct=True)
    return Sketch((count,), JoinTree((table,), ()), (Condition(one, "in", (), groups),))
