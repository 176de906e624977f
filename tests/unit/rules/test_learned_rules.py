"""What was learned from answers is seen beside what was stated, and written down with it; and no rule becomes the meaning of a word."""

import yaml

from oldhand import Oldhand
from oldhand.record.semantics import Semantics

LEFT_OUT = "SELECT COUNT(*) FROM rentals WHERE status <> 'cancelled'"


def test_what_was_learned_is_listed_as_rules(old: Oldhand):
    old.feedback(old.ask("How many rentals are there?"), correction=LEFT_OUT)
    old.memories.define("guests", "hire.clients")
    old.memories.define("dear rentals", "hire.rentals.fee > 150")
    told = {one.told: one.state.value for one in old.rules.learned()}
    assert told == {
        "rentals with status = 'cancelled' are left out from every question": "in force",
        "'guests' means clients": "in force",
        "'dear rentals' means rentals with fee > 150": "in force",
    }
    assert old.rules.list() == ()


def test_a_rule_that_waits_is_listed_and_not_written_down(old: Oldhand):
    old.feedback(old.ask("How many rentals were there in March 2024?"), rating=1)
    old.feedback(old.ask("How many rentals are there?"), correction=LEFT_OUT)
    assert [one.state.value for one in old.rules.learned()] == ["waiting"]
    assert old.rules.layers() == {}


def test_the_semantic_layer_is_written_with_what_was_learned_and_what_was_stated_comes_first(
    old: Oldhand,
):
    old.feedback(old.ask("How many rentals are there?"), correction=LEFT_OUT)
    old.memories.define("guests", "hire.clients")
    old.rules.add("guests are bikes")
    old.rules.add("profit = fee - expenses")
    layer = Semantics.model_validate(yaml.safe_load(old.rules.layers()["hire"]))
    assert [one.told for one in layer.rules] == [
        "'profit' is fee - expenses of each row of rentals",
        "'guests' means bikes",
        "rentals with status = 'cancelled' are left out from every question",
    ]


def test_what_a_rule_has_added_is_no_meaning_of_a_word(old: Oldhand):
    old.rules.add("Only count closed clients")
    answer = old.ask("How many zappy clients are there?")
    assert "'zappy'" in answer.text
    receipt = old.feedback(answer, rating=1)
    assert not any(one.word for one in receipt.learned)


def test_a_word_that_nobody_knew_may_be_what_a_flag_means_and_that_is_no_rule(old: Oldhand):
    every = old.ask("How many clients are there?").rows
    receipt = old.feedback(
        old.ask("How many zappy clients are there?"),
        correction="SELECT COUNT(*) FROM clients WHERE closed = 1",
    )
    assert [one.effect.says for one in receipt.learned if one.effect] == ["'zappy' means hire.clients with closed = 1"]  # fmt: skip
    assert old.ask("How many clients are there?").rows == every
