"""What is exported is what trusted people liked, in the format that fine-tuning takes, whole or not at all."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.errors import OutputExists, StoreError
from oldhand.face import AsyncOldhand
from oldhand.learning.training.pairs import Filters, TrainingPairs, write_lines
from oldhand.learning.training.preferences import PreferencePairs
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.testing.records import example_episode, example_feedback


@pytest.fixture
async def home(tmp_path: Path):
    opened = open_home(tmp_path / "home")
    opened.people.name(owner="ana", experts=("bo",))
    yield opened
    await opened.close()


def record(home: Home, episode_id: str, *ratings: tuple[str, int], **changes: object) -> None:
    home.store.record_episode(example_episode(episode_id, **changes))
    for number, (rater, rating) in enumerate(ratings):
        source = home.people.role(rater)
        home.store.add_feedback(
            example_feedback(
                f"{episode_id}-{number}", rating, episode_id=episode_id, rater=rater, source=source
            )
        )


def lines(home: Home, left_out: Counter[str] | None = None, **filters: object) -> list[dict]:
    pairs = TrainingPairs(home.people.clone(), home.store)
    return [json.loads(line) for line in pairs.lines(Filters.model_validate(filters), left_out)]


def ids(found: list[dict]) -> list[str]:
    return [one["metadata"]["episode_id"] for one in found]


async def test_a_line_is_as_the_format_says(home):
    record(home, "e1", ("ana", 1))
    assert lines(home) == [
        {
            "messages": [
                {"role": "user", "content": "How many customers live in Berlin?"},
                {"role": "assistant", "content": "42 customers live in Berlin."},
            ],
            "metadata": {"episode_id": "e1", "model": "openai:gpt-4o", "cost": 0.002},
        }
    ]


async def test_each_filter_leaves_out_what_it_says(home):
    record(home, "liked", ("ana", 1))
    record(home, "disliked", ("ana", -1))
    record(home, "unsure", ("ana", 1), confidence=0.5)
    record(home, "unjudged")
    record(home, "of-bo", ("bo", 1), user_id="bo")
    record(home, "abstained", ("ana", 1), outcome="abstained")
    record(home, "leaning", ("ana", 1), standalone=None)
    assert ids(lines(home)) == ["liked", "unsure", "of-bo"]
    # What people called right is sure, however sure the assistant was.
    assert ids(lines(home, min_confidence=0.8)) == ["liked", "unsure", "of-bo"]
    record(home, "unsure-unjudged", confidence=0.5)
    assert ids(lines(home, min_confidence=0.8, feedback="any")) == [
        "liked",
        "disliked",
        "unsure",
        "unjudged",
        "of-bo",
    ]
    assert ids(lines(home, feedback="negative")) == ["disliked"]
    assert ids(lines(home, feedback="any")) == [
        "liked",
        "disliked",
        "unsure",
        "unjudged",
        "of-bo",
        "unsure-unjudged",
    ]
    assert ids(lines(home, user_id="bo")) == ["of-bo"]
    assert ids(lines(home, user_id="nobody")) == []
    left_out = Counter()
    lines(home, left_out)
    assert left_out.total() == 5


async def test_what_strangers_ask_and_like_stays_out_unless_it_is_asked_for(home):
    record(home, "asked-by-a-stranger", ("ana", 1), user_id="mallory")
    record(home, "liked-by-a-stranger", ("mallory", 1))
    record(home, "both", ("mallory", 1), user_id="mallory")
    assert ids(lines(home)) == []
    assert ids(lines(home, user_id="mallory")) == ["asked-by-a-stranger"]
    assert len(lines(home, untrusted=True)) == 3


async def test_the_latest_word_counts(home):
    record(home, "e1", ("ana", 1), ("ana", -1))
    record(home, "e2", ("ana", -1), ("ana", 1))
    record(home, "e3", ("ana", 1), ("ana", 0))
    assert ids(lines(home)) == ["e2"]


async def test_batches_lose_and_repeat_nothing(home):
    for number in range(25):
        record(home, f"e{number}", ("ana", 1))
    seen = [turn.episode_id for turn in home.store.turns(DEFAULT_CLONE, batch=7)]
    assert seen == [f"e{number}" for number in range(25)]
    assert len(lines(home)) == 25


def test_a_file_is_not_overwritten_and_never_half_written(tmp_path):
    path = tmp_path / "out.jsonl"
    assert write_lines(path, ["a\n", "b\n"]) == 2
    with pytest.raises(OutputExists):
        write_lines(path, ["c\n"])

    def torn() -> Iterator[str]:
        yield "c\n"
        raise StoreError("gone")

    with pytest.raises(StoreError):
        write_lines(path, torn(), force=True)
    assert path.read_text() == "a\nb\n"
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]
    assert write_lines(path, ["c\n"], force=True) == 1


def preferences(home: Home, **options: bool) -> list[dict]:
    corrections = home.memories.learner.cases.corrections
    pairs = PreferencePairs(home.people.clone(), home.store, corrections)
    return [json.loads(line) for line in pairs.lines(**options)]


async def test_a_correction_in_words_is_preferred_to_the_answer(home):
    home.store.record_episode(example_episode("e1"))
    said = example_feedback("f1", None, episode_id="e1", correction="41 customers live there.")
    home.store.add_feedback(said)
    assert preferences(home) == [
        {
            "prompt": "How many customers live in Berlin?",
            "chosen": "41 customers live there.",
            "rejected": "42 customers live in Berlin.",
            "metadata": {"kind": "text", "episode_ids": ["e1"]},
        }
    ]


async def test_an_answer_that_was_liked_is_preferred_to_one_that_was_not(home):
    record(home, "bad", ("ana", -1), text="Roughly 42, I would say, all in all.")
    record(home, "good", ("bo", 1), text="42.")
    (pair,) = preferences(home)
    assert (pair["chosen"], pair["rejected"]) == ("42.", "Roughly 42, I would say, all in all.")
    assert pair["metadata"]["episode_ids"] == ["good", "bad"]


async def test_where_the_sql_differs_the_pair_is_one_of_sql(home):
    step = example_episode().answer.steps[0]
    wrong = step.model_copy(update={"sql": "SELECT COUNT(*) FROM orders"})
    record(home, "bad", ("ana", -1), steps=(wrong,))
    record(home, "good", ("ana", 1))
    (pair,) = preferences(home)
    assert pair["metadata"]["kind"] == "sql"
    assert (pair["chosen"], pair["rejected"]) == (step.sql, wrong.sql)


async def test_strangers_and_disputes_make_no_pairs(home):
    record(home, "bad", ("mallory", -1), text="no")
    record(home, "good", ("ana", 1), text="yes")
    record(home, "disputed", ("ana", 1), ("bo", -1), text="maybe")
    assert preferences(home) == []
    assert [pair["chosen"] for pair in preferences(home, untrusted=True)] == ["yes"]


async def test_answers_out_of_documents_carry_their_passages_and_what_people_called_right(
    tmp_path,
):
    (tmp_path / "rules.md").write_text(
        "# Rules\n\n## Fees\n\nThe fee is 9 euros. It is one of the two that are due on the day.\n\n## Laundry\n\nLaundry ends at noon.\n"
    )
    async with AsyncOldhand(tmp_path / "home") as old:
        await old.documents.add(tmp_path / "rules.md")
        liked = await old.ask("How high is the fee?")
        await old.feedback(liked, rating=1)
        wrong = await old.ask("When is the fee due on the day?")
        correction = "the right passage is the one on laundry"
        receipt = await old.feedback(wrong, correction=correction)
        assert "Laundry" in receipt.note
    home = open_home(tmp_path / "home")
    (line,) = lines(home)
    (passage,) = line["metadata"]["passages"]
    assert passage["number"] == 1
    assert passage["quote"] == "The fee is 9 euros."
    (pair,) = preferences(home)
    assert pair["metadata"]["kind"] == "passage"
    assert pair["chosen"] == "Laundry ends at noon."
    assert pair["rejected"].startswith("The fee is 9 euros.")
    await home.close()
