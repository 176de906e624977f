"""What callers do by mistake has a name that says what to do: using what was closed, an answer in place of its id."""

import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import AsyncOldhand, Oldhand, create_tool_use_agent
from oldhand.agent.tools import sql_tools
from oldhand.errors import Closed, InvalidId, UsageError

QUESTION = "How many customers live in Berlin?"


@pytest.fixture
def shop(tmp_path: Path) -> str:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers (city) VALUES ('Berlin'), ('Oslo')")
    return f"sqlite:///{tmp_path / 'shop.db'}"


@pytest.mark.parametrize(
    "call",
    [
        lambda old: old.ask(QUESTION),
        lambda old: old.route([{"role": "user", "content": QUESTION}]),
        lambda old: old.feedback("e-1", rating=+1),
        lambda old: old.episodes.list(),
        lambda old: old.episodes.why("e-1"),
        lambda old: old.memories.list(),
        lambda old: old.learn(),
        lambda old: old.memories.waiting(),
        lambda old: old.memories.prune(),
        lambda old: old.__aenter__(),
    ],
)
async def test_a_closed_face_says_so(
    call: Callable[[AsyncOldhand], Awaitable[object]], tmp_path: Path
):
    old = AsyncOldhand(tmp_path / "home")
    await old.close()
    await old.close()
    with pytest.raises(Closed, match=r"make another one with AsyncOldhand\(…\)"):
        await call(old)
    assert old.path == tmp_path / "home"


def test_a_closed_agent_says_so(shop: str, tmp_path: Path):
    agent = create_tool_use_agent(sql_tools(shop), home=tmp_path / "home")
    state = agent.run(QUESTION)
    agent.close()
    agent.close()
    for call in (
        lambda: agent.run(QUESTION),
        lambda: list(agent.stream(QUESTION)),
        lambda: agent.resume("r-1"),
        agent.unfinished,
        lambda: agent.discard("r-1"),
        lambda: agent.feedback(state, rating=+1),
    ):
        with pytest.raises(Closed, match=r"make another one with create_tool_use_agent\(…\)"):
            call()


def test_an_agent_in_a_fork_is_told_to_be_made_anew(tmp_path: Path):
    script = (
        "import os, sys; from oldhand import create_tool_use_agent; from oldhand.errors import UsageError\n"
        "from oldhand.testing import ScriptedModel\n"
        "with create_tool_use_agent([], ScriptedModel(['Here.']), home=sys.argv[1]) as agent:\n"
        "    if os.fork() == 0:\n"
        "        try: agent.run('Where?')\n"
        "        except UsageError as error: print(error, flush=True)\n"
        "        agent.close(); os._exit(0)\n"
        "    os.wait(); print(agent.run('Where?').answer)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "home")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.splitlines() == [
        "This was opened in another process: open one in each.",
        "Here.",
    ]


def test_an_answer_may_stand_for_its_id(shop: str, tmp_path: Path):
    with Oldhand(tmp_path / "home") as old:
        added = old.databases.add(shop, name="shop")
        assert old.databases.list() == (added,)
        answer = old.ask(QUESTION)
        response = old.route([{"role": "user", "content": "How many customers are there?"}])
        episode = old.episodes.get(answer)
        assert episode.id == answer.episode_id
        assert old.feedback(response, rating=+1).episode_id == response.episode_id
        receipt = old.feedback(episode, rating=+1)
        assert receipt.episode_id == old.episodes.why(answer).episode_id == answer.episode_id
        assert answer.episode_id in old.episodes.reflect(answer).model_dump_json()
        (learned,) = receipt.learned
        assert old.memories.get(learned).memory.id == learned.id
        assert old.memories.forget(learned).id == learned.id


def test_the_state_of_a_run_may_stand_for_its_id(shop: str, tmp_path: Path):
    with create_tool_use_agent(sql_tools(shop), home=tmp_path / "home") as agent:
        state = agent.run(QUESTION)
        assert agent.feedback(state, rating=-1, dry_run=True).episode_id == state.episode_id
        assert agent.feedback(state, rating=+1).episode_id == state.episode_id
        with pytest.raises(UsageError, match="not recorded"):
            agent.feedback(state.model_copy(update={"episode_id": None}), rating=+1)


@pytest.mark.parametrize(
    ("call", "error", "told"),
    [
        (lambda old, _: old.feedback(None, rating=+1), UsageError, "An answer or its id is exp"),
        (
            lambda old, _: old.episodes.why(5),
            UsageError,
            "An answer or its id is expected, not int",
        ),
        (
            lambda old, _: old.memories.forget(None),
            UsageError,
            "A memory or its id is expected, not None",
        ),
        (
            lambda old, _: old.memories.evidence(5),
            UsageError,
            "A memory or its id is expected, not int",
        ),
        (lambda old, at: old.feedback(at, text=5), UsageError, "text is a text, not int"),
        (lambda old, at: old.feedback(at, correction=5), UsageError, "correction is a text, not i"),
        (lambda old, at: old.feedback(at, rating=1, tags=5), UsageError, "tags are words, not int"),
        (lambda old, at: old.feedback(at, tags=[5]), UsageError, "tags are words, and 5 is none"),
        (lambda old, at: old.feedback(at, rating=1, rater=None), InvalidId, "not NoneType"),
        (lambda old, _: old.ask(QUESTION, user=None), InvalidId, "not NoneType"),
        (lambda old, _: old.ask(QUESTION, session_id=5), UsageError, "session_id is a text"),
        (
            lambda old, _: old.memories.list(limit="3"),
            UsageError,
            "limit: a whole number from 0 on",
        ),
        (lambda old, _: old.episodes.list(limit=-1), UsageError, "limit: a whole number from 0 on"),
        (lambda old, _: old.ask(QUESTION, databases=5), UsageError, "databases are words, not int"),
    ],
)
def test_what_is_of_another_type_is_named(
    call: Callable[[Oldhand, str], object],
    error: type[UsageError],
    told: str,
    shop: str,
    tmp_path: Path,
):
    with Oldhand(tmp_path / "home") as old:
        old.databases.add(shop, name="shop")
        answer = old.ask(QUESTION)
        with pytest.raises(error, match=told):
            call(old, answer.episode_id)
        assert len(old.episodes.list()) == 1
