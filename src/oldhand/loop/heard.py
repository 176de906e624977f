"""What was heard of an answer: what it asks for, and whether it is asked first if it was meant."""

from dataclasses import dataclass, field, replace

from oldhand.agent.analyst.covering.unread import Unread
from oldhand.agent.analyst.stating.stated import ReadRule
from oldhand.lexicon.wording import listed


@dataclass(frozen=True)
class UnderstoodCorrection:
    """A correction in words as the SQL that it asks for."""

    correction: str
    """As somebody would have written it, with the database that it is for."""
    said: str
    """How it was understood, and what the answer is now; a sentence or two."""
    against: tuple[str, ...] = ()
    """Words of the question that it goes against: then it is about another question."""
    alone: str = ""
    """That other question, where there are words for it."""
    passing: bool = False
    """True where it speaks of days that are others tomorrow, and SQL keeps those of today."""
    states: ReadRule | None = None
    """What it says that a word means, for all questions."""
    unread: Unread = field(default_factory=Unread)
    """What of the words it does not answer to, and what it does beyond them."""
    proposed: bool = False
    """True where it changes a reading that nobody has agreed to, or where the rows speak for asking."""

    @property
    def is_doubted(self) -> bool:
        """Whether it is asked first if it is to be taught."""
        return bool(self.against or self.unread) or self.passing or self.proposed

    @property
    def asks_back(self) -> str:
        """What is said in place of teaching what is half understood, or what the question contradicts."""
        words = listed([f"'{one}'" for one in self.against])
        if self.unread or self.proposed:
            why = f" The question says {words}." if words else ""
            read = f"{self.said.replace('Understood', 'I would read it so', 1)} {self.unread.told}"
            return f"{read.rstrip()}{why} Is that right? If so, say 'yes' as the correction; nothing is taught yet."
        why = f"the question says {words}" if words else "these days would stay as they are today"
        other = f" It may be another question: {self.alone!r}." if self.alone else ""
        return (
            f"{self.said} But {why}, so this is not taught yet.{other} To teach it for"
            " the question as it stands, give the correction again, or 'yes' as the correction."
        )


@dataclass(frozen=True)
class Agrees:
    """What was said to be right is what the answer is."""

    said: str


@dataclass(frozen=True)
class NotUnderstood:
    """Words from which nothing can be learned."""

    said: str
    """Why, and what to do next."""


Heard = UnderstoodCorrection | Agrees | NotUnderstood


def telling(heard: Heard, word: ReadRule | None) -> Heard:
    """What was heard, with what a word of it means for all questions from now on."""
    if word is None or not isinstance(heard, UnderstoodCorrection):
        return heard
    said = f"{heard.said} From now on, {word.rule.told}. `oldhand rule remove {word.rule.name!r}` takes that back."
    return replace(heard, said=said, states=word)
