"""What a receipt says of feedback: what it has taught, what it has not, and why."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.cli.learned import receipt_lines
from oldhand.errors import UsageError
from oldhand.record.answer import Answer
from oldhand.record.feedback import CONFIRMS, Said
from oldhand.record.lesson import Tally
from oldhand.record.memory import ExamplePayload, Memory, MemoryType
from oldhand.record.receipt import Receipt
from oldhand.testing import FixedClock
from oldhand.testing.records import example_episode

QUESTION = "How many customers live in Berlin?"
OTHER = "SELECT COUNT(DISTINCT name) FROM customers WHERE city = 'Berlin'"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, tier TEXT)"
        )
        connection.execute("INSERT INTO customers VALUES (1, 'A', 'Berlin', 'A1')")
        connection.execute("INSERT INTO customers VALUES (2, 'B', 'Oslo', 'B2')")
    opened = open_home(tmp_path / "home", clock=FixedClock())
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    opened.people.name(owner="ana", experts=("bo",))
    yield opened
    await opened.close()


async def say(home: Home, answer: Answer, rating: int | None = None, **more: str) -> Receipt:
    said = Said(more.pop("rater", "ana"), rating=rating, **more)
    return await home.critique.give(answer.episode_id, said)


def kept(home: Home, kind: MemoryType) -> tuple[Memory, ...]:
    return home.store.memories("default", type=kind)


def lines(receipt: Receipt) -> str:
    return "\n".join(receipt_lines(receipt))


@pytest.mark.parametrize(
    "spelling",
    [
        "SELECT count(*) from customers where city='Berlin'",
        "select COUNT(*) AS anything FROM Customers c WHERE 'Berlin' = c.city;",
        "shop: SELECT COUNT(*) FROM customers AS t1 WHERE t1.city = 'Berlin'",
    ],
)
async def test_a_correction_that_is_the_query_of_the_answer_confirms_it(
    home: Home, spelling: str
) -> None:
    answer = await home.turn.ask(QUESTION)
    receipt = await say(home, answer, correction=spelling)
    (pair,) = kept(home, MemoryType.EXAMPLE)
    assert isinstance(pair.payload, ExamplePayload)
    assert pair.payload.sql == answer.steps[0].sql
    assert kept(home, MemoryType.ISSUE) == ()
    assert "query of the answer itself" in receipt.note
    assert receipt.tags == (CONFIRMS,)
    (episode,) = home.store.memories("default", type=MemoryType.EPISODIC)
    assert episode.payload.feedback == "positive"
    assert home.memories.learner.rebuild().saved == ()


async def test_what_an_answer_rests_on_gets_credit_from_a_correction_that_confirms_it(
    home: Home,
) -> None:
    await say(home, await home.turn.ask(QUESTION), 1)
    (pair,) = kept(home, MemoryType.EXAMPLE)
    again = await home.turn.ask(QUESTION)
    await say(home, again, correction=again.steps[0].sql, rater="bo")
    assert home.store.outcomes("default", [pair.id]) == {pair.id: Tally(1, 0)}
    await say(home, again, -1, rater="bo")
    assert home.store.outcomes("default", [pair.id]) == {pair.id: Tally(0, 1)}


async def test_sql_that_gives_the_same_rows_by_chance_is_a_correction(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    receipt = await say(home, answer, correction=OTHER)
    assert [one.type for one in receipt.learned] == [MemoryType.EXAMPLE, MemoryType.ISSUE]
    assert receipt.note == ""


async def test_nobody_confirms_by_a_tag(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    said = Said("ana", correction=OTHER, tags=(CONFIRMS, "seen"))
    receipt = await home.critique.give(answer.episode_id, said)
    assert receipt.tags == ("seen",)
    assert len(kept(home, MemoryType.ISSUE)) == 1


@pytest.mark.parametrize(
    "correction",
    [
        "DELETE FROM customers",
        "REPLACE INTO customers VALUES (3)",
        "SELECT COUNT(*) FROM clients",
        "SELECT COUNT(*) FROM customers; SELECT 1",
        "SELECT readfile('/etc/passwd') FROM customers",
        "nowhere: SELECT 1 FROM customers",
    ],
)
async def test_a_correction_that_cannot_run_only_says_that_the_answer_was_wrong(
    home: Home, correction: str
) -> None:
    answer = await home.turn.ask(QUESTION)
    receipt = await say(home, answer, correction=correction)
    assert [one.type for one in receipt.learned] == [MemoryType.ISSUE]
    assert receipt.note.startswith("The correction cannot be used, and so only says that the")
    unanswered = await home.turn.ask("How many dragons are there?")
    receipt = await say(home, unanswered, correction=correction)
    assert receipt.learned == ()
    assert "Kept, but nothing was learned: " in lines(receipt)


async def test_an_earlier_correction_that_still_holds_is_named(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await say(home, answer, correction=OTHER)
    receipt = await say(home, answer, correction="SELECT COUNT(*) FROM clients")
    assert receipt.learned == receipt.withdrawn == ()
    assert "no table clients" in receipt.note
    assert receipt.note.endswith("The correction that was given before still holds.")
    receipt = await say(home, answer, -1)
    assert receipt.note == "The correction that was given before still holds."


async def test_a_word_that_was_taken_back_is_not_said_to_be_learned(home: Home) -> None:
    right = "SELECT COUNT(*) FROM customers WHERE tier = 'A1'"
    await say(home, await home.turn.ask("How many VIPs are there?"), correction=right)
    (word,) = (one for one in kept(home, MemoryType.PREFERENCE) if one.effect is not None)
    home.memories.forget(word.id)
    again = await home.turn.ask("How many VIPs do we have?")
    receipt = await say(home, again, correction=right)
    assert [one.type for one in receipt.learned] == [MemoryType.EXAMPLE]
    assert "'vip' was taken back" in receipt.note
    assert "means" not in lines(receipt)


async def test_a_word_that_is_doubted_or_not_sure_yet_is_said_to_be_so(home: Home) -> None:
    word = await home.memories.define("VIPs", "shop.customers.tier = A1", "ana")
    wrong = await home.turn.ask("How many VIPs are there?")
    assert word.id in wrong.lessons
    receipt = await say(home, wrong, -1)
    (line,) = (one for one in lines(receipt).splitlines() if "means" in one)
    assert line.startswith("Doubted: 'vips' means")


async def test_an_expert_who_contradicts_the_owner_is_told_whose_word_counts(home: Home) -> None:
    answer = await home.turn.ask(QUESTION)
    await say(home, answer, 1)
    receipt = await say(home, answer, -1, rater="bo")
    assert lines(receipt).startswith("Doubted: 'How many customers live in Berlin?' →")
    assert receipt.note == "The word of ana counts first."
    assert [one.confidence for one in kept(home, MemoryType.EXAMPLE)] == [0.75]
    again = await say(home, answer, -1, rater="bo")
    assert again.note == "It changes nothing: the word of ana counts first."
    other = await home.turn.ask("How many customers live in Oslo?")
    await say(home, other, -1)
    receipt = await say(home, other, 1, rater="bo")
    assert lines(receipt).startswith("Doubted: 'How many customers live in Oslo?' is not")


async def test_an_experts_own_thumb_down_says_what_it_has_taught(home: Home) -> None:
    receipt = await say(home, await home.turn.ask(QUESTION), -1, rater="bo")
    assert lines(receipt).startswith("Learned: 'How many customers live in Berlin?' is not SELECT")
    assert receipt.note == ""


async def test_what_a_question_was_taken_to_mean_is_shown(home: Home) -> None:
    episode = example_episode("e1", question="And in Berlin?", standalone=QUESTION)
    home.store.record_episode(episode)
    receipt = await home.critique.give("e1", Said("ana", rating=1))
    assert receipt.note == f"Learned for: {QUESTION!r}"


@pytest.mark.parametrize("nothing", ["", " \n", "\0", "\u200b\u2060", "\x1b"])
async def test_what_nobody_can_see_says_nothing(home: Home, nothing: str) -> None:
    answer = await home.turn.ask(QUESTION)
    with pytest.raises(UsageError, match="Feedback says something"):
        await say(home, answer, correction=nothing)
    with pytest.raises(UsageError, match="Feedback says something"):
        await home.critique.give(answer.episode_id, Said("ana", tags=(nothing,)))
    given = await home.critique.give(answer.episode_id, Said("ana", 1, text=nothing, tags=(nothing, "fine")))  # fmt: skip
    assert (given.text, given.tags) == (None, ("fine",))


async def test_a_lesson_that_would_break_what_was_confirmed_is_named_with_the_way_to_use_it(
    home,
) -> None:
    first = await home.turn.ask("How many customers are there?")
    await say(home, first, 1)
    other = await home.turn.ask("How many customers are there per tier?")
    told = lines(await say(home, other, correction="SELECT tier, COUNT(*) FROM customers WHERE city = 'Oslo' GROUP BY tier"))  # fmt: skip
    assert "Not in force: Rule: Take only customers with city = 'Oslo'" in told, told
    assert "It would break the confirmed answer to 'How many customers are there?'." in told
    assert "memory approve rule-" in told


async def test_a_correction_against_a_lesson_says_which_one_and_how_to_take_it_out(home) -> None:
    other = await home.turn.ask("How many customers are there per tier?")
    await say(home, other, correction="SELECT tier, COUNT(*) FROM customers WHERE city = 'Oslo' GROUP BY tier")  # fmt: skip
    plain = await home.turn.ask("How many customers are there?")
    assert [*plain.rows] == [(1,)]
    told = lines(await say(home, plain, correction="SELECT COUNT(*) FROM customers"))
    assert "It goes against what was learned before" in told
    assert "memory retire rule-" in told
    again = await home.turn.ask("How many customers are there in Oslo?")
    agreed = lines(await say(home, again, correction="SELECT COUNT(*) FROM customers WHERE city = 'Oslo'"))  # fmt: skip
    assert "goes against" not in agreed
