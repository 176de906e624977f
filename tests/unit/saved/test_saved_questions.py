"""Questions that are saved, and asked again on other days and other rows."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from tests.unit.saved.conftest import Shop

from oldhand.errors import NameTaken, NotAllowed, UnknownSaved, UsageError
from oldhand.face.documents import AsyncDocuments
from oldhand.face.opened import Opened
from oldhand.record.answer import Outcome
from oldhand.record.feedback import Said
from oldhand.record.saved import KeptStep

_MONTH = timedelta(days=30).total_seconds()


async def test_a_question_is_asked_again_as_it_was_read(shop: Shop):
    saved = await shop.save("How many orders are there?", "Orders")
    assert saved.latest is not None
    assert (saved.latest.rows, saved.latest.change, saved.readers) == (((6,),), "", ("everyone",))
    shop.change("INSERT INTO orders VALUES (7, 'Bonn', 1, '2026-03-04')")
    again = await shop.saved.run("orders")
    assert again.latest is not None
    assert again.latest.rows == ((7,),)
    assert again.latest.change == "number_of_orders 6 → 7 (+16.7 %)"
    assert again.latest.text == "There are 7 orders."
    assert [one.rows for one in await shop.saved.answers("Orders")] == [((7,),), ((6,),)]
    assert (await shop.saved.run("Orders")).latest.change == ""


@pytest.mark.parametrize(
    ("question", "now", "later"),
    [
        ("How many orders were there last month?", 2, 3),
        ("How many orders were there in the last 10 days?", 1, 1),
        ("How many orders were there this year?", 5, 5),
        ("How many orders were there in February 2026?", 2, 2),
    ],
)
async def test_days_are_counted_from_the_day_of_asking(
    shop: Shop, question: str, now: int, later: int
):
    saved = await shop.save(question)
    assert saved.latest.rows == ((now,),)
    shop.clock.advance(_MONTH)  # the 4th of April
    found = (await shop.saved.run("it")).latest
    assert (found.outcome, found.rows) == (Outcome.ANSWERED, ((later,),)), found.text
    if "last month" in question:
        assert "'last month' was read as 2026-03-01 to 2026-03-31." in found.notes
        assert "March 2026" in found.text


async def test_days_that_cannot_be_moved_are_said(shop: Shop):
    saved = await shop.save("How many orders were there last month?")
    reading = saved.reading.model_copy(update={"query": None, "steps": (saved.reading.steps[0].model_copy(update={"sql": "SELECT COUNT(*) AS n FROM orders WHERE julianday(ordered_on) >= 2461072.5"}),)})  # fmt: skip
    shop.clock.advance(_MONTH)
    answer = await shop.home.appointments.asking.ask(saved.model_copy(update={"reading": reading}))
    assert answer.notes[0].startswith("'last month' can't be moved to today in this statement")


async def test_what_was_put_right_is_what_is_kept(shop: Shop):
    answer = await shop.home.turn.ask("How many orders are there?")
    right = "SELECT COUNT(*) AS n FROM orders WHERE city <> 'Rome'"
    await shop.home.critique.give(answer.episode_id, Said("default", None, None, right, ()))
    saved = await shop.saved.add("Orders", answer)
    assert (saved.reading.steps[0].sql, saved.latest.rows) == (right, ((3,),))


async def test_what_was_confirmed_is_counted_from_the_day_of_asking(shop: Shop):
    answer = await shop.home.turn.ask("How many orders were there last month?")
    await shop.home.critique.give(answer.episode_id, Said("default", 1, None, None, ()))
    shop.clock.advance(_MONTH)
    assert (await shop.save("How many orders were there last month?")).latest.rows == ((3,),)
    shop.clock.advance(_MONTH)
    assert (await shop.saved.run("it")).latest.rows == ((0,),)


async def test_a_schema_that_no_longer_fits_is_said(shop: Shop):
    await shop.save("How many orders are there for each city?", "Cities")
    shop.change("ALTER TABLE orders DROP COLUMN city")
    found = (await shop.saved.run("Cities")).latest
    assert found.outcome is Outcome.FAILED
    assert "shop.orders.city is gone" in found.text
    assert "oldhand schema introspect shop" in found.text
    shop.home.catalog.introspect("shop")
    assert "city" in (await shop.saved.run("Cities")).latest.text
    shop.change("ALTER TABLE orders ADD COLUMN city TEXT")
    shop.home.catalog.introspect("shop")
    found = (await shop.saved.run("Cities")).latest
    # It is compared with the last answer that did not fail.
    assert (found.outcome, found.change[:6]) == (Outcome.ANSWERED, "+1 row")
    answer = await shop.home.turn.ask("How many orders are there?")
    replaced = await shop.saved.add("Cities", answer, replace=True)
    assert (replaced.latest.rows, replaced.latest.change) == (
        ((6,),),
        "other columns: number_of_orders",
    )
    assert len(await shop.saved.answers("Cities")) == 5
    with pytest.raises(UnknownSaved):
        await shop.saved.add("Towns", answer, replace=True)
    shop.home.catalog.remove("shop")
    assert "save that answer" in (await shop.saved.run("Cities")).latest.text


async def test_nothing_is_replaced_by_what_cannot_be_asked(shop: Shop):
    saved = await shop.save("How many orders are there?", "Orders")
    answer = await shop.home.turn.ask("How many orders are there for each city?")
    shop.change("ALTER TABLE orders DROP COLUMN city")
    with pytest.raises(UsageError, match="city"):
        await shop.saved.add("Orders", answer, replace=True)
    kept = await shop.saved.run("Orders")
    assert (kept.reading, kept.latest.rows) == (saved.reading, ((6,),))
    answer = await shop.home.turn.ask("How many orders are there?")
    assert (await shop.saved.add("Orders", answer, replace=True, readers="bo")).readers == ("bo",)


async def test_what_rests_on_documents_stays_whole_and_becomes_public_for_nobody(shop: Shop):
    page = shop.folder / "handbook.md"
    page.write_text("# Expenses\n\nExpenses are approved by the controller.\n")
    await AsyncDocuments(Opened(shop.home, "")).add(str(page), user="default")
    await shop.save("How many orders are there?", "Orders", user="ana")
    await shop.saved.share("Orders")
    answer = await shop.home.turn.ask("Who approves expenses, and how many orders are there?")
    assert (answer.steps[0].database, len(answer.citations)) == ("shop", 1), answer.text
    replaced = await shop.saved.add("Orders", answer, replace=True)
    assert "controller" in replaced.latest.text
    assert (replaced.latest.rows, replaced.readers) == (((6,),), ("default",))
    assert [one.label for one in shop.home.store.access.credentials()] == []


async def test_where_answers_are_sent_is_told_to_who_may_change_it_only(shop: Shop):
    await shop.save("How many orders are there?", "Orders", user="ana")
    hook = "https://8.8.8.8/hooks/secret?key=1"
    await shop.saved.schedule("Orders", "daily at 08:00", targets=hook, user="ana")
    for user, told in (("ana", hook), ("default", hook), ("bo", "https://8.8.8.8/…")):
        assert (await shop.saved.get("Orders", user=user)).targets == (told,)
        assert [one.targets for one in await shop.saved.list(user=user)] == [(told,)]


async def test_who_may_see_and_who_may_change(shop: Shop):
    saved = await shop.save("How many orders are there?", "Hers", user="ana", readers="bo")
    assert saved.readers == ("bo",)
    assert (await shop.saved.run("Hers", user="bo")).latest.rows == ((6,),)
    for stranger in ("cy", "everyone"):
        assert await shop.saved.list(user=stranger) == ()
        with pytest.raises(UnknownSaved):
            await shop.saved.get("Hers", user=stranger)
    for change in (shop.saved.remove, shop.saved.deliveries, shop.saved.secret):
        with pytest.raises(NotAllowed):
            await change("Hers", user="bo")
    assert (await shop.saved.change("Hers", new_name="His", user="default")).name == "His"
    changed = await shop.saved.change("His", pinned=True, readers=["everyone"], user="ana")
    assert (changed.pinned, changed.name) == (True, "His")
    assert [one.name for one in await shop.saved.list(user="cy")] == ["His"]
    answer = await shop.home.turn.ask("What is the moon?")
    with pytest.raises(UsageError):
        await shop.saved.add("Moon", answer)
    with pytest.raises(NameTaken):
        await shop.save("How many orders are there?", "his")
    for name in ("", " ", "a/b", "..", "x" * 121, "a\nb"):
        with pytest.raises(UsageError):
            await shop.save("How many orders are there?", name)


async def test_who_has_the_link_sees_the_answer_and_nothing_else(shop: Shop):
    saved = await shop.save("How many orders are there?", "Orders")
    issued = await shop.saved.share("Orders")
    assert issued.token.startswith("oldhand_view_")
    shop.change("DROP TABLE orders")
    assert (await shop.saved.run("Orders")).latest.outcome is Outcome.FAILED
    seen = await shop.saved.shared(issued.credential.label)
    assert (seen.rows, seen.name) == (((6,),), "Orders")
    assert "SELECT" not in seen.model_dump_json()
    await shop.saved.unshare(saved.id)
    keys = shop.home.store.access.credentials(clone_id="default")
    assert [one for one in keys if one.label == saved.id] == []


async def test_boards_show_what_one_may_see_in_their_order(shop: Shop):
    await shop.save("How many orders are there?", "Orders")
    await shop.save("How many orders are there for each city?", "Cities", user="ana", readers="ana")
    seen = await shop.boards.put("Sales", ["cities", "Orders", "Cities"], user="ana")
    assert [one.name for one in seen.questions] == ["Cities", "Orders"]
    assert [one.name for one in (await shop.boards.get("sales", user="bo")).questions] == ["Orders"]
    shop.change("DELETE FROM orders WHERE id = 1")
    seen = await shop.boards.run("Sales", user="ana")
    assert [one.latest.change for one in seen.questions] == ["-1 row (Berlin)", "number_of_orders 6 → 5 (-16.7 %)"]  # fmt: skip
    with pytest.raises(NotAllowed):
        await shop.boards.put("SALES", [], user="bo")
    await shop.boards.remove("Sales", user="ana")
    with pytest.raises(UnknownSaved):
        await shop.boards.get("Sales")


async def test_steps_whose_query_nobody_knows_run_as_they_ran(shop: Shop):
    saved = await shop.save("How many orders were there last month?")
    steps = (
        KeptStep(database="shop", sql="SELECT city FROM orders WHERE ordered_on >= '2026-02-01' AND ordered_on < '2026-03-01'"),
        KeptStep(database="workspace", sql="SELECT COUNT(*) AS n FROM step_1"),
    )  # fmt: skip
    reading = saved.reading.model_copy(update={"query": None, "steps": steps})
    kept = saved.model_copy(update={"reading": reading})
    found = await shop.home.appointments.asking.ask(kept)
    assert (found.outcome, found.rows) == (Outcome.ANSWERED, ((2,),)), found.text
    shop.clock.advance(_MONTH)
    assert (await shop.home.appointments.asking.ask(kept)).rows == ((3,),)


async def test_a_morning_elsewhere_may_be_an_evening_of_the_day_before(shop: Shop):
    await shop.save("How many orders were there yesterday?")
    await shop.saved.schedule("it", "daily at 00:30", zone="Asia/Tokyo")
    shop.change("INSERT INTO orders VALUES (7, 'Bonn', 1, '2026-03-05')")
    shop.clock.advance(3.5 * 3600)  # 00:30 of the 6th in Tokyo
    assert (await shop.saved.due()).asked == 1
    assert (await shop.saved.get("it")).latest.rows == ((1,),)


async def test_rows_of_several_databases_are_joined_anew_and_documents_read_anew(shop: Shop):
    with closing(sqlite3.connect(shop.folder / "crm.db")) as crm, crm:
        crm.executescript("CREATE TABLE cities (city TEXT PRIMARY KEY, country TEXT); INSERT INTO cities VALUES ('Oslo', 'Norway'), ('Rome', 'Italy'), ('Berlin', 'Germany');")  # fmt: skip
    shop.home.catalog.add(f"sqlite:///{shop.folder}/crm.db", name="crm")
    shop.home.catalog.link_keys(write=True)
    saved = await shop.save("How many orders are there for each country last month?", "Countries")
    assert set(saved.reading.databases) == {"crm", "shop"}
    assert dict(saved.latest.rows) == {"Norway": 1, "Germany": 1}, saved.latest.text
    shop.clock.advance(_MONTH)
    again = (await shop.saved.run("Countries")).latest
    assert dict(again.rows) == {"Norway": 1, "Italy": 2}, again.text
    page = shop.folder / "handbook.md"
    for days in (30, 45):
        page.write_text(f"# Returns\n\nGoods may be returned within {days} days of delivery.\n")
        await AsyncDocuments(Opened(shop.home, "")).add(str(page), user="default")
        if days == 30:
            kept = await shop.save("Within how many days may goods be returned?", "Returns")
            assert (kept.readers, kept.reading.databases) == (("default",), ())
    found = (await shop.saved.run("Returns")).latest
    assert ("45 days" in found.text, found.change) == (True, "another answer")
