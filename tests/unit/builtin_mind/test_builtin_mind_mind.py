"""The built-in mind as the analysis meets it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from oldhand.agent.analysis.mind import (
    Answerability,
    Draft,
    EarlierTurn,
    Failure,
    Inquiry,
    PlanStep,
    StepResult,
    Summary,
    Task,
    Thinking,
)
from oldhand.agent.analyst import BuiltinMind, Indexes
from oldhand.agent.analyst.linking.indexes import IndexLookup, index_of_samples
from oldhand.record.answer import FailedAttempt, Outcome, QueryStep
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Kind, Table
from oldhand.sources.databases import Catalog, find_issues
from oldhand.sources.databases.values import AllValues, ValueIndex

TODAY = date(2026, 3, 1)


def column(name: str, kind: Kind, *samples: str) -> Column:
    return Column(name=name, type="", kind=kind, samples=samples, primary_key=name == "id")


CRM = DatabaseSchema(
    name="crm",
    dialect="postgres",
    tables=(
        Table(
            name="customers",
            schema_name="public",
            row_count=50_000,
            columns=(
                column("id", Kind.INTEGER),
                column("name", Kind.TEXT, "Ann"),
                column("city", Kind.TEXT, "Berlin", "Bonn"),
                column("revenue", Kind.TEXT, "$1,200", "$7"),
            ),
        ),
    ),
)
SHOP = DatabaseSchema(
    name="shop",
    dialect="sqlite",
    tables=(
        Table(
            name="orders",
            schema_name="main",
            row_count=50_000,
            columns=(
                column("id", Kind.INTEGER),
                column("customer_id", Kind.INTEGER),
                column("total", Kind.NUMBER),
            ),
            foreign_keys=(
                ForeignKey(
                    columns=("customer_id",),
                    database="crm",
                    schema_name="public",
                    table="customers",
                    target_columns=("id",),
                ),
            ),
        ),
    ),
)
COUNT = "How many customers live in Berlin?"
ACROSS = "How many orders were placed by customers in Berlin?"


class Samples:
    """The sample values of the schemas are all that is known."""

    def lookup(self, schemas: tuple[DatabaseSchema, ...], today: date) -> IndexLookup:
        return IndexLookup(AllValues([index_of_samples(schema) for schema in schemas]))


@pytest.fixture
def mind() -> BuiltinMind:
    return BuiltinMind(Samples())


def inquiry(question: str, *history: EarlierTurn) -> Inquiry:
    return Inquiry(question=question, schemas=(CRM, SHOP), today=TODAY, history=history)


async def begun(
    mind: BuiltinMind, asked: Inquiry, number: int = 1, *results: StepResult
) -> tuple[Thinking, Task]:
    session = await mind.read(asked)
    step = (await session.plan()).steps[number - 1]
    return session, Task(step, asked.schema(step.database), results)


async def written(
    mind: BuiltinMind, asked: Inquiry, number: int = 1, *results: StepResult
) -> Draft:
    session, task = await begun(mind, asked, number, *results)
    return await session.write(task)


def flat(sql: str) -> str:
    return " ".join(sql.split())


async def test_it_says_how_it_read_the_question(mind: BuiltinMind) -> None:
    validation = (await mind.read(inquiry(COUNT))).validation
    assert validation.verdict is Answerability.ANSWERABLE
    assert validation.databases == ("crm",)
    assert "'Berlin' is a value of customers.city." in validation.notes


async def test_one_database_is_one_step(mind: BuiltinMind) -> None:
    asked = inquiry(COUNT)
    plan = await (await mind.read(asked)).plan()
    assert [(s.database, s.purpose, s.hidden) for s in plan.steps] == [
        ("crm", "count customers in Berlin", False)
    ]
    draft = await written(mind, asked)
    assert flat(draft.sql) == (
        "SELECT COUNT(*) AS number_of_customers FROM customers AS t1 WHERE t1.city = 'Berlin'"
    )


async def test_two_databases_are_two_hidden_steps_and_one_that_joins(mind: BuiltinMind) -> None:
    asked = inquiry(ACROSS)
    plan = await (await mind.read(asked)).plan()
    assert [(s.database, s.depends_on, s.hidden) for s in plan.steps] == [
        ("crm", (), True),
        ("shop", (1,), True),
        ("workspace", (1, 2), False),
    ]


def fetched(step: PlanStep, *keys: int, truncated: bool = False) -> StepResult:
    rows = tuple((key,) for key in keys)
    return StepResult(
        step=step, sql="…", columns=("id",), rows=rows, row_count=len(rows), truncated=truncated
    )


async def test_a_step_fetches_only_rows_that_can_find_a_partner(mind: BuiltinMind) -> None:
    asked = inquiry(ACROSS)
    first = (await (await mind.read(asked)).plan()).steps[0]
    draft = await written(mind, asked, 2, fetched(first, 3, 8))
    assert "IN (3, 8)" in flat(draft.sql)
    draft = await written(mind, asked, 2, fetched(first))
    assert "WHERE FALSE" in flat(draft.sql)


async def test_keys_that_are_not_all_at_hand_restrict_nothing(mind: BuiltinMind) -> None:
    asked = inquiry(ACROSS)
    first = (await (await mind.read(asked)).plan()).steps[0]
    for result in (fetched(first, 3, truncated=True), fetched(first, *range(501))):
        draft = await written(mind, asked, 2, result)
        assert "WHERE" not in draft.sql


async def test_nothing_is_counted_over_a_cut_step(mind: BuiltinMind) -> None:
    summary = await _said_over_cut_rows(mind, ACROSS)
    assert summary.withheld
    assert summary.confidence == 0.0
    assert summary.text.startswith("Only 1 rows of shop could be read")
    assert "query.workspace_rows" in summary.text


async def test_rows_of_a_cut_step_are_shown_with_a_warning(mind: BuiltinMind) -> None:
    summary = await _said_over_cut_rows(mind, ACROSS.replace("How many", "Show the"))
    assert not summary.withheld
    assert summary.confidence <= 0.1
    assert summary.text.startswith(
        "Not reliable: only 1 rows of shop could be read, so the true answer may differ."
    )


async def _said_over_cut_rows(mind: BuiltinMind, question: str) -> Summary:
    session = await mind.read(inquiry(question))
    plan = await session.plan()
    return await session.say(
        [
            fetched(plan.steps[0], 1),
            fetched(plan.steps[1], 1, truncated=True),
            StepResult(step=plan.steps[2], sql="…", columns=("n",), rows=((9,),), row_count=1),
        ]
    )


async def test_a_repair_lowers_the_confidence_and_says_what_was_changed(mind: BuiltinMind) -> None:
    asked = inquiry("What is the average revenue of customers in Berlin?")
    session, first = await begun(mind, asked)
    draft = await session.write(first)
    error = "function avg(text) does not exist HINT: No function matches the given name and argument types."
    mended = await session.repair(first, Failure(sql=draft.sql, error=error, attempt_number=1))
    assert mended is not None
    assert "CAST(SUBSTRING(REPLACE(t1.revenue" in flat(mended.sql)
    assert mended.notes == ("revenue is text that holds numbers; it was converted.",)
    assert mended.confidence < draft.confidence


async def test_the_next_reading_is_the_last_resort_and_no_statement_is_tried_twice(
    mind: BuiltinMind,
) -> None:
    asked = inquiry(COUNT)
    session, first = await begun(mind, asked)
    draft = await session.write(first)
    tried, last = [draft.sql], None
    for number in range(1, 12):
        failure = Failure(
            sql=tried[-1], error="the disk is on fire", attempt_number=number, last_attempt=last
        )
        again = await session.repair(first, failure)
        if again is None:
            break
        assert again.sql not in tried
        assert again.confidence < draft.confidence
        assert again.notes
        last = FailedAttempt(sql=tried[-1], error="the disk is on fire")
        tried.append(again.sql)
    else:
        pytest.fail("it never gave up")
    assert len(tried) > 1


async def test_names_that_only_the_schema_file_speaks_against_are_tried_on_the_database(
    mind: BuiltinMind,
) -> None:
    session, first = await begun(mind, inquiry(COUNT))
    sql = "SELECT COUNT(t1.town) FROM customers AS t1"
    objection = "\n".join(issue.message for issue in find_issues(sql, CRM))
    failure = Failure(sql=sql, error=objection, attempt_number=2)
    insisting = await session.repair(first, failure)
    assert insisting is not None
    assert insisting.sql == sql
    rejected = Failure(
        sql=sql,
        error="column t1.town does not exist",
        attempt_number=3,
        last_attempt=FailedAttempt(sql=sql, error=objection),
    )
    other = await session.repair(first, rejected)
    assert other is None or other.sql != sql


async def test_a_follow_up_goes_on_from_the_sql_that_ran(mind: BuiltinMind) -> None:
    ran = "SELECT COUNT(*) FROM customers AS t1 WHERE t1.city = 'Berlin'"
    step = QueryStep(number=1, purpose="count", database="crm", sql=ran)
    before = EarlierTurn(question=COUNT, text="There are 2.", steps=(step,))
    draft = await written(mind, inquiry("and in Bonn?", before))
    assert flat(draft.sql) == (
        "SELECT COUNT(*) AS number_of_customers FROM customers AS t1 WHERE t1.city = 'Bonn'"
    )


async def test_a_follow_up_works_across_databases(mind: BuiltinMind) -> None:
    before = EarlierTurn(question=ACROSS, text="There are 9.")
    draft = await written(mind, inquiry("and in Bonn?", before))
    assert "t2.city = 'Bonn'" in draft.sql or "t1.city = 'Bonn'" in draft.sql


@pytest.mark.parametrize(
    "question",
    [
        "How many orders did those customers place?",
        "How many of those customers have orders?",
        "Which of those customers have no orders?",
        "How many orders do these customers have?",
        "How many orders did they place?",
        "What is the total of their orders?",
        "What is the average total of their orders?",
        "What is the average total of the orders of those customers?",
        "How many customers live in that city?",
        "In that city, how many orders are there?",
        "How many customers live there?",
    ],
)
async def test_what_a_question_points_at_is_never_dropped(question: str, mind: BuiltinMind) -> None:
    before = EarlierTurn(question="Which customers live in Berlin?", text="Ann.")
    session = await mind.read(inquiry(question, before))
    if session.validation.verdict is not Answerability.CLARIFY:
        steps = (await session.plan()).steps
        tasks = [Task(one, (CRM if one.database == "crm" else SHOP), ()) for one in steps[:1]]
        assert "Berlin" in (await session.write(tasks[0])).sql


@pytest.mark.parametrize("question", ["and in Bonn?", "which ones?", "how many of them are old?"])
async def test_a_follow_up_to_nothing_asks_back(question: str, mind: BuiltinMind) -> None:
    for history in (
        (),
        (EarlierTurn(question="What is the weather?", text="No idea.", outcome=Outcome.ABSTAINED),),
    ):
        validation = (await mind.read(inquiry(question, *history))).validation
        assert validation.verdict is Answerability.CLARIFY
        assert "whole question" in validation.text


async def test_a_chosen_reading_is_answered(mind: BuiltinMind) -> None:
    options = ("number of customers with city 'Berlin'", "something else")
    back = EarlierTurn(question=COUNT, text="Which?", outcome=Outcome.CLARIFY, options=options)
    validation = (await mind.read(inquiry("the first one", back))).validation
    assert validation.verdict is Answerability.ANSWERABLE
    assert validation.notes == (f"You chose: {options[0]}.",)
    assert validation.standalone == COUNT


async def test_the_same_question_is_understood_the_same_twice() -> None:
    asked, again = inquiry(ACROSS), inquiry(ACROSS)
    one, other = BuiltinMind(Samples()), BuiltinMind(Samples())
    (first, task), (second, twin) = await begun(one, asked), await begun(other, again)
    assert first.validation == second.validation
    assert task == twin
    assert await first.write(task) == await second.write(twin)


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(sqlite3.connect(tmp_path / "crm.db")) as connection:
        connection.executescript(
            "CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT, revenue TEXT);"
            "INSERT INTO customers VALUES (1, 'Berlin', '$1,200'), (2, 'Bonn', '$7.50'), (3, 'Bonn', NULL);"
        )
    made = Catalog(tmp_path / "home")
    made.add(f"sqlite:///{tmp_path / 'crm.db'}", name="crm")
    yield made
    made.close()


def test_the_index_follows_the_file(catalog: Catalog, tmp_path: Path) -> None:
    indexes = Indexes(catalog, tmp_path / "index")
    schemas = (catalog.schema("crm"),)
    assert not indexes.lookup(schemas, TODAY).values.exact(["Rome"])
    with closing(sqlite3.connect(tmp_path / "crm.db")) as connection:
        connection.execute("INSERT INTO customers VALUES (4, 'Rome', NULL)")
        connection.commit()
    assert indexes.lookup(schemas, TODAY).values.exact(["Rome"])


def test_a_database_that_is_gone_is_known_by_its_samples(catalog: Catalog, tmp_path: Path) -> None:
    schemas = (catalog.schema("crm"),)
    catalog.close()
    (tmp_path / "crm.db").unlink()
    lookup = Indexes(catalog, tmp_path / "index").lookup(schemas, TODAY)
    assert lookup.values.exact(["Berlin"])
    assert "could not be indexed" in lookup.notes[0]


async def test_numbers_kept_as_text_are_summed_rightly_even_where_sqlite_would_not_complain(
    catalog: Catalog, tmp_path: Path
) -> None:
    mind = BuiltinMind(Indexes(catalog, tmp_path / "index"))
    asked = Inquiry(
        question="What is the average revenue of customers?",
        schemas=(catalog.schema("crm"),),
        today=TODAY,
    )
    draft = await written(mind, asked)
    with closing(sqlite3.connect(tmp_path / "crm.db")) as connection:
        assert connection.execute(draft.sql).fetchall() == [(603.75,)]


async def test_a_schema_file_that_no_longer_fits_is_named_where_nothing_is_found() -> None:
    left = (("name", "Ann"), ("revenue", "$7"))

    class Renamed:
        def lookup(self, schemas: tuple[DatabaseSchema, ...], today: date) -> IndexLookup:
            kept = [("public", "customers", name, [of]) for name, of in left]
            return IndexLookup(ValueIndex.in_memory("crm", kept))

    answer = (await BuiltinMind(Renamed()).read(inquiry(COUNT))).validation
    assert answer.verdict is Answerability.PROPOSED
    assert "(customers.city): `oldhand schema introspect crm`" in answer.text
    assert any("oldhand schema introspect crm" in note for note in answer.notes)


async def test_sql_is_not_read_as_a_question(mind: BuiltinMind) -> None:
    answer = (await mind.read(inquiry("SELECT COUNT(*) FROM customers"))).validation
    assert answer.verdict is Answerability.UNANSWERABLE
    assert answer.text.startswith("That is SQL")


async def test_a_follow_up_about_something_unknown_says_what_is_unknown(mind: BuiltinMind) -> None:
    before = EarlierTurn(question=COUNT, text="There are 2.")
    answer = (await mind.read(inquiry("and only for unicorns?", before))).validation
    assert answer.verdict is Answerability.CLARIFY
    assert answer.text.startswith("I find nothing about 'unicorns' in the databases")


@pytest.mark.parametrize("choice", ["1", "the second one"])
async def test_a_choice_between_readings_of_another_mind_never_breaks(
    mind: BuiltinMind, choice: str
) -> None:
    asked_back = EarlierTurn(
        question="How loyal are they?",
        text="Which do you mean?",
        outcome=Outcome.CLARIFY,
        options=("the share of repeated visits", "the mood of the letters they send"),
    )
    inquiry = Inquiry(question=choice, schemas=(CRM, SHOP), today=TODAY, history=(asked_back,))
    session = await mind.read(inquiry)
    if session.validation.verdict is Answerability.ANSWERABLE:
        assert (await session.plan()).steps
    else:
        assert session.validation.text
