"""A sentence may round and word its numbers freely; what stands in no row is found."""

import pytest

from oldhand.agent.analysis.grounding import Known, unfounded

ROWS = (("Berlin", 1234567.891, "2026-03-05", 12), ("São Paulo", 0.3456, None, -40))
KNOWN = Known(ROWS, ("Which of the top 5 cities sold most since 2024?", "city", "revenue"), (2,))


@pytest.mark.parametrize(
    "text",
    [
        "Berlin sold the most with 1,234,567.89 in all.",
        "Berlin: 1.234.567,89 Euro.",
        "Berlin 1\u2019234\u2019568, São Paulo .3456",
        "It is Berlin with about 1.2 million, or 1.23 M.",
        "It is 1235k in Berlin and 34.6 % in São Paulo.",
        "The share of São Paulo is 35 percent, a fall of 40.",
        "On March 5, 2026 there were 12 of the 2 cities.",
        "Am 5.3.2026 waren es 12 Stück in Berlin, der Hauptstadt.",
        "Of the top 5 since 2024 it is 'São Paulo'.",
        "In thousands: Berlin 1,235.",
        "",
    ],
)
def test_what_the_rows_hold_may_be_said_in_any_usual_way(text: str) -> None:
    assert unfounded(text, KNOWN) == ()


@pytest.mark.parametrize(
    ("text", "made_up"),
    [
        ("Berlin sold 1,234,576 in all.", "1,234,576"),
        ("It is about 1.3 million in Berlin.", "1.3"),
        ("It is Berlin and then Hamburg.", "Hamburg"),
        ("There are 13 of them.", "13"),
        ("The share is 36 %.", "36"),
        ('It is the city called "Rio".', "Rio"),
        ("Es sind 77 in Berlin.", "77"),
    ],
)
def test_what_no_row_holds_is_found(text: str, made_up: str) -> None:
    assert made_up in unfounded(text, KNOWN)
