"""What people take back while somebody else learns, and learning everything anew, end in the same state."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread

import pytest

from oldhand.bootstrap import Home, open_home
from oldhand.learning.alias_evidence import evidence_of
from oldhand.learning.learner import Learner
from oldhand.learning.notes import Learned
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair, Strength
from oldhand.record.feedback import Feedback, Said
from oldhand.record.memory import Memory, MemoryType
from oldhand.store import export_memories, import_memories
from oldhand.testing import FixedClock
from oldhand.testing.records import example_episode, example_feedback

CLIENT = Alias(phrase="client", database="shop", table="customers")
ROME, OSLO = "How many clients live in Rome?", "How many clients live in Oslo?"
RIGHT = "SELECT COUNT(*) FROM customers WHERE city = 'Rome'"


@dataclass
class Words:
    """Finds one word in every question of these, and lets it spoil some; may stop on the way."""

    questions: frozenset[str] = frozenset((ROME, OSLO))
    spoilt: frozenset[str] = frozenset()
    reached: Event | None = None
    go_on: Event | None = None

    def propose(self, pair: Pair, /) -> Sequence[Alias]:
        if self.reached is not None and self.go_on is not None:
            self.reached.set()
            assert self.go_on.wait(600)
        return [CLIENT] if pair.question in self.questions else []

    def helps(self, _: Alias, pairs: Sequence[Pair], /) -> bool:
        return not any(pair.question in self.spoilt for pair in pairs)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def home(tmp_path: Path, clock: FixedClock) -> Iterator[Home]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
    opened = open_home(tmp_path / "home", clock=clock)
    opened.catalog.add(f"sqlite:///{tmp_path / 'shop.db'}", name="shop")
    yield opened
    opened.store.close()
    opened.catalog.close()


@dataclass
class Teacher:
    """Puts answers and votes into the log."""

    home: Home
    clock: FixedClock
    count: int = 0

    def says(self, question: str, rating: int | None = 1, **more: object) -> Feedback:
        self.count += 1
        self.clock.advance(60)
        episode = example_episode(
            f"episode-{self.count}", standalone=question, created_at=self.clock.now()
        )
        self.home.store.record_episode(episode)
        return self.adds(episode.id, rating, **more)

    def adds(self, episode_id: str, rating: int | None, **more: object) -> Feedback:
        self.count += 1
        self.clock.advance(60)
        one = example_feedback(
            f"f-{self.count}", rating, episode_id=episode_id, created_at=self.clock.now(),
            **{"source": "owner", "rater": "default", **more},
        )  # fmt: skip
        self.home.store.add_feedback(one)
        return one


@pytest.fixture
def teacher(home: Home, clock: FixedClock) -> Teacher:
    return Teacher(home, clock)


def learner(home: Home, words: Words) -> Learner:
    usual = home.critique.learner
    wording = replace(usual.wording, propose=words.propose, helps=words.helps)
    return replace(usual, wording=wording)


def kept(home: Home, kind: MemoryType) -> tuple[Memory, ...]:
    return home.store.memories("default", type=kind, limit=None)


def aliases(home: Home) -> list[Memory]:
    return [one for one in kept(home, MemoryType.PREFERENCE) if one.effect is not None]


def while_learning(home: Home, said: Feedback, meanwhile: Callable[[], object]) -> None:
    """Do something in one thread while another one is in the middle of learning."""
    words = Words(reached=Event(), go_on=Event())
    assert words.reached is not None
    assert words.go_on is not None
    learning = Thread(target=lambda: learner(home, words).learn(said))
    learning.start()
    assert words.reached.wait(600)
    other = Thread(target=meanwhile)
    other.start()
    words.go_on.set()
    learning.join(600)
    other.join(600)


def test_two_who_learn_at_once_lose_no_evidence_of_a_word(home: Home, teacher: Teacher) -> None:
    first, second = teacher.says(ROME), teacher.says(OSLO)
    while_learning(home, first, lambda: learner(home, Words()).learn(second))
    (alias,) = aliases(home)
    assert {one.question for one in evidence_of(alias)} == {ROME, OSLO}


def test_a_pair_that_is_forgotten_while_somebody_learns_is_gone(
    home: Home, teacher: Teacher
) -> None:
    first = teacher.says(ROME)
    learner(home, Words()).learn(first)
    (pair,) = kept(home, MemoryType.EXAMPLE)
    again = teacher.adds(first.episode_id, 1, source="expert", rater="bo")
    memories = replace(home.memories, learner=learner(home, Words()))
    while_learning(home, again, lambda: memories.forget(pair.id))
    assert kept(home, MemoryType.EXAMPLE) == ()


def test_a_word_that_is_taken_back_while_somebody_learns_stays_so(
    home: Home, teacher: Teacher
) -> None:
    learner(home, Words()).learn(teacher.says(ROME))
    (alias,) = aliases(home)
    said = teacher.says(OSLO)
    while_learning(home, said, lambda: home.memories.forget(alias.id))
    (denied,) = aliases(home)
    assert denied.confidence == 0
    assert Strength.DENIED in {one.strength for one in evidence_of(denied)}


def test_a_roll_back_while_somebody_learns_is_not_lost(
    home: Home, teacher: Teacher, clock: FixedClock
) -> None:
    before = clock.now()
    said = teacher.says(ROME)
    memories = replace(home.memories, learner=learner(home, Words()))
    while_learning(home, said, lambda: memories.roll_back(before, None))
    assert kept(home, MemoryType.EXAMPLE) == ()
    assert aliases(home) == []


def test_an_import_waits_for_whoever_learns(home: Home, teacher: Teacher, tmp_path: Path) -> None:
    learner(home, Words()).learn(teacher.says(ROME))
    lines = tmp_path / "lines.jsonl"
    with lines.open("w", encoding="utf-8") as file:
        export_memories(home.store, file, type=MemoryType.EXAMPLE)
    (pair,) = kept(home, MemoryType.EXAMPLE)
    home.store.save_memories("default", [pair.model_copy(update={"confidence": 0.6})])
    importing = Thread(target=lambda: import_memories(home.store, lines, trust=True))
    with home.store.learning("default"):
        importing.start()
        importing.join(0.3)
        assert importing.is_alive()
        assert kept(home, MemoryType.EXAMPLE)[0].confidence == 0.6
    importing.join(600)
    assert kept(home, MemoryType.EXAMPLE) == (pair,)


def nothing_changes(again: Learned) -> bool:
    return again.saved == again.withdrawn == ()


@pytest.mark.parametrize("spoilt_first", [True, False])
def test_learning_everything_anew_lets_through_what_one_vote_after_the_other_did(
    home: Home, teacher: Teacher, spoilt_first: bool
) -> None:
    spoilt = "Which clients spoil it?"
    words = Words(spoilt=frozenset({spoilt}))
    learns = learner(home, words)
    for question in (spoilt, ROME) if spoilt_first else (ROME, spoilt):
        learns.learn(teacher.says(question))
    assert [one.confidence for one in aliases(home)] == ([] if spoilt_first else [0.2222])
    assert nothing_changes(learns.rebuild())
    learns.learn(teacher.says(ROME, 1, source="expert", rater="bo"))
    assert nothing_changes(learns.rebuild())


def test_a_lesson_that_was_saved_after_its_vote_survives_a_roll_back_between(
    home: Home, teacher: Teacher, clock: FixedClock
) -> None:
    teacher.says(ROME)  # and the process died
    clock.advance(60)
    between = clock.now()
    clock.advance(60)
    learns = learner(home, Words())
    learns.rebuild()
    learned = kept(home, MemoryType.EXAMPLE)
    memories = replace(home.memories, learner=learns)
    assert memories.roll_back(between, None).removed == ()
    assert kept(home, MemoryType.EXAMPLE) == learned
    assert nothing_changes(learns.rebuild())


def test_many_votes_on_one_question_ask_once_what_its_words_mean(
    home: Home, teacher: Teacher
) -> None:
    asked: list[Pair] = []

    class Counting(Words):
        def propose(self, pair: Pair, /) -> Sequence[Alias]:
            asked.append(pair)
            return super().propose(pair)

    said = [teacher.says(ROME) for _ in range(12)]
    learner(home, Counting()).learn(said[-1])
    assert len(asked) == 1


async def test_a_correction_whose_database_is_down_is_checked_later(
    home: Home, teacher: Teacher, tmp_path: Path
) -> None:
    said = teacher.says(ROME)
    learner(home, Words()).learn(said)
    learned = kept(home, MemoryType.EXAMPLE)
    home.catalog.close()
    away = (tmp_path / "shop.db").rename(tmp_path / "away.db")
    receipt = await home.critique.give(
        said.episode_id, Said("default", correction=f"shop: {RIGHT}")
    )
    assert "checked with the next feedback" in receipt.note
    assert receipt.learned == receipt.withdrawn == ()
    assert kept(home, MemoryType.EXAMPLE) == learned
    assert kept(home, MemoryType.ISSUE) == ()
    away.rename(tmp_path / "shop.db")
    home.memories.learner.rebuild()
    (pair,) = kept(home, MemoryType.EXAMPLE)
    assert pair.summary.endswith(RIGHT)
    assert len(kept(home, MemoryType.ISSUE)) == 1


async def test_who_is_no_longer_trusted_can_take_back_what_they_taught(
    home: Home, teacher: Teacher
) -> None:
    home.people.name(owner=None, experts=("bo",))
    said = teacher.says(ROME, 1, source="expert", rater="bo")
    home.critique.learner.learn(said)
    assert len(kept(home, MemoryType.EXAMPLE)) == 1
    home.people.name(owner=None, experts=())
    receipt = await home.critique.give(said.episode_id, Said("bo", rating=0))
    assert "no longer an owner or expert" in receipt.note
    assert kept(home, MemoryType.EXAMPLE) == ()
