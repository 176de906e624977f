"""Whoever answers questions: one mind, or for each question the model that fits it."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from oldhand.errors import ModelRefused, ModelUnavailable
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.learning.routing import Chooser, situation_for
from oldhand.loop.turn import Turn
from oldhand.record.answer import Answer
from oldhand.record.base import checked_question
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.episode import Recalled
from oldhand.record.ports import Observer
from oldhand.record.situation import Situation
from oldhand.record.tracing import span
from oldhand.settings import Effort

logger = logging.getLogger(__name__)

_AWAY = 60.0
"""Seconds for which a model is left alone that did not answer, unless it says for how long."""


@dataclass(frozen=True)
class RoutedQuestion:
    """One question, with what its caller knows of it.

    Raises:
        InvalidQuestion: it is empty, or no text.
    """

    question: str
    databases: Sequence[str] | None = None
    user: str = DEFAULT_USER
    session_id: str | None = None
    intent: str | None = None
    """As the caller says; follows from the words when None."""
    complexity: float | None = None
    """The same, 0 to 1."""
    effort: Effort | None = None
    """How much a model may be asked; as the settings say when None."""

    def __post_init__(self) -> None:
        checked_question(self.question)

    @property
    def situation(self) -> Situation:
        """What a model is chosen by."""
        found = situation_for(self.question, databases=self.databases or ())
        said = {"intent": self.intent, "complexity": self.complexity}
        known = {name: value for name, value in said.items() if value is not None}
        return found.model_copy(update=known)


class Answering(Protocol):
    """Answers questions; the answers are stored."""

    async def answer(self, asked: RoutedQuestion, observe: Observer | None = None) -> Answer:
        """Answer one question.

        Raises:
            OldhandError: as `Turn.ask`.
        """
        ...


@dataclass(frozen=True)
class OneMind:
    """The same mind for all questions."""

    turn: Turn

    async def answer(self, asked: RoutedQuestion, observe: Observer | None = None) -> Answer:
        """Answer one question."""
        return await _taken(self.turn, asked, observe)


@dataclass(frozen=True)
class Routing:
    """The model for each question that is probably good enough, and cheap."""

    turns: Mapping[str, Turn]
    """By the name of the model."""
    chooser: Chooser
    mishaps: Mishaps
    random: Random = field(default_factory=Random)
    away: dict[str, float] = field(default_factory=dict[str, float])
    """Models that did not answer, each with when to ask it again, by the monotonic clock."""

    async def answer(self, asked: RoutedQuestion, observe: Observer | None = None) -> Answer:
        """Answer one question with one of the models; when none can be chosen, the first one answers.

        When it can't be reached, another one answers, and it is left alone for a while.

        Raises:
            OldhandError: as `Turn.ask`; a `ModelError` when none of the models can be reached.
        """
        tried = set[str]()
        while True:
            without = self._left_alone(tried)
            model, items = await asyncio.to_thread(self._drawn, asked.situation, without)
            is_last = set(self.turns) <= {*tried, model}
            turn = replace(self.turns[model], routed=items, falls_back=is_last)
            try:
                return await _taken(turn, asked, observe)
            except (ModelUnavailable, ModelRefused) as error:
                tried.add(model)
                wait = _AWAY if isinstance(error, ModelRefused) else error.retry_after or _AWAY
                self.away[model] = turn.clock.monotonic() + wait
                if tried.issuperset(self.turns):
                    raise
                logger.warning("routing_fell_back: %s: %s", model, type(error).__name__)

    def _left_alone(self, tried: Collection[str]) -> frozenset[str]:
        """Models that are not asked now: those that were just asked, and others that are away, unless all are."""
        away = {
            name for name, until in self.away.items() if self.turns[name].clock.monotonic() < until
        }
        without = away.union(tried)
        return frozenset(tried if without.issuperset(self.turns) else without)

    def _drawn(
        self, situation: Situation, without: Collection[str]
    ) -> tuple[str, tuple[Recalled, ...]]:
        drawn = self.mishaps.spared(
            "routing", lambda: self.chooser.draw(situation, self.random, without=without)
        )
        first = next(one for one in self.turns if one not in without)
        return (first, ()) if isinstance(drawn, Mishap) else drawn


async def _taken(turn: Turn, asked: RoutedQuestion, observe: Observer | None) -> Answer:
    facts = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "oldhand", "oldhand.clone": turn.clone_id}  # fmt: skip
    with span("invoke_agent oldhand", facts, {"gen_ai.input.messages": asked.question}) as note:
        answer = await turn.ask(
            asked.question,
            databases=asked.databases,
            user=asked.user,
            session_id=asked.session_id,
            effort=asked.effort,
            observe=observe,
        )
        note(
            {
                "gen_ai.conversation.id": answer.session_id or "",
                "gen_ai.response.model": answer.model,
                "oldhand.episode": answer.episode_id,
                "oldhand.outcome": answer.outcome.value,
            }
        )
    return answer
