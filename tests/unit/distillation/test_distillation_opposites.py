"""Rules that say the opposite are told from rules that say the same and from rules that have nothing to do with each other."""

from collections.abc import Sequence
from itertools import combinations, product

import pytest

from oldhand.learning.distillation.likeness import alike, gist_of, may_oppose, opposite
from oldhand.learning.distillation.texts import Texts

ASKED = ("Always {}", "{}", "Please {}", "You should {}", "You must always {}")
DENIED = ("Never {}", "Don't {}", "Do not {}", "Dont {}", "You shouldn't {}", "You must not {}", "Avoid to {}", "You should never {}", "Don\u2019t {}")  # fmt: skip
DEEDS = ("round to cents", "show the currency", "join orders to visits", "answer in French", "list prices with tax", "use `orders.total`")  # fmt: skip
IN = ("Include {}", "Count {}", "Always count {}", "Keep {}", "You should include {}")
OUT = ("Exclude {}", "Leave out {}", "Ignore {}", "Don't count {}", "Never include {}", "Skip {}", "Do not keep {}", "Omit {}")  # fmt: skip
ROWS = ("test orders", "cancelled invoices", "staff", "flights of partners")
PREFERRED = ("Use {0}, not {1}", "Use {0} instead of {1}", "Use {0} rather than {1}", "Use {0} and not {1}", "Instead of {1}, use {0}", "Use {0} not {1}")  # fmt: skip
THINGS = (("the ship date", "the order date"), ("orders.total", "orders.amount"), ("net prices", "gross prices"), ("USD", "EUR"), ("the name of the customer", "the number"))  # fmt: skip
AMOUNTS = ("List the top {} customers", "Show at most {} rows", "Round to {} decimals", "Customers with more than {} orders are loyal", "Answer in at most {} sentences")  # fmt: skip
TURNED = ("Sort newest first/Sort oldest first", "Sort ascending/Sort descending", "Revenue is net/Revenue is gross", "Give short answers/Give long answers", "Test orders count: yes/Test orders count: no", "Turn on rounding/Turn off rounding", "Be formal/Be informal", "Show the currency/Hide the currency", "Cancelled orders are revenue/Cancelled orders aren't revenue")  # fmt: skip

OPPOSITES = [
    *((a.format(deed), d.format(deed)) for a, d, deed in product(ASKED, DENIED, DEEDS)),
    *((a.format(rows), d.format(rows)) for a, d, rows in product(IN, OUT, ROWS)),
    *((a.format(*two), b.format(*two[::-1])) for a, b, two in product(PREFERRED, PREFERRED, THINGS)),
    *((f"Use {two[0]}", b.format(*two[::-1])) for b, two in product(PREFERRED, THINGS)),
    *((f"Never use {two[0]}", b.format(*two)) for b, two in product(PREFERRED, THINGS)),
    *((text.format(a), text.format(b)) for text, (a, b) in product(AMOUNTS, combinations((1, 5, 10, 25), 2))),
    *(tuple(one.split("/")) for one in TURNED),
]  # fmt: skip
SAME = [
    *((a.format(deed), b.format(deed)) for a, b, deed in product(ASKED, ASKED, DEEDS)),
    *((a.format(deed), b.format(deed)) for a, b, deed in product(DENIED, DENIED, DEEDS)),
    *((a.format(*two), b.format(*two)) for a, b, two in product(PREFERRED, PREFERRED, THINGS)),
]
APART = [
    *((out.format(a), out.format(b)) for out, (a, b) in product(OUT, combinations(ROWS, 2))),
    *((a.format(one), out.format(two)) for a, out, (one, two) in product(IN, OUT, combinations(ROWS, 2))),
    *((a.format(one), d.format(two)) for a, d, (one, two) in product(ASKED, DENIED, combinations(DEEDS, 2))),
    *((a.format(*one), b.format(*two)) for a, b, (one, two) in product(PREFERRED, PREFERRED, combinations(THINGS, 2))),
    *((one.format(5), two.format(10)) for one, two in combinations(AMOUNTS, 2)),
    ("Convert from USD to EUR", "Convert from EUR to USD"),
    ("Clients means customers", "Customers means clients"),
    ("Orders of type 5 are returns", "Orders of type 10 are returns"),
    ("Never show the top 5 customers", "Show the top 10 customers"),
    ("Round to cents", "Never round to cents unless asked"),
    ("Use the order date, not the ship date", "Use the order date"),
    ("Exclude Sundays", "Exclude Saturdays"),
]  # fmt: skip


def _told(pairs: Sequence[tuple[str, ...]]) -> list[tuple[str, str, bool, bool]]:
    """Each pair with whether its texts are opposite, and alike, either way round."""
    found: list[tuple[str, str, bool, bool]] = []
    for one, other in (*pairs, *(pair[::-1] for pair in pairs)):
        mine, theirs = gist_of(one), gist_of(other)
        found.append((one, other, opposite(mine, theirs), alike(mine, theirs)))
    return found


def test_every_pair_of_opposite_rules_is_told() -> None:
    assert len(OPPOSITES) > 500
    assert [one for one in _told(OPPOSITES) if one[2:] != (True, False)] == []


def test_no_opposite_is_passed_over_by_its_words() -> None:
    both = [*OPPOSITES, *(pair[::-1] for pair in OPPOSITES)]
    assert [two for two in both if not may_oppose(gist_of(two[0]), two[1])] == []
    passed = [two for two in APART if not may_oppose(gist_of(two[0]), two[1])]
    assert len(passed) > len(APART) / 2, "most others are"


def test_rules_that_say_the_same_are_no_opposites() -> None:
    assert [one for one in _told(SAME) if one[2]] == []


def test_rules_about_other_things_are_neither() -> None:
    assert len(APART) > 500
    assert [one for one in _told(APART) if one[2]] == []


@pytest.mark.parametrize(("one", "other"), OPPOSITES[::37])
def test_opposite_rules_are_found_among_many(one: str, other: str) -> None:
    texts = Texts()
    for number, deed in enumerate(DEEDS):
        texts.add(f"deed-{number}", "rules", gist_of(f"{deed} on Mondays"))
    texts.add("other", "rules", gist_of(other))
    assert texts.against("rules", gist_of(one)) == ["other"]
