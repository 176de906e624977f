"""What comes back from feedback: what was recorded, and what was learned from it."""

from oldhand.record.base import Record
from oldhand.record.feedback import Feedback
from oldhand.record.memory import Memory


class Otherwise(Record):
    """An earlier question that is answered in another way by what was learned."""

    question: str
    before: str | None = None
    """What was asked of the databases; None when there was no answer."""
    after: str | None = None
    """What is asked now; None when there is no answer any more."""
    confirmed: bool = False
    """Whether people have confirmed the answer that it had: the very question keeps it, and the like of it do not."""


class Consequences(Record):
    """What a feedback changes for earlier questions."""

    otherwise: tuple[Otherwise, ...] = ()
    """The newest first, those before them whose answers were confirmed."""
    looked_at: int = 0
    """Questions that were read with and without what was learned."""
    of: int = 0
    """Questions that it may matter to; more than were looked at when there was no time for all."""


class Receipt(Feedback):
    """Feedback as it was recorded, with what it has taught."""

    learned: tuple[Memory, ...] = ()
    """Memories that are new, or that have changed."""
    withdrawn: tuple[str, ...] = ()
    """Ids of memories that nothing speaks for any more."""
    note: str = ""
    """Why nothing was learned, or what else is to be known; empty when there is nothing to say."""

    consequences: Consequences = Consequences()
    """What it changes for earlier questions."""

    @property
    def feedback(self) -> Feedback:
        """The feedback alone."""
        return Feedback.model_validate(self.model_dump(include=set(Feedback.model_fields)))
