"""What every store tells those who learn from feedback."""

import pytest

from oldhand.errors import UsageError
from oldhand.record.episode import Recalled, Recollection
from oldhand.record.memory import MemoryType
from oldhand.store import Store
from oldhand.store.memory_writes import SavedChange
from oldhand.testing.records import example_episode, example_feedback


def test_the_log_of_several_episodes_is_in_order_of_arrival(store: Store) -> None:
    given = []
    for number in range(1, 4):
        store.record_episode(example_episode(f"episode-{number}"))
    for number, episode in enumerate([2, 1, 2, 3]):
        one = example_feedback(f"f-{number}", 1, episode_id=f"episode-{episode}")
        store.add_feedback(one)
        given.append(one)
    assert store.feedback_log("default", ["episode-1", "episode-2"]) == tuple(given[:3])
    assert store.feedback_log("default", []) == ()
    assert store.feedback_log("other", ["episode-1"]) == ()


def test_only_episodes_that_trusted_people_judged_are_told_by_their_question(store: Store) -> None:
    for name, source, asked in (
        ("owner", "owner", "How many?"),
        ("expert", "expert", "How  MANY?"),
        ("external", "external", "How many?"),
        ("leaning", "owner", None),
        ("silent", None, "How many?"),
    ):
        store.record_episode(example_episode(name, standalone=asked))
        if source is not None:
            store.add_feedback(example_feedback(f"f-{name}", 1, episode_id=name, source=source))
    assert store.judged_questions("default") == {"owner": "How many?", "expert": "How  MANY?"}


def test_what_a_question_means_alone_is_kept_with_its_episode(store: Store) -> None:
    leaning = example_episode("e-1", question="And in Rome?", standalone=None)
    whole = example_episode("e-2", question="And in Rome?", standalone="How many live in Rome?")
    for episode in (leaning, whole):
        store.record_episode(episode)
    assert store.episode("default", "e-1").answer.standalone is None
    assert store.episode("default", "e-2") == whole.model_copy(
        update={"success": store.episode("default", "e-2").success}
    )


def test_feedback_is_found_by_its_id_or_the_beginning_of_it(store: Store) -> None:
    store.record_episode(example_episode())
    for name in ("abc-1", "abc-2", "abd", "a%c"):
        store.add_feedback(example_feedback(name, 1))
    assert store.feedback("default", "abd").id == "abd"
    assert store.feedback("default", "a%").id == "a%c"
    for given in ("abc", "nothing", "ABD"):
        with pytest.raises(UsageError):
            store.feedback("default", given)


def test_answers_that_rest_on_a_memory_are_counted(store: Store) -> None:
    for number, used in enumerate((True, False, None)):
        episode = example_episode(f"episode-{number}")
        item = Recalled(
            kind="memory", item_id="m", rank=1, score=1.0, shown=True, chance=1.0, used=used
        )
        store.record_episode(episode, Recollection(episode_id=episode.id, items=(item, item)))
    assert store.lessons.uses("default", ["m"])["m"].uses == 2
    assert store.lessons.uses("default", ["nothing"])["nothing"].uses == 0


def test_an_answer_has_the_tags_that_its_asker_gave_it(store: Store) -> None:
    episode = example_episode("e-1", user_id="ana", tags=("weekly",))
    store.record_episode(episode)
    for number, rater in enumerate(("ana", "bo")):
        store.add_feedback(
            example_feedback(f"f-{number}", -1, episode_id="e-1", rater=rater, tags=(f"too-verbose-{rater}",))
        )  # fmt: skip
    wanted = ("weekly", "too-verbose-ana")
    assert store.episode("default", "e-1").tags == wanted
    (memory,) = store.memories("default", type=MemoryType.EPISODIC)
    assert memory.tags == wanted
    assert store.save_memory(memory) is SavedChange.UNCHANGED
    store.record_episode(episode)
