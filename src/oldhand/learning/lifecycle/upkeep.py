"""Looking after lessons: how far they are believed follows from the logs, and what has served its time is let go of."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from oldhand.learning.lifecycle.confidence import LessonResults, confidence_of, initial_confidence
from oldhand.learning.lifecycle.pruning import prunable, superseded_by
from oldhand.learning.lifecycle.quarantine import waits_behind
from oldhand.record.lesson import Tally
from oldhand.record.memory import Memory
from oldhand.record.stage import LESSONS, PINNED
from oldhand.store import Store
from oldhand.store.lesson_reads import MemoryUse

Wanted = Callable[[], bool]


def always() -> bool:
    """For work that has all the time it needs."""
    return True


@dataclass(frozen=True)
class Upkeep:
    """Looks after the memories of one clone, a page at a time. Methods block."""

    clone_id: str
    store: Store
    tag: str
    """Of the lessons whose confidence is derived; others keep what people or files gave them."""
    page: int = 500

    def believe(self, *, go_on: Wanted = always) -> int:
        """Bring the confidence of all lessons in line with the logs; says how many changed."""
        after = changed = 0
        while go_on():
            with self.store.learning(self.clone_id):
                found = self.store.lessons.page(
                    self.clone_id, LESSONS, after=after, limit=self.page
                )
                # What is saved gets a new place at the end, and is not changed again there.
                lessons = [one.memory for one in found if self._is_derived(one.memory)]
                saved = list(self._believed(lessons))
                self.store.save_memories(self.clone_id, saved)
            changed += len(saved)
            if len(found) < self.page:
                break
            after = found[-1].seq
        return changed

    def prune(
        self, now: datetime, *, go_on: Wanted = always, write: bool = True
    ) -> Iterator[Memory]:
        """Let go of what has served its time: a tombstone hides it, and its versions stay.

        Gives what is let go of, or would be.
        """
        after = 0
        while go_on():
            with self.store.learning(self.clone_id):
                found = self.store.lessons.expiring(
                    self.clone_id, now, after=after, limit=self.page
                )
                gone = prunable((one.memory for one in found), now)
                if gone and write:
                    ids = [one.id for one in gone]
                    self.store.save_memories(self.clone_id, (), forgotten=ids)
            yield from gone
            if len(found) < self.page:
                return
            after = found[-1].seq

    def _is_derived(self, memory: Memory) -> bool:
        """Whether its confidence follows from the logs: not what is pinned, nor what rests on no answer that we know of."""
        learned_here = self.tag in memory.tags and bool(memory.provenance.episode_ids)
        return learned_here and PINNED not in memory.tags

    def _believed(self, lessons: list[Memory]) -> Iterator[Memory]:
        ids = [one.id for one in lessons]
        votes = self.store.outcomes(self.clone_id, ids)
        uses = self.store.lessons.uses(self.clone_id, ids)
        for one in lessons:
            now = confidence_now(one, votes.get(one.id, Tally()), uses[one.id])
            if now != one.confidence:
                yield one.model_copy(update={"confidence": now})


def confidence_now(memory: Memory, votes: Tally, use: MemoryUse) -> float:
    """What a distilled lesson is believed, by all that is known of it."""
    contradicted = bool(superseded_by(memory) or waits_behind(memory))
    return confidence_of(
        initial_confidence(len(memory.provenance.episode_ids)),
        votes,
        LessonResults(use.successes, use.failures),
        contradicted=contradicted,
    )
