"""The ledger adds up, tells whoever listens, and is not confused by threads."""

from concurrent.futures import ThreadPoolExecutor

from oldhand.models.ledger import Ledger
from oldhand.record.progress import Progress, Spent
from oldhand.record.usage import Usage
from oldhand.testing.clock import FixedClock

ONE = Usage(requests=1, input_tokens=10, output_tokens=2, cost=0.5)


def test_entries_say_when_how_long_and_what_for() -> None:
    clock = FixedClock()
    ledger = Ledger(clock)
    attempt = ledger.start("plan", "gpt-4")
    clock.advance(1.5)
    attempt.close(ONE)
    (entry,) = ledger.entries
    assert (entry.stage, entry.model, entry.usage) == ("plan", "gpt-4", ONE)
    assert (entry.seconds, entry.at) == (1.5, clock.now())


def test_all_calls_are_kept_and_added_up() -> None:
    ledger = Ledger(FixedClock())
    for stage in ["plan", "generate_sql", "plan"]:
        ledger.start(stage, "m").close(ONE)
    assert ledger.total == ONE + ONE + ONE
    assert [entry.stage for entry in ledger.entries] == ["plan", "generate_sql", "plan"]


def test_an_empty_ledger_is_zero() -> None:
    assert Ledger(FixedClock()).total == Usage()
    assert Ledger(FixedClock()).entries == ()


def test_a_listener_hears_of_each_call_with_the_total() -> None:
    heard: list[Progress] = []
    ledger = Ledger(FixedClock(), heard.append)
    ledger.start("plan", "m").close(ONE)
    ledger.start("plan", "m").close(ONE)
    assert heard == [
        Spent(stage="plan", usage=ONE, total=ONE),
        Spent(stage="plan", usage=ONE, total=ONE + ONE),
    ]


def test_an_attempt_is_booked_once() -> None:
    ledger = Ledger(FixedClock())
    attempt = ledger.start("plan", "m")
    assert attempt.close(ONE) == attempt.close(ONE + ONE)
    assert ledger.total == ONE


def test_threads_lose_nothing() -> None:
    ledger = Ledger(FixedClock())
    with ThreadPoolExecutor(8) as pool:
        for _ in range(400):
            pool.submit(lambda: ledger.start("s", "m").close(ONE))
    assert ledger.total.requests == len(ledger.entries) == 400
