"""What people reply to a proposal: yes, no, or the number of another reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.cli.learned import receipt_lines
from oldhand.cli.screen import one_line
from oldhand.face import AsyncOldhand
from oldhand.lexicon.entries import words
from oldhand.record.answer import Answer, Outcome
from oldhand.record.receipt import Receipt


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
        number = _plain(line)
        if number.isdecimal() and 0 < int(number) <= len(self.answer.options):
            self.place = int(number) - 1
            return True
        return number in words("replies.agreeing")

    def refuses(self, line: str) -> bool:
        """Whether a reply is a no."""
        return _plain(line) in words("replies.refusing")

    async def agree(self, old: AsyncOldhand) -> tuple[Answer, Receipt]:
        """The answer in the reading that is offered, and what is learned from the yes."""
        answer = self.answer
        if self.place:
            answer = await old.ask(
                self.answer.options[self.place],
                databases=self.databases,
                user=self.user,
                session_id=self.answer.session_id,
            )
        receipt = await old.feedback(answer.episode_id, rating=1, rater=self.user)
        return answer.agreed, receipt

    async def refuse(self, old: AsyncOldhand) -> str:
        """Note the no, and offer the next reading; the line to show."""
        if not self.place:
            await old.feedback(self.answer.episode_id, rating=-1, rater=self.user)
        self.place += 1
        if self.is_open:
            return f"Or so: {one_line(self.answer.options[self.place])}. Is that right?"
        return "That is all that I could read it as."


def agreed_lines(receipt: Receipt) -> list[str]:
    """What came of a yes."""
    return ["Noted: that was meant.", *map(str, receipt_lines(receipt))]


def _plain(line: str) -> str:
    """A reply without its courtesies: `yes, please`."""
    plain = line.strip().casefold().rstrip(".!")
    said = [
        one for one in plain.replace(",", " ").split() if one not in words("replies.beside_civil")
    ]
    return said[0] if len(said) == 1 else plain
