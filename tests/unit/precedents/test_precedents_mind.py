"""The built-in mind with lessons, as the analysis meets it."""

from datetime import date

from oldhand.agent.analysis.mind import Answerability, Inquiry, Task
from oldhand.agent.analyst import BuiltinMind
from oldhand.agent.analyst.linking.indexes import IndexLookup
from oldhand.record.lesson import Lesson
from oldhand.sources.databases import check_sql

QUESTION = "Who is our star patron?"
SQL = "SELECT name FROM customers ORDER BY age DESC LIMIT 1"


class Looked:
    """The values of the shop."""

    def __init__(self, shop) -> None:
        self._values = shop.values

    def lookup(self, schemas, today) -> IndexLookup:
        return IndexLookup(self._values)


def _inquiry(shop, *lessons: Lesson) -> Inquiry:

    return Inquiry(QUESTION, shop.schemas, date(2026, 12, 1), lessons=lessons)


async def test_an_answer_says_which_lessons_and_which_query_it_rests_on(shop, confirm):
    mind = BuiltinMind(Looked(shop))
    validation = (await mind.read(_inquiry(shop, confirm(QUESTION, SQL)))).validation
    assert validation.verdict is Answerability.ANSWERABLE
    assert validation.lessons == ("pair-1",)
    assert validation.query == (
        "SELECT t1.name FROM shop.main.customers AS t1 ORDER BY t1.age DESC LIMIT 1"
    )
    assert validation.databases == ("shop",)


async def test_without_an_answer_there_is_neither_query_nor_lesson(shop):
    validation = (await BuiltinMind(Looked(shop)).read(_inquiry(shop))).validation
    assert validation.verdict is Answerability.UNANSWERABLE
    assert (validation.query, validation.lessons) == (None, ())


async def test_the_sql_of_a_pair_is_written_anew_and_passes_the_guard(shop, confirm):
    mind = BuiltinMind(Looked(shop))
    inquiry = _inquiry(shop, confirm(QUESTION, f"{SQL} -- and a remark"))
    session = await mind.read(inquiry)
    plan = await session.plan()
    draft = await session.write(Task(plan.steps[0], inquiry.schema("shop")))
    assert "remark" not in draft.sql
    assert check_sql(draft.sql, "sqlite")
