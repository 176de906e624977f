"""Each question to the model that fits it, as callers see it: two models on this machine, one of them free."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oldhand import Oldhand, Outcome
from oldhand.errors import InvalidQuestion, UsageError
from oldhand.testing import FakeServer
from oldhand.testing.fake_replies import Reply, Request

LOCAL, STRONG = "granite-local", "claude-opus"
HARD = "Compare how many customers live in Berlin and in Oslo, by year, but not those before 2020?"
SETTINGS = """
routing:
  models:
    - {{name: granite-local, free: true, local: true, base_url: {url}}}
    - {{name: claude-opus, cost: 0.03, base_url: {url}, strength: 0.95}}
"""


def answer(request: Request) -> Reply:
    text = request.prompt
    if "answer calculations" in text:
        return Reply(text="2 + 2 = 4")
    if "verdict" in text:
        return Reply(text=json.dumps({"verdict": "answerable", "databases": ["shop"]}))
    if '"steps"' in text:
        step = {"number": 1, "purpose": "count", "database": "shop"}
        return Reply(text=json.dumps({"steps": [step]}))
    if '"sql"' in text:
        return Reply(text=json.dumps({"sql": "SELECT COUNT(*) AS n FROM customers"}))
    return Reply(text=json.dumps({"text": "Two."}))


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer(answer) as running:
        yield running


@pytest.fixture
def old(tmp_path: Path, server: FakeServer) -> Iterator[Oldhand]:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.yaml").write_text(SETTINGS.format(url=server.openai_url), "utf-8")
    with Oldhand(home) as opened:
        yield opened


@pytest.fixture
def shop(tmp_path: Path, old: Oldhand) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO customers (city) VALUES ('Berlin'), ('Oslo')")
        connection.commit()
    old.databases.add(f"sqlite:///{tmp_path}/shop.db", name="shop")


def asked(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def test_simple_math_uses_local_model(old):
    """As published: simple arithmetic uses the free local model, not an expensive one, and no tools."""
    response = old.route(
        messages=[{"role": "user", "content": "What's 2 + 2?"}], context={"intent": "calculation"}
    )
    assert response.model_used == LOCAL
    assert response.cost == 0.0
    assert "code_executor" not in response.tools_used
    assert response.tools_used == ()
    assert "4" in response.text
    assert response.outcome is Outcome.ANSWERED


def test_what_a_spec_rehearses_goes_to_the_same_model(old):
    response = old.rehearse(asked("What's 2+2?"))
    assert (response.model_used, response.tools_used) == (LOCAL, ())
    assert old.episodes.list() == ()


def test_without_any_language_model_arithmetic_is_computed(tmp_path):
    with Oldhand(tmp_path / "home") as builtin:
        response = builtin.route(asked("What's 2 + 2?"))
    assert (response.text, response.model_used, response.cost) == ("2 + 2 = 4", "builtin", 0.0)


@pytest.mark.usefixtures("shop")
def test_a_model_that_people_are_not_content_with_gets_no_such_questions_any_longer(old):
    used = set[str]()
    while len(used) < 2:  # chance decides when each of them is tried
        response = old.route(asked(HARD))
        used.add(response.model_used)
        old.feedback(response.episode_id, rating=1 if response.model_used == STRONG else -1)
    chances = {one.model: one for one in old.routes() if one.complexity == "hard"}
    assert chances[LOCAL].chance == 0
    assert chances[LOCAL].expected < 0.5
    assert chances[STRONG].chance == 1
    assert chances[STRONG].success == 1.0
    assert old.route(asked(HARD)).model_used == STRONG
    assert old.route(asked("What's 7 * 6?")).model_used == LOCAL


@pytest.mark.usefixtures("shop")
def test_how_the_model_was_chosen_is_on_record(old):
    response = old.route(asked(HARD))
    chosen = [
        one.recalled for one in old.episodes.why(response.episode_id).causes if one.kind == "model"
    ]
    assert {one.item_id for one in chosen} == {LOCAL, STRONG}
    assert [one.item_id for one in chosen if one.shown] == [response.model_used]
    assert sum(one.chance for one in chosen) == pytest.approx(1)


def test_a_model_that_is_named_answers_whatever_the_settings_say(tmp_path, old):
    with Oldhand(old.path, model="builtin") as named:
        assert named.route(asked("What's 2 + 2?")).model_used == "builtin"


def test_feedback_in_metadata_is_about_the_answer_before(old):
    first = old.route(asked("What's 2 + 2?"))
    messages = [
        *asked("What's 2 + 2?"),
        {"role": "assistant", "content": first.text},
        *asked("What's 2 + 3?"),
    ]
    second = old.route(messages, metadata={"feedback": "negative", "feedback_detail": "Too long"})
    assert second.session_id == first.session_id
    assert old.episodes.get(first.episode_id).success is False
    old.route(asked("1 + 1"), {"session_id": first.session_id}, {"feedback": "positive"})
    assert old.episodes.get(second.episode_id).success is True


def test_feedback_without_an_answer_before_is_an_error(old):
    with pytest.raises(UsageError, match="no answer yet"):
        old.route(asked("What's 2 + 2?"), metadata={"feedback": "positive"})
    assert old.episodes.list() == ()


@pytest.mark.parametrize(
    ("context", "metadata"),
    [
        ({"complexity": 2}, None),
        ({"complexity": True}, None),
        ({"intent": 7}, None),
        ({"databases": []}, None),
        (None, {"feedback": "great"}),
        (None, {"feedback_detail": "great"}),
        (None, {"feedback": "positive", "feedback_detail": 7}),
    ],
)
def test_context_and_metadata_are_checked(old, context, metadata):
    with pytest.raises(UsageError):
        old.route(asked("What's 2 + 2?"), context, metadata)


def test_a_conversation_ends_with_a_question(old):
    with pytest.raises(InvalidQuestion):
        old.route([{"role": "assistant", "content": "4"}])


def test_when_a_model_is_down_another_one_answers_and_it_is_left_alone(tmp_path, server):
    calls: list[str] = []

    def down(request: Request) -> Reply:
        calls.append(request.prompt)
        return Reply(status=503, text="")

    with FakeServer(down) as away:
        home = tmp_path / "home-of-two"
        home.mkdir()
        settings = SETTINGS.format(url=server.openai_url).replace(
            server.openai_url, away.openai_url, 1
        )
        (home / "settings.yaml").write_text(settings + "\nmodels:\n  retries: 0\n", "utf-8")
        with Oldhand(home) as old:
            first = old.route(asked("What's 2 + 2?"))
            asked_before = len(calls)
            second = old.route(asked("What's 3 + 4?"))
    assert (first.model_used, second.model_used) == (STRONG, STRONG)
    assert asked_before > 0
    assert len(calls) == asked_before


def test_a_model_without_a_key_leaves_the_questions_to_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "keyless"
    home.mkdir()
    models = "{name: 'openai:gpt-4o', cost: 0.001}, {name: builtin, cost: 0.5}"
    (home / "settings.yaml").write_text(f"routing: {{models: [{models}]}}\n", "utf-8")
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
        connection.commit()
    with Oldhand(home) as keyless:
        keyless.databases.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
        assert keyless.ask("What's 2 + 2?").text == "2 + 2 = 4"
        answer = keyless.ask("How many customers are there?")
    assert (answer.model, answer.outcome) == ("builtin", Outcome.ANSWERED)
