"""The same face for ordinary code: it runs the async one on an event loop in a thread of its own.

Each method is one line.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from oldhand.bootstrap import LanguageModel
from oldhand.face.async_face import AsyncOldhand
from oldhand.face.given import OfAnswer, OfMemory
from oldhand.face.opened import closed
from oldhand.face.own_loop import OwnLoop
from oldhand.learning.evidence import LessonEvidence
from oldhand.learning.routing import Route
from oldhand.loop.memories import Defined, Remembered
from oldhand.loop.night import NightReport
from oldhand.loop.rebuilding import Rebuilt
from oldhand.record.answer import Answer
from oldhand.record.clone import DEFAULT_USER, Clone
from oldhand.record.episode import Episode
from oldhand.record.memory import Memory
from oldhand.record.ports import Observer
from oldhand.record.receipt import Receipt
from oldhand.record.route import Context, Metadata, RouteResponse
from oldhand.record.why import Why
from oldhand.sources.databases import Catalog
from oldhand.store import ErasedCounts, RolledBack

T = TypeVar("T")


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
    >>> receipt.source.value, receipt.learned[0].payload.question
    ('owner', 'How many customers live in Berlin?')
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
        self._loop: OwnLoop | None = OwnLoop()
        self.databases: Catalog = self._async.databases

    def __repr__(self) -> str:
        return f"Oldhand({str(self.path)!r})"

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

    def reflect(self, episode_id: OfAnswer) -> Memory:
        """Look back on one answer now; see `AsyncOldhand.reflect`."""
        return self._run(lambda: self._async.reflect(episode_id))

    def route(
        self,
        messages: Sequence[Mapping[str, str]],
        context: Context | None = None,
        metadata: Metadata | None = None,
    ) -> RouteResponse:
        """Answer with the model that fits: `AsyncOldhand.route`."""
        return self._run(lambda: self._async.route(messages, context, metadata))

    def rehearse(
        self, messages: Sequence[Mapping[str, str]], context: Context | None = None
    ) -> RouteResponse:
        """Answer and leave no trace: `AsyncOldhand.rehearse`."""
        return self._run(lambda: self._async.rehearse(messages, context))

    def feedback(
        self,
        episode_id: OfAnswer,
        *,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
        rater: str = DEFAULT_USER,
        tags: str | Sequence[str] = (),
    ) -> Receipt:
        """Say how good an answer was: `AsyncOldhand.feedback`."""
        return self._run(
            lambda: self._async.feedback(
                episode_id,
                rating=rating,
                text=text,
                correction=correction,
                rater=rater,
                tags=tags,
            )
        )

    def memories(
        self,
        *,
        type: str | None = None,  # noqa: A002
        user: str | None = None,
        text: str | None = None,
        limit: int | None = 100,
    ) -> tuple[Memory, ...]:
        """What was learned, newest first: `AsyncOldhand.memories`."""
        return self._run(lambda: self._async.memories(type=type, user=user, text=text, limit=limit))

    def memory(self, memory_id: OfMemory) -> Remembered:
        """One memory with its history and how it fared: `AsyncOldhand.memory`."""
        return self._run(lambda: self._async.memory(memory_id))

    def forget(self, memory_id: OfMemory) -> Memory:
        """Forget one memory: `AsyncOldhand.forget`."""
        return self._run(lambda: self._async.forget(memory_id))

    def learn(self, *, dry_run: bool = False) -> NightReport:
        """Do the work of a night now: `AsyncOldhand.learn`."""
        return self._run(lambda: self._async.learn(dry_run=dry_run))

    def quarantine(self, memory_id: OfMemory, *, reason: str) -> Memory:
        """Set a lesson aside: `AsyncOldhand.quarantine`."""
        return self._run(lambda: self._async.quarantine(memory_id, reason=reason))

    def restore(self, memory_id: OfMemory) -> Memory:
        """Take a lesson back: `AsyncOldhand.restore`."""
        return self._run(lambda: self._async.restore(memory_id))

    def waiting(self) -> tuple[Memory, ...]:
        """The lessons that wait for somebody to look at them: `AsyncOldhand.waiting`."""
        return self._run(self._async.waiting)

    def approve(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson be shown that waits: `AsyncOldhand.approve`."""
        return self._run(lambda: self._async.approve(memory_id, rater=rater))

    def reject(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson never be shown: `AsyncOldhand.reject`."""
        return self._run(lambda: self._async.reject(memory_id, rater=rater))

    def pin(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a lesson always be shown: `AsyncOldhand.pin`."""
        return self._run(lambda: self._async.pin(memory_id, rater=rater))

    def unpin(self, memory_id: OfMemory, *, rater: str = DEFAULT_USER) -> Memory:
        """Let a pinned lesson be on trial again: `AsyncOldhand.unpin`."""
        return self._run(lambda: self._async.unpin(memory_id, rater=rater))

    def prune(self, *, dry_run: bool = False) -> tuple[Memory, ...]:
        """Let go of what has served its time: `AsyncOldhand.prune`."""
        return self._run(lambda: self._async.prune(dry_run=dry_run))

    def export_memories(self, file: str | Path, *, user: str | None = None) -> int:
        """Write memories as JSON Lines: `AsyncOldhand.export_memories`."""
        return self._run(lambda: self._async.export_memories(file, user=user))

    def define(self, phrase: str, target: str, *, rater: str = DEFAULT_USER) -> Defined:
        """Say what people mean by a phrase: `AsyncOldhand.define`."""
        return self._run(lambda: self._async.define(phrase, target, rater=rater))

    def roll_back(
        self, to: datetime | None = None, *, before_feedback: str | None = None
    ) -> RolledBack:
        """Let everything learned be as it was at a moment: `AsyncOldhand.roll_back`."""
        return self._run(lambda: self._async.roll_back(to, before_feedback=before_feedback))

    def rebuild(self, *, drop: bool = False) -> Rebuilt:
        """Learn everything anew from the feedback on record: `AsyncOldhand.rebuild`."""
        return self._run(lambda: self._async.rebuild(drop=drop))

    def evidence(
        self, lesson_id: OfMemory | None = None, *, decide: bool = False
    ) -> tuple[LessonEvidence, ...]:
        """Whether each lesson that was on trial helps: `AsyncOldhand.evidence`."""
        return self._run(lambda: self._async.evidence(lesson_id, decide=decide))

    def episode(self, episode_id: OfAnswer) -> Episode:
        """One question and all that followed: `AsyncOldhand.episode`."""
        return self._run(lambda: self._async.episode(episode_id))

    def episodes(
        self, *, user: str | None = None, session_id: str | None = None, limit: int = 20
    ) -> tuple[Episode, ...]:
        """The latest episodes, newest first: `AsyncOldhand.episodes`."""
        return self._run(
            lambda: self._async.episodes(user=user, session_id=session_id, limit=limit)
        )

    def erase_user(self, user: str, *, dry_run: bool = False) -> ErasedCounts:
        """Erase all that a user asked and said, and all that came of it: `AsyncOldhand.erase_user`."""
        return self._run(lambda: self._async.erase_user(user, dry_run=dry_run))

    def routes(self) -> tuple[Route, ...]:
        """How each model does on each kind of question: `AsyncOldhand.routes`."""
        return self._run(self._async.routes)

    def why(self, episode_id: OfAnswer) -> Why:
        """What an answer rests on, and what that was learned from: `AsyncOldhand.why`."""
        return self._run(lambda: self._async.why(episode_id))

    def people(
        self, *, owner: str | None = None, experts: str | Sequence[str] | None = None
    ) -> Clone:
        """Who owns this assistant and who its experts are: `AsyncOldhand.people`."""
        return self._run(lambda: self._async.people(owner=owner, experts=experts))

    def close(self) -> None:
        """Close databases, store and event loop; safe to call twice."""
        loop, self._loop = self._loop, None
        if loop is not None and loop.is_here:
            try:
                loop.run(self._async.close)
            finally:
                loop.stop()

    def _run(self, work: Callable[[], Coroutine[object, object, T]]) -> T:
        """Run one coroutine to its end; see `OwnLoop.run`."""
        if self._loop is None:
            raise closed("Oldhand(…)")
        return self._loop.run(work)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
