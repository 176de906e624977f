"""A rehearsal: an answer as a turn would give it, that leaves no trace.

Nothing is stored, so that tests neither teach nor count as experience, and nothing is left to chance: every lesson
that fits and may be shown is shown, whatever its stage.
"""

import asyncio
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from oldhand.agent.analysis import Analysis, EarlierTurn, Inquiry, analyse
from oldhand.agent.analysis.mind import Validation
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.errors import UnknownDatabase
from oldhand.learning.recall import applies
from oldhand.loop.turn import HISTORY, Turn
from oldhand.models import Ledger
from oldhand.query.form import Query
from oldhand.query.normal import same_in_any_order
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.effect import RowRule, ToolBan, spoken_as
from oldhand.record.episode import Message
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.phrases import occurs, singular_words
from oldhand.record.progress import Progress
from oldhand.record.rehearsal import RehearsalSetup
from oldhand.record.route import RouteResponse, tools_of
from oldhand.record.schema import DatabaseSchema, Same
from oldhand.record.situation import Intent, intent_of, situation_of
from oldhand.record.stage import is_shown
from oldhand.settings import Settings
from oldhand.store.journal.lines import payload_fields
from oldhand.store.search.searched_text import STOP_WORDS, searched_words


@dataclass(frozen=True)
class Rehearsed:
    """What all turns of one conversation share."""

    databases: Collection[str] | None
    user: str
    trial: RehearsalSetup
    ledger: Ledger


@dataclass(frozen=True)
class Rehearsal:
    """Answers conversations for tests."""

    turn: Turn
    """What is rehearsed; it records nothing."""
    routed: "Callable[[str], Rehearsal] | None" = None
    """The rehearsal by the model that fits a question; None where one mind answers all."""

    async def answer(
        self,
        messages: Sequence[Message],
        *,
        databases: Collection[str] | None = None,
        user: str = DEFAULT_USER,
        trial: RehearsalSetup | None = None,
    ) -> RouteResponse:
        """Answer the last message; earlier messages of the user are answered anew, for what they led to.

        Raises:
            UnknownDatabase: none is registered, or one of `databases` is not.
            OldhandError: as `analyse`.
        """
        ledger, began = Ledger(self.turn.clock), self.turn.clock.monotonic()
        *earlier, last = [one.content for one in messages if one.role == "user"]
        if self.routed is not None:
            fitting = await asyncio.to_thread(self.routed, last)
            return await fitting.answer(messages, databases=databases, user=user, trial=trial)
        history: tuple[EarlierTurn, ...] = ()
        rehearsed = Rehearsed(databases, user, trial or RehearsalSetup(), ledger)
        for question in earlier:
            analysis = await self._take(question, history, rehearsed)
            said = {name: value for name, value in analysis if name in EarlierTurn.model_fields}
            history = (*history, EarlierTurn(question=question, **said))
        analysis = await self._take(last, history, rehearsed)
        said = {name: value for name, value in analysis if name in RouteResponse.model_fields}
        return RouteResponse(
            **said,
            model_used=self.turn.mind.name,
            cost=ledger.total.cost,
            tools_used=tools_of(analysis.steps),
            latency_ms=round((self.turn.clock.monotonic() - began) * 1000),
        )

    async def foreseen(self, question: str, trial: RehearsalSetup) -> Validation:
        """How the mind reads a question with other lessons; meant for one that foresees."""
        rehearsed = Rehearsed(None, DEFAULT_USER, trial, Ledger(self.turn.clock))
        inquiry = await self._inquiry(question, (), rehearsed)
        return (await self.turn.mind.read(inquiry)).validation

    def alike(self, one: Validation, other: Validation) -> bool:
        """Whether a question was read the same way twice, however its query is spelled; blocks."""
        if one.verdict is not other.verdict or one.query == other.query:
            return one.verdict is other.verdict
        known = statements(self.turn.catalog.schemas())
        first, second = (known.query(it.query, None) if it.query else None for it in (one, other))
        return (
            isinstance(first, Query)
            and isinstance(second, Query)
            and same_in_any_order(first, second)
        )

    def recalled(self, messages: Sequence[Message], user: str = DEFAULT_USER) -> tuple[Memory, ...]:
        """The memories that are shown where a conversation is rehearsed, each once; blocks."""
        at_hand = {entry.name for entry in self.turn.catalog.list()}
        asked = dict.fromkeys(one.content for one in messages if one.role == "user")
        considered = (self.turn.recalling.consider(question, user, at_hand) for question in asked)
        found = (one.memory for each in considered for one in each.lessons)
        return tuple({one.id: one for one in found if is_shown(one)}.values())

    def may_use(self, memory: Memory, messages: Sequence[Message]) -> bool:
        """Whether a memory can matter to a conversation, be it in the store or not; blocks."""
        asked = [one.content for one in messages if one.role == "user"]
        known = (one.id for one in self.recalled(messages))
        return any(fits(memory, question) for question in asked) or memory.id in known

    async def _take(
        self, question: str, history: tuple[EarlierTurn, ...], rehearsed: Rehearsed
    ) -> Analysis:
        """One turn."""

        async def from_databases(inquiry: Inquiry) -> Analysis:
            return await analyse(
                inquiry,
                mind=self.turn.mind,
                sources=self.turn.catalog,
                observe=_unseen,
                settings=_to_the_last_row(self.turn.settings),
                clock=self.turn.clock,
            )

        inquiry = await self._inquiry(question, history, rehearsed)
        return await self.turn.consulted(inquiry, from_databases)

    async def _inquiry(
        self, question: str, history: tuple[EarlierTurn, ...], rehearsed: Rehearsed
    ) -> Inquiry:
        """The question with all that a mind may know."""
        schemas = await asyncio.to_thread(self.turn.catalog.schemas, rehearsed.databases)
        shelf = await asyncio.to_thread(self.turn.shelf, rehearsed.user)
        if not (schemas or shelf) and intent_of(question) is not Intent.CALCULATION:
            raise UnknownDatabase(
                "No database is registered in this home: `oldhand db add URL --name NAME` adds one."
            )
        schemas = tuple(_with_rules(schema, rehearsed.trial) for schema in schemas)
        today, before = self.turn.clock.now().date(), history[-HISTORY:]
        inquiry = Inquiry(question, schemas, today, before, ledger=rehearsed.ledger)
        lessons = await asyncio.to_thread(self._lessons, inquiry, rehearsed)
        trial = rehearsed.trial
        told = await asyncio.to_thread(
            self.turn.prompting.instructions,
            self.turn.roles,
            shown=trial.shown,
            hidden=trial.hidden,
        )
        if shelf is not None:
            lessons = await asyncio.to_thread(shelf.readable, lessons)
            inquiry = replace(inquiry, find=shelf.find)
        return replace(inquiry, lessons=lessons, instructions=told)

    def _lessons(self, inquiry: Inquiry, rehearsed: Rehearsed) -> tuple[Lesson, ...]:
        """What is recalled for a question, without chance; blocks."""
        user, trial = rehearsed.user, rehearsed.trial
        at_hand = {schema.name for schema in inquiry.schemas}
        known = self.turn.recalling.consider(inquiry.question, user, at_hand).lessons
        tools = [f"sql:{name}" for name in at_hand]
        situation = situation_of(inquiry.question, tools=tools, databases=at_hand)
        shown = {
            memory.id: memory
            for memory in trial.shown
            if fits(memory, inquiry.question) and applies(memory, situation)
        }
        others = (one for one in known if is_shown(one.memory) and one.id not in trial.hidden)
        tried = tuple(Lesson(memory=memory) for memory in shown.values())
        return self.turn.recalling.fitting(
            (*tried, *(one for one in others if one.id not in shown))
        )


