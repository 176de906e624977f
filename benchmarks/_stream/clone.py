"""One clone over one database: what it knows, what it recalls, and what it learns from feedback."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime

from benchmarks._stream.conditions import Arm
from benchmarks._stream.placebo import Shuffled
from benchmarks._stream.reader import Reader, Shown
from benchmarks._stream.teacher import Said
from benchmarks._stream.turns import Turn
from oldhand.learning.aliases import Changed
from oldhand.learning.confirmation import Solution, Vote, memories_of, votes_on
from oldhand.learning.recall import Recall
from oldhand.learning.retractions import Retraction, Retractions
from oldhand.learning.wording import Wording
from oldhand.record.answer import Answer, Outcome, QueryStep
from oldhand.record.clone import DEFAULT_CLONE, DEFAULT_USER
from oldhand.record.episode import Episode
from oldhand.record.feedback import Feedback, Source
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.phrases import question_key
from oldhand.settings import RecallSettings
from oldhand.testing import FixedClock, MemoryCredit, MemoryIndex

SECONDS = 60.0
"""Between two questions."""


class Shelf:
    """The memories of a clone: stands where the store does in the product."""

    def __init__(self) -> None:
        self.kept: dict[str, Memory] = {}

    def memories(
        self,
        clone_id: str,  # noqa: ARG002
        *,
        type: MemoryType | None,  # noqa: A002
        limit: int | None,
    ) -> list[Memory]:
        """Those of one type, newest first."""
        found = [memory for memory in reversed(self.kept.values()) if memory.type is type]
        return found[:limit]


@dataclass
class Heard:
    """All that was said about one question."""

    episodes: dict[str, Episode] = field(default_factory=dict)
    votes: list[Vote] = field(default_factory=list)
    memories: frozenset[str] = frozenset()
    """Ids of the pairs that follow from it."""


class Clone:
    """Learns from the owner's feedback and recalls what it learned, as far as its arm lets it."""

    def __init__(self, arm: Arm, reader: Reader, seed: str) -> None:
        self._arm = arm
        self._reader = reader
        self._clock = FixedClock()
        self._learns = bool(arm.recalled)
        self._shelf = Shelf()
        self._heard: defaultdict[str, Heard] = defaultdict(Heard)
        self._retractions = Retractions()
        self._credit = MemoryCredit()
        index = MemoryIndex()
        self._recallable = Shuffled(index, seed) if arm.shuffled else index
        self._recall = Recall(
            index.search_each, self._credit.tallies, RecallSettings(), self._clock
        )
        self._wording = Wording(DEFAULT_CLONE, self._shelf, reader.proposed, reader.helps)

    def recall(self, text: str) -> tuple[Lesson, ...]:
        """The lessons for a question."""
        self._clock.advance(SECONDS)
        return self._recall.recall(text) if self._learns else ()

    def learn(self, turn: Turn, shown: Shown, said: Said) -> None:
        """Turn what the owner said to an answer into memories."""
        if not self._learns:
            return
        self._credit.vote(shown.lessons, said.rating)
        episode, feedback = self._episode(turn, shown), self._feedback(turn, said)
        heard = self._heard[question_key(shown.question)]
        heard.episodes[episode.id] = episode
        heard.votes += votes_on(episode, (feedback,), self._corrected)
        self._derive(heard)

    def roll_back(self) -> None:
        """Take back all that was learned, and learn nothing more."""
        ever = Retraction(datetime.min.replace(tzinfo=UTC), self._clock.now())
        self._retractions = Retractions((ever,))
        for heard in self._heard.values():
            self._derive(heard)
        self._learns = False

    def _derive(self, heard: Heard) -> None:
        """Bring the memories that follow from one question in line with what was said of it."""
        pairs = memories_of(DEFAULT_CLONE, heard.votes, self._retractions.counts)
        ids = frozenset(memory.id for memory in pairs)
        words = Changed()
        if MemoryType.PREFERENCE in self._arm.recalled:
            words = self._wording.changes(heard.votes, heard.episodes, pairs)
        for memory_id in (*(heard.memories - ids), *words.forgotten):
            self._forget(memory_id)
        for memory in (*pairs, *words.saved):
            self._save(memory)
        heard.memories = ids

    def _save(self, memory: Memory) -> None:
        if self._shelf.kept.get(memory.id) == memory:
            return
        self._shelf.kept[memory.id] = memory
        if memory.type in self._arm.recalled and not self._is_too_late(memory):
            self._recallable.save(memory)

    def _forget(self, memory_id: str) -> None:
        if self._shelf.kept.pop(memory_id, None) is not None:
            self._recallable.forget(memory_id)

    def _is_too_late(self, memory: Memory) -> bool:
        """Whether as many as the arm keeps were there before this one."""
        if self._arm.first is None:
            return False
        alike = [one for one in self._shelf.kept.values() if one.type is memory.type]
        return alike.index(memory) >= self._arm.first

    def _episode(self, turn: Turn, shown: Shown) -> Episode:
        name = self._reader.database.name
        step = QueryStep(number=1, purpose="", database=name, sql=shown.sql or "")
        answer = Answer(
            episode_id=_id(turn),
            question=shown.question,
            outcome=Outcome.ANSWERED if shown.sql else Outcome.ABSTAINED,
            text="",
            confidence=shown.confidence,
            query=shown.query,
            lessons=shown.lessons,
            steps=(step,) if shown.sql else (),
            model="builtin",
            seconds=0.0,
            session_id=_id(turn),
        )
        return Episode.of(answer, DEFAULT_CLONE, DEFAULT_USER, self._clock.now())

    def _feedback(self, turn: Turn, said: Said) -> Feedback:
        return Feedback(
            id=f"feedback-{_id(turn)}",
            clone_id=DEFAULT_CLONE,
            episode_id=_id(turn),
            rater=DEFAULT_USER,
            source=Source.OWNER,
            created_at=self._clock.now(),
            rating=said.rating,
            correction=said.correction,
        )

    def _corrected(self, episode: Episode, feedback: Feedback) -> Solution:
        name = self._reader.database.name
        return Solution(episode.answer.question, (name,), name, feedback.correction)


def _id(turn: Turn) -> str:
    return f"q{turn.number}"
