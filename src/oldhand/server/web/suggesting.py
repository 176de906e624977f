"""Questions to begin with: those that people here have confirmed, then what a schema invites."""

from collections.abc import Iterable, Iterator
from itertools import islice

from oldhand.lexicon.wording import human, plural, singular
from oldhand.record.memory import ExamplePayload, Memory
from oldhand.record.schema import DatabaseSchema, Table

MOST = 6
_CONFIRMED = 3
"""How many of them may be confirmed ones."""


def suggested(confirmed: Iterable[Memory], schemas: Iterable[DatabaseSchema]) -> list[str]:
    """A few questions, no two the same."""
    known = (one.payload for one in confirmed)
    asked = (one.question for one in known if isinstance(one, ExamplePayload))
    invited = (question for schema in schemas for question in _of_schema(schema))
    found = dict.fromkeys((*islice(dict.fromkeys(asked), _CONFIRMED), *invited))
    return list(islice(found, MOST))


def _of_schema(schema: DatabaseSchema) -> Iterator[str]:
    """The first tables counted, and ranked by what refers to them."""
    things = [table for table in schema.tables if not _joins_only(table)]
    for table in things[:2]:
        yield f"How many {plural(human(table.name))} are there?"
    for table in things:
        for key in table.foreign_keys[:1]:
            if key.database in ("", schema.name) and key.table != table.name:
                owner = singular(human(key.table))
                yield f"Which {owner} has the most {plural(human(table.name))}?"


def _joins_only(table: Table) -> bool:
    """True for a table that only ties two others together."""
    keys = {name for key in table.foreign_keys for name in key.columns}
    return len(table.foreign_keys) > 1 and all(one.name in keys for one in table.columns)
