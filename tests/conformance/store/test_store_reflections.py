"""Answers wait to be looked back on until somebody has done so, whatever happens in between."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from oldhand.record.memory import Memory, MemoryType
from oldhand.store import Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON, example_episode, example_feedback, example_memory

CLONE = "default"


def reflection(episode_id: str = "episode-1") -> Memory:
    return example_memory(f"r-{episode_id}", MemoryType.REFLECTION)


def claim(store: Store, by: str = "me", **more: object):
    wanted = {"seconds": 10, "tries": 3, **more}
    return store.reflections.claim(CLONE, by, **wanted)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def asked(store: Store) -> Store:
    store.record_episode(example_episode("episode-1"))
    return store


def test_an_answer_waits_from_when_it_is_recorded_until_it_is_looked_back_on(asked: Store) -> None:
    held = claim(asked)
    assert held is not None
    assert held.episode_id == "episode-1"

    assert asked.reflections.finish(CLONE, held, reflection())

    assert asked.reflections.waiting(CLONE) == 0
    assert claim(asked) is None
    assert asked.memory(CLONE, "r-episode-1").type is MemoryType.REFLECTION


def test_two_never_look_back_on_one_answer_at_once(asked: Store) -> None:
    assert claim(asked, "me") is not None
    assert claim(asked, "you") is None


def test_who_cannot_wait_takes_over_what_the_rules_of_others_are_at(asked: Store) -> None:
    mine = claim(asked, "me")
    assert mine is not None

    yours = asked.reflections.take_over(CLONE, "you", seconds=10, tries=3)

    assert yours is not None
    assert not asked.reflections.finish(CLONE, mine, reflection())
    assert asked.reflections.take_over(CLONE, "you", seconds=10, tries=3) is None
    assert asked.reflections.finish(CLONE, yours, reflection())


def test_what_a_model_is_at_is_not_taken_over(asked: Store) -> None:
    light = claim(asked, "me")
    assert light is not None
    asked.reflections.finish(CLONE, light, reflection(), for_model=True)
    assert claim(asked, "me", models=True) is not None
    assert asked.reflections.take_over(CLONE, "you", seconds=10, tries=3) is None


def test_what_somebody_has_not_finished_in_time_is_taken_up_by_others(
    asked: Store, clock: FixedClock
) -> None:
    mine = claim(asked, "me")
    assert mine is not None
    clock.advance(11)

    yours = claim(asked, "you")

    assert yours is not None
    assert not asked.reflections.finish(CLONE, mine, reflection())
    assert asked.memories(CLONE, type=MemoryType.REFLECTION) == ()
    assert asked.reflections.finish(CLONE, yours, reflection())


def test_a_claim_can_be_held_for_longer(asked: Store, clock: FixedClock) -> None:
    mine = claim(asked, "me")
    assert mine is not None
    assert asked.reflections.hold(CLONE, mine, seconds=60)
    clock.advance(30)

    assert claim(asked, "you") is None


def test_a_claim_from_before_the_clock_was_set_back_does_not_last(
    asked: Store, clock: FixedClock
) -> None:
    assert claim(asked, "me") is not None
    clock.advance(-86_400)

    assert claim(asked, "you") is not None


def test_feedback_lets_an_answer_wait_once_more(asked: Store) -> None:
    held = claim(asked)
    assert held is not None
    asked.reflections.finish(CLONE, held, reflection())

    asked.add_feedback(example_feedback("f-1", -1))

    assert claim(asked) is not None


def test_what_is_said_while_somebody_looks_back_is_not_overlooked(asked: Store) -> None:
    held = claim(asked)
    assert held is not None
    asked.add_feedback(example_feedback("f-1", -1))

    assert asked.reflections.finish(CLONE, held, reflection())

    again = claim(asked, "you")
    assert again is not None
    assert again.round == held.round + 1


def test_what_breaks_off_again_and_again_is_left_aside_until_somebody_speaks_of_it(
    asked: Store, clock: FixedClock
) -> None:
    for number in range(3):
        assert claim(asked, f"try-{number}") is not None
        clock.advance(11)
    assert claim(asked) is None

    asked.add_feedback(example_feedback("f-1", -1))

    assert claim(asked) is not None


def test_giving_it_back_for_want_of_time_is_no_try(asked: Store) -> None:
    for number in range(5):
        held = claim(asked, f"try-{number}")
        assert held is not None
        asked.reflections.let_go(CLONE, held)


def test_what_waits_for_a_model_is_taken_up_by_those_only_that_have_one(asked: Store) -> None:
    held = claim(asked)
    assert held is not None
    asked.reflections.finish(CLONE, held, reflection(), for_model=True)

    assert claim(asked) is None
    again = claim(asked, "model", models=True)
    assert again is not None
    assert again.for_model


def test_an_answer_can_be_let_wait_again_whether_it_waits_or_not(asked: Store) -> None:
    held = claim(asked)
    assert held is not None
    asked.reflections.finish(CLONE, held, reflection())
    asked.record_episode(example_episode("episode-2", created_at=NOON + timedelta(minutes=1)))

    for name in ("episode-1", "episode-2"):
        asked.reflections.wait_again(CLONE, name)

    assert asked.reflections.waiting(CLONE) == 2


def test_an_answer_waits_for_the_next_process_too(open_store: Callable[[], Store]) -> None:
    first = open_store()
    first.record_episode(example_episode("episode-1"))
    first.close()

    assert claim(open_store()) is not None
