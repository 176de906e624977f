"""An answer that went wrong becomes a spec that fails as long as it goes wrong."""

import ast
import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from oldhand import Oldhand
from oldhand.bootstrap import Home, open_home
from oldhand.errors import OutputExists, UsageError
from oldhand.learning.regression import BehaviourSpec, load_spec
from oldhand.learning.regression.from_episode import Failures, FoundSpec
from oldhand.learning.regression.pytest_file import pytest_text
from oldhand.learning.regression.spec_files import SpecFolders, write_spec
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.memory import THUMB, Memory, MemoryType
from oldhand.testing.records import example_episode, example_feedback

VIPS = "How many VIPs live in Berlin?"
BERLIN = "How many customers live in Berlin?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE tier = 'A1' AND city = 'Berlin'"


@pytest.fixture
async def home(old: Oldhand):
    opened = open_home(old.path)
    yield opened
    await opened.close()


def spec_of(home: Home, episode_id: str, **given: object) -> FoundSpec:
    return Failures(home.memories.learner.cases).spec(episode_id, given)


async def test_a_correction_in_sql_demands_its_rows(old, home):
    answer = old.ask(VIPS)
    old.feedback(answer.episode_id, correction=RIGHT, text="VIPs are tier A1")
    spec = spec_of(home, answer.episode_id[:8]).spec
    assert (spec.expected.database, spec.expected.sql) == ("shop", RIGHT)
    assert spec.expected.outcome == "answered"
    assert spec.actual.failure_reason == "VIPs are tier A1"
    assert spec.fix is not None
    assert RIGHT in (spec.fix.rule_added or "")


async def test_what_went_wrong_waits_as_a_spec_until_it_is_kept_or_dropped(old, home, tmp_path):
    def waiting() -> list[str]:
        folders = SpecFolders(home.path)
        found = Failures(home.memories.learner.cases).waiting(folders.settled())
        return [one.spec.episode_id for one in found]

    fine, wrong, disliked = (old.ask(one).episode_id for one in (BERLIN, VIPS, "How many orders are there?"))  # fmt: skip
    old.feedback(fine, rating=1)
    assert waiting() == []
    old.feedback(wrong, correction=RIGHT)
    old.feedback(disliked, rating=-1)
    assert waiting() == [disliked, wrong]
    assert SpecFolders(home.path).specs() == ()  # they guard nothing
    old.feedback(disliked, rating=0)
    assert waiting() == [wrong]
    old.feedback(disliked, rating=-1)
    SpecFolders(home.path).drop(disliked)
    assert waiting() == [wrong]
    write_spec(spec_of(home, wrong).spec, home.path / "tests" / "ai")
    assert waiting() == []
    assert [one.episode_id for one in SpecFolders(home.path).specs()] == [wrong]


async def test_a_correction_that_takes_one_more_value_is_looked_back_on(old, home):
    answer = old.ask(BERLIN)
    old.feedback(answer.episode_id, correction="SELECT COUNT(*) FROM customers WHERE city IN ('Berlin', 'Oslo')")  # fmt: skip
    assert await home.reflecting.look_back(answer.episode_id)


async def test_a_bare_thumb_down_demands_other_sql_but_lets_it_be_extended(old, home):
    answer = old.ask("How many customers live in Berlin?")
    old.feedback(answer.episode_id, rating=-1)
    expected = spec_of(home, answer.episode_id).spec.expected
    assert len(expected.sql_not_equals) == 1
    assert "Berlin" in expected.sql_not_equals[0]


async def test_a_correction_that_is_a_value_is_looked_for_in_the_text(old, home):
    answer = old.ask(VIPS)
    old.feedback(answer.episode_id, rating=-1, correction="2")
    assert spec_of(home, answer.episode_id).spec.expected.response_contains == ("2",)


async def test_a_correction_that_is_talk_is_not_looked_for(old, home):
    answer = old.ask(VIPS)
    old.feedback(answer.episode_id, rating=-1, correction="It should not count those who left")
    found = spec_of(home, answer.episode_id)
    assert found.spec.expected.response_contains == ()
    assert "sentence" in found.note


async def test_a_tool_that_the_complaint_names_must_not_be_used_again(old, home):
    store = home.store
    store.record_episode(example_episode(tools_used=("code_executor",), question="What is Python?"))
    store.add_feedback(example_feedback("f1", -1, text="code_executor for a definition!"))
    spec = spec_of(home, "episode-1").spec
    assert spec.failure_type == "unnecessary_tool"
    assert spec.expected.tools_not_used == ("code_executor",)


async def test_what_the_caller_knows_better_is_expected(old, home):
    answer = old.ask("How many customers are there?")
    spec = spec_of(home, answer.episode_id, model_used="granite-local", cost=0.0).spec
    assert spec.failure_type == "incorrect_model_routing"
    assert (spec.expected.model_used, spec.expected.cost) == ("granite-local", 0.0)


async def test_what_strangers_say_makes_no_spec(old, home):
    answer = old.ask("How many customers are there?")
    old.feedback(answer.episode_id, rating=-1, rater="mallory")
    with pytest.raises(UsageError, match="Only mallory called the answer"):
        spec_of(home, answer.episode_id)


