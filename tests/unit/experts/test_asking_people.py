"""The assistant asks people of its own accord, where the clone says so; what they say reaches whoever asked."""

import asyncio
import sqlite3
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from oldhand import AsyncOldhand, create_tool_use_agent
from oldhand.errors import UnknownDatabase
from oldhand.record.answer import Outcome
from oldhand.record.consultation import Consultation

QUESTION = "Who waters the plants in the lobby?"


@asynccontextmanager
async def assistant(home: Path, settings: str = "asks: abstained") -> AsyncGenerator[AsyncOldhand]:
    (home / "settings.yaml").write_text(f"experts: {{{settings}}}\n")
    with closing(sqlite3.connect(home / "shop.db")) as shop:
        shop.execute("CREATE TABLE IF NOT EXISTS customers (id INTEGER PRIMARY KEY, city TEXT)")
    async with AsyncOldhand(home) as old:
        if not old.databases.list():
            old.databases.add(f"sqlite:///{home}/shop.db", name="shop")
            await old.people.name(owner="ana", experts=("bo",))
        yield old


async def test_what_is_not_known_is_asked_at_once_and_told_later(tmp_path: Path):
    async with assistant(tmp_path) as old:
        told: asyncio.Queue[Consultation] = asyncio.Queue()
        listening = asyncio.create_task(old.experts.listen(told.put_nowait, "cy"))
        answer = await old.ask(QUESTION, user="cy")
        assert (answer.outcome, answer.asked is not None) == (Outcome.ABSTAINED, True)
        asked = answer.asked
        assert asked is not None
        assert asked.experts == ("bo",)
        assert str(asked) in answer.text
        again = await old.ask(QUESTION, user="cy")
        assert again.asked == asked
        assert (await old.ask("How many customers are there?", user="cy")).asked is None
        assert (await old.ask("good morning", user="cy")).asked is None
        await old.experts.answer(asked.consultation_id, "Cleo does.", expert="bo")
        one = await old.experts.wait(asked.consultation_id, PATIENCE)
        assert one.told == f"bo answered your question {QUESTION!r}: Cleo does."
        assert (await asyncio.wait_for(told.get(), PATIENCE)).id == one.id
        assert told.empty()
        listening.cancel()
        known = await old.ask(QUESTION, user="dee")
        assert (known.text, known.notes) == ("Cleo does.", ("bo has said so.",))


async def test_answers_of_others_name_nobody_who_was_erased(tmp_path: Path):
    async with assistant(tmp_path, "asks: abstained") as old:
        await old.people.name(experts=("bertholomew",))
        asked = (await old.ask(QUESTION, user="cy")).asked
        assert asked is not None
        assert (await old.ask("Who pays the gardener?", user="cy")).notes == ("Asked: bertholomew.",)  # fmt: skip
        await old.experts.answer(asked.consultation_id, "Cleo does.", expert="bertholomew")
        assert (await old.ask(QUESTION, user="dee")).notes == ("bertholomew has said so.",)
        assert "Cleo does." in (await old.ask(QUESTION, user="cy")).text
        await old.people.erase("bertholomew")
    found = await asyncio.to_thread(subprocess.run, ["grep", "-rl", "bertholomew", tmp_path], capture_output=True)  # fmt: skip
    assert found.stdout == b""


async def test_nobody_is_asked_more_than_they_have_time_for(tmp_path: Path):
    async with assistant(tmp_path, "asks: abstained, questions_per_day: 1") as old:
        asked = [(await old.ask(f"Who {it} the plants in the lobby?", user="cy")).asked for it in ("waters", "sells", "cuts")]  # fmt: skip
        assert [it and it.experts for it in asked] == [("bo",), ("ana",), None]
        assert len((await old.experts.ask("And who pays for them?", user="cy")).asks) == 1


async def test_nobody_is_asked_unless_the_clone_says_so(tmp_path: Path):
    async with assistant(tmp_path, "asks: never") as old:
        assert (await old.ask(QUESTION, user="cy")).asked is None
        assert await old.experts.questions() == ()


async def test_a_proposal_is_put_to_an_expert_who_picks_the_reading(tmp_path: Path):
    async with assistant(tmp_path, "asks: unsure") as old:
        answer = await old.ask("Which customers are premium?", user="cy")
        assert answer.outcome is not Outcome.ANSWERED
        assert answer.asked is not None
        one = (await old.experts.inbox("bo"))[0]
        assert one.wanted.choices == answer.options
        assert one.episode_id == answer.episode_id
        await old.feedback(
            answer.episode_id, rating=1, rater="cy"
        )  # they have settled it themselves
        assert await old.experts.inbox("bo") == ()
        assert await old.experts.news("cy") == ()


async def test_whoever_speaks_the_language_of_a_question_is_asked(tmp_path: Path):
    async with assistant(tmp_path) as old:
        await old.experts.add("eva", languages="de")
        await old.experts.add("bo", languages="en", skills="Rabatt")
        german = await old.experts.ask("Welchen Rabatt bekommen die Händler?", user="cy")
        english = await old.experts.ask("Who gets the Rabatt?", user="cy")
        assert [it.asks[0].expert for it in (german, english)] == ["eva", "bo"]


async def test_agents_get_the_tool_where_people_may_be_asked(tmp_path: Path):
    async with assistant(tmp_path):
        pass
    with create_tool_use_agent(home=tmp_path) as agent:
        assert "ask_human_expert" in agent.transition.tools.names


async def test_what_was_said_answers_who_asks_the_same_in_other_words_and_nothing_else(
    tmp_path: Path,
):
    async with assistant(tmp_path, "asks: abstained, questions_per_day: 9") as old:
        one = await old.experts.ask("Which discount do resellers in Berlin get?", user="cy")
        await old.experts.answer(one.id, "12 percent.", expert="bo")
        alike = await old.ask("What's the discount that a reseller in Berlin gets?", user="dee")
        assert (alike.text, alike.asked) == ("12 percent.", None)
        assert alike.notes == (
            "bo has said so, asked 'Which discount do resellers in Berlin get?'.",
        )
        others = ("Which discount do resellers in Bonn get?", "Which discount do resellers in Berlin get since 2024?",
                  "Which resellers in Berlin get a discount?", "Which discount do resellers in Berlin not get?")  # fmt: skip
        for question in others:
            other = await old.ask(question, user="dee")
            assert "12 percent" not in other.text, question
        await old.feedback(alike.episode_id, rating=1, rater="ana")
        stats = {it.expert: it for it in await old.experts.stats()}
        assert (stats["bo"].ups, stats["bo"].downs, stats["bo"].answered) == (1, 0, 1)


async def test_without_any_database_what_people_said_counts(tmp_path: Path):
    async with AsyncOldhand(tmp_path) as old:
        await old.people.name(owner="ana", experts=("bo",))
        with pytest.raises(UnknownDatabase):
            await old.ask(QUESTION)
        one = await old.experts.ask(QUESTION, user="cy")
        await old.experts.answer(one.id, "Cleo does.", expert="bo")
        assert (await old.ask(QUESTION)).text == "Cleo does."
        with pytest.raises(UnknownDatabase):
            await old.ask("Who sells the plants in the lobby?")
