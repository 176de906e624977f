"""The trials of lessons: what they have shown, and letting the evidence decide."""

from dataclasses import dataclass

from oldhand.learning.evidence import Decided, LessonEvidence, Weighing
from oldhand.store import Store


@dataclass(frozen=True)
class Trials:
    """Looks after the trials of one clone. Methods block."""

    store: Store
    weighing: Weighing

    def evidence(self, lesson_id: str | None = None) -> tuple[LessonEvidence, ...]:
        """The evidence for each lesson that was ever on trial, or for one; the most telling first."""
        return self.weighing.evidence(lesson_id)

    def decide(self) -> tuple[Decided, ...]:
        """Promote what has been found to help, and retire what has been found to do harm; as the night does."""
        with self.store.learning(self.weighing.clone_id):
            decided = self.weighing.weigh()
            self.weighing.carry_out(decided)
        return decided
