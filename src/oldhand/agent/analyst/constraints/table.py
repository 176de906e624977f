"""The constraints by their names, and what a query breaks of them."""

from collections.abc import Callable, Mapping

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.constraints import (
    amounts,
    asked_for,
    exclusions,
    extremes,
    groups,
    queries,
    times,
    understood,
)
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.query.form import Query

SENSE: Mapping[str, Callable[[Asked, Query], bool]] = {
    "no_sum_of_keys": queries.sums_keys,
    "no_contradictory_conditions": queries.contradicts_itself,
    "measures_restrict_groups": queries.restricts_no_groups,
    "one_row_is_not_sorted": queries.sorts_one_row,
    "groups_sorted_by_what_they_share": queries.sorts_groups_by_rows,
    "no_sorting_by_a_fixed_value": queries.sorts_what_is_fixed,
    "no_counting_of_one_kind": queries.counts_one_kind,
    "no_counting_of_single_rows": queries.counts_ones,
}
"""What makes a query senseless; such a query is never a candidate."""

MEANING: Mapping[str, Callable[[Hypothesis], int]] = {
    "nothing_counted_back": times.nothing_counted_back,
    "time_of_the_deed": times.time_of_the_deed,
    "time_named_before_the_date": times.time_named_before_the_date,
    "day_of_the_deed_shown": times.day_of_the_deed_shown,
    "both_days_compared": times.both_days_compared,
    "durations_by_durations": times.durations_by_durations,
    "no_day_of_lasting_things": times.no_day_of_lasting_things,
    "average_of_own_group": groups.average_of_own_group,
    "several_in_each_group": groups.several_in_each_group,
    "no_groups_of_moments": groups.no_groups_of_moments,
    "cut_in_each_group": groups.cut_in_each_group,
    "superlative_is_sorted_by": extremes.superlative_is_sorted_by,
    "most_of_what_is_named": extremes.most_of_what_is_named,
    "deed_by_all_its_rows": extremes.deed_by_all_its_rows,
    "thing_by_all_its_parts": extremes.thing_by_all_its_parts,
    "kind_by_all_its_rows": extremes.kind_by_all_its_rows,
    "extreme_before_the_role": extremes.extreme_before_the_role,
    "extreme_of_several_sums": extremes.extreme_of_several_sums,
    "pieces_added_up": amounts.pieces_added_up,
    "things_counted": amounts.things_counted,
    "second_thing_counted_too": amounts.second_thing_counted_too,
    "rate_is_a_ratio": amounts.rate_is_a_ratio,
    "all_of_them_checked": amounts.all_of_them_checked,
    "exclusion_of_things_not_rows": exclusions.exclusion_of_things_not_rows,
    "exclusion_leaves_something_out": exclusions.exclusion_leaves_something_out,
    "deed_that_was_never_done": exclusions.deed_that_was_never_done,
    "time_or_place_or_person_shown": asked_for.time_or_place_or_person_shown,
    "things_shown_with_what_is_theirs": asked_for.things_shown_with_what_is_theirs,
    "things_by_their_own_table": asked_for.things_by_their_own_table,
    "kind_shown_of_itself": asked_for.kind_shown_of_itself,
    "superior_followed": asked_for.superior_followed,
    "led_by_their_own_leader": asked_for.led_by_their_own_leader,
    "role_of_somebody": asked_for.role_of_somebody,
    "both_that_are_compared": asked_for.both_that_are_compared,
    "nothing_understood_left_out": understood.left_out,
}
"""What keeps a query from being what was asked; each gives the tokens that the query fails for, as bits."""

LEFT_OUT = "nothing_understood_left_out"
COMPARED = "both_that_are_compared"
DOUBTED = frozenset({"kind_shown_of_itself"})
"""Those that are too often wrong to put another query first; they only keep the best one from being the answer."""


def makes_sense(asked: Asked, query: Query) -> bool:
    """True for a query that may be a candidate."""
    return not any(is_broken(asked, query) for is_broken in SENSE.values())


def broken(one: Hypothesis) -> dict[str, int]:
    """The constraints that a query breaks, each with the tokens that it fails for, as bits."""
    found = {name: fails(one) for name, fails in MEANING.items()}
    return {name: mask for name, mask in found.items() if mask}