def _with_rules(schema: DatabaseSchema, trial: RehearsalSetup) -> DatabaseSchema:
    """A schema with the rules that are tried."""
    rules = trial.semantics.get(schema.name)
    return schema if rules is None else _having(Same((schema,)), cast("Hashable", rules))


@lru_cache(maxsize=8)
def _having(same: Same, rules: Hashable) -> DatabaseSchema:
    """The same object for all questions on which some rules are tried: what is worked out for a schema is kept by that."""
    (schema,) = same.schemas
    return schema.model_copy(update={"semantics": rules})


def fits(memory: Memory, question: str) -> bool:
    """Whether recall could find a memory for a question; a prompt is there for all of them, and so is a rule about rows.

    >>> from oldhand.testing.records import example_memory
    >>> rule = example_memory(kind=MemoryType.SEMANTIC)
    >>> rule.payload.rule, fits(rule, "How many orders were cancelled?"), fits(rule, "Who is Ana?")
    ('Revenue never includes cancelled orders', True, False)
    """
    if memory.type is MemoryType.PROMPT:
        return True
    if (word := spoken_as(memory.effect)) is not None:
        return occurs(word.phrase, singular_words(question))
    return isinstance(memory.effect, RowRule | ToolBan) or shares_words(memory, question)


def shares_words(memory: Memory, question: str) -> bool:
    """Whether a word of a question, other than those that nearly every question has, stands in a memory."""
    effect = None if memory.effect is None else memory.effect.model_dump(mode="json")
    told = " ".join(searched_words(memory.type, memory.summary, payload_fields(memory), effect))
    return not (set(singular_words(question)) - STOP_WORDS).isdisjoint(singular_words(told))


def _to_the_last_row(settings: Settings) -> Settings:
    """Results are compared, so that they must not be cut where people stop reading."""
    rows = max(settings.query.rows, settings.query.workspace_rows)
    query = settings.query.model_copy(update={"rows": rows})
    return settings.model_copy(update={"query": query})


def _unseen(_: Progress, /) -> None:
    """Nobody watches a rehearsal."""