async def test_a_question_that_leans_on_others_brings_them_along(old, home):
    first = old.ask("How many customers live in Berlin?", session_id="s1")
    then = old.ask("and in Oslo?", session_id="s1")
    old.feedback(then.episode_id, rating=-1)
    spec = spec_of(home, then.episode_id).spec
    if then.standalone is None:
        assert [one.content for one in spec.input.messages] == [first.question, first.text, then.question]  # fmt: skip
    else:
        assert spec.input.question == then.standalone


async def test_files_of_others_are_not_overwritten(old, home, tmp_path):
    answer = old.ask(VIPS)
    old.feedback(answer.episode_id, correction=RIGHT)
    spec = spec_of(home, answer.episode_id).spec
    folder = tmp_path / "tests" / "ai"
    written = write_spec(spec, folder, as_python=True)
    assert [file.suffix for file in written.files] == [".yaml", ".py"]
    assert load_spec(written.files[0]) == written.spec
    assert written.spec.fix is not None
    assert written.spec.fix.test_created == written.files[1].as_posix()
    before = written.files[1].read_text()
    with pytest.raises(OutputExists):
        write_spec(spec, folder, as_python=True)
    assert written.files[1].read_text() == before
    write_spec(spec, folder, as_python=True, force=True)


@pytest.mark.parametrize(
    "question",
    ["Wie viele 'Kunden'?", 'Say """quotes"""', "a\\b\n{c}", "\u2028\U0001f600 é", "x" * 3000],
)
def test_any_question_becomes_python_that_parses(question):
    spec = BehaviourSpec.model_validate(
        {
            "episode_id": "e1",
            "created_at": datetime(2026, 1, 1, tzinfo=UTC),
            "failure_type": "x",
            "input": {"messages": [{"role": "user", "content": question}]},
            "expected": {"response_contains": [question], "sql_not_equals": [question], "rows": [[question]]},
        }
    )  # fmt: skip
    tree = ast.parse(pytest_text(spec))
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert question in strings


def rejection(memory_id: str, sql: str) -> Memory:
    """A lesson that keeps the mind from using a query."""
    return Memory.model_validate(
        {
            "type": MemoryType.ISSUE, "id": memory_id, "created_at": "2026-01-01T00:00:00Z",
            "provenance": {"source": "owner", "rater": "default"},
            "payload": {
                "evaluator_type": THUMB, "issue": "Wrong", "question": BERLIN, "database": "shop", "sql_query": sql,
            },
        }
    )  # fmt: skip


async def test_the_gate_blames_what_breaks_a_spec_and_nothing_else(old, home):
    answer = old.ask(BERLIN)
    right = answer.steps[0].sql
    found = spec_of(home, answer.episode_id, database="shop", sql=right)
    write_spec(found.spec, old.path / "tests" / "ai")
    gate = home.night.evolving.gate
    assert await asyncio.to_thread(gate.failing) == ()
    harmful, harmless = rejection("harmful", right), rejection("harmless", "SELECT 1")
    (broken,) = await asyncio.to_thread(gate.broken_by, harmful)
    assert broken.question == BERLIN
    assert [one.field for one in broken.mismatches] == ["sql"]
    assert await asyncio.to_thread(gate.broken_by, harmless) == ()
    home.store.save_memory(harmful)  # it makes no difference that it is known by now
    assert len(await asyncio.to_thread(gate.broken_by, harmful)) == 1
    assert len(await asyncio.to_thread(gate.failing)) == 1
    blame = await asyncio.to_thread(gate.to_blame, found.spec, [harmful, harmless])
    assert blame is not None
    assert (blame.guilty, blame.failure.question) == ((harmful,), BERLIN)


async def test_a_spec_that_fails_anyway_is_not_the_candidates_fault(old, home):
    answer = old.ask(VIPS)
    old.feedback(answer.episode_id, rating=-1, text="nobody taught it")
    write_spec(spec_of(home, answer.episode_id).spec, old.path / "tests" / "ai")
    assert len(await asyncio.to_thread(home.night.evolving.gate.failing)) == 1
    assert (
        await asyncio.to_thread(home.night.evolving.gate.broken_by, rejection("other", "SELECT 1"))
        == ()
    )


async def test_a_rehearsal_leaves_no_trace(old, home):
    old.ask("How many customers are there?")
    before = home.store.episodes(DEFAULT_CLONE)
    said = old.rehearse([{"role": "user", "content": "How many customers live in Oslo?"}])
    assert said.rows == ((1,),)
    assert (said.model_used, said.cost, said.tools_used) == ("builtin", 0.0, ("sql:shop",))
    assert home.store.episodes(DEFAULT_CLONE) == before


def test_folders_are_remembered_once(tmp_path: Path):
    folders = SpecFolders(tmp_path)
    folders.note(tmp_path / "a")
    folders.note(tmp_path / "a")
    assert folders.folders() == (tmp_path / "tests" / "ai", tmp_path / "a")
    assert folders.specs() == ()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"rating": -1, "tags": ["too-verbose"]}, "only called too long or too short"),
        ({"rating": -1, "rater": "eve"}, "Only eve called the answer"),
    ],
)
async def test_what_is_no_failure_is_said(old, home, said: dict[str, object], why: str):
    answer = old.ask(BERLIN)
    old.feedback(answer.episode_id, **said)
    with pytest.raises(UsageError, match=why):
        spec_of(home, answer.episode_id)
