"""Oldhand and AsyncOldhand: what an engineer imports.

The async face is the real one. The sync face runs it on an event loop in a thread of its own; each of its
methods is one line.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from oldhand.bootstrap import Home, LanguageModel, open_home
from oldhand.errors import UsageError
from oldhand.record.answer import Answer
from oldhand.record.clone import DEFAULT_USER, Clone
from oldhand.record.episode import Episode
from oldhand.record.feedback import Feedback
from oldhand.record.ports import Observer
from oldhand.sources.databases import Catalog

T = TypeVar("T")


def _names(databases: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if databases is None:
        return None
    if not databases:
        raise UsageError("No database is named: leave `databases` out to use all of them.")
    return (databases,) if isinstance(databases, str) else tuple(databases)


class AsyncOldhand:
    """An assistant in a home folder, for code that runs in an event loop.

    Args:
        home: the folder, created if missing; else `OLDHAND_HOME`, else `~/.oldhand`.
        store: URL of the store, such as `postgresql://…`; a SQLite file in the home by default.
        model: the mind that answers: `builtin`, a model's name such as `openai:gpt-4o`, or a model object.
        base_url: address of an OpenAI-compatible server for the model.

    Raises:
        StoreError: the home or the store cannot be used.
        UnknownModel: no model goes by that name.
    """

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        store: str | None = None,
        model: str | LanguageModel | None = None,
        base_url: str | None = None,
    ) -> None:
        self._home: Home = open_home(home, store=store, model=model, base_url=base_url)
        self.databases: Catalog = self._home.catalog

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._home.path

    async def ask(
        self,
        question: str,
        *,
        databases: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
        session_id: str | None = None,
        observe: Observer | None = None,
    ) -> Answer:
        """Answer `question` from the registered databases, or from those named.

        Args:
            question: in plain words.
            databases: a name or several; all registered ones when None.
            user: who asks; the episode is kept under this name.
            session_id: goes on with a conversation, so that "and in Berlin?" is understood.
            observe: is called with each event while the answer is worked out.

        Returns:
            The answer, already stored; `answer.abstained` is true when there is none, and
            `answer.text` then says why or asks back.

        Raises:
            InvalidQuestion: empty or too long.
            UnknownDatabase: a name that is not registered, or no database at all.
            DatabaseUnreachable: a database that is needed does not answer.
            ModelError: the language model did not do its part.
        """
        return await self._home.turn.ask(
            question,
            databases=_names(databases),
            user=user,
            session_id=session_id,
            observe=observe,
        )

    async def feedback(
        self,
        episode_id: str,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        rater: str = DEFAULT_USER,
        tags: Sequence[str] = (),
    ) -> Feedback:
        """Say how good an answer was; it is on disk when this returns.

        Args:
            episode_id: `answer.episode_id`, or its first characters.
            rating: +1, 0 or -1.
            text: anything about it in words.
            correction: the right answer, or the right SQL.
            rater: who says so; the role is looked up in the clone, and unknown means external.
            tags: words to find it by, such as `too-verbose`.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: nothing was said, or the rating is none of +1, 0, -1.
        """
        return await self._home.critique.give(
            episode_id,
            rating=rating,
            text=text,
            correction=correction,
            rater=rater,
            tags=tuple(tags),
        )

    async def episode(self, episode_id: str) -> Episode:
        """One question and all that followed, by id or the first characters of it.

        Raises:
            UnknownEpisode: there is no such episode.
        """
        return await self._home.history.one(episode_id)

    async def episodes(
        self, *, user: str | None = None, session_id: str | None = None, limit: int = 20
    ) -> tuple[Episode, ...]:
        """The latest episodes, newest first."""
        return await self._home.history.latest(user=user, session_id=session_id, limit=limit)

    async def people(
        self, *, owner: str | None = None, experts: Sequence[str] | None = None
    ) -> Clone:
        """Who owns this assistant and who its experts are; names new ones when they are given."""
        named = None if experts is None else tuple(experts)
        if owner is None and named is None:
            return await asyncio.to_thread(self._home.people.clone)
        return await asyncio.to_thread(self._home.people.name, owner=owner, experts=named)

    async def close(self) -> None:
        """Close databases and store; safe to call twice."""
        await self._home.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class Oldhand:
    """An assistant in a home folder, for ordinary code; see `AsyncOldhand` for the arguments.

    >>> import sqlite3, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> shop = sqlite3.connect(f"{folder}/shop.db")
    >>> _ = shop.executescript('''
    ...     CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    ...     INSERT INTO customers (name, city) VALUES ('Ana', 'Berlin'), ('Bo', 'Oslo'), ('Cy', 'Berlin');
    ... ''')
    >>> shop.close()
    >>> with Oldhand(f"{folder}/home") as old:
    ...     _ = old.databases.add(f"sqlite:///{folder}/shop.db", name="shop")
    ...     answer = old.ask("How many customers live in Berlin?", databases=["shop"])
    ...     receipt = old.feedback(answer.episode_id, rating=+1)
    >>> answer.rows, answer.steps[0].database, answer.steps[0].attempts
    (((2,),), 'shop', 1)
    >>> receipt.source.value
    'owner'
    """

    def __init__(
        self,
        home: str | Path | None = None,
        *,
        store: str | None = None,
        model: str | LanguageModel | None = None,
        base_url: str | None = None,
    ) -> None:
        self._async = AsyncOldhand(home, store=store, model=model, base_url=base_url)
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = self._stack.enter_context(
            start_blocking_portal("asyncio")
        )
        self.databases: Catalog = self._async.databases

    @property
    def path(self) -> Path:
        """The home folder."""
        return self._async.path

    def ask(
        self,
        question: str,
        *,
        databases: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
        session_id: str | None = None,
        observe: Observer | None = None,
    ) -> Answer:
        """Answer `question`: `AsyncOldhand.ask`."""
        return self._run(
            lambda: self._async.ask(
                question, databases=databases, user=user, session_id=session_id, observe=observe
            )
        )

    def feedback(
        self,
        episode_id: str,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        rater: str = DEFAULT_USER,
        tags: Sequence[str] = (),
    ) -> Feedback:
        """Say how good an answer was: `AsyncOldhand.feedback`."""
        return self._run(
            lambda: self._async.feedback(
                episode_id, rating=rating, text=text, correction=correction, rater=rater, tags=tags
            )
        )

    def episode(self, episode_id: str) -> Episode:
        """One question and all that followed: `AsyncOldhand.episode`."""
        return self._run(lambda: self._async.episode(episode_id))

    def episodes(
        self, *, user: str | None = None, session_id: str | None = None, limit: int = 20
    ) -> tuple[Episode, ...]:
        """The latest episodes, newest first: `AsyncOldhand.episodes`."""
        return self._run(
            lambda: self._async.episodes(user=user, session_id=session_id, limit=limit)
        )

    def people(self, *, owner: str | None = None, experts: Sequence[str] | None = None) -> Clone:
        """Who owns this assistant and who its experts are: `AsyncOldhand.people`."""
        return self._run(lambda: self._async.people(owner=owner, experts=experts))

    def close(self) -> None:
        """Close databases, store and event loop; safe to call twice."""
        if self._portal is not None:
            try:
                self._run(self._async.close)
            finally:
                self._portal = None
                self._stack.close()

    def _run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run one coroutine to its end; an interrupt cancels it, so that a query in flight is stopped."""
        if self._portal is None:
            raise UsageError("This Oldhand is closed.")
        future = self._portal.start_task_soon(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
