"""What is said of the rules that have changed a query."""

from collections.abc import Iterable

from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.query.walk import columns
from oldhand.record.effect import RowRule
from oldhand.record.feedback import TRUSTED
from oldhand.record.memory import Memory

_DONE = {"Leave": "Left", "Take": "Took", "Join": "Joined"}
_ID = 13
"""Characters of an id that tell it from others."""


def note_on(rule: RowRule, memory: Memory) -> str:
    """What a rule has done, and where it comes from.

    >>> from oldhand.testing.records import example_memory
    >>> from oldhand.record.effect import DefaultFilter
    >>> rule = DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'")
    >>> note_on(rule, example_memory(effect=rule))
    "Left out orders with status = 'cancelled' (a rule learned from ana on 2026-01-01; to limit it: `oldhand memory edit memory-1`, or `oldhand memory retire memory-1`)."
    """
    verb, _, rest = rule.says.partition(" ")
    origin, day = memory.provenance, memory.created_at.date().isoformat()
    source = ""
    if origin.rater is not None:
        source = f" from {origin.rater}"
    elif count := len(origin.episode_ids):
        said = f"what the {origin.source} said of " if origin.source in TRUSTED else ""
        source = f" from {said}{f'{count} answers' if count > 1 else 'an answer'}"
    name = memory.id[:_ID]
    limit = f"to limit it: `oldhand memory edit {name}`, or `oldhand memory retire {name}`"
    return f"{_DONE[verb]} {rest} (a rule learned{source} on {day}; {limit})."


def still_so(
    notes: Iterable[str], before: Query | Opaque, after: Query | Opaque
) -> tuple[str, ...]:
    """The notes on how words were read, without those on a column that is read no more, as in `'Hull' is a value of customers.city.`."""
    if isinstance(before, Opaque) or isinstance(after, Opaque):
        return tuple(notes)
    gone = {*columns(before)} - {*columns(after)}
    named = tuple(f" {one.of.table}.{one.name}" for one in gone)
    return tuple(one for one in notes if not one.removesuffix(".").endswith(named))
