"""Combines the choices of all slots into drafts, the best ones kept after each slot."""

from collections.abc import Iterable, Mapping

from oldhand.agent.analyst.candidates.amounts import amount_slots
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.averages import average_slots, guessed_slots, worth_slots
from oldhand.agent.analyst.candidates.choices import Choice, ChoiceDraft, Slot, weigh
from oldhand.agent.analyst.candidates.compared_rows import (
    column_slots,
    own_group_slots,
    superior_slots,
)
from oldhand.agent.analyst.candidates.comparisons import number_slots
from oldhand.agent.analyst.candidates.contrast import contrast_slots
from oldhand.agent.analyst.candidates.durations import duration_slots
from oldhand.agent.analyst.candidates.filters import boolean_slots, null_slots, value_slots
from oldhand.agent.analyst.candidates.grouping import group_slots
from oldhand.agent.analyst.candidates.hierarchy import hierarchy_slots
from oldhand.agent.analyst.candidates.latest import latest_slots
from oldhand.agent.analyst.candidates.means import mean_slots
from oldhand.agent.analyst.candidates.negation import negation_slots
from oldhand.agent.analyst.candidates.ordering import order_slots
from oldhand.agent.analyst.candidates.presence import presence_slots
from oldhand.agent.analyst.candidates.rates import rate_slots
from oldhand.agent.analyst.candidates.sales import deed_slots
from oldhand.agent.analyst.candidates.select import select_slots
from oldhand.agent.analyst.candidates.shared import shared_slots
from oldhand.agent.analyst.candidates.shares import share_slots
from oldhand.agent.analyst.candidates.states import state_slots
from oldhand.agent.analyst.candidates.superlatives import superlative_slots
from oldhand.agent.analyst.candidates.than_named import than_named_slots
from oldhand.agent.analyst.candidates.things import join_slots
from oldhand.agent.analyst.candidates.times import date_slots
from oldhand.agent.analyst.candidates.versus import versus_slots
from oldhand.agent.analyst.candidates.yes_no import yes_no_slots
from oldhand.query.walk import columns

WIDTH = 48
_MAKERS = (
    superior_slots, own_group_slots, latest_slots, than_named_slots, column_slots, hierarchy_slots, duration_slots, versus_slots, contrast_slots, mean_slots,
    state_slots, superlative_slots, average_slots, worth_slots, guessed_slots, value_slots, date_slots, number_slots,
    null_slots, boolean_slots, negation_slots, presence_slots, shared_slots, order_slots,
    group_slots, share_slots, rate_slots, amount_slots, yes_no_slots, select_slots, join_slots,
    deed_slots,
)  # fmt: skip
"""What makes the slots of a question; those that explain more words come first."""


def drafts(asked: Asked, weights: Mapping[str, float]) -> list[ChoiceDraft]:
    """The best drafts, best first."""
    beam = [ChoiceDraft()]
    per_table = weights.get("tables.count", -0.3)
    per_unnamed = weights.get("tables.unnamed", -0.3)
    named = sum(1 << table for table in {*asked.named_tables, *asked.carrying})
    for slot in (slot for make in _MAKERS for slot in make(asked)):
        meant = (choice for choice in slot.choices if not _is_overruled(choice, asked))
        scored = [(c, weigh(c.features, weights), _orders((c, *c.along))) for c in meant]
        grown: list[tuple[float, ChoiceDraft, Choice | None]] = []
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
        kept = grown[:WIDTH]
        if not any(_shows_something(draft, choice) for _, draft, choice in kept):
            kept += [one for one in grown[WIDTH:] if _shows_something(one[1], one[2])][:WIDTH]
        beam = [_extended(*one, slot) for one in kept]
    return beam


def _shows_something(draft: ChoiceDraft, choice: Choice | None) -> bool:
    """True for a draft that can become a query: those that show nothing score higher, and would fill the beam."""
    return any(c is not None and c.kind == "select" for c in (*draft.choices, choice))


def _is_overruled(choice: Choice, asked: Asked) -> bool:
    """True for a condition that takes words otherwise than people have stated: `late` by rule, where it was said what is late."""
    condition, stated = choice.condition, asked.links.stated
    used = [column for mask, column in stated if choice.used & mask]
    return bool(used) and condition is not None and not {*columns(condition.left)} & {*used}


def _orders(choices: Iterable[Choice]) -> bool:
    return any(choice.kind == "order" for choice in choices)


def _extended(score: float, draft: ChoiceDraft, choice: Choice | None, slot: Slot) -> ChoiceDraft:
    if choice is None:
        return draft
    tables, used = draft.tables | choice.tables, draft.used | choice.used
    choices = (*draft.choices, choice, *choice.along)
    return ChoiceDraft(score, used, tables, choices, (*draft.taken, (slot, choice)))
