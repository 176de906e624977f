"""The real face: every method is a coroutine."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from oldhand.errors import UsageError
from oldhand.face.access import AsyncAccess, AsyncPeople
from oldhand.face.boards import AsyncBoards
from oldhand.face.documents import AsyncDocuments
from oldhand.face.episodes import AsyncEpisodes
from oldhand.face.experts import AsyncExperts
from oldhand.face.feedback import feedback
from oldhand.face.given import effort_given, several, text_given, whole_number
from oldhand.face.memories import AsyncMemories
from oldhand.face.opened import Opened
from oldhand.face.prompts import AsyncPrompts
from oldhand.face.rules import AsyncRules
from oldhand.face.saved import AsyncSaved
from oldhand.face.settings import AsyncSettings
from oldhand.face.with_tools import reply_with_tools
from oldhand.record.answer import Answer
from oldhand.record.clone import DEFAULT_CLONE, DEFAULT_USER
from oldhand.record.route import (
    CheckedContext,
    Context,
    Metadata,
    RouteResponse,
    SaidBefore,
    conversation,
)
from oldhand.settings import Effort

if TYPE_CHECKING:
    from oldhand.learning.routing import Route
    from oldhand.loop.night import NightReport
    from oldhand.loop.progress import AnswersOfDay
    from oldhand.loop.serving import Recollected
    from oldhand.models import LanguageModel
    from oldhand.record.evaluation import IssueTally
    from oldhand.record.monitoring import Activity
    from oldhand.record.ports import Observer
    from oldhand.sources.databases import Catalog
    from oldhand.store import FeedbackTotals, UsageTotal


def _names(databases: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if databases is None:
        return None
    if not databases:
        raise UsageError("No database is named: leave `databases` out to use all of them.")
    return several("databases", databases)


class AsyncOldhand:
    """An assistant in a home folder, for code that runs in an event loop.

    Args:
        home: the folder, created if missing; else `OLDHAND_HOME`, else `~/.oldhand`.
        store: URL of the store, such as `postgresql://…`; a SQLite file in the home by default.
        model: the mind that answers: `builtin`, a model's name such as `openai:gpt-4o`, or a model object.
        base_url: address of an OpenAI-compatible server for the model.
        clone: which assistant of the home: each has databases, people and lessons of its own.

    What it knows stands in groups: `databases`, `documents`, `episodes`, `memories`, `rules`, `prompts`, `people`, `experts`,
    `saved`, `boards`, `access` and `settings`, such as `old.memories.list()`. Once it is closed, each call raises `Closed`.

    Raises:
        StoreError: the home or the store cannot be used.
        UnknownModel: no model goes by that name.
    """

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        store: str | None = None,
        model: "str | LanguageModel | None" = None,
        base_url: str | None = None,
        clone: str = DEFAULT_CLONE,
    ) -> None:
        from oldhand.bootstrap import open_home

        self.beside = partial(AsyncOldhand, home, store=store, model=model, base_url=base_url)
        opening = partial(open_home, home, store=store, model=model, base_url=base_url, clone=clone)
        opened = opening()
        self._opened = Opened(opened, "AsyncOldhand(…)", partial(opening, catalog=opened.catalog))
        self.databases: Catalog = opened.catalog
        self.documents = AsyncDocuments(self._opened)
        self.episodes = AsyncEpisodes(self._opened)
        self.memories = AsyncMemories(self._opened)
        self.rules = AsyncRules(self._opened)
        self.prompts = AsyncPrompts(self._opened)
        self.people = AsyncPeople(self._opened)
        self.experts = AsyncExperts(self._opened)
        self.saved = AsyncSaved(self._opened)
        self.boards = AsyncBoards(self._opened)
        self.access = AsyncAccess(self._opened)
        self.settings = AsyncSettings(self._opened)

    def __repr__(self) -> str:
        return f"AsyncOldhand({str(self.path)!r})"

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._opened.path

    @property
    def has_model(self) -> bool:
        """Whether a language model answers."""
        return self._opened.home.thinking.lm is not None

    async def ask(
        self,
        question: str,
        *,
        databases: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
        session_id: str | None = None,
        effort: str | Effort | None = None,
        observe: "Observer | None" = None,
    ) -> Answer:
        """Answer `question` from the registered databases, or from those named.

        Args:
            question: in plain words.
            databases: a name or several; all registered ones when None.
            user: who asks; the episode is kept under this name.
            session_id: goes on with a conversation, so that "and in Berlin?" is understood.
            effort: how much a language model may be asked: `quick`, `standard`, `thorough`, or `auto` by the question; as
                the settings say when None.
            observe: is called with each event while the answer is worked out.

        Returns:
            The answer, already stored; `answer.abstained` is true when there is none, and
            `answer.text` then says why or asks back.

        Raises:
            UsageError: there is no such effort.
            InvalidQuestion: empty, too long, or no text.
            UnknownDatabase: a name that is not registered, or no database at all.
            DatabaseUnreachable: a database that is needed does not answer.
            ModelError: the language model did not do its part.
        """
        from oldhand.loop.routing import RoutedQuestion

        session = text_given("session_id", session_id)
        asked = RoutedQuestion(
            question, _names(databases), user, session, effort=effort_given(effort)
        )
        answer = await (await self._opened.current()).answering.answer(asked, observe)
        self._opened.home.background.soon()
        return answer

    async def route(
        self,
        messages: Sequence[Mapping[str, str]],
        context: Context | None = None,
        metadata: Metadata | None = None,
        observe: "Observer | None" = None,
    ) -> RouteResponse:
        """Answer the last message of a conversation, with the model that fits it where the settings name several.

        Args:
            messages: oldest first, each with `role` and `content`; the last one is the user's.
            context: what is known of the question: `intent`, `complexity` from 0 to 1, `databases`, `user`,
                `session_id`. Without a session, the conversation goes on from the answer that stands in `messages`.
            metadata: `feedback`, which is `positive` or `negative`, and `feedback_detail` are about the answer before.
            observe: is called with each event while the answer is worked out.

        Returns:
            the answer, already stored, with the model that gave it, its cost and the tools it used.

        Raises:
            InvalidQuestion: the messages are no conversation that could be answered.
            UsageError: context or metadata hold something else, or there is no answer that feedback could be about.
            OldhandError: as `ask`.
        """
        said, known = conversation(messages), CheckedContext.of(context)
        before = SaidBefore.of(metadata)
        answer = await (await self._opened.current()).serving.route(said, known, before, observe)
        self._opened.home.background.soon()
        return RouteResponse.of(answer)

    async def rehearse(
        self, messages: Sequence[Mapping[str, str]], context: Context | None = None
    ) -> RouteResponse:
        """Answer the last message of a conversation and leave no trace: for tests.

        Nothing is recorded, nothing is left to chance: every lesson that fits and is neither retired nor set aside counts.

        Args:
            messages: oldest first, each with `role` and `content`; the last one is the user's.
            context: `databases` to ask and `user` who asks, where that matters; other keys are passed over.

        Raises:
            InvalidQuestion: the messages are no conversation that could be answered.
            OldhandError: as `ask`.
        """
        said, known = conversation(messages), CheckedContext.of(context)
        return await self._opened.home.rehearsal.answer(
            said, databases=known.databases, user=known.user
        )

    feedback = feedback
    reply_with_tools = reply_with_tools

    async def recall(self, question: str, *, user: str = DEFAULT_USER) -> "Recollected":
        """What was learned that fits a question, for an agent that answers it by itself.

        Args:
            question: what the agent is asked.
            user: who asks; what is personal to others is not recalled.

        Returns:
            the lessons: `text` for a prompt, and a `recall_id` to give back with the answer to `record`.
        """
        names = [entry.name for entry in self._opened.home.catalog.list()]
        return await (await self._opened.current()).outside.recall(question, user, names)

    async def record(  # noqa: PLR0913 - each is one thing that is kept
        self,
        question: str,
        answer: str,
        *,
        model: str = "outside",
        tools: Sequence[str] = (),
        succeeded: bool = True,
        recall_id: str | None = None,
        session_id: str | None = None,
        user: str = DEFAULT_USER,
    ) -> str:
        """Keep what an agent of your own answered, so that it can be rated and learned from.

        Args:
            question: what it was asked.
            answer: what it said.
            model: who answered.
            tools: the names of the tools that it used.
            succeeded: whether it came to an answer.
            recall_id: of what it was told by `recall`, so that this is credited.
            session_id: the conversation.
            user: who asked.

        Returns:
            the id to give feedback on.

        Raises:
            UsageError: nothing was recalled under this id.
        """
        outside = self._opened.home.outside
        answered = outside.answered(
            question, answer, model=model, succeeded=succeeded, session_id=session_id
        )
        episode_id = await outside.record(answered, user, tuple(tools), recall_id)
        self._opened.home.background.soon()
        return episode_id

    async def learn(self, *, dry_run: bool = False) -> "NightReport":
        """Do the work of a night now: look back on answers, distil lessons, weigh and prune them.

        Args:
            dry_run: only say what would be done.

        Raises:
            StoreError: what was done so far is kept.
        """
        night = self._opened.home.night
        return await (night.rehearse() if dry_run else night.work())

    async def routes(self) -> "tuple[Route, ...]":
        """How each model of the settings does on each kind of question, and the chance that it gets the next one."""
        return await asyncio.to_thread(self._opened.home.chooser.routes)

    async def usage(self, since: datetime | None = None) -> "tuple[UsageTotal, ...]":
        """What language models have cost, by day, model and stage."""
        home = self._opened.home
        return await asyncio.to_thread(home.store.usage_totals, home.clone_id, since)

    async def activity(self) -> "Activity":
        """How far the work is that nobody waits for: documents to be read, answers to be looked back on, the night."""
        return await asyncio.to_thread(self._opened.home.activity)

    async def feedback_totals(self) -> "FeedbackTotals":
        """How many answers were given, how many people rated, and how many they liked."""
        home = self._opened.home
        return await asyncio.to_thread(home.store.feedback_totals, home.clone_id)

    async def issues(self, *, limit: int | None = 100) -> "tuple[IssueTally, ...]":
        """What evaluators found wrong with answers, what they find most often first."""
        from oldhand.store import TallyFilter

        most, read = whole_number("limit", limit), self._opened.home.store.results.tallies
        return await asyncio.to_thread(read, self._opened.home.clone_id, TallyFilter(), most)

    async def progress(self, *, days: int = 30) -> "tuple[AnswersOfDay, ...]":
        """How the assistant did on the latest days: answers, how many were right, what people said, what they cost."""
        from oldhand.loop.progress import latest_days

        home = self._opened.home
        since = home.people.clock.now() - timedelta(days=days)
        return await asyncio.to_thread(latest_days, home.store, home.clone_id, since)

    async def close(self) -> None:
        """Close databases and store; safe to call twice."""
        await self._opened.close()

    async def __aenter__(self) -> Self:
        # What the last process has left over; mostly nothing.
        seconds = self._opened.home.settings.reflection.command_seconds
        await asyncio.to_thread(self._opened.home.background.catch_up, seconds)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
