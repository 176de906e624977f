"""A home folder becomes an assistant that can take turns.

What answers a question is wired when it is first asked, and what learns when there is something to learn: most programs
that open a home need a small part of it.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import cached_property, partial
from typing import TYPE_CHECKING

from oldhand.bootstrap.ground import Ground
from oldhand.bootstrap.minds import ModelWithMind, answering_of, language_models
from oldhand.learning.routing import Chooser
from oldhand.loop.background import Background
from oldhand.loop.due_nights import DueNights
from oldhand.loop.people import CloneRoles
from oldhand.models import LanguageModel
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.store import Store

if TYPE_CHECKING:
    from oldhand.bootstrap.retrieval import PassageFinding
    from oldhand.learning.evidence import Weighing
    from oldhand.learning.learner import Learner
    from oldhand.learning.prompts import PromptShelf
    from oldhand.loop.consultations.desk import ExpertDesk
    from oldhand.loop.crediting import Crediting
    from oldhand.loop.critique import FeedbackIntake
    from oldhand.loop.editing import MemoryEditing
    from oldhand.loop.erasing import UserErasing
    from oldhand.loop.fixing import PuttingRight
    from oldhand.loop.ingesting import Ingesting
    from oldhand.loop.memories import MemoryCare
    from oldhand.loop.night import Night
    from oldhand.loop.outside import OutsideAgents
    from oldhand.loop.passage_care import PassageCare
    from oldhand.loop.rebuilding import Rebuilding
    from oldhand.loop.reflecting import Reflecting
    from oldhand.loop.rehearsing import Rehearsal
    from oldhand.loop.reviewing import Reviewing
    from oldhand.loop.routing import Answering
    from oldhand.loop.saved.appointments import Appointments
    from oldhand.loop.serving import Serving
    from oldhand.loop.stating import HomeRules
    from oldhand.loop.turn import Turn
    from oldhand.loop.why import Explaining
    from oldhand.loop.word_sense import WordSense
    from oldhand.record.activity import Activity
    from oldhand.sources.retrieval import Retriever


class Home:
    """One home folder at work."""

    def __init__(self, ground: Ground, *, is_own_lm: bool) -> None:
        self._ground = ground
        self.path, self.root = ground.path, ground.root
        self.settings: Settings = ground.settings
        self.catalog: Catalog = ground.catalog
        self.store: Store = ground.store
        self.lm: LanguageModel | None = ground.thinking.lm if is_own_lm else None
        """The language model, when this home made it and so has to close it."""
        self.thinking_lm = ground.thinking.lm
        self.routed: Mapping[str, ModelWithMind] = ground.models
        """The models that questions are given to, by name; none where one mind answers all."""
        self.clone_id = ground.clone_id
        self.people = CloneRoles(ground.clone_id, ground.store, ground.clock)

    @cached_property
    def turn(self) -> "Turn":
        """Answers questions."""
        from oldhand.bootstrap.asking import turn_of

        return turn_of(self._ground, self._shelf, self._search, lambda: self.desk)

    @cached_property
    def answering(self) -> "Answering":
        """Has questions answered by whoever is to answer them."""
        return answering_of(self.turn, self.routed, self.chooser, self._ground.mishaps)

    @cached_property
    def chooser(self) -> Chooser:
        """Chooses between models."""
        return Chooser(self.clone_id, self.store, self.settings.routing)

    @cached_property
    def rehearsal(self) -> "Rehearsal":
        """Answers without a trace."""
        from oldhand.bootstrap.nights import rehearsal_of

        return rehearsal_of(self.turn, self.routed, self.chooser)

    @cached_property
    def serving(self) -> "Serving":
        """Answers whole conversations."""
        from oldhand.loop.serving import Serving

        return Serving(self.clone_id, self.store, self.answering, self.critique)

    @cached_property
    def outside(self) -> "OutsideAgents":
        """Recalls and records for agents that are not ours."""
        from oldhand.loop.outside import OutsideAgents

        turn = self.turn
        return OutsideAgents(self.clone_id, self.store, turn.recalling, turn.clock, turn.new_id)

    @cached_property
    def reflecting(self) -> "Reflecting":
        """Looks back on answers."""
        from oldhand.bootstrap.asking import reflecting_of

        return reflecting_of(self._ground, self.people)

    @cached_property
    def background(self) -> Background:
        """Does what nobody waits for."""
        lm = self._ground.thinking.lm
        after = None if lm is None else lm.aclose
        return Background(self.reflecting, after, self.due_nights, self._read_documents)

    @cached_property
    def due_nights(self) -> DueNights:
        """Does the nights that were missed."""
        return DueNights(self.clone_id, self.store, self.settings.night, self._ground.clock, lambda: self.night)  # fmt: skip

    @cached_property
    def night(self) -> "Night":
        """Learns from answers after they were given."""
        from oldhand.bootstrap.nights import gate_of, night_of

        gate = gate_of(self.path, self.rehearsal, self._ground.lms)
        refresh = self._refresh_documents
        return night_of(self._ground, self.reflecting, self._shelf, gate, self.rehearsal, refresh)

    @property
    def trials(self) -> "Weighing":
        """Weighs what lessons do."""
        return self.night.trials

    @cached_property
    def crediting(self) -> "Crediting":
        """What votes have taught about passages: the `PassageRanker` of this assistant."""
        from oldhand.bootstrap.documents import crediting_of

        return crediting_of(self._ground, self.finding.asked)

    def _credit(self, episode_id: str) -> bool:
        """Credit the passages that an answer was made of; most answers were made of none."""
        made = self.store.credit.has_passages
        return made(self.clone_id, episode_id) and self.crediting.learn(episode_id)

    @cached_property
    def passage_care(self) -> "PassageCare":
        """Tells how documents fare, and resets what votes have taught about them."""
        from oldhand.loop.passage_care import PassageCare

        return PassageCare(self.crediting, self.people, self._ground.new_id)

    @cached_property
    def critique(self) -> "FeedbackIntake":
        """Takes feedback."""
        from oldhand.bootstrap.teaching import critique_of

        learning = (self._learner, self.rules, self.night, self.reflecting)
        return critique_of(self._ground, *learning, self._credit)

    @cached_property
    def desk(self) -> "ExpertDesk":
        """Asks people."""
        from oldhand.bootstrap.experts import desk_of

        return desk_of(self._ground, self.people, lambda: self.critique)

    @cached_property
    def appointments(self) -> "Appointments":
        """Asks saved questions, also by themselves when they are due, and sends the answers."""
        from oldhand.bootstrap.saved import appointments_of

        return appointments_of(self._ground, lambda: self.rehearsal)

    @cached_property
    def memories(self) -> "MemoryCare":
        """What people do with memories."""
        from oldhand.bootstrap.teaching import memories_of

        of = (self._ground, self.people, self._learner, self._sense)
        return memories_of(*of, lambda: self.crediting.bring_in_line())  # noqa: PLW0108

    @cached_property
    def finding(self) -> "PassageFinding":
        """Finds passages of documents."""
        from oldhand.bootstrap.retrieval import PassageFinding

        return PassageFinding(self._ground)

    def _search(self) -> "Retriever":
        return self.finding.retriever(lambda: self.crediting)

    def embed_passages(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Make the vectors that passages lack, as far as there is time; they are found by their words until then."""
        if self.store.passages.is_any(self.clone_id):
            self.finding.fill(go_on)

    @cached_property
    def documents(self) -> "Ingesting":
        """Reads documents, and keeps what they hold."""
        from oldhand.bootstrap.documents import ingesting_of

        return ingesting_of(self._ground, self.people)

    @cached_property
    def rules(self) -> "HomeRules":
        """The rules that people state."""
        from oldhand.bootstrap.teaching import rules_of

        return rules_of(self._ground, self.people, self.rehearsal)

    @cached_property
    def putting_right(self) -> "PuttingRight":
        """Puts answers right that people pick from."""
        from oldhand.bootstrap.teaching import putting_right_of

        return putting_right_of(self._ground, self.turn)

    @cached_property
    def reviewing(self) -> "Reviewing":
        """How people look after lessons."""
        from oldhand.bootstrap.nights import reviewing_of

        return reviewing_of(self.night)

    @cached_property
    def editing(self) -> "MemoryEditing":
        """Puts what was learned into other words, and takes that back."""
        from oldhand.loop.editing import MemoryEditing

        return MemoryEditing(self.memories, self.reviewing, self.critique, self.rules)

    @cached_property
    def explaining(self) -> "Explaining":
        """Tells where answers come from."""
        from oldhand.loop.why import Explaining

        return Explaining(self.clone_id, self.store, self.trials)

    @cached_property
    def erasing(self) -> "UserErasing":
        """Leaves nothing of a user."""
        from oldhand.loop.erasing import UserErasing

        place = (self.clone_id, self.path, self.store, self.people)
        reflect = partial(self.reflecting.run, models=False, over=True)
        learning = (self._learner, self.night.distiller, lambda: self.crediting.rebuild())  # noqa: PLW0108
        return UserErasing(*place, reflect, *learning)

    @cached_property
    def rebuilding(self) -> "Rebuilding":
        """Makes anew what follows from the logs."""
        from oldhand.loop.rebuilding import Rebuilding, parts_of

        parts = parts_of(self.store, self._learner, self.night, lambda: self.crediting.rebuild())  # noqa: PLW0108
        return Rebuilding(self.clone_id, self.store, parts)

    def _read_documents(self, go_on: Callable[[], bool]) -> None:
        """Read documents that wait, and make the vectors that passages lack; what does so is loaded only then."""
        if self.store.documents.waits(self._ground.clone_id):
            self.documents.read_waiting(go_on)
        self.embed_passages(go_on)

    def _refresh_documents(self, go_on: Callable[[], bool]) -> int:
        """Read documents that changed, where there are any."""
        if self.store.credit.count(self.clone_id):
            self.crediting.guard()
        there = self.store.documents.list(self.clone_id, limit=1)
        read = self.documents.look_again(go_on) if there else 0
        self.embed_passages(go_on)
        return read

    @cached_property
    def _shelf(self) -> "PromptShelf":
        from oldhand.learning.prompts import PromptShelf

        return PromptShelf(self.clone_id, self.store, self.settings.prompts)

    @cached_property
    def _sense(self) -> "WordSense":
        from oldhand.loop.word_sense import WordSense

        return WordSense(self.catalog, self._ground.indexes, self._ground.clock)

    @cached_property
    def _learner(self) -> "Learner":
        from oldhand.bootstrap.teaching import learner_of

        return learner_of(self._ground, self._sense)

    def activity(self) -> "Activity":
        """How far the work is that nobody waits for."""
        from oldhand.bootstrap.nights import activity_of

        return activity_of(self._ground, self.background, self.due_nights)

    async def close(self, *, keeps_databases: bool = False) -> None:
        """Let go of store and databases; the latter stay open for a home that goes on with them."""
        async with AsyncExitStack() as stack:  # each is closed, whatever happens to the others
            if self.lm is not None:
                stack.push_async_callback(self.lm.aclose)
            stack.push_async_callback(asyncio.to_thread, self.store.close)
            if not keeps_databases:
                stack.push_async_callback(asyncio.to_thread, self.catalog.close)
            stack.push_async_callback(asyncio.to_thread, self.background.stop)
            for lm in language_models(self.routed):
                stack.push_async_callback(lm.aclose)
            if "desk" in self.__dict__:  # somebody was asked
                stack.push_async_callback(self.desk.close)
            await self.turn.settled()
