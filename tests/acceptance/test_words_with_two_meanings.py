"""A word that people have stated with two meanings is asked back about, unless the question tells which one it is."""

from collections.abc import Callable, Mapping

import pytest

from oldhand import Oldhand, Outcome

SCRIPTS = {
    "shop": """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, tier TEXT);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL,
                             customer_id INTEGER REFERENCES customers (id));
        INSERT INTO customers VALUES (1, 'Ada', 'Berlin', 'A1'), (2, 'Bob', 'Oslo', 'B2');
        INSERT INTO orders VALUES (1, 50, 1);
    """,
    "crm": """
        CREATE TABLE contacts (id INTEGER PRIMARY KEY, name TEXT, town TEXT, budget REAL);
        INSERT INTO contacts VALUES (1, 'Cy', 'Rome', 3), (2, 'Di', 'Lima', 4), (3, 'Ed', 'Rome', 5);
    """,
}


@pytest.fixture
def old(old_over: Callable[[Mapping[str, str]], Oldhand]) -> Oldhand:
    return old_over(SCRIPTS)


MEANINGS = [
    ("clients", "shop.customers", "crm.contacts", "How many clients are there?", (2, 3)),
    ("spend", "shop.orders.total", "crm.contacts.budget", "What is the total spend?", (50, 12)),
    (
        "VIPs", "shop.customers.tier = 'A1'", "crm.contacts.town = 'Rome'", "How many VIPs are there?", (1, 2),
    ),
    (
        "big ones", "shop.orders.total > 10", "crm.contacts.budget > 3", "How many big ones are there?", (1, 2),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "one", "two", "question", "right"), MEANINGS)
def test_a_word_with_two_meanings_is_asked_back_about(
    old: Oldhand, phrase: str, one: str, two: str, question: str, right: tuple[int, int]
) -> None:
    words = {one: old.memories.define(phrase, one)}
    alone = old.ask(question)
    assert alone.rows == ((right[0],),)
    words[two] = old.memories.define(phrase, two)
    assert f"means {one}, too" in words[two].note
    asked = old.ask(question)
    assert asked.outcome is Outcome.CLARIFY
    assert set(asked.options) == {one, two}
    assert "Which one is meant?" in asked.text or any("meant" in note for note in asked.notes)
    for option, rows in zip((one, two), right, strict=True):
        session = old.ask(question).session_id
        chosen = old.ask(option, session_id=session)
        assert chosen.rows == ((rows,),)
        assert words[option].id in chosen.lessons


def test_the_question_itself_may_tell_which_meaning_it_is(old: Oldhand) -> None:
    old.memories.define("clients", "shop.customers")
    old.memories.define("clients", "crm.contacts")
    assert old.ask("How many clients live in Berlin?").rows == ((1,),)
    assert old.ask("How many clients live in Rome?").rows == ((2,),)
    assert old.ask("How many clients have orders?").rows == ((1,),)
    assert old.ask("How many clients are there?", databases=["crm"]).rows == ((3,),)
    assert old.ask("How many customers are there?").rows == ((2,),)


def test_what_was_confirmed_for_a_question_is_not_asked_again(old: Oldhand) -> None:
    old.memories.define("clients", "shop.customers")
    old.memories.define("clients", "crm.contacts")
    asked = old.ask("How many clients are there?")
    assert asked.outcome is Outcome.CLARIFY
    old.feedback(asked.episode_id, correction="SELECT COUNT(*) FROM contacts")
    assert old.ask("How many clients are there?").rows == ((3,),)


def test_a_meaning_that_was_taken_back_is_no_choice(old: Oldhand) -> None:
    word = old.memories.define("clients", "shop.customers")
    old.memories.define("clients", "crm.contacts")
    old.memories.forget(word.id)
    assert old.ask("How many clients are there?").rows == ((3,),)
