"""Combines the choices of all slots into drafts, the best ones kept after each slot."""

from collections.abc import Iterable, Mapping

from oldhand.agent.analyst.candidates.amounts import amount_slots
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Draft, Slot, weigh
from oldhand.agent.analyst.candidates.comparisons import average_slots, number_slots
from oldhand.agent.analyst.candidates.durations import duration_slots
from oldhand.agent.analyst.candidates.filters import boolean_slots, null_slots, value_slots
from oldhand.agent.analyst.candidates.grouping import group_slots
from oldhand.agent.analyst.candidates.hierarchy import hierarchy_slots
from oldhand.agent.analyst.candidates.means import mean_slots
from oldhand.agent.analyst.candidates.negation import negation_slots
from oldhand.agent.analyst.candidates.ordering import order_slots
from oldhand.agent.analyst.candidates.own_groups import own_group_slots
from oldhand.agent.analyst.candidates.presence import presence_slots
from oldhand.agent.analyst.candidates.rates import rate_slots
from oldhand.agent.analyst.candidates.select import select_slots
from oldhand.agent.analyst.candidates.shared import shared_slots
from oldhand.agent.analyst.candidates.shares import share_slots
from oldhand.agent.analyst.candidates.states import state_slots
from oldhand.agent.analyst.candidates.superiors import superior_slots
from oldhand.agent.analyst.candidates.superlatives import superlative_slots
from oldhand.agent.analyst.candidates.things import join_slots
from oldhand.agent.analyst.candidates.times import date_slots
from oldhand.agent.analyst.candidates.verbs import deed_slots
from oldhand.agent.analyst.candidates.versus import versus_slots
from oldhand.agent.analyst.candidates.yes_no import yes_no_slots

WIDTH = 48
_PASSED = Choice("skip")


def all_slots(asked: Asked) -> list[Slot]:
    """The slots of a question; those that explain more words come first."""
    return [
        *superior_slots(asked),
        *own_group_slots(asked),
        *hierarchy_slots(asked),
        *duration_slots(asked),
        *versus_slots(asked),
        *mean_slots(asked),
        *state_slots(asked),
        *superlative_slots(asked),
        *average_slots(asked),
        *value_slots(asked),
        *date_slots(asked),
        *number_slots(asked),
        *null_slots(asked),
        *boolean_slots(asked),
        *negation_slots(asked),
        *presence_slots(asked),
        *shared_slots(asked),
        *order_slots(asked),
        *group_slots(asked),
        *share_slots(asked),
        *rate_slots(asked),
        *amount_slots(asked),
        *yes_no_slots(asked),
        *select_slots(asked),
        *join_slots(asked),
        *deed_slots(asked),
    ]


def drafts(asked: Asked, weights: Mapping[str, float], width: int = WIDTH) -> list[Draft]:
    """The best drafts, best first."""
    beam = [Draft()]
    per_table = weights.get("tables.count", -0.3)
    per_unnamed = weights.get("tables.unnamed", -0.3)
    named = sum(1 << table for table in asked.named_tables)
    for slot in all_slots(asked):
        scored = [(c, weigh(c.features, weights), _orders((c, *c.along))) for c in slot.choices]
        grown: list[tuple[float, Draft, Choice | None]] = []
        for draft in beam:
            if slot.trigger & ~draft.used == 0:
                grown.append((draft.score, draft, None))
                continue
            for choice, score, orders in scored:
                if choice.kind != "skip" and choice.used & draft.used & slot.trigger:
                    continue
                if orders and _orders(draft.choices):
                    continue  # only one cut, and one order, per query
                fresh = choice.tables & ~draft.tables
                cost = per_table * fresh.bit_count() + per_unnamed * (fresh & ~named).bit_count()
                grown.append((draft.score + score + cost, draft, choice))
        grown.sort(key=lambda one: -one[0])
        beam = [_extended(*one, slot) for one in grown[:width]]
    return beam


def _orders(choices: Iterable[Choice]) -> bool:
    return any(choice.kind == "order" for choice in choices)


def _extended(score: float, draft: Draft, choice: Choice | None, slot: Slot) -> Draft:
    if choice is None:
        return draft
    tables, used = draft.tables | choice.tables, draft.used | choice.used
    choices = (*draft.choices, choice, *choice.along)
    return Draft(score, used, tables, choices, (*draft.taken, (slot, choice)))
