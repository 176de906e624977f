"""Oldhand as an engineer uses it: three lines of Python, sync and async, on SQLite and Postgres."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import AsyncOldhand, Oldhand, Outcome
from oldhand.errors import (
    InvalidId,
    InvalidQuestion,
    InvalidSetting,
    ModelServerError,
    StoreUnreachable,
    UnknownDatabase,
    UnknownEpisode,
    UsageError,
)
from oldhand.record.feedback import Source
from oldhand.testing import ScriptedModel

QUESTION = "How many customers live in Berlin?"


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """The URL of a small shop."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript(
            """
            CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
            CREATE TABLE orders (id INTEGER PRIMARY KEY, amount REAL NOT NULL,
                                 customer_id INTEGER NOT NULL REFERENCES customers (id));
            INSERT INTO customers VALUES (1, 'Ana', 'Berlin'), (2, 'Bo', 'Oslo'), (3, 'Cy', 'Berlin');
            INSERT INTO orders VALUES (1, 20.5, 1), (2, 10.0, 1), (3, 7.25, 2);
            """
        )
    return f"sqlite:///{tmp_path / 'shop.db'}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_three_lines_answer_a_question(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        answer = old.ask(QUESTION, databases=["shop"], user="analyst")
    assert answer.outcome is Outcome.ANSWERED
    assert not answer.abstained
    assert answer.rows == ((2,),)
    assert "2" in answer.text
    assert str(answer) == answer.text
    assert answer.steps[0].database == "shop"
    assert answer.steps[0].attempts == 1
    assert "Berlin" in answer.steps[0].sql
    assert answer.usage.cost == 0
    assert 0 < answer.confidence <= 1


async def test_the_async_face_answers_questions_at_the_same_time(home, shop):
    async with AsyncOldhand(home) as old:
        old.databases.add(shop, name="shop")
        answers = await asyncio.gather(
            *(old.ask(f"How many customers live in {city}?") for city in ("Berlin", "Oslo") * 4)
        )
    assert [answer.rows for answer in answers] == [((2,),), ((1,),)] * 4
    assert len({answer.episode_id for answer in answers}) == 8


