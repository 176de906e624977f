"""A home folder becomes an assistant that can take turns.

What answers a question is wired when it is first asked, and what learns when there is something to learn: most programs
that open a home need a small part of it.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from oldhand.bootstrap.ground import Ground, WiredPart
from oldhand.learning.routing import Chooser
from oldhand.loop.background import Background, DueNights
from oldhand.record.monitoring import Activity

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
    from oldhand.loop.passage_care import PassageCare
    from oldhand.loop.rebuilding import Rebuilding
    from oldhand.loop.reflecting import Reflecting
    from oldhand.loop.rehearsing import Rehearsal
    from oldhand.loop.reviewing import Reviewing
    from oldhand.loop.routing import Answering
    from oldhand.loop.saved.appointments import Appointments
    from oldhand.loop.serving import OutsideAgents, Serving
    from oldhand.loop.stating import HomeRules
    from oldhand.loop.turn import Turn
    from oldhand.loop.why import Explaining
    from oldhand.loop.word_sense import WordSense


class Home(Ground):
    """One home folder at work, with its parts."""

    turn: "WiredPart[Turn]" = WiredPart("asking.turn_of")
    """Answers questions."""
    answering: "WiredPart[Answering]" = WiredPart("asking.answering_of")
    """Has questions answered by whoever is to answer them."""
    serving: "WiredPart[Serving]" = WiredPart("serving.serving_of")
    """Answers whole conversations."""
    outside: "WiredPart[OutsideAgents]" = WiredPart("serving.outside_of")
    """Recalls and records for agents that are not ours."""
    reflecting: "WiredPart[Reflecting]" = WiredPart("asking.reflecting_of")
    """Looks back on answers."""
    shelf: "WiredPart[PromptShelf]" = WiredPart("asking.shelf_of")
    """The versions of prompts."""
    rehearsal: "WiredPart[Rehearsal]" = WiredPart("nights.rehearsal_of")
    """Answers without a trace."""
    night: "WiredPart[Night]" = WiredPart("nights.night_of")
    """Learns from answers after they were given."""
    reviewing: "WiredPart[Reviewing]" = WiredPart("nights.reviewing_of")
    """How people look after lessons."""
    explaining: "WiredPart[Explaining]" = WiredPart("nights.explaining_of")
    """Tells where answers come from."""
    rebuilding: "WiredPart[Rebuilding]" = WiredPart("nights.rebuilding_of")
    """Makes anew what follows from the logs."""
    erasing: "WiredPart[UserErasing]" = WiredPart("nights.erasing_of")
    """Leaves nothing of a user."""
    critique: "WiredPart[FeedbackIntake]" = WiredPart("teaching.critique_of")
    """Takes feedback."""
    learner: "WiredPart[Learner]" = WiredPart("teaching.learner_of")
    """Makes memories of feedback."""
    sense: "WiredPart[WordSense]" = WiredPart("teaching.sense_of")
    """Tells what words may mean."""
    memories: "WiredPart[MemoryCare]" = WiredPart("teaching.memories_of")
    """What people do with memories."""
    editing: "WiredPart[MemoryEditing]" = WiredPart("teaching.editing_of")
    """Puts what was learned into other words, and takes that back."""
    rules: "WiredPart[HomeRules]" = WiredPart("teaching.rules_of")
    """The rules that people state."""
    putting_right: "WiredPart[PuttingRight]" = WiredPart("teaching.putting_right_of")
    """Puts answers right that people pick from."""
    desk: "WiredPart[ExpertDesk]" = WiredPart("experts.desk_of")
    """Asks people."""
    appointments: "WiredPart[Appointments]" = WiredPart("saved.appointments_of")
    """Asks saved questions, also by themselves when they are due, and sends the answers."""
    finding: "WiredPart[PassageFinding]" = WiredPart("asking.finding_of")
    """Finds passages of documents."""
    crediting: "WiredPart[Crediting]" = WiredPart("documents.crediting_of")
    """What votes have taught about passages: the `PassageRanker` of this assistant."""
    passage_care: "WiredPart[PassageCare]" = WiredPart("documents.passage_care_of")
    """Tells how documents fare, and resets what votes have taught about them."""
    documents: "WiredPart[Ingesting]" = WiredPart("documents.ingesting_of")
    """Reads documents, and keeps what they hold."""

    @property
    def trials(self) -> "Weighing":
        """Weighs what lessons do."""
        return self.night.trials

    @cached_property
    def chooser(self) -> Chooser:
        """Chooses between models."""
        return Chooser(self.clone_id, self.store, self.settings.routing)

    @cached_property
    def background(self) -> Background:
        """Does what nobody waits for."""
        after = None if self.thinking.lm is None else self.thinking.lm.aclose
        return Background(self.reflecting, after, self.due_nights, self._read_documents)

    @cached_property
    def due_nights(self) -> DueNights:
        """Does the nights that were missed."""
        return DueNights(self, self.settings.night, lambda: self.night)

    def embed_passages(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Make the vectors that passages lack, as far as there is time; they are found by their words until then."""
        if self.store.passages.is_any(self.clone_id):
            self.finding.fill(go_on)

    def _read_documents(self, go_on: Callable[[], bool]) -> None:
        """Read documents that wait, and make the vectors that passages lack; what does so is loaded only then."""
        if self.store.documents.waits(self.clone_id):
            self.documents.read_waiting(go_on)
        self.embed_passages(go_on)

    def refresh_documents(self, go_on: Callable[[], bool]) -> int:
        """Read documents that changed, where there are any."""
        if self.store.credit.count(self.clone_id):
            self.crediting.guard()
        there = self.store.documents.list(self.clone_id, limit=1)
        read = self.documents.look_again(go_on) if there else 0
        self.embed_passages(go_on)
        return read

    def activity(self) -> Activity:
        """How far the work is that nobody waits for."""
        from oldhand.learning.distillation.bookmark import last_night

        return Activity(
            is_under_way=self.background.is_under_way,
            reflections_waiting=self.store.reflections.waiting(self.clone_id),
            documents=self.store.documents.counts(self.clone_id),
            last_night=last_night(self.store, self.clone_id),
            is_night_due=self.due_nights.is_due(),
            failures=dict(self.mishaps.counts),
        )

    async def close(self, *, keeps_databases: bool = False) -> None:
        """Let go of store and databases; the latter stay open for a home that goes on with them."""
        async with AsyncExitStack() as stack:  # each is closed, whatever happens to the others
            if self.lm is not None:
                stack.push_async_callback(self.lm.aclose)
            stack.push_async_callback(asyncio.to_thread, self.store.close)
            if not keeps_databases:
                stack.push_async_callback(asyncio.to_thread, self.catalog.close)
            stack.push_async_callback(asyncio.to_thread, self.background.stop)
            for one in self.models.values():
                if one.lm is not None:
                    stack.push_async_callback(one.lm.aclose)
            if "desk" in self.__dict__:  # somebody was asked
                stack.push_async_callback(self.desk.close)
            await self.turn.settled()
