"""A lesson as one reflection proposes it; distillation decides what becomes of it."""

from operator import not_
from typing import Literal

from pydantic import ConfigDict, Field

from oldhand.record.base import Record, SafeName, is_none
from oldhand.record.effect import Effect
from oldhand.record.feedback import Source

ProposedType = Literal["semantic", "checklist", "preference", "bug_fix", "prompt"]
"""The types of memory that a proposal can become."""


class LessonProposal(Record):
    """One thing that could be learned from one episode, with what speaks for it.

    >>> LessonProposal(type="semantic", text="Count clients by id.", episode_id="7599436d", source=Source.OWNER).model_dump(
    ...     mode="json")
    {'type': 'semantic', 'text': 'Count clients by id.', 'episode_id': '7599436d', 'source': 'owner'}
    """

    # What a newer version adds is kept, so that an import loses nothing.
    model_config = ConfigDict(frozen=True, extra="allow")

    type: ProposedType
    text: str = Field(min_length=1)
    """The rule, the step to check, the preference, the fix, or the instruction for the prompt; a sentence."""
    effect: Effect | None = Field(default=None, exclude_if=is_none)
    """The same for a mind that cannot read; None when only the text counts."""
    applies_when: str | None = Field(default=None, exclude_if=is_none)
    """The condition under which it holds, in the language of conditions; None when it always does."""
    domain: str = Field(default="", exclude_if=not_)
    """What it is about, such as a table (`shop.orders`) or a tool; proposals of one domain may be the same or contradict."""
    failure: str = Field(default="", exclude_if=not_)
    """What went wrong, where that is known: with a `bug_fix`, always."""
    root_cause: str = Field(default="", exclude_if=not_)
    """Why; with a `bug_fix`, always."""
    test: str = Field(default="", exclude_if=not_)
    """What a test would hold that keeps the failure from coming back."""
    episode_id: str
    """The evidence: the episode that it was found in."""
    source: Source
    """Whose words it rests on; of several, those of the least trusted. Machines say `execution` or `evaluator`."""
    rater: SafeName | None = Field(default=None, exclude_if=is_none)
    """Who said so, where that is the owner or an expert."""
