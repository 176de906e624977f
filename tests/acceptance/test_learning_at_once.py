"""One correction holds at once, also for paraphrases; what it changes is said; and nobody can vote the analyst silent."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from oldhand import Oldhand, Outcome
from oldhand.record.memory import MemoryType

from .inn import make_inn, right

STAYS = "FROM stays s JOIN hotels h ON h.id = s.hotel_id JOIN regions r ON r.id = h.region_id"
CLERKS = "FROM stays s JOIN clerks c ON c.id = s.checked_in_by"
COUNTED = f"SELECT r.name, COUNT(*) {STAYS} GROUP BY r.id, r.name"
BY_CLERK = f"SELECT c.name, COUNT(*) {CLERKS} GROUP BY c.id, c.name"
VALID = "state <> 'annulled'"
ELITE = "SELECT COUNT(*) FROM guests WHERE tier = 'G1'"

Asked = Sequence[tuple[str, str]]
REGIONS: Asked = (
    ("Number of stays per region", COUNTED),
    ("Count the stays by region", COUNTED),
    ("How many stays were there in the Alps?", f"SELECT COUNT(*) {STAYS} WHERE r.name = 'Alps'"),
    ("Total price of stays per region", f"SELECT r.name, SUM(s.price) {STAYS} GROUP BY r.id, r.name"),
    ("Average nights of stays in the Coast", f"SELECT AVG(s.nights) {STAYS} WHERE r.name = 'Coast'"),
    ("Which region has the most stays?", f"SELECT r.name {STAYS} GROUP BY r.id ORDER BY COUNT(*) DESC LIMIT 1"),
)  # fmt: skip
PEOPLE: Asked = (
    ("Number of stays for each clerk", BY_CLERK),
    ("Count stays by clerk", BY_CLERK),
    ("How many stays does the clerk 'Clerk 3' have?", f"SELECT COUNT(*) {CLERKS} WHERE c.name = 'Clerk 3'"),
    ("Average price of stays per clerk", f"SELECT c.name, AVG(s.price) {CLERKS} GROUP BY c.id, c.name"),
    ("Which clerk has the most stays?", f"SELECT c.name {CLERKS} GROUP BY c.id ORDER BY COUNT(*) DESC LIMIT 1"),
    ("How many stays has each clerk?", BY_CLERK),
)  # fmt: skip
FILTER: Asked = (
    ("Count the stays", f"SELECT COUNT(*) FROM stays WHERE {VALID}"),
    ("Number of stays", f"SELECT COUNT(*) FROM stays WHERE {VALID}"),
    ("What is the average price of stays?", f"SELECT AVG(price) FROM stays WHERE {VALID}"),
    ("Total nights of stays", f"SELECT SUM(nights) FROM stays WHERE {VALID}"),
    ("How many stays arrived in 2023?", f"SELECT COUNT(*) FROM stays WHERE {VALID} AND arrived_on LIKE '2023%'"),
    ("What is the highest price of a stay?", f"SELECT MAX(price) FROM stays WHERE {VALID}"),
    ("Number of stays per hotel", f"SELECT h.name, COUNT(*) FROM stays s JOIN hotels h ON h.id = s.hotel_id WHERE {VALID} GROUP BY h.id"),
    ("How many stays are longer than 7 nights?", f"SELECT COUNT(*) FROM stays WHERE nights > 7 AND {VALID}"),
)  # fmt: skip
VALUE: Asked = (
    ("Count the elite guests", ELITE),
    ("Number of elite guests", ELITE),
    ("List the names of elite guests", "SELECT name FROM guests WHERE tier = 'G1'"),
    ("How many elite guests per region?", "SELECT r.name, COUNT(*) FROM guests g JOIN regions r ON r.id = g.region_id WHERE tier = 'G1' GROUP BY r.id"),
    ("How many elite guests come from the Coast?", "SELECT COUNT(*) FROM guests g JOIN regions r ON r.id = g.region_id WHERE tier = 'G1' AND r.name = 'Coast'"),
    ("How many stays do elite guests have?", "SELECT COUNT(*) FROM stays s JOIN guests g ON g.id = s.guest_id WHERE g.tier = 'G1'"),
    ("What is the average price of stays of elite guests?", "SELECT AVG(s.price) FROM stays s JOIN guests g ON g.id = s.guest_id WHERE g.tier = 'G1'"),
    ("Total nights of elite guests", "SELECT SUM(s.nights) FROM stays s JOIN guests g ON g.id = s.guest_id WHERE g.tier = 'G1'"),
)  # fmt: skip
ALIAS: Asked = (
    ("Count the porters", "SELECT COUNT(*) FROM clerks"),
    ("List the names of porters", "SELECT name FROM clerks"),
    ("How many porters per hotel?", "SELECT h.name, COUNT(*) FROM clerks c JOIN hotels h ON h.id = c.hotel_id GROUP BY h.id"),
    ("How many porters work in Hotel 3?", "SELECT COUNT(*) FROM clerks WHERE hotel_id = 3"),
    ("Which hotel has the most porters?", "SELECT h.name FROM clerks c JOIN hotels h ON h.id = c.hotel_id GROUP BY h.id ORDER BY COUNT(*) DESC LIMIT 1"),
)  # fmt: skip


@pytest.fixture
def inn(tmp_path: Path) -> Path:
    make_inn(tmp_path / "inn.db")
    return tmp_path / "inn.db"


@pytest.fixture
def old(tmp_path: Path, inn: Path) -> Iterator[Oldhand]:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text("night: {enabled: false}\n", "utf-8")
    with Oldhand(home) as made:
        made.databases.add(f"sqlite:///{inn}", name="inn")
        yield made


@pytest.mark.parametrize(
    ("question", "sql", "paraphrases", "least"),
    [
        pytest.param("How many stays in each region", COUNTED, REGIONS, 5, id="over other tables"),
        pytest.param("How many stays per clerk", BY_CLERK, PEOPLE, 5, id="by another column"),
        pytest.param("How many stays are there?", f"SELECT COUNT(*) FROM stays WHERE {VALID}", FILTER, 8, id="filter"),
        pytest.param("How many elite guests are there?", ELITE, VALUE, 8, id="value"),
        pytest.param("How many porters are there?", "SELECT COUNT(*) FROM clerks", ALIAS, 5, id="alias"),
    ],
)  # fmt: skip
def test_one_correction_mends_its_paraphrases_right_away(
    old: Oldhand, inn: Path, question: str, sql: str, paraphrases: Asked, least: int
) -> None:
    old.feedback(old.ask(question), rating=-1, correction=sql)
    wrong = [one for one, wanted in paraphrases if not right(old, inn, one, wanted)]
    assert len(paraphrases) - len(wrong) >= least, wrong


def test_a_question_that_names_the_other_table_keeps_its_way(old: Oldhand, inn: Path) -> None:
    old.feedback(old.ask("How many stays in each region"), rating=-1, correction=COUNTED)
    told = old.ask("How many stays are there of guests from the Alps?")
    assert "guests" in told.steps[-1].sql


def test_a_receipt_says_which_earlier_questions_are_answered_otherwise(old: Oldhand) -> None:
    for question in ("Count the elite guests", "List the elite guests", "How many hotels are there?"):  # fmt: skip
        old.ask(question)
    answer = old.ask("How many elite guests are there?")
    plan = old.feedback(answer, correction=ELITE, dry_run=True)
    assert old.memories.list() == ()
    assert old.episodes.list(limit=1)[0].id == answer.episode_id
    given = old.feedback(answer, correction=ELITE)
    for one in (plan, given):
        found = {it.question: it.confirmed for it in one.consequences.otherwise}
        assert found == {"Count the elite guests": False, "List the elite guests": False}
    assert [one.summary for one in plan.learned] == [one.summary for one in given.learned]


def test_what_a_rule_changes_is_said_with_what_it_rests_on(old: Oldhand) -> None:
    old.ask("What is the average price of stays?")
    answer = old.ask("How many stays are there?")
    given = old.feedback(answer, correction=f"SELECT COUNT(*) FROM stays WHERE {VALID}")
    assert "Leave out stays" in given.learned[-1].summary
    (changed,) = given.consequences.otherwise
    assert changed.question == "What is the average price of stays?"
    assert "annulled" in (changed.after or "")


def test_a_rule_that_waits_changes_no_question_like_a_confirmed_one_and_the_receipt_says_none(old: Oldhand) -> None:  # fmt: skip
    old.ask("Count the stays")
    old.feedback(old.ask("Number of stays"), rating=1)
    answer = old.ask("How many stays are there?")
    given = old.feedback(answer, correction=f"SELECT COUNT(*) FROM stays WHERE {VALID}")
    assert given.consequences.otherwise == ()
    assert [one.why for one in old.memories.waiting()] == [
        "It would break the confirmed answer to 'Number of stays'."
    ]
    assert old.ask("Count the stays").rows == old.ask("Number of stays").rows


def test_a_rule_that_would_break_a_confirmed_answer_waits_and_says_which(old: Oldhand) -> None:
    confirmed = old.ask("Total nights of stays")
    old.feedback(confirmed, rating=1)
    answer = old.ask("How many stays are there?")
    given = old.feedback(answer, correction=f"SELECT COUNT(*) FROM stays WHERE {VALID}")
    (waiting,) = old.memories.waiting()
    assert [one.id for one in given.learned if one.effect] == [waiting.memory.id]
    assert waiting.memory.effect is not None
    assert waiting.why == "It would break the confirmed answer to 'Total nights of stays'."
    assert old.ask("Total nights of stays").rows == confirmed.rows


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.trial)])
def test_wrong_thumbs_and_a_filter_that_changes_nothing_never_make_it_silent(
    old: Oldhand, seed: int
) -> None:
    drawn = random.Random(seed)
    questions = [one for one, _ in (*FILTER[:5], *VALUE[:2])]
    old.feedback(old.ask("How many elite guests are there?"), correction=ELITE)
    old.feedback(
        old.ask("How many clerks are there?"),
        correction="SELECT COUNT(*) FROM clerks WHERE name <> 'nobody'",
    )
    outcomes: list[Outcome] = []
    for _ in range(3):
        for question in questions:
            answer = old.ask(question)
            outcomes.append(answer.outcome)
            if answer.outcome is Outcome.ANSWERED:
                old.feedback(answer, rating=-1 if drawn.random() < 0.1 else 1)
    assert set(outcomes) <= {Outcome.ANSWERED, Outcome.CLARIFY}
    last = outcomes[-len(questions) :]
    assert last.count(Outcome.ANSWERED) >= 0.7 * len(last)


def test_an_answer_that_was_called_wrong_by_mistake_is_asked_about_and_comes_back(
    old: Oldhand,
) -> None:
    question = "How many hotels are there?"
    old.feedback(old.ask(question), rating=-1)
    asked = old.ask(question, session_id="again")
    assert (asked.outcome, asked.options[0]) == (Outcome.CLARIFY, "number of hotels")
    chosen = old.ask(asked.options[0], session_id="again")
    assert chosen.rows == ((12,),)
    old.feedback(chosen, rating=1)
    assert old.ask(question).rows == ((12,),)


def test_a_thumb_down_does_not_take_back_the_correction_of_the_same_person(old: Oldhand) -> None:
    question, sql = "How many stays are there?", f"SELECT COUNT(*) FROM stays WHERE {VALID}"
    old.feedback(old.ask(question), rating=-1, correction=sql)
    corrected = old.ask(question)
    old.feedback(corrected, rating=-1)
    assert old.ask(question).rows == corrected.rows
    assert any(one.type is MemoryType.EXAMPLE for one in old.memories.list())


def test_the_causes_of_what_the_owner_taught_name_no_stranger(old: Oldhand) -> None:
    answer = old.ask("How many stays are there?")
    old.feedback(answer, rating=1, rater="mallory")
    given = old.feedback(answer, correction=f"SELECT COUNT(*) FROM stays WHERE {VALID}")
    old.feedback(answer, rating=-1, text="still too low", rater="mallory")
    for learned in given.learned:
        told = old.memories.why(learned.id).model_dump_json()
        assert "default (owner)" in told
        assert "mallory" not in told
