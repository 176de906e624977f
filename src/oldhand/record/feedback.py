"""Append-only evidence about an episode: who, what, how strong."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from oldhand.record.base import Record, SafeName


class Source(StrEnum):
    """Where feedback comes from; derived from who is signed in, never from the request."""

    OWNER = "owner"
    EXPERT = "expert"
    EXTERNAL = "external"
    EVALUATOR = "evaluator"
    EXECUTION = "execution"
    MODEL = "model"
    """A language model, with nobody else behind it."""


TRUSTED = frozenset({Source.OWNER, Source.EXPERT})
"""Only what these people say is learned from, and only what was learned from them is recalled."""

MACHINES = frozenset({Source.EVALUATOR, Source.EXECUTION, Source.MODEL})
"""Those that are no person."""


CONFIRMS = "confirms"
"""Tag of a correction that is the very query of the answer, and so no correction: it confirms the answer."""


CONTRADICTS = "contradicts-question"
"""Tag of a correction in words that goes against the words of the question: it teaches nothing until it is said again."""
UNDERSTOOD = "understood"
"""Tag of a correction in words that was carried out as SQL."""
OF_STYLE = "of-style"
"""Tag of a complaint about how an answer was put: it says nothing against what the answer rests on."""
OUR_TAGS = frozenset({CONFIRMS, CONTRADICTS, UNDERSTOOD, OF_STYLE})
"""Tags that nobody has given; people are not shown them."""


@dataclass(frozen=True)
class Said:
    """What somebody says about an answer."""

    rater: str
    rating: int | None = None
    text: str | None = None
    correction: str | None = None
    tags: tuple[str, ...] = ()
    passage: str | None = None
    """The passage that it is about: its number in the answer, its hash, or words of it; None for the whole answer."""
    style_rating: int | None = None
    """Whether the answer sounds like the owner: +1, 0 or -1, by the owner."""


class Feedback(Record):
    """One signal. Nothing is overwritten; which of a rater's signals counts says `standing`."""

    id: str
    clone_id: SafeName
    episode_id: str
    rater: SafeName
    source: Source
    created_at: datetime
    rating: int | None = Field(default=None, ge=-1, le=1)
    """+1, 0 or -1; None is "could not judge", which is not zero."""
    style_rating: int | None = Field(default=None, ge=-1, le=1)
    text: str | None = None
    correction: str | None = None
    """What the right answer, or the right SQL, would have been; `shop: SELECT …` also names the database."""
    passage: str | None = None
    """The chunk that it is about; None for the whole answer."""
    tags: tuple[str, ...] = ()

    @property
    def judges(self) -> bool:
        """Whether it says how good the answer is, or takes back what was said of that; a comment, or a vote on one passage, does not."""
        if self.passage is not None:
            return False
        return self.rating is not None or bool(self.correction)

    @property
    def corrects(self) -> bool:
        """Whether it says that something else would have been right."""
        return bool(self.correction) and CONFIRMS not in self.tags


def standing(log: Iterable[Feedback]) -> tuple[Feedback, ...]:
    """The word of each rater that counts, out of all that was said of one answer.

    The latest counts. What judges nothing supersedes nothing, and a bare -1 after a correction agrees with it.
    """
    latest: dict[tuple[str, str], Feedback] = {}
    for one in log:
        if not one.judges:
            continue
        # A person must not be able to overrule an evaluator by taking its name.
        rater = (one.rater, one.source if one.source in MACHINES else "person")
        before = latest.get(rater)
        agrees = one.rating == -1 and not one.correction
        if agrees and before is not None and before.corrects:
            continue
        latest.pop(rater, None)
        latest[rater] = one
    return tuple(latest.values())
