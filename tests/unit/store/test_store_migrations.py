import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from oldhand.record.answer import Answer, QueryStep
from oldhand.record.clone import Clone
from oldhand.record.effect import Alias
from oldhand.record.episode import Episode, Message
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback, Source
from oldhand.record.lesson import Tally
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.recollection import Recalled, Recollection
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.store import Store, tables
from oldhand.store.engine import open_engine
from oldhand.store.migrate import downgrade, upgrade
from oldhand.store.revision import at_head
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback, example_memory


@pytest.fixture(params=["url", "postgres_url"])
def any_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(request.param)


def differences(engine: sa.Engine) -> list[object]:
    options = {
        "compare_type": True,
        "compare_server_default": True,
    }
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, tables.metadata))


def test_the_migrated_tables_are_those_of_the_code(any_url: str):
    engine = open_engine(any_url)
    upgrade(engine)
    assert differences(engine) == []
    engine.dispose()


def test_downgrading_leaves_nothing_and_upgrading_works_again(any_url: str):
    engine = open_engine(any_url)
    upgrade(engine)
    downgrade(engine)
    assert sa.inspect(engine).get_table_names() == ["alembic_version"]
    upgrade(engine)
    assert differences(engine) == []
    engine.dispose()


def test_memories_of_an_older_store_can_be_found(any_url: str):
    changed = {"question": "How many tractors are there?", "confirmed_by": "ana"}
    alias = Alias(phrase="clients", database="shop", table="customers")
    with Store.open(any_url, clock=FixedClock()) as store:
        store.save_memory(example_memory("e1", MemoryType.EXAMPLE))
        store.save_memory(example_memory("e1", MemoryType.EXAMPLE, payload=changed))
        store.save_memory(example_memory("p1", effect=alias, user_id="ben", clone_id="other"))
        store.save_memory(example_memory("gone"))
        store.forget_memory("default", "gone")
    engine = open_engine(any_url)
    downgrade(engine, "0007")
    assert "search_documents" not in sa.inspect(engine).get_table_names()
    engine.dispose()
    with Store.open(any_url, clock=FixedClock()) as store:
        assert [one.memory.id for one in store.search_memories("default", "a tractor")] == ["e1"]
        assert store.search_memories("default", "clients learned something") == ()
        wanted = {"types": [MemoryType.PREFERENCE], "user_ids": ["ben"]}
        assert len(store.search_memories("other", "clients", **wanted)) == 1


def test_migrations_do_not_follow_the_code_that_changes_under_them():
    folder = Path(tables.__file__).parent / "migrations" / "versions"
    found = sorted(folder.glob("r*.py"))
    assert len(found) > 4
    for migration in found:
        imported = re.findall(
            r"^(?:from|import) (oldhand[\w.]*)", migration.read_text(), re.MULTILINE
        )
        assert set(imported) <= {"oldhand.store.column_types"}, migration.name


def test_the_first_question_of_an_older_session_stands_alone(any_url: str):
    with Store.open(any_url, clock=FixedClock()) as store:
        for name, session in (("e1", "a"), ("e2", "a"), ("e3", "b")):
            store.record_episode(example_episode(name, session_id=session))
    engine = open_engine(any_url)
    downgrade(engine, "0001")
    engine.dispose()
    with Store.open(any_url, clock=FixedClock()) as store:
        asked = example_episode().answer.question
        found = [store.episode("default", name).answer.standalone for name in ("e1", "e2", "e3")]
        assert found == [asked, None, asked]


def test_votes_in_an_older_store_are_counted(any_url: str):
    item = Recalled(kind="memory", item_id="m", rank=1, score=1.0, shown=True, chance=1.0)
    unused = item.model_copy(update={"item_id": "unused", "used": False})
    with Store.open(any_url, clock=FixedClock()) as store:
        for name in ("e1", "e2", "e3"):
            recalled = Recollection(episode_id=name, items=(item, unused))
            store.record_episode(example_episode(name), recalled)
        store.add_feedback(example_feedback("f1", -1, episode_id="e1"))
        store.add_feedback(example_feedback("f2", +1, episode_id="e1"))
        store.add_feedback(example_feedback("f3", None, episode_id="e2", correction="SELECT 2"))
        own = {"correction": "SELECT 1", "tags": ("confirms",)}
        store.add_feedback(example_feedback("f4", None, episode_id="e3", **own))
        store.add_feedback(
            example_feedback("f5", -1, episode_id="e3", rater="zoe", source=Source.EXTERNAL)
        )
        counted = store.outcomes("default", ["m", "unused"])
    engine = open_engine(any_url)
    downgrade(engine, "0013")
    engine.dispose()
    with Store.open(any_url, clock=FixedClock()) as store:
        assert store.outcomes("default", ["m", "unused"]) == counted
        assert counted == {"m": Tally(2, 1), "unused": Tally()}


def test_the_known_head_is_that_of_the_migrations(url: str):
    engine = open_engine(url)
    assert not at_head(engine)
    upgrade(engine)
    assert at_head(engine)
    engine.dispose()


def test_upgrading_a_current_store_changes_nothing(any_url: str):
    with Store.open(any_url, clock=FixedClock()) as store:
        store.record_episode(example_episode())
    with Store.open(any_url, clock=FixedClock()) as store:
        assert store.episode("default", "episode-1") == example_episode()


def open_and_close(url: str) -> bool:
    Store.open(url, clock=FixedClock()).close()
    return True


def test_processes_that_open_a_new_store_at_once_all_succeed(any_url: str):
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        assert all(pool.map(open_and_close, [any_url] * 3))


@pytest.mark.parametrize(
    ("record", "table", "elsewhere"),
    [
        (Clone, tables.clones, set()),
        (Episode, tables.episodes, {"answer", "messages", "ledger"}),
        (Answer, tables.episodes, {"episode_id", "steps"}),
        (QueryStep, tables.steps, set()),
        (Message, tables.messages, set()),
        (LedgerEntry, tables.token_ledger, {"usage"}),
        (Usage, tables.token_ledger, set()),
        (Memory, tables.memories, set()),
        (Feedback, tables.feedback, set()),
        (Evaluation, tables.evaluations, set()),
        (Recalled, tables.recollection_items, set()),
    ],
)
def test_every_field_of_a_record_has_a_column(record: type, table: sa.Table, elsewhere: set[str]):
    assert set(record.model_fields) - set(table.c.keys()) == elsewhere


def test_every_table_belongs_to_a_clone():
    assert len(tables.metadata.tables) == 24
    others = [one for one in tables.metadata.tables.values() if "clone_id" not in one.c]
    assert [one.name for one in others if "scope_id" not in one.c] == ["clones"]
