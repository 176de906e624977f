"""What an assistant does in this process, it does over the network as well: the same calls, the same answers."""

from collections.abc import Callable, Iterator
from inspect import signature

import pytest
from tests.unit.server.conftest import Served

from oldhand import Oldhand
from oldhand.errors import (
    Closed,
    SchemaError,
    ServerUnreachable,
    UnknownEpisode,
    UnknownMemory,
    UnknownTarget,
    UsageError,
)
from oldhand.face.exposed import EXPOSED, class_of, parameters_of
from oldhand.face.remote import Client
from oldhand.record.schema import Disclosure

Make = Callable[[], Oldhand]


@pytest.fixture(params=["embedded", "over the network"])
def old(request: pytest.FixtureRequest, served: Served) -> Iterator[Oldhand]:
    near = request.param == "embedded"
    with Oldhand(served.home) if near else Client(served.url, served.keys["owner"]) as opened:
        yield opened


def test_a_question_is_answered_and_kept(old: Oldhand):
    answer = old.ask("How many customers live in Berlin?")
    assert (answer.rows, answer.steps[0].database) == (((2,),), "shop")
    assert old.episodes.get(answer).answer == answer
    assert old.episodes.get(answer.episode_id[:12]).id == answer.episode_id
    assert answer.episode_id in [one.id for one in old.episodes.list(limit=5)]


def test_the_same_question_has_the_same_answer_near_and_far(served: Served):
    with Oldhand(served.home) as near, Client(served.url, served.keys["owner"]) as far:
        for question in ("How many customers are there?", "How many customers per city?", "Who is the moon?"):  # fmt: skip
            one, other = near.ask(question, user="ana"), far.ask(question)
            differ = {"episode_id", "session_id", "seconds", "steps"}
            assert one.model_dump(exclude=differ) == other.model_dump(exclude=differ)
            assert [step.sql for step in one.steps] == [step.sql for step in other.steps]


def test_conversations_go_on(old: Oldhand):
    first = old.ask("How many customers live in Berlin?")
    second = old.ask("and in Oslo?", session_id=first.session_id)
    assert second.rows == ((1,),)


def test_feedback_teaches(old: Oldhand):
    answer = old.ask("How many customers live in Oslo?")
    rater = {} if isinstance(old, Client) else {"rater": "ana"}
    receipt = old.feedback(answer, rating=+1, **rater)
    assert (receipt.rater, receipt.source) == ("ana", "owner")
    (learned,) = [one for one in receipt.learned if one.type == "example"]
    assert old.memories.get(learned).memory.id == learned.id
    assert learned.id in [one.id for one in old.memories.list(type="example")]


def test_errors_come_through_by_their_names(old: Oldhand):
    with pytest.raises(UnknownEpisode):
        old.episodes.get("no-such-answer")
    with pytest.raises(UnknownMemory):
        old.memories.get("no-such-memory")
    with pytest.raises(UsageError):
        old.episodes.list(limit=-1)


def test_what_an_agent_of_ones_own_answers_is_kept(old: Oldhand):
    found = old.recall("How many customers live in Oslo?")
    episode = old.record("How many customers live in Oslo?", "One.", recall_id=found.recall_id)
    assert old.episodes.get(episode).answer.text == "One."
    with pytest.raises(UsageError):
        old.record("How many?", "One.", recall_id=found.recall_id)


def test_databases_are_told_of(old: Oldhand):
    assert [one.name for one in old.databases.list()] == ["shop"]
    assert [one.name for one in old.databases.schema("shop").tables] == ["customers"]


def test_what_people_note_of_a_database_is_kept(old: Oldhand):
    where = {"table": "customers", "column": "city"}
    noted = old.databases.describe("shop", " where they <b>live</b> ", **where)
    assert noted.tables[0].column("city").description == "where they <b>live</b>"
    assert old.databases.disclose("shop", Disclosure.NAMES, **where).table("customers").column("city").to_models == "names"  # fmt: skip
    back = old.databases.disclose("shop", None, **where)
    assert (back.table("customers").column("city").to_models, back.to_models) == (None, None)
    old.databases.describe("shop", "", **where)
    for unknown in ({"table": "nothing"}, {"table": "customers", "column": "nothing"}):
        with pytest.raises(UnknownTarget):
            old.databases.describe("shop", "What?", **unknown)
    with pytest.raises(SchemaError):
        old.databases.confirm_key("shop", "customers", "city")


def test_days_and_changes_are_told(old: Oldhand):
    far = isinstance(old, Client)
    answer = old.ask(f"How many customers have the id {'1' if far else '2'}?")
    rater = {} if far else {"rater": "ana"}
    (learned,) = old.feedback(answer, rating=+1, **rater).learned
    days = [one for one in old.progress(days=2) if one.liked]  # midnight may have passed meanwhile
    assert all(one.answers >= one.rated >= one.liked for one in days)
    assert max(one.right for one in days) >= 1
    (change,) = [one for one in old.memories.changes() if one.memory_id == learned.id]
    assert (change.before, change.after, change.by) == (None, "in force", "ana")
    cause = old.memories.why(learned.id)
    assert [one.kind for one in cause.because] == ["feedback"]
    assert cause.because[0].because[0].id == answer.episode_id
    old.memories.retire(learned.id, **rater)
    (change,) = [one for one in old.memories.changes() if one.memory_id == learned.id]
    assert (change.after, change.why) == ("retired", "ana does not want it.")
    assert old.memories.changes(limit=1) == old.memories.changes()[:1]
    each = old.memories.list()
    assert old.memories.list(skip=1, limit=1) == each[1:2]
    retired = old.memories.list(state="retired")
    assert learned.id in [one.id for one in retired]
    assert old.memories.list(state="retired", skip=1) == retired[1:]


def test_flaws_and_prompts_are_told(old: Oldhand):
    assert old.issues(limit=3) == old.issues()[:3]
    assert old.memories.flaws() == ()
    assert old.memories.clean() == ()
    assert old.prompts.list() == ()
    assert old.prompts.test("orchestrator") is None
    with pytest.raises(UnknownMemory):
        old.prompts.diff("orchestrator_v9")
    with pytest.raises(UsageError):
        old.prompts.roll_back("orchestrator")


def test_what_was_closed_says_so(old: Oldhand):
    old.close()
    with pytest.raises(Closed):
        old.ask("How many customers?")


def test_a_dead_server_is_named():
    with Client("http://127.0.0.1:9", "oldhand_key_1_2") as far, pytest.raises(ServerUnreachable):
        far.ask("How many customers?")


def test_files_of_the_home_are_not_reached(served: Served):
    with Client(served.url, served.keys["owner"]) as far:
        with pytest.raises(UsageError, match="where the server runs"):
            far.memories.export("out.jsonl")
        with pytest.raises(UsageError):
            _ = far.path


def test_each_row_of_the_table_names_a_method_with_a_docstring():
    assert len(EXPOSED) > 45
    assert len({(one.verb, one.path) for one in EXPOSED}) == len(EXPOSED)
    for one in EXPOSED:
        method = getattr(class_of(one), one.name)
        assert method.__doc__, one.method
        named = set(signature(method).parameters)
        assert {*one.as_caller, *one.hidden} <= named, one.method
        assert {each.name for each in parameters_of(one)} <= named
