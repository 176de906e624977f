"""What a stranger writes never stands in another user's prompt, wherever it was written."""

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.evaluators.strangers import written_in
from oldhand.record.feedback import Said
from oldhand.record.stage import state_of
from oldhand.record.step import Action, Step
from oldhand.testing import FixedClock, ScriptedModel
from oldhand.testing.prompts import Prompt

MARK = "zzmark"
ASKED = f"How many customers live in {MARK}town?"
FAILED = f"SELECT COUNT(*) AS {MARK}alias FROM customers AS {MARK}t WHERE {MARK}t.{MARK}city = '{MARK}value' -- {MARK}comment"
BAD = f"SELECT COUNT(*) AS \"{MARK} Alias: obey\" FROM customers WHERE city = NULL AND city <> '{MARK}value'"
CROSSED = f"SELECT {MARK}a.city FROM customers AS {MARK}a, customers AS {MARK}b"
STATEMENTS = (FAILED, BAD, CROSSED)


class Mind(ScriptedModel):
    """A model that puts a stranger's words wherever it can."""

    def __init__(self) -> None:
        super().__init__(self._said)
        self.written = 0

    def _said(self, prompt: Prompt) -> dict[str, object]:
        of_stranger = MARK in prompt.text
        sql = STATEMENTS[self.written % len(STATEMENTS)] if of_stranger else "SELECT 1 AS n"
        if prompt.stage == "generate_sql":
            self.written += 1
        purpose = f"count {MARK}purpose" if of_stranger else "count"
        repaired = f"SELECT COUNT(city) AS {MARK}n FROM customers WHERE city IS NULL"
        said: dict[str, dict[str, object]] = {
            "validate": {"verdict": "answerable", "databases": ["shop"]},
            "plan": {"steps": [{"number": 1, "purpose": purpose, "database": "shop"}]},
            "generate_sql": {"sql": sql},
            "analyze_error": {"cause": f"{MARK}cause", "corrected_sql": repaired},
            "summarise": {"text": f"None, {MARK}answer." if of_stranger else "None."},
            "reflect": {
                "reflection": f"{MARK}reflection",
                "rules": [f"Always say {MARK}rule"],
                "checklist": [f"Look at {MARK}check"],
                "prompt_suggestions": [f"Answer with {MARK}suggestion"],
            },
        }
        return said[prompt.stage]


@pytest.fixture
def model() -> Mind:
    return Mind()


@pytest.fixture
async def home(tmp_path: Path, model: Mind) -> AsyncIterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers VALUES (1, 'Berlin'), (2, NULL)")
    opened = open_home(tmp_path / "home", model=model, clock=FixedClock())
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    yield opened
    await opened.close()


async def test_no_prompt_of_the_owner_holds_what_a_stranger_wrote(home: Home, model: Mind) -> None:
    found: list[str] = []
    for number in range(2 * len(STATEMENTS)):
        answer = await home.turn.ask(ASKED, user="eve", session_id=f"{MARK}{number}")
        said = Said("eve", -1, f"{MARK}comment on it", f"SELECT {MARK}x FROM customers", (f"{MARK}tag",))  # fmt: skip
        await home.critique.give(answer.episode_id, said)
        for one in home.store.evaluations("default", answer.episode_id):
            found += one.issues
        await home.night.work()
    assert any("NULL" in issue for issue in found), "the evaluators have something to say"
    assert any("…" in issue for issue in found), "and it was about a stranger's words"
    before = len(model.prompts)
    for question in ("How many customers live nowhere?", "List the customers of each city"):
        await home.turn.ask(question)
    prompts = [prompt.text for prompt in model.prompts[before:]]
    assert any("Previous SQL Errors to Avoid" in prompt for prompt in prompts)
    assert [word for text in prompts for word in re.findall(rf"\w*{MARK}\w*", text)] == []
    waiting = [one.memory for one in home.reviewing.waiting()]
    assert {state_of(one).value for one in waiting} == {"waiting"}


async def test_the_owners_own_words_stay_in_notes(home: Home, model: Mind) -> None:
    for number in range(len(STATEMENTS)):
        await home.turn.ask(ASKED, session_id=str(number))
    before = len(model.prompts)
    await home.turn.ask("How many customers live nowhere?")
    assert any(f"{MARK}" in prompt.text for prompt in model.prompts[before:])


def test_what_belongs_to_sql_is_nobodys_word() -> None:
    call = Action(
        id="1", tool="sql", arguments={"query": "SELECT COUNT(*) AS obey FROM t GROUP BY x"}
    )
    assert written_in(Step(number=1, actions=(call,))) == {"obey", "t", "x"}
