"""What is kept of saved questions, on SQLite and Postgres."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest

from oldhand.errors import NameTaken, UnknownSaved
from oldhand.record.answer import Outcome
from oldhand.record.saved import (
    Board,
    DeliveryState,
    KeptReading,
    KeptStep,
    SavedAnswer,
    SavedQuestion,
    Schedule,
)
from oldhand.store import Store
from oldhand.store.saved.rows import CLAIMED
from oldhand.store.saved.store import NextTry
from oldhand.testing.clock import FixedClock

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
AT_NINE = FixedClock(NOW)
READING = KeptReading(steps=(KeptStep(database="shop", sql="SELECT 1"),), asked_on=date(2026, 1, 5))


def question(name: str = "Customers", **given: object) -> SavedQuestion:
    known = {
        "id": f"id-{name}",
        "name": name,
        "question": "How many customers are there?",
        "user_id": "ana",
        "episode_id": f"episode-{name}",
        "reading": READING,
        "created_at": NOW,
    }
    return SavedQuestion.model_validate({**known, **given})


def answer(*rows: tuple[int], at: datetime = NOW) -> SavedAnswer:
    return SavedAnswer(
        at=at, outcome=Outcome.ANSWERED, text=f"{rows[0][0]} of them.", columns=("n",), rows=rows
    )


@pytest.fixture(params=["sqlite", "postgres_url"])
def store(request: pytest.FixtureRequest, tmp_path: object) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path}/store.db"
    if request.param != "sqlite":
        url = request.getfixturevalue(request.param)
    with Store.open(url, clock=FixedClock(NOW)) as opened:
        yield opened


def test_a_question_is_kept_with_all_its_answers(store: Store):
    saved = store.saved
    saved.add("default", question(readers=("bo",), pinned=True), answer((2,)))
    saved.add("default", question("Apples"), answer((7,)))
    saved.add_answer("default", "id-Customers", answer((3,)), kept=10)
    found = saved.get("default", "customers")
    assert found.latest is not None
    assert (found.latest.rows, found.readers, found.reading) == (((3,),), ("bo",), READING)
    assert [one.rows for one in saved.answers("default", "id-Customers", 9)] == [((3,),), ((2,),)]
    listed = saved.list("default")
    assert [one.name for one in listed] == ["Customers", "Apples"]
    assert [one.latest and (one.latest.text, one.latest.rows) for one in listed] == [
        ("3 of them.", ()),
        ("7 of them.", ()),
    ]
    with pytest.raises(NameTaken):
        saved.add("default", question("CUSTOMERS"), answer((1,)))
    for unknown in ("nothing", ""):
        with pytest.raises(UnknownSaved):
            saved.get("default", unknown)
    with pytest.raises(UnknownSaved):
        saved.get("other", "Customers")


def test_names_are_found_in_whatever_letters(store: Store):
    store.saved.add("default", question("Übersicht", id="one"), answer((2,)))
    assert store.saved.get("default", "übersicht").id == "one"
    with pytest.raises(NameTaken):
        store.saved.add("default", question("ÜBERSICHT", id="two"), answer((2,)))
    for name in ("Öfen", "öfen"):
        board = Board(name=name, user_id="ana", questions=(), created_at=NOW)
        store.saved.put_board("default", board)
    assert [one.name for one in store.saved.boards("default")] == ["öfen"]
    store.saved.remove_board("default", "ÖFEN")
    assert store.saved.boards("default") == ()


def test_only_so_many_answers_are_kept(store: Store):
    store.saved.add("default", question(), answer((0,)))
    for n in range(1, 5):
        store.saved.add_answer("default", "id-Customers", answer((n,)), kept=3, targets=["a@b.de"])
    kept = store.saved.answers("default", "id-Customers", 9)
    assert [one.rows for one in kept] == [((4,),), ((3,),), ((2,),)]
    assert len(store.saved.deliveries("default", "id-Customers", 9)) == 3
    store.saved.remove("default", "id-Customers")
    assert store.saved.answers("default", "id-Customers", 9) == ()
    assert store.saved.add_answer("default", "id-Customers", answer((5,)), kept=3).id == 0


def test_who_slept_while_a_claim_ran_out_can_hold_it_no_longer(store: Store):
    daily, later = Schedule.of("daily at 09:00", "UTC"), NOW + CLAIMED
    store.saved.add("default", question(schedule=daily, due_at=NOW), answer((2,)))
    store.saved.add_answer("default", "id-Customers", answer((3,)), kept=9, targets=["a@b.example"])
    for claim in (store.saved.claim, store.saved.claim_delivery):
        first = claim("default", AT_NINE)
        again = store.saved.hold("default", first, AT_NINE)
        assert again is not None
        taken = claim("default", FixedClock(later))
        assert taken is not None
        assert store.saved.hold("default", again, FixedClock(later)) is None
        held = store.saved.hold("default", taken, FixedClock(later + CLAIMED / 2))
        assert held.until == later + 1.5 * CLAIMED


def test_who_slept_while_sending_undoes_nothing_that_others_have_told(store: Store):
    store.saved.add("default", question(), answer((2,)))
    store.saved.add_answer("default", "id-Customers", answer((3,)), kept=9, targets=["a@b.example"])
    slept = store.saved.claim_delivery("default", AT_NINE)
    taken = store.saved.claim_delivery("default", FixedClock(NOW + CLAIMED))
    failed = slept.delivery.model_copy(update={"error": "no answer", "tries": 1})
    sent = slept.delivery.model_copy(update={"state": DeliveryState.SENT, "due_at": None})
    assert not store.saved.settle("default", failed, slept.until)
    assert store.saved.claim_delivery("default", FixedClock(NOW + CLAIMED)) is None
    assert store.saved.settle("default", sent, slept.until)
    assert store.saved.hold("default", taken, FixedClock(NOW + CLAIMED)) is None
    assert not store.saved.settle("default", failed, taken.until)
    (delivery,) = store.saved.deliveries("default", "id-Customers", 9)
    assert (delivery.state, delivery.error) == (DeliveryState.SENT, "")


def test_what_is_due_is_claimed_once_until_whoever_claimed_it_is_taken_for_dead(store: Store):
    daily = Schedule.of("daily at 09:00", "UTC")
    store.saved.add("default", question(schedule=daily, due_at=NOW), answer((2,)))
    assert store.saved.due(NOW - timedelta(seconds=1)) == ()
    assert store.saved.due(NOW) == ("default",)
    claimed = store.saved.claim("default", AT_NINE)
    assert claimed is not None
    assert (claimed.saved.schedule, claimed.tries) == (daily, 0)
    assert store.saved.claim("default", AT_NINE) is None
    assert store.saved.due(NOW) == ()
    assert store.saved.claim("default", FixedClock(NOW + CLAIMED)) is not None
    upcoming = NextTry(daily.after(NOW), NOW)
    to = ["https://a.example/x", "bo@b.example"]
    given, told = ("default", "id-Customers"), answer((3,))
    store.saved.add_answer(*given, told, kept=9, upcoming=upcoming, targets=to)
    assert store.saved.claim("default", FixedClock(NOW + CLAIMED)) is None
    assert store.saved.get("default", "Customers").due_at == daily.after(NOW)
    # Somebody has changed the schedule meanwhile: that stays.
    store.saved.add_answer(*given, told, kept=9, upcoming=NextTry(None, NOW))
    assert store.saved.get("default", "Customers").due_at == daily.after(NOW)
    first = store.saved.claim_delivery("default", AT_NINE)
    second = store.saved.claim_delivery("default", AT_NINE)
    assert first is not None
    assert second is not None
    assert store.saved.claim_delivery("default", AT_NINE) is None
    assert (first.answer.rows, first.saved.name) == (((3,),), "Customers")
    sent = {"state": DeliveryState.SENT, "due_at": None, "sent_at": NOW, "tries": 1}
    store.saved.settle("default", first.delivery.model_copy(update=sent), first.until)
    later = {"error": "no answer", "tries": 1, "due_at": NOW + timedelta(minutes=1)}
    store.saved.settle("default", second.delivery.model_copy(update=later), second.until)
    assert store.saved.claim_delivery("default", AT_NINE) is None
    again = store.saved.claim_delivery("default", FixedClock(NOW + timedelta(minutes=1)))
    assert again is not None
    assert again.delivery.target == "bo@b.example"
    states = [one.state.value for one in store.saved.deliveries("default", "id-Customers", 9)]
    assert states == ["waiting", "sent"]


def test_of_a_user_who_is_erased_nothing_saved_is_left(store: Store):
    store.saved.add("default", question("own"), answer((2,)))
    store.saved.add("default", question("read", user_id="bo", readers=("ana", "cy")), answer((2,)))
    for name, user in (("hers", "ana"), ("his", "bo")):
        board = Board(name=name, user_id=user, questions=("id-own", "id-read"), created_at=NOW)
        store.saved.put_board("default", board)
    store.erasing.begin("default", "ana")
    assert [(one.name, one.readers) for one in store.saved.list("default")] == [("read", ("cy",))]
    assert [one.name for one in store.saved.boards("default")] == ["his"]


def test_schedules_keep_the_time_of_the_clocks_on_the_wall():
    weekly = Schedule.of("weekly on Sunday at 02:30", "Europe/Berlin")
    autumn = weekly.after(datetime(2026, 10, 24, tzinfo=UTC))
    assert autumn == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # the first of two
    assert weekly.after(autumn) == datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
    spring = weekly.after(datetime(2026, 3, 28, tzinfo=UTC))
    assert spring == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)  # 03:30, as 02:30 is left out
    assert weekly.after(spring) == datetime(2026, 4, 5, 0, 30, tzinfo=UTC)