def test_episodes_outlive_the_process(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        asked = old.ask(QUESTION, user="analyst")
    with Oldhand(home) as old:
        assert old.episodes.get(asked.episode_id).answer == asked
        assert [episode.id for episode in old.episodes.list()] == [asked.episode_id]
        assert old.episodes.list(user="somebody") == ()
    assert QUESTION in (home / "memory" / "analyst" / "episodic.jsonl").read_text("utf-8")


def test_settings_that_another_process_changes_hold_from_the_next_question_on(home, shop, caplog):
    with Oldhand(home) as one, Oldhand(home) as other:
        one.databases.add(shop, name="shop")
        other.settings.change({"max_question_chars": 10})
        with pytest.raises(InvalidQuestion, match="10"):
            one.ask(QUESTION)
        (home / "settings.yaml").write_text("max_question_chars: many", "utf-8")
        with pytest.raises(InvalidQuestion, match="10"):
            one.ask(QUESTION)
        assert "settings_wait" in caplog.text
        (home / "settings.yaml").unlink()
        assert one.ask(QUESTION).rows == ((2,),)


def test_the_store_may_be_a_postgres(home, shop, postgres_url):
    with Oldhand(home, store=postgres_url) as old:
        old.databases.add(shop, name="shop")
        asked = old.ask(QUESTION)
        old.feedback(asked.episode_id, rating=+1)
    with Oldhand(home, store=postgres_url) as old:
        assert old.episodes.get(asked.episode_id).success is True
    assert not (home / "store.db").exists()


def test_the_role_of_a_rater_is_looked_up(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        answer = old.ask(QUESTION)
        old.people.name(owner="ana", experts=["bo"])
        roles = [
            old.feedback(answer.episode_id, rating=+1, rater=rater).source
            for rater in ("ana", "bo", "cy", "default")
        ]
        assert old.people.get().owner == "ana"
    assert roles == [Source.OWNER, Source.EXPERT, Source.EXTERNAL, Source.EXTERNAL]


def test_a_thumb_decides_whether_an_episode_was_a_success(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        answer = old.ask(QUESTION)
        assert old.episodes.get(answer.episode_id).success is not False
        old.feedback(answer.episode_id, rating=-1, text="I meant all of Germany")
        assert old.episodes.get(answer.episode_id).success is False
        old.feedback(answer.episode_id[:8], rating=+1)
        assert old.episodes.get(answer.episode_id).success is True


@pytest.mark.parametrize(
    "said", [{}, {"rating": 2}, {"rating": None, "text": ""}, {"rating": -3, "text": "bad"}]
)
def test_feedback_that_says_nothing_is_refused(home, shop, said):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        answer = old.ask(QUESTION)
        with pytest.raises(UsageError):
            old.feedback(answer.episode_id, **said)
        with pytest.raises(UnknownEpisode):
            old.feedback("no-such-episode", rating=+1)


def test_what_cannot_be_asked_is_a_named_error(home, shop):
    with Oldhand(home) as old:
        with pytest.raises(UnknownDatabase, match="db add"):
            old.ask(QUESTION)
        old.databases.add(shop, name="shop")
        with pytest.raises(UnknownDatabase, match="shop"):
            old.ask(QUESTION, databases=["shopp"])
        assert old.ask(QUESTION, databases="shop").rows == ((2,),)
        with pytest.raises(UsageError, match="No database is named"):
            old.ask(QUESTION, databases=[])
        for no_question in ("   ", "How many \udcff?", 5, None, b"How many?"):
            with pytest.raises(InvalidQuestion):
                old.ask(no_question)
        with pytest.raises(InvalidQuestion):
            old.ask("why " * 10_000)
        with pytest.raises(InvalidId):
            old.ask(QUESTION, user="../../evil")
        assert len(old.episodes.list()) == 1
    with pytest.raises(UsageError, match="closed"):
        old.ask(QUESTION)


def test_a_single_word_is_not_taken_apart(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        assert old.people.name(experts="bo").experts == ("bo",)
        answer = old.ask(QUESTION)
        assert old.feedback(answer.episode_id, tags="too-verbose").tags == ("too-verbose",)


def test_who_forgets_to_close_can_leave_all_the_same(home, shop):
    script = (
        "import sys; from oldhand import Oldhand\n"
        "old = Oldhand(sys.argv[1]); old.databases.add(sys.argv[2], name='shop')\n"
        "print(old.ask(sys.argv[3]).text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(home), shop, QUESTION],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert "2" in done.stdout
    with Oldhand(home) as old:
        assert len(old.episodes.list()) == 1


def test_a_fork_is_told_to_open_its_own(home, shop):
    script = (
        "import os, sys; from oldhand import Oldhand; from oldhand.errors import UsageError\n"
        "with Oldhand(sys.argv[1]) as old:\n"
        "    if os.fork() == 0:\n"
        "        try: old.episodes.list()\n"
        "        except UsageError as error: print(error, flush=True)\n"
        "        old.close(); os._exit(0)\n"
        "    os.wait(); print(len(old.episodes.list()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(home)],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "This was opened in another process: open one in each.",
        "0",
    ]


def test_a_question_that_cannot_be_answered_gets_a_reason(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        answer = old.ask("What will the weather be like on Mars?")
    assert answer.abstained
    assert answer.rows == ()
    assert answer.text


def test_a_turn_that_breaks_off_is_an_episode_too(home, shop):
    model = ScriptedModel([ModelServerError("the model fell over")])
    Path(home).mkdir(exist_ok=True)
    (Path(home) / "settings.yaml").write_text("models: {fallback: false}", "utf-8")
    with Oldhand(home, model=model) as old:
        old.databases.add(shop, name="shop")
        with pytest.raises(ModelServerError):
            old.ask(QUESTION)
        (episode,) = old.episodes.list()
    assert episode.answer.outcome is Outcome.FAILED
    assert "the model fell over" in episode.answer.text


def test_a_follow_up_is_understood_within_its_session(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
        first = old.ask(QUESTION)
        second = old.ask("And in Oslo?", session_id=first.session_id)
    assert second.session_id == first.session_id
    assert second.rows == ((1,),)


def test_a_home_that_cannot_be_is_a_named_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnreachable, match="file"):
        Oldhand(tmp_path / "file")
    (tmp_path / "home").mkdir()
    assert Oldhand(tmp_path / "home").close() is None
    assert (tmp_path / "home" / "store.db").stat().st_mode & 0o077 == 0
    (tmp_path / "home" / "settings.yaml").write_text("max_attempts: 50")
    with pytest.raises(InvalidSetting, match="max_attempts"):
        Oldhand(tmp_path / "home")


def test_two_processes_share_a_home(home, shop):
    with Oldhand(home) as old:
        old.databases.add(shop, name="shop")
    script = (
        "import sys; from oldhand import Oldhand\n"
        "with Oldhand(sys.argv[1]) as old:\n"
        "    for _ in range(5): old.ask('How many customers live in Berlin?')\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(home)]) for _ in range(3)]
    assert [process.wait(timeout=600) for process in running] == [0, 0, 0]
    with Oldhand(home) as old:
        assert len(old.episodes.list(limit=100)) == 15
    lines = (home / "memory" / "default" / "episodic.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 15


def test_ctrl_c_stops_the_query_and_leaves_the_home_usable(home, shop):
    endless = (
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    )
    model = ScriptedModel(
        [
            {"verdict": "answerable", "databases": ["shop"]},
            {"steps": [{"number": 1, "purpose": "count", "database": "shop"}]},
            {"sql": endless},
        ]
    )
    started = threading.Event()

    def interrupt_once_it_runs(progress):
        if type(progress).__name__ == "Attempted":
            started.set()
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    with Oldhand(home, model=model) as old:
        old.databases.add(shop, name="shop")
        with pytest.raises(KeyboardInterrupt):
            old.ask(QUESTION, observe=interrupt_once_it_runs)
    assert started.is_set()
    with Oldhand(home) as old:
        (interrupted,) = old.episodes.list()
        assert interrupted.answer.outcome is Outcome.FAILED
        assert "Interrupted" in interrupted.answer.text
        assert old.ask(QUESTION).rows == ((2,),)
