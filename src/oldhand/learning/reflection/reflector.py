"""Reflection: what one answer, with all that was said of it, has to teach."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Protocol

from oldhand.record.answer import Outcome
from oldhand.record.base import Record
from oldhand.record.episode import Episode, Recollection
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import TRUSTED, Feedback, Source, standing
from oldhand.record.memory import Depth, Learnings
from oldhand.record.proposal import LessonProposal, ProposedType
from oldhand.record.schema import DatabaseSchema
from oldhand.record.usage import LedgerEntry

RULES = "rules"
"""Who reflects when no language model does."""


class Reflected(Record):
    """One answer with all that is known of it: what a reflection works from."""

    episode: Episode
    recollection: Recollection | None = None
    """What was recalled for it; None when that was not recorded."""
    evaluations: tuple[Evaluation, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    """All that people said of it, in order of arrival."""
    asker: Source = Source.OWNER
    """The role of the person who asked."""
    schemas: tuple[DatabaseSchema, ...] = ()
    """The databases that it was looked up in, as far as they are known."""

    @property
    def standing(self) -> tuple[Feedback, ...]:
        """The word of each person that counts."""
        return standing(self.feedback)

    @property
    def is_disliked(self) -> bool:
        """Whether somebody's word that counts is that it was wrong."""
        return any(one.corrects or one.rating == -1 for one in self.standing)

    @property
    def is_liked(self) -> bool:
        """Whether somebody says that it was right, and nobody that it was wrong."""
        said = [one.rating == 1 or (one.correction and not one.corrects) for one in self.standing]
        return any(said) and not self.is_disliked

    @property
    def complaints(self) -> tuple[Evaluation, ...]:
        """What evaluators have found wrong."""
        return tuple(one for one in self.evaluations if one.issues and one.is_valid is False)

    @property
    def has_failed(self) -> bool:
        """Whether there is no answer although one was tried, or something that was tried is forbidden."""
        steps = self.episode.answer.steps
        return self.episode.answer.outcome is Outcome.FAILED or any(one.refused for one in steps)

    @property
    def is_of_an_agent(self) -> bool:
        """Whether tools were called in a loop: what was said on the way may repeat what they returned."""
        return any(not tool.startswith("sql:") for tool in self.episode.tools_used)

    @property
    def is_told_by_tools(self) -> bool:
        """Whether an evaluator has said something, other than by a rule of ours, that it may have read in a result."""
        free = any(
            not key
            for one in self.evaluations
            for _, key in zip_longest(one.issues, one.keys, fillvalue="")
        )
        return self.is_of_an_agent and free

    def proposal(
        self, kind: ProposedType, text: str, source: Source, domain: str, **more: object
    ) -> LessonProposal:
        """A proposal for which this answer speaks; further fields by their names."""
        said = [one.rater for one in self.feedback if one.source is source in TRUSTED]
        rater = said[-1] if said else None
        fields = {
            "type": kind,
            "text": text,
            "domain": domain,
            "source": source,
            "rater": rater,
            **more,
        }
        return LessonProposal.model_validate({**fields, "episode_id": self.episode.id})

    @property
    def least_trusted(self) -> Source:
        """Whose words a model's rest on: external as soon as a person who asked or judged, or wrote what tools found, is nobody we know."""
        said = [one.source for one in self.feedback if one.source is not Source.EVALUATOR]
        if any(one not in TRUSTED and one is not Source.EXECUTION for one in (self.asker, *said)):
            return Source.EXTERNAL
        return Source.EXTERNAL if self.is_told_by_tools else Source.MODEL


def depth_of(reflected: Reflected, *, wanted: bool = False) -> Depth:
    """How closely to look: deeply after a failure, a complaint or a correction, or when somebody wants it.

    >>> from oldhand.testing.records import example_episode, example_feedback
    >>> good = Reflected(episode=example_episode(steps=()))
    >>> bad = good.model_copy(update={"feedback": (example_feedback("f-1", -1),)})
    >>> depth_of(good), depth_of(bad)
    ('light', 'deep')
    """
    troubled = reflected.is_disliked or reflected.has_failed or bool(reflected.complaints)
    return "deep" if wanted or troubled else "light"


class Reflection(Record):
    """What was found."""

    text: str
    """A sentence or a few."""
    learnings: Learnings = Learnings()
    root_cause: str | None = None
    proposals: tuple[LessonProposal, ...] = ()
    depth: Depth = "light"
    mind: str = RULES
    """Who has reflected: the rules, or a model by its name."""
    note: str = ""
    """Why the rules had to stand in for the model; empty when they had not to."""
    ledger: tuple[LedgerEntry, ...] = ()
    """What calls to a model have cost."""


class Reflector(Protocol):
    """Whoever reflects: rules, or a language model."""

    async def reflect(self, reflected: Reflected, depth: Depth) -> Reflection:
        """What there is to learn from an answer; never fails because of what was said or what a model does."""
        ...


@dataclass(frozen=True)
class Reflectors:
    """Those who look back on the answers of one assistant."""

    rules: Reflector
    """Looks at every answer."""
    model: Reflector | None = None
    """Looks again, closely, where something went wrong; None without a language model."""


def told(texts: Sequence[str]) -> tuple[str, ...]:
    """Each text once, in order; empty ones are left out.

    >>> told(["Count by id.", "", "Count by id."])
    ('Count by id.',)
    """
    return tuple(dict.fromkeys(text for text in texts if text))
