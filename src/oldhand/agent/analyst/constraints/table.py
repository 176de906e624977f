"""The constraints by their names, and what a query breaks of them."""

from collections.abc import Callable

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.constraints import (
    amounts,
    asked_for,
    ends,
    extremes,
    groups,
    queries,
    shown,
    times,
    understood,
)
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.query.form import Query

SENSE: tuple[Callable[[Asked, Query], bool], ...] = (
    queries.no_sum_of_keys,
    queries.no_sum_of_dates,
    queries.no_sum_over_multiplied_rows,
    queries.literal_of_the_columns_type,
    queries.no_contradictory_conditions,
    queries.no_absence_of_what_is_joined,
    queries.groups_not_sorted_by_single_rows,
    queries.nothing_counted_twice,
    queries.measures_restrict_groups,
    queries.one_row_is_not_sorted,
    queries.groups_sorted_by_what_they_share,
    queries.no_sorting_by_a_fixed_value,
    queries.no_counting_of_one_kind,
    queries.no_counting_of_single_rows,
    queries.no_counting_of_what_groups_are_of,
)
"""What makes a query senseless; such a query is never a candidate."""

MEANING: tuple[Callable[[Hypothesis], int], ...] = (
    times.nothing_counted_back,
    times.both_days_compared,
    times.time_of_what_is_measured,
    times.time_of_the_deed,
    times.day_of_another_deed,
    times.day_of_the_last_deed,
    times.no_day_of_lasting_things,
    times.narrowed_by_the_day_of_groups,
    times.one_day_in_two_times,
    groups.average_of_own_group,
    groups.several_in_each_group,
    groups.figures_of_each,
    groups.figures_of_what_belongs_together,
    groups.no_groups_of_moments,
    groups.figure_in_each_group,
    groups.cut_in_each_group,
    groups.things_in_every_period,
    extremes.superlative_is_sorted_by,
    extremes.first_ones_by_a_figure,
    extremes.degree_on_its_scale,
    extremes.deed_by_all_its_rows,
    extremes.thing_by_all_its_parts,
    extremes.kind_by_all_its_rows,
    extremes.extreme_of_its_own_thing,
    extremes.extreme_before_the_role,
    ends.key_that_is_told,
    ends.key_that_is_meant,
    ends.all_keys_that_are_told,
    amounts.things_counted,
    amounts.amount_not_counted,
    amounts.rate_is_a_share,
    amounts.second_thing_counted_too,
    amounts.number_of_them_shown,
    amounts.both_kinds_told,
    amounts.both_are_answered_to,
    amounts.all_of_them_checked,
    amounts.exclusion_of_things_not_rows,
    amounts.exclusion_leaves_something_out,
    asked_for.time_or_place_or_person_shown,
    asked_for.something_not_said_shown,
    asked_for.own_key_shown,
    asked_for.kind_shown_of_itself,
    asked_for.thing_of_its_own_table,
    asked_for.value_of_the_thing_behind_it,
    asked_for.superior_followed,
    asked_for.led_by_their_own_leader,
    asked_for.role_of_somebody,
    asked_for.both_that_are_compared,
    understood.no_word_read_twice,
    shown.nothing_asked_for_left_out,
    shown.both_that_are_asked,
    shown.things_and_no_amounts,
    shown.kind_of_those_that_are_missing,
    understood.no_name_half_read,
    understood.no_value_only_shown,
    understood.no_denied_deed_left_out,
    understood.done_later_not_lacking,
    understood.nothing_understood_left_out,
)
"""What keeps a query from being what was asked; each gives the tokens that the query fails for, as bits."""

LEFT_OUT = frozenset(
    each.__name__
    for each in (shown.nothing_asked_for_left_out, understood.nothing_understood_left_out)
)
"""Those of a query that is right for what it answers to."""
COMPARED = asked_for.both_that_are_compared.__name__
KEYS = ends.key_that_is_meant.__name__
DOUBTED = frozenset({asked_for.kind_shown_of_itself.__name__})
"""Those that are too often wrong to put another query first; they only keep the best one from being the answer."""


def makes_sense(asked: Asked, query: Query) -> bool:
    """True for a query that may be a candidate."""
    return not any(is_broken(asked, query) for is_broken in SENSE)


def broken(one: Hypothesis) -> dict[str, int]:
    """The constraints that a query breaks, each with the tokens that it fails for, as bits."""
    found = {constraint.__name__: constraint(one) for constraint in MEANING}
    return {name: mask for name, mask in found.items() if mask}
