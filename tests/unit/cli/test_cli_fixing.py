"""Proposals, and answers that are put right without SQL."""

import json
from pathlib import Path

import pytest

VIPS = "How many VIP customers live in Berlin?"
BERLIN = "How many customers live in Berlin?"


@pytest.fixture
def ask(oldhand, home: Path):
    def asked(question: str) -> dict[str, object]:
        found = oldhand("ask", question, "--json")
        return {**json.loads(found.stdout), "code": found.exit_code}

    return asked


def test_what_is_not_certain_is_proposed_with_its_parts(ask) -> None:
    answer = ask(VIPS)
    assert (answer["outcome"], answer["abstained"], answer["code"]) == ("proposed", True, 3)
    assert answer["proposal"]["left_out"] == ["VIP"]
    assert answer["proposal"]["reading"] == "number of customers with city 'Berlin'"
    assert {
        "kind": "where",
        "says": "customers with city 'Berlin'",
        "words": "live Berlin",
    } in answer["proposal"]["parts"] or any(
        part["kind"] == "where" for part in answer["proposal"]["parts"]
    )
    assert answer["rows"] == [[2]]


def test_the_rows_of_a_proposal_are_folded(oldhand, home: Path) -> None:
    shown = oldhand("ask", VIPS, "-q").output
    assert "I would read it so: number of customers with city 'Berlin'. I left out 'VIP'." in shown
    assert "number_of_customers" not in shown
    assert "number_of_customers" in oldhand("ask", VIPS, "-q", "--rows").output


def test_a_yes_answers_and_is_learned(oldhand, ask) -> None:
    ask(VIPS)
    agreed = oldhand("feedback", "last", "yes")
    assert agreed.exit_code == 0, agreed.output
    assert "Learned: 'How many VIP customers live in Berlin?'" in agreed.output
    assert "2 customers" in agreed.output
    assert (ask(VIPS)["outcome"], ask(VIPS)["rows"]) == ("answered", [[2]])


CORRECTED = "only in Oslo"


@pytest.mark.parametrize("yes", ["yes", "Yes, thanks", "yes, that is correct"])
def test_a_yes_agrees_to_the_correction_that_was_asked_back_last(oldhand, ask, yes: str) -> None:
    ask(VIPS)
    asked = oldhand("feedback", "last", CORRECTED)
    assert "Is that right?" in asked.output
    agreed = ask(yes)
    assert agreed["rows"] == [[1]], agreed
    assert ask(VIPS)["rows"] == [[1]]


@pytest.mark.parametrize("no", ["no", "no, thanks", "No, that is wrong"])
def test_a_no_to_the_correction_teaches_neither(oldhand, ask, no: str) -> None:
    before = ask(VIPS)
    oldhand("feedback", "last", CORRECTED)
    assert "Nothing was learned" in oldhand("ask", no).output
    assert ask(VIPS)["options"] == before["options"]


@pytest.mark.parametrize("no", ["no", "no, thanks", "No, that is wrong"])
def test_a_no_with_courtesies_is_recorded(oldhand, ask, no: str) -> None:
    before = ask(VIPS)
    assert "Or so:" in oldhand("ask", no).output
    assert ask(VIPS)["options"][0] != before["options"][0]


def test_a_yes_to_a_correction_in_a_conversation_is_none_to_the_proposal(
    oldhand, home: Path
) -> None:
    talk = oldhand("chat", input=f"{VIPS}\n/bad {CORRECTED}\nyes, that is correct\n")
    assert "Understood: " in talk.output


def test_a_second_yes_does_not_bring_back_what_was_corrected(oldhand, ask) -> None:
    ask(VIPS)
    oldhand("feedback", "last", CORRECTED)
    oldhand("feedback", "last", "yes")
    assert "nothing waits for a yes" in oldhand("ask", "yes").output
    assert ask(VIPS)["rows"] == [[1]]


def test_what_was_called_wrong_is_not_proposed_again(oldhand, ask) -> None:
    before = ask(VIPS)
    oldhand("feedback", "last", "no")
    after = ask(VIPS)
    assert after["options"][0] != before["options"][0]


@pytest.mark.parametrize(
    ("replies", "last"),
    [("yes", "[[2]]"), ("no\nyes", "2 names"), ("2", "2 names"), ("no\nno\nno\nno\nno", "all that I could")],
)  # fmt: skip
def test_a_conversation_goes_on_with_yes_no_or_a_number(oldhand, home: Path, replies, last) -> None:
    talk = oldhand("chat", input=f"{VIPS}\n{replies}\n")
    said = "There are 2" if last == "[[2]]" else last
    assert said in talk.output or "Noted: that was meant." in talk.output


