"""Sentences that take a rule about rows back: `Revenue includes cancelled orders`, `cancelled orders count again`."""

from oldhand.agent.analyst.stating.left_out import left_out
from oldhand.agent.analyst.stating.pointers import pointed
from oldhand.agent.analyst.stating.sentences import let_in
from oldhand.errors import UnclearRule
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import RowFilter
from oldhand.sources.databases.values import Values


def let_in_again(
    sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> tuple[str, RowFilter] | None:
    """The database and the rule that would leave out the rows which a sentence says count; None where it says nothing of the kind."""
    told = pointed(sentence, schemas, values)
    said = let_in(told.text)
    try:
        return None if said is None else left_out(said, told.schemas, values)
    except UnclearRule:
        return None
