"""A rule as people look at it, and whether it fits its schema."""

from oldhand.agent.analyst.semantics.meanings import meaning_of
from oldhand.errors import UnclearRule
from oldhand.record.base import Record
from oldhand.record.schema import DatabaseSchema
from oldhand.record.semantics import Measure, NamedCondition, Rule
from oldhand.sources.databases.semantics_file import problems_of


class KnownRule(Record):
    """A rule of the semantic layer."""

    database: str
    kind: str
    """`measure`, `condition`, `synonym`, `date`, `filter` or `join`."""
    name: str
    told: str
    """What it says."""
    rule: Rule


def check_rule(rule: Rule, schema: DatabaseSchema) -> None:
    """See that a rule fits a schema.

    Raises:
        UnclearRule: it doesn't, or the query form can't hold it.
    """
    for _, problem in problems_of(rule, schema):
        raise UnclearRule(problem)
    if isinstance(rule, Measure | NamedCondition) and meaning_of(rule, schema) is None:
        raise UnclearRule(f"This can't be computed in a query: {rule.told}.")


def known(database: str, rule: Rule, told: str = "") -> KnownRule:
    """A rule as people look at it, with what it says where that is no SQL."""
    kind = type(rule).__name__.removeprefix("Named").removeprefix("Default").removeprefix("Row")
    return KnownRule(
        database=database, kind=kind.lower(), name=rule.name, told=told or rule.told, rule=rule
    )
