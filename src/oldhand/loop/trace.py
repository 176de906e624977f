"""What a turn leaves behind while it goes on, and what is kept of one that could not."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from oldhand.agent.analysis import Analysis, Inquiry
from oldhand.agent.analysis.mind import Answerability, Validation
from oldhand.agent.analyst.conversation.followup import is_follow_up
from oldhand.errors import OldhandError
from oldhand.learning.prompts import DrawnPrompts
from oldhand.loop.judging import TurnWatch
from oldhand.loop.recalling import Considered
from oldhand.loop.shelf import PassageShelf
from oldhand.models import Ledger
from oldhand.record.answer import ASKING_BACK, Answer, Outcome, QueryStep
from oldhand.record.file_names import without_folders
from oldhand.record.ports import Observer
from oldhand.record.progress import Progress, StepDone, TextDraft


def meant(inquiry: Inquiry) -> str:
    """The words to recall by: a choice between readings, and a follow-up, belong to the question before."""
    last = inquiry.history[-1] if inquiry.history else None
    if last is None:
        return inquiry.question
    goes_on = last.outcome in ASKING_BACK or is_follow_up(inquiry.question, inquiry.schemas)
    return (
        f"{last.standalone or last.question}\n{inquiry.question}" if goes_on else inquiry.question
    )


@dataclass(frozen=True)
class MadeWith:
    """What one answer is made with besides the question."""

    considered: Considered
    prompts: DrawnPrompts
    watch: TurnWatch
    shelf: PassageShelf | None = None
    """The documents at hand; None where there are none."""

    def noted(self, answer: Answer) -> Answer:
        """The answer with what went wrong while passages were looked for."""
        return answer if self.shelf is None else self.shelf.noted(answer)


class Witness:
    """Passes events on, and remembers the steps that were done."""

    def __init__(self, observe: Observer | None) -> None:
        self._observe = observe
        self.steps: list[QueryStep] = []

    def __call__(self, progress: Progress, /) -> None:
        """Take note of one event."""
        if isinstance(progress, StepDone):
            self.steps.append(progress.step)
        if self._observe is not None:
            self._observe(progress)

    @property
    def heard(self) -> Callable[[str], None] | None:
        """What is told of a text while it is written; None when nobody watches."""
        observe = self._observe
        return None if observe is None else lambda text: observe(TextDraft(text=text))


@dataclass(frozen=True)
class Trace:
    """What a turn leaves behind while it goes on."""

    episode_id: str
    session_id: str
    user: str
    began: float
    """When, by the monotonic clock."""
    witness: Witness
    ledger: Ledger


def standalone_of(analysis: Analysis, inquiry: Inquiry) -> str | None:
    """The question in words that need no conversation: as the mind says, else its own where it is the first one."""
    if analysis.validation.standalone is not None:
        return analysis.validation.standalone or None
    return None if inquiry.history else inquiry.question


def broken_off(error: OldhandError | asyncio.CancelledError, witness: Witness) -> Analysis:
    """What is kept of a turn that could not go on."""
    interrupted = isinstance(error, asyncio.CancelledError)
    return Analysis(
        outcome=Outcome.FAILED,
        text="Interrupted before there was an answer."
        if interrupted
        else without_folders(str(error)),
        steps=tuple(witness.steps),
        confidence=0.0,
        validation=Validation(verdict=Answerability.UNANSWERABLE, confidence=0.0),
    )
