"""What people reply to a proposal: yes, no, or the number of another reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.replies import bare_reply, without_courtesies
from oldhand.cli.learned import receipt_lines
from oldhand.cli.screen import one_line
from oldhand.face import AsyncOldhand
from oldhand.record.answer import WORKSPACE, Answer, Outcome
from oldhand.record.feedback import UNDERSTOOD
from oldhand.record.receipt import Receipt

NOT_MEANT = "Nothing was learned. Say it in other words, or pick what is wrong: `oldhand fix last`."
"""Said to a no to a correction that was asked back."""


@dataclass
class Offer:
    """A proposal that waits for a word; after a no, the next reading stands in its place."""

    answer: Answer
    user: str
    databases: Sequence[str] | None = None
    place: int = 0
    """Which of the readings is offered."""

    @property
    def is_open(self) -> bool:
        """Whether there is something to say yes or no to."""
        proposed = self.answer.outcome is Outcome.PROPOSED
        return proposed and self.place < max(len(self.answer.options), 1)

    def agrees(self, line: str) -> bool:
        """Whether a reply is a yes to what is offered, or the number of another reading, which is offered then."""
        match without_courtesies(line):
            case [number] if number.isdecimal() and 0 < int(number) <= len(self.answer.options):
                self.place = int(number) - 1
                return True
            case _:
                return bare_reply(line) is True

    def refuses(self, line: str) -> bool:
        """Whether a reply is a no."""
        return bare_reply(line) is False

    async def agree(self, old: AsyncOldhand, said: str = "") -> tuple[Answer, Receipt]:
        """The answer in the reading that is offered, and what is learned from the yes.

        What is `said` goes to the correction that was asked back since, where there is one.

        Raises:
            UsageError: it is not clear what the yes is for.
        """
        answer = self.answer
        if self.place:
            answer = await old.ask(
                self.answer.options[self.place],
                databases=self.databases,
                user=self.user,
                session_id=self.answer.session_id,
            )
        if bare_reply(said):
            return await agree(old, answer, self.user, said)
        return answer.agreed, await old.feedback(answer.episode_id, rating=1, rater=self.user)

    async def refuse(self, old: AsyncOldhand) -> str:
        """Note the no, and offer the next reading; the line to show."""
        if not self.place:
            await old.feedback(self.answer.episode_id, rating=-1, rater=self.user)
        self.place += 1
        if self.is_open:
            return f"Or so: {one_line(self.answer.options[self.place])}. Is that right?"
        return "That is all that I could read it as."


async def agree(old: AsyncOldhand, answer: Answer, user: str, said: str) -> tuple[Answer, Receipt]:
    """The answer that a yes agrees to, and what is learned: the correction that was asked back last, else the answer as it was read."""
    receipt = await old.feedback(answer.episode_id, rating=1, text=said, rater=user)
    if not receipt.correction:
        return answer.agreed, receipt
    question = answer.standalone or answer.question
    names = {step.database for step in answer.steps if step.database != WORKSPACE}
    found = await old.ask(
        question, databases=[*names] or None, user=user, session_id=answer.session_id
    )
    return found.agreed, receipt


async def waits_for_correction(old: AsyncOldhand, answer: Answer, user: str) -> bool:
    """Whether somebody was asked last if a correction of an answer was meant; nothing is recorded.

    Raises:
        UsageError: what was said of it last was not understood, so that a yes would agree to nothing.
    """
    tried = await old.feedback(answer.episode_id, rating=1, text="yes", rater=user, dry_run=True)
    return UNDERSTOOD in tried.tags


def agreed_lines(receipt: Receipt) -> list[str]:
    """What came of a yes."""
    return ["Noted: that was meant.", *map(str, receipt_lines(receipt))]
