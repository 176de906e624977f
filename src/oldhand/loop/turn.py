"""The turn: one question in, one stored answer out.

Invariant: an answer that was returned is in the store, so that feedback on it always finds its episode. A turn
that ends in an error or is interrupted is stored too, as a failed episode with the steps that were done.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from oldhand.agent.analysis import Analysis, EarlierTurn, Inquiry, Mind, work_out
from oldhand.agent.analysis.attempts import AnalysisWorkplace
from oldhand.agent.reading.confirmed import confirmed_words
from oldhand.errors import InvalidQuestion, OldhandError, SchemaDrift, UnknownDatabase
from oldhand.evaluators import JudgedRun
from oldhand.learning.routing import effort_for
from oldhand.learning.wishes import preferences_in
from oldhand.loop.judging import TASK, TurnJudges
from oldhand.loop.people import CloneRoles
from oldhand.loop.preferring import Preferring, within
from oldhand.loop.prompting import Prompting
from oldhand.loop.recalling import Considered, Recalling
from oldhand.loop.shadowing import Shadowing, with_shadows
from oldhand.loop.shelf import PassageSearch, PassageShelf
from oldhand.loop.trace import MadeWith, Trace, Witness, broken_off, meant, standalone_of
from oldhand.models import Ledger
from oldhand.record.answer import WORKSPACE, Answer, Outcome
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.document import FoundPassage
from oldhand.record.episode import Episode, Recalled
from oldhand.record.feedback import TRUSTED
from oldhand.record.ports import Clock, NewId, Observer
from oldhand.record.progress import Begun
from oldhand.record.situation import Intent, intent_of
from oldhand.settings import Effort, Settings
from oldhand.sources.databases import Catalog
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.agent.deliberation.deliberating import Deliberation
    from oldhand.agent.reading.consulting import AskDatabases, Consulting

_NO_SOURCE = "No database is registered yet: `oldhand db add URL --name NAME` adds one, and `oldhand docs add PATH` a document."
_UNREAD = "The documents that were added are not read yet: `oldhand docs refresh` reads them now."
HISTORY = 6
"""Earlier exchanges of a conversation that a mind gets to see."""


@dataclass(frozen=True)
class Turn:
    """What a turn needs: who thinks, what can be consulted, and where it is recorded."""

    clone_id: str
    mind: Mind
    catalog: Catalog
    store: Store
    recalling: Recalling
    judging: TurnJudges
    settings: Settings
    clock: Clock
    new_id: NewId
    prompting: Prompting
    roles: tuple[str, ...] = ()
    """Those of the prompts that the mind reads; none for one that reads no prompt."""
    routed: tuple[Recalled, ...] = ()
    """How the model was chosen that answers; for the record."""
    deliberation: "Deliberation | None" = None
    """How several voices come to one answer; None for a mind that answers alone."""
    falls_back: bool = True
    """Whether the built-in analyst answers when the model can't be reached, and the settings allow it."""
    consulting: "Callable[[], Consulting] | None" = None
    """Gives who answers from documents; None where there can be none."""
    search: Callable[[], PassageSearch] | None = None
    """Gives who finds their passages."""
    people: Callable[[Answer, str], Awaitable[Answer]] | None = None
    """Asks people where there is no answer; None where nobody is asked."""
    under_way: set[asyncio.Task[object]] = field(default_factory=set[asyncio.Task[object]])

    async def ask(
        self,
        question: str,
        *,
        databases: Sequence[str] | None = None,
        user: str = DEFAULT_USER,
        session_id: str | None = None,
        effort: Effort | None = None,
        observe: Observer | None = None,
    ) -> Answer:
        """Answer one question; the answer is stored before it is returned."""
        trace = self._trace(checked_name(user), session_id or self.new_id(), observe)
        inquiry, made_with = await asyncio.to_thread(self._prepared, question, databases, trace)
        trace.witness(Begun(episode_id=trace.episode_id, session_id=trace.session_id))
        inquiry = replace(inquiry, effort=effort_for(question, effort or self.settings.effort))
        heard, mind = preferences_in(question), self.mind.name
        with self._under_way():
            try:
                if heard:
                    hear = self._preferring.hear
                    analysis = await asyncio.to_thread(hear, heard, trace.user, question, mind)
                else:
                    analysis, made_with = await self._with_shadows(
                        inquiry, made_with, trace.witness
                    )
            except InvalidQuestion:
                raise  # nothing was done yet
            except (OldhandError, asyncio.CancelledError) as error:
                kept = self._answer(broken_off(error, trace.witness), inquiry, trace)
                await self._record(kept, trace, made_with)
                raise
            answer = made_with.noted(self._answer(analysis, inquiry, trace))
            if self.people is not None and not heard:
                answer = await self.people(answer, trace.user)
            await self._record(answer, trace, made_with)
        return answer

    async def look_up(self, question: str, user: str = DEFAULT_USER) -> Answer:
        """An answer that is not recorded, out of what a user may read: for a run of an agent, which is recorded as a whole."""
        trace = self._trace(user, self.new_id(), None)
        inquiry = await asyncio.to_thread(self._informed, question, trace)
        return self._answer(await self._analysed(inquiry, trace.witness), inquiry, trace)

    async def settled(self) -> None:
        """Wait until the turns that are under way, interrupted ones included, are in the store."""
        while self.under_way:
            await asyncio.wait(set(self.under_way))

    @contextmanager
    def _under_way(self) -> Generator[None]:
        task = asyncio.current_task()
        assert task is not None, "a turn is a coroutine of some task"
        self.under_way.add(task)
        try:
            yield
        finally:
            self.under_way.discard(task)

    async def _with_shadows(
        self, inquiry: Inquiry, made_with: MadeWith, witness: Observer
    ) -> tuple[Analysis, MadeWith]:
        """The answer, and beside it what it would have been with the opposite draws."""
        shadowing = Shadowing(self.mind, self._unseen, self.settings.trial.shadow_seconds)
        considered = made_with.considered
        others = await shadowing.foreseen(inquiry, considered)
        looking = asyncio.create_task(shadowing.looked_at(others))
        try:
            analysis = await self._analysed(inquiry, witness)
        except BaseException:
            looking.cancel()
            raise
        seen = with_shadows(considered, analysis, await looking)
        return analysis, replace(made_with, considered=seen)

    async def _unseen(self, inquiry: Inquiry) -> Analysis:
        """An answer that nobody gets to see."""
        unbooked = replace(inquiry, ledger=Ledger(self.clock), heard=None)
        return await self._analysed(unbooked, Witness(None))

    async def _analysed(self, inquiry: Inquiry, witness: Observer) -> Analysis:
        ask = partial(self._from_databases, witness=witness)
        return await self.consulted(inquiry, ask)

    async def consulted(self, inquiry: Inquiry, ask: "AskDatabases") -> Analysis:
        """The answer from databases, documents, what people said, or all of these; where only databases are at hand, as `ask` gives it."""
        known = inquiry.find or confirmed_words(inquiry.question, inquiry.lessons)
        if self.consulting is None or not known:
            return await ask(inquiry)
        falls_back = self.falls_back and self.settings.models.fallback
        find = inquiry.find or _nothing
        return await self.consulting().answer(inquiry, find, ask, falls_back=falls_back)

    async def _from_databases(self, inquiry: Inquiry, witness: Observer) -> Analysis:
        within_limits = within(self.settings, inquiry.preferences)
        place = AnalysisWorkplace(self.catalog, witness, within_limits, self.clock)
        if self.deliberation is None:
            analysis = await (await work_out(inquiry, self.mind, place)).told(witness)
        else:
            analysis = await self.deliberation.answer(inquiry, place, self.falls_back)
        if analysis.outcome is Outcome.FAILED:
            return await asyncio.to_thread(self._with_drift, analysis)
        return analysis

    def _trace(self, user: str, session_id: str, observe: Observer | None) -> Trace:
        witness, began = Witness(observe), self.clock.monotonic()
        return Trace(self.new_id(), session_id, user, began, witness, Ledger(self.clock, witness))

    def _prepared(
        self, question: str, databases: Sequence[str] | None, trace: Trace
    ) -> tuple[Inquiry, MadeWith]:
        """The question with all that is told along with it, and what of that is recorded; blocks."""
        inquiry = self._inquiry(question, databases, trace)
        people = CloneRoles(self.clone_id, self.store, self.clock)
        stranger = people.role(trace.user) not in TRUSTED
        run = JudgedRun(
            self.mind.name, TASK, question, episode_id=trace.episode_id, by_stranger=stranger
        )
        watch = self.judging.watch(run, lambda: trace.witness.steps)
        considered = self._considered(inquiry, trace.user)
        notes, prompts = watch.notes(), self.prompting.draw(self.roles)
        told, shelf = prompts.instructions, self.shelf(trace.user)
        if shelf is not None:
            considered = considered.among(shelf.readable(considered.lessons))
            inquiry = replace(inquiry, find=shelf.find)
        inquiry = replace(inquiry, lessons=considered.shown, notes=notes, instructions=told)
        return inquiry, MadeWith(considered, prompts, watch, shelf)

    def shelf(self, user: str) -> PassageShelf | None:
        """The documents that are at hand for a user; None where the clone has none. Blocks."""
        if self.search is None or not self.store.passages.is_any(self.clone_id):
            return None
        member = CloneRoles(self.clone_id, self.store, self.clock).is_member(user)
        mishaps = self.recalling.mishaps
        return PassageShelf(self.clone_id, self.store, self.search(), mishaps, user, member)

    def _informed(self, question: str, trace: Trace) -> Inquiry:
        """The question with what was learned, of which nothing is drawn or recorded; blocks."""
        inquiry = self._inquiry(question, None, trace)
        lessons, shelf = self._considered(inquiry, trace.user).shown, self.shelf(trace.user)
        told = self.prompting.instructions(self.roles)
        if shelf is not None:
            lessons, inquiry = shelf.readable(lessons), replace(inquiry, find=shelf.find)
        return replace(inquiry, lessons=lessons, instructions=told)

    def _inquiry(self, question: str, databases: Sequence[str] | None, trace: Trace) -> Inquiry:
        """The question with all that a mind may know when it starts; blocks."""
        schemas = self.catalog.schemas(databases)
        earlier = self.store.episodes(
            self.clone_id, user_id=trace.user, session_id=trace.session_id, limit=HISTORY
        )
        return Inquiry(
            question=question,
            schemas=schemas,
            today=self.clock.now().date(),
            history=tuple(
                EarlierTurn.of(one.answer, agreed=one.success is True) for one in reversed(earlier)
            ),
            preferences=self._preferring.of(trace.user),
            ledger=trace.ledger,
            heard=trace.witness.heard,
        )

    @property
    def _preferring(self) -> Preferring:
        style = self.settings.documents.style
        return Preferring(self.clone_id, self.store, self.clock, style)

    def _considered(self, inquiry: Inquiry, user: str) -> Considered:
        """What was learned that fits the question, which has to be answered from somewhere."""
        at_hand = {schema.name for schema in inquiry.schemas}
        found = self.recalling.consider(meant(inquiry), user, at_hand)
        is_other = intent_of(inquiry.question) is Intent.CALCULATION or self.people is not None
        told = confirmed_words(inquiry.question, found.shown)
        if not (at_hand or is_other or told or self.store.passages.is_any(self.clone_id)):
            waits = self.store.documents.waits(self.clone_id)
            raise UnknownDatabase(_UNREAD if waits else _NO_SOURCE)
        return found

    def _answer(self, analysis: Analysis, inquiry: Inquiry, trace: Trace) -> Answer:
        said = {name: value for name, value in analysis if name in Answer.model_fields}
        return Answer(
            **said,
            episode_id=trace.episode_id,
            question=inquiry.question,
            standalone=standalone_of(analysis, inquiry),
            query=analysis.validation.query,
            lessons=analysis.validation.lessons,
            usage=trace.ledger.total,
            model=analysis.answered_by or self.mind.name,
            seconds=self.clock.monotonic() - trace.began,
            session_id=trace.session_id,
        )

    def _with_drift(self, analysis: Analysis) -> Analysis:
        """When statements fail because the schema file is out of date, that is what to say."""
        database = analysis.steps[-1].database
        try:
            if database != WORKSPACE:
                self.catalog.ensure_current(database)
        except SchemaDrift as drift:
            return analysis.model_copy(update={"text": f"{analysis.text} {drift}"})
        except OldhandError:
            pass  # it cannot be looked up now: the failure stands as it is
        return analysis

    async def _record(self, answer: Answer, trace: Trace, made_with: MadeWith) -> None:
        """Put the episode into the store; a turn that is being cancelled still finishes this."""
        tools = (f"sql:{step.database}" for step in answer.steps)
        now, entries = self.clock.now(), trace.ledger.entries
        episode = Episode.of(answer, self.clone_id, trace.user, now, tools, entries)
        # What a language model made of a lesson can't be told.
        used = None if entries else answer.lessons

        def judge_and_record() -> None:
            made_with.watch.finish()
            stages = {entry.stage for entry in entries}
            besides = (
                *made_with.prompts.recalled(stages),
                *made_with.watch.notes_shown.values(),
                *self.routed,
            )
            recollection = made_with.considered.recollection(episode.id, used, besides)
            if made_with.shelf is not None:
                items = (*recollection.items, *made_with.shelf.recalled(answer))
                recollection = recollection.model_copy(update={"items": items})
            self.store.record_episode(episode, recollection)

        recording = asyncio.create_task(asyncio.to_thread(judge_and_record))
        self.under_way.add(recording)
        recording.add_done_callback(self.under_way.discard)
        await asyncio.shield(recording)


def _nothing(_: str) -> Sequence[FoundPassage]:
    """What is found where there are no documents."""
    return ()