def test_a_follow_up_goes_on_from_what_was_agreed_to(oldhand, home: Path) -> None:
    talk = oldhand("chat", input=f"{VIPS}\nyes\nand in Oslo?\n/why\n")
    assert "Read as a follow-up to" in talk.output
    assert "1 customer" in talk.output


def test_another_reading_is_picked_by_its_number(oldhand, ask) -> None:
    number = 1 + ask(VIPS)["options"].index("name of customers with city 'Berlin'")
    picked = oldhand("feedback", "last", str(number))
    assert "Learned: 'How many VIP customers live in Berlin?'" in picked.output
    assert "Ana" in picked.output


def test_words_behind_an_answer_say_what_should_be_different(oldhand, ask) -> None:
    ask("How many customers are there?")
    assert "The answer is now 2." in oldhand("feedback", "last", "only those in Berlin").output
    assert "did not understand" in oldhand("feedback", "last", "perhaps").output
    twice = oldhand("feedback", "last", "only Berlin", "--correction", "only Oslo")
    assert (twice.exit_code, "Say once" in twice.output) == (2, True)


def test_the_parts_of_an_answer_are_listed_for_machines(oldhand, ask) -> None:
    ask(BERLIN)
    listed = json.loads(oldhand("fix", "last", "--json").stdout)
    (where,) = (part for part in listed["parts"] if part["kind"] == "where")
    assert "customers with city 'Oslo'" in where["choices"]
    assert (listed["before"]["rows"], listed["after"], listed["receipt"]) == ([[2]], None, None)


def test_what_is_picked_and_confirmed_is_a_correction(oldhand, ask) -> None:
    ask("How many Norwegian customers are there?")
    listed = json.loads(oldhand("fix", "last", "--json").stdout)
    added = [part for part in listed["parts"] if part["kind"] == "add"]
    (more,) = (part for part in added if "customers with city 'Oslo'" in part["choices"])
    choice = str(more["choices"].index("customers with city 'Oslo'") + 1)
    pick = ("--part", str(more["number"]), "--choose", choice)
    tried = oldhand("fix", "last", *pick)
    assert "before" in tried.output
    assert "after" in tried.output
    assert "--yes confirms it" in tried.output
    assert oldhand("memory", "list").output.startswith("Nothing was learned")
    done = json.loads(oldhand("fix", "last", *pick, "--yes", "--json").stdout)
    assert (done["after"]["rows"], done["receipt"]["source"]) == ([[1]], "owner")
    assert ask("How many Norwegian customers are there?")["rows"] == [[1]]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--part", "9", "--choose", "1"), "no choice 1 for part 9"),
        (("--part", "1"), "one --choose for each --part"),
        (("--yes",), "Nothing is picked"),
    ],
)
def test_a_pick_that_there_is_not_is_said(oldhand, ask, arguments, why) -> None:
    ask(BERLIN)
    refused = oldhand("fix", "last", *arguments)
    assert refused.exit_code == 2
    assert why in refused.output


def test_an_answer_is_put_right_within_a_conversation(oldhand, home: Path) -> None:
    talk = oldhand(
        "chat", input=f"{BERLIN}\n/fix\n/fix 2\n/fix 2 1\n/fix back\n/fix 2 1\n/fix yes\n"
    )
    assert "was read as: number of customers with city 'Berlin'" in talk.output
    assert "before" in talk.output
    assert "Noted: that is right." in talk.output


def test_a_word_shows_the_choices_that_hold_it(oldhand, home: Path) -> None:
    talk = oldhand("chat", input=f"{BERLIN}\n/fix\n/fix osl\n/fix nowhere to be found\n")
    found = [line for line in talk.output.splitlines() if line.strip()[:1].isdecimal()]
    listed = [line for line in found if "Oslo" in line and "choice" not in line]
    assert any(line.split()[:2] == ["2", "1"] for line in listed), listed
    assert "No choice holds 'nowhere to be found'" in talk.output


def test_there_may_be_nothing_to_pick_from(oldhand, ask) -> None:
    ask("What is 3 + 4?")
    refused = oldhand("fix", "last")
    assert refused.exit_code == 2
    assert "--correction" in refused.output
