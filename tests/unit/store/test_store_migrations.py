import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from oldhand.errors import StoreError, StoreTooOld
from oldhand.record.answer import Answer, QueryStep
from oldhand.record.clone import Clone
from oldhand.record.episode import Episode, Message, Recalled
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback
from oldhand.record.memory import Memory
from oldhand.record.usage import LedgerEntry, Usage
from oldhand.store import Store, tables
from oldhand.store.engine import at_head, open_engine
from oldhand.store.migrate import upgrade
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode


@pytest.fixture(params=["url", "postgres_url"])
def any_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(request.param)


def set_revision(engine: sa.Engine, revision: str | None, *statements: str) -> None:
    with engine.begin() as connection:
        for statement in filter(str.strip, statements):
            connection.execute(sa.text(statement))
        connection.execute(
            sa.text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        )
        if revision is not None:
            connection.execute(
                sa.text("INSERT INTO alembic_version VALUES (:one)"), {"one": revision}
            )


def differences(engine: sa.Engine) -> list[object]:
    options = {
        "compare_type": True,
        "compare_server_default": True,
    }
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        return list(compare_metadata(context, tables.metadata))


def test_a_new_store_has_the_tables_of_the_code(any_url: str):
    engine = open_engine(any_url)
    upgrade(engine)
    assert differences(engine) == []
    engine.dispose()


def test_a_store_with_the_first_tables_gets_those_of_the_code(any_url: str):
    """A change of the tables that has no migration fails here; the files stay as they are."""
    engine = open_engine(any_url)
    first = Path(__file__).with_name(f"first_tables.{engine.dialect.name}.sql").read_text()
    set_revision(engine, "0026", *first.split(";\n"))
    upgrade(engine)
    assert differences(engine) == []
    assert at_head(engine)
    engine.dispose()


def test_a_store_from_before_the_first_release_says_how_to_keep_what_is_in_it(any_url: str):
    engine = open_engine(any_url)
    set_revision(engine, "0025")
    with pytest.raises(StoreTooOld, match="export it with the program that made it, import it"):
        Store.open(any_url, clock=FixedClock())
    assert sa.inspect(engine).get_table_names() == ["alembic_version"]
    engine.dispose()


def test_a_store_whose_making_was_broken_off_is_made(any_url: str):
    engine = open_engine(any_url)
    set_revision(engine, None)
    upgrade(engine)
    assert differences(engine) == []
    engine.dispose()


def test_tables_of_others_are_not_taken_for_our_own(any_url: str):
    engine = open_engine(any_url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE memories (remembered TEXT)"))
    with pytest.raises(StoreError, match="memories"):
        upgrade(engine)
    assert sa.inspect(engine).get_table_names() == ["memories"]
    engine.dispose()


def test_migrations_do_not_follow_the_code_that_changes_under_them():
    folder = Path(tables.__file__).parent / "migrations" / "versions"
    found = sorted(folder.glob("r*.py"))
    assert found
    for migration in found:
        imported = re.findall(
            r"^(?:from|import) (oldhand[\w.]*)", migration.read_text(), re.MULTILINE
        )
        assert set(imported) <= {"oldhand.store.column_types"}, migration.name


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
        (Answer, tables.episodes, {"episode_id", "steps", "asked"}),
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
    assert len(tables.metadata.tables) == 47
    others = [one for one in tables.metadata.tables.values() if "clone_id" not in one.c]
    assert {one.name for one in others if "scope_id" not in one.c} == {
        "clones",
        "accounts",
        "identities",
    }


def test_a_document_of_the_same_bytes_is_looked_up_in_an_index(url: str):
    """Each document that is read asks for it: without an index, the more there are, the longer each takes."""
    asked: list[tuple[str, object]] = []
    with Store.open(url, clock=FixedClock()) as store:
        engine = store.documents._transactions._engine
        sa.event.listen(engine, "before_cursor_execute", lambda *of: asked.append((of[2], of[3])))
        assert store.documents.read_before("default", "none") is None
        (statement, given), *_ = asked
        with engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given).all()
    (step,) = plan
    assert "USING INDEX ix_documents_clone_id_digest (clone_id=? AND digest=?)" in step[-1]
