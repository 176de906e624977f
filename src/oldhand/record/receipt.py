"""What comes back from feedback: what was recorded, and what was learned from it."""

from oldhand.record.feedback import Feedback
from oldhand.record.memory import Memory


class Receipt(Feedback):
    """Feedback as it was recorded, with what it has taught."""

    learned: tuple[Memory, ...] = ()
    """Memories that are new, or that have changed."""
    withdrawn: tuple[str, ...] = ()
    """Ids of memories that nothing speaks for any more."""
    note: str = ""
    """Why nothing was learned, or what else is to be known; empty when there is nothing to say."""

    @property
    def feedback(self) -> Feedback:
        """The feedback alone."""
        return Feedback.model_validate(self.model_dump(include=set(Feedback.model_fields)))
