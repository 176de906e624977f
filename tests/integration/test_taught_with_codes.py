"""What sentences teach beside their own rule: words beside codes, amounts of some rows, and ways that leave nothing to ask."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Answer, Oldhand
from oldhand.errors import UnclearRule
from oldhand.record.answer import Outcome

SCRIPTS = Path(__file__).parents[1] / "unit/analyst/kinds"
Asked = Callable[[str], Oldhand]


@pytest.fixture
def asked(tmp_path: Path, request: pytest.FixtureRequest) -> Asked:
    """Makes an assistant over one of the scripts."""

    def made(name: str) -> Oldhand:
        with closing(sqlite3.connect(tmp_path / "db.sqlite")) as connection:
            connection.executescript((SCRIPTS / f"{name}.sql").read_text("utf-8"))
        old = Oldhand(tmp_path / "home")
        request.addfinalizer(old.close)
        old.databases.add(f"sqlite:///{tmp_path / 'db.sqlite'}", name="db")
        return old

    return made


def answered(answer: Answer) -> list[object]:
    assert answer.outcome is Outcome.ANSWERED, answer.text
    return sorted(row[-1] for row in answer.rows)


@pytest.mark.parametrize("stated", [True, False])
def test_the_word_beside_a_code_means_it_from_then_on(asked, stated):
    old = asked("scaf")
    if stated:
        preview = old.rules.add("cancelled orders (st X) never count as orders")
        assert "'cancelled' means" in preview.reads_back
    else:
        receipt = old.feedback(old.ask("How many orders do we have?"), correction="leave out the cancelled ones (st X)")  # fmt: skip
        assert "'cancelled' means" in receipt.note
    assert answered(old.ask("How many orders are there in total?")) == [4]
    assert answered(old.ask("How many cancelled orders are there?")) == [1]
    assert answered(old.ask("Which orders were cancelled in 2025?")) == [5003]


def test_a_word_that_names_a_column_keeps_its_meaning(asked):
    old = asked("scaf")
    receipt = old.feedback(old.ask("How many employees do we have?"), correction="only the ones that lead (fnc FRM)")  # fmt: skip
    assert "'lead' means" not in receipt.note
    assert not old.rules.list()


@pytest.mark.parametrize(
    "sentence",
    [
        "turnover is the sum of the amount of invoices that are not written off",
        "turnover is the amount of invoices whose status is not written off",
        "turnover = sum of amount of invoices with status paid or open",
    ],
)
def test_an_amount_of_some_rows_is_that_of_these_alone(asked, sentence):
    old = asked("lingua")
    old.rules.add(sentence)
    assert answered(old.ask("What is our turnover?")) == [2620]
    assert answered(old.ask("turnover per client")) == [1300, 1320]
    assert answered(old.ask("What is the total amount of invoices?")) == [2770]
    old.rules.remove("turnover")
    assert not old.rules.list()


def test_what_counts_for_two_words_leaves_each_of_them_alone(asked):
    old = asked("lingua")
    old.rules.add("lost money is the amount of invoices with status written off")
    assert answered(old.ask("How much lost money is there?")) == [150]
    assert answered(old.ask("How much revenue did we make?")) == [2770]


def test_an_amount_of_some_rows_is_taught_by_a_correction(asked):
    old = asked("lingua")
    wrong = old.ask("What is our turnover?")
    receipt = old.feedback(wrong, correction="turnover is the amount of invoices that are not written off")  # fmt: skip
    assert "The answer is now 2,620" in receipt.note
    assert answered(old.ask("turnover in 2025")) == [1720]


def test_where_the_way_is_stated_nothing_is_asked_back(asked):
    old = asked("lingua")
    question = "texts per language"
    assert old.ask(question).outcome is Outcome.PROPOSED
    old.rules.add("the language of a text is its target language")
    assert answered(old.ask(question)) == [1, 1, 3]
    assert answered(old.ask("How many Polish texts were delivered?")) == [2]
    assert answered(old.ask("How many texts have the source language Polish?")) == [1]


def test_one_of_several_men_is_meant_as_well(asked):
    old = asked("scaf")
    old.rules.add("foremen are employees with fnc FRM")
    assert answered(old.ask("Which foreman has the highest salary?")) == ["Kira Lund"]


@pytest.mark.parametrize("sentence", ["Leeds means off LDS", "Leeds = LDS", "the Leeds office is LDS"])  # fmt: skip
def test_what_a_code_is_called_holds_wherever_columns_of_its_name_have_it(asked, sentence):
    old = asked("scaf")
    assert "ord with off" in old.rules.add(sentence).reads_back
    assert answered(old.ask("How many employees work in Leeds?")) == [2]
    assert answered(old.ask("What is the total amount of the orders in Leeds?")) == [5510]
    assert answered(old.ask("How many orders were not from Leeds?")) == [2]
    assert answered(old.ask("How many sites are in Otley?")) == [2]
    old.rules.remove("leeds")
    assert not old.rules.list()


def test_what_a_code_is_called_is_taught_by_a_correction(asked):
    old = asked("scaf")
    old.feedback(old.ask("How many employees work in Leeds?"), correction="Leeds is the office LDS")
    assert answered(old.ask("What is the total amount of the orders in Leeds?")) == [5510]


def test_a_code_that_columns_of_several_names_have_stays_unclear(asked):
    old = asked("lingua")
    with pytest.raises(UnclearRule):
        old.rules.add("Benelux = Ghent and more")
    with pytest.raises(UnclearRule):
        old.rules.add("Saxon = de")


def test_a_name_that_could_be_two_words_is_one_word(asked):
    old = asked("scaf")
    old.rules.add("northgate means off YRK")
    assert answered(old.ask("How many employees work at Northgate?")) == [1]
