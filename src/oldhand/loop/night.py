"""The night: what was found in single answers becomes lessons, and lessons are looked after.

    reflect → distil → weigh → evolve → guard → believe → prune → compress → read documents that changed → report

Each step saves what it has done page by page and goes on there the next time, so that a night may be interrupted at any
moment. Two nights that are started at once are one: the second finds the first at work, and leaves it to it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from math import inf
from threading import Event

from oldhand.learning.distillation.bookmark import night_note
from oldhand.learning.distillation.distilling import Distilled, Distiller
from oldhand.learning.distillation.report import DistilledLesson as LessonEvent
from oldhand.learning.distillation.report import Happening, LessonsReport, told
from oldhand.learning.distillation.summaries import frequent_topics, summary_of
from oldhand.learning.evidence import Decided, EvidenceDecision, Weighing
from oldhand.learning.lifecycle.quarantine import reason_of
from oldhand.learning.lifecycle.upkeep import Upkeep
from oldhand.learning.prompts.evolving import Evolving
from oldhand.loop.examining import Examining
from oldhand.loop.ground import LoopPart
from oldhand.loop.guarding import Guarded, Guarding
from oldhand.record.base import Record
from oldhand.record.memory import Memory
from oldhand.settings import NightSettings

Reflect = Callable[[int, float | None], Awaitable[Sequence[Memory]]]
"""Looks back on so many of the answers that wait, for so many seconds at most; gives the reflections that were saved."""

_WEIGHED = {
    EvidenceDecision.PROMOTE: Happening.PROMOTED,
    EvidenceDecision.RETIRE: Happening.RETIRED,
}


class NightReport(Record):
    """What a night has done."""

    at: datetime
    """When it began."""
    reflected: int = 0
    """Answers that were looked back on."""
    distilled: Distilled = Distilled()
    believed: int = 0
    """Lessons whose confidence has changed."""
    told: LessonsReport = LessonsReport()
    """What became of lessons, distillation included."""
    guarded: Guarded = Guarded()
    """How the specs were found."""
    documents: int = 0
    """Documents that were read, as they had changed."""
    busy: bool = False
    """Whether another process was at it, so that nothing was done here."""
    dry: bool = False
    """Whether it was only told what would be done."""
    finished: bool = True
    """False when there was no time for all; the rest is done the next time."""


@dataclass(frozen=True)
class Night(LoopPart):
    """Does the work of a night for one clone."""

    reflect: Reflect
    distiller: Distiller
    trials: Weighing
    evolving: Evolving
    guarding: Guarding
    examining: Examining
    upkeep: Upkeep
    settings: NightSettings
    documents: Callable[[Callable[[], bool]], int] = lambda _: 0
    """Reads documents that changed, as long as it is told to go on; gives how many."""

    async def work(self, *, seconds: float | None = None, looks_back: bool = True) -> NightReport:
        """Do it all, or as much as can be begun within so many seconds; whatever it raises, what was done so far is saved.

        Without `looks_back` it is for when rules have looked back on what waits just now.
        """
        reflect = self.reflect if looks_back else _nothing
        with self.store.night(self.clone_id) as is_ours:
            if not is_ours:
                return NightReport(at=self.clock.now(), busy=True, finished=False)
            began, halted = self.clock.monotonic(), Event()

            def left() -> float:
                return inf if seconds is None else seconds - (self.clock.monotonic() - began)

            def go_on() -> bool:
                return not halted.is_set() and left() > 0

            reflected, at_once, found = 0, self.settings.batch, None
            while found is None or (len(found) == at_once and go_on()):
                found = await reflect(at_once, None if seconds is None else left())
                reflected += len(found)  # only their number is kept
            try:
                return await asyncio.to_thread(self._worked, reflected, go_on)
            finally:
                halted.set()  # cancelled, the thread would work on

    async def rehearse(self) -> NightReport:
        """Say what would be done, without doing anything; answers that wait are not looked back on."""
        return await asyncio.to_thread(self._worked, 0, lambda: True, dry=True)

    def _worked(
        self, reflected: int, go_on: Callable[[], bool], *, dry: bool = False
    ) -> NightReport:
        began = self.clock.now()
        distilled = self.distiller.distil(go_on=go_on, write=not dry)
        if not dry:
            self.examining.shadow(go_on=go_on)
        weigh = self.trials.weigh if dry else self.trials.decide
        events = _decided(weigh()) if go_on() else []
        events += () if dry else map(_waits, self.examining.examine(go_on=go_on))
        events += self._evolved() if not dry and go_on() else ()
        guarded = self.guarding.check(go_on=go_on, write=not dry)
        events += map(_waits, guarded.rolled_back)
        believed = 0 if dry else self.upkeep.believe(go_on=go_on)
        events += map(_erased, self.upkeep.prune(began, go_on=go_on, write=not dry))
        events += () if dry else self._summarised(go_on)
        read = 0 if dry else self.documents(go_on)
        finished = dry or (distilled.finished and go_on())
        if finished and not dry:
            said = str(guarded) if guarded.specs else ""
            self.store.save_memory(night_note(self.store, self.clone_id, began, specs=said))
        return NightReport(
            at=began,
            reflected=reflected,
            distilled=distilled,
            believed=believed,
            told=told(events, distilled.told),
            guarded=guarded,
            documents=read,
            dry=dry,
            finished=finished,
        )

    def _evolved(self) -> Iterator[LessonEvent]:
        """What became of the versions of prompts."""
        done = self.evolving.evolve()
        became = (
            (done.created, "It is on trial."),
            (done.refused, "It would break a spec, and is held back."),
            (done.promoted, "It has done better, and is in use."),
            (done.deprecated, "Another version has done better."),
        )
        for ids, why in became:
            for one in ids:
                memory = self.store.memory(self.clone_id, one)
                yield LessonEvent.of(Happening.PROMPT, memory, why)

    def _summarised(self, go_on: Callable[[], bool]) -> Iterator[LessonEvent]:
        """A summary for each topic that many questions are about; those that say the same as before stay as they are."""
        least, clone = self.settings.summary_answers, self.people.clone()
        turns = takewhile(lambda _: go_on(), self.store.turns(self.clone_id))
        for topic in frequent_topics(turns, least, {clone.owner, *clone.experts}):
            if not go_on():
                return
            known = self.store.episodes_called(self.clone_id, topic.episode_ids[:least][-1:])
            at = next((one.created_at for one in known.values()), self.clock.now())
            if (event := self._kept(summary_of(topic, self.clone_id, at))) is not None:
                yield event

    def _kept(self, summary: Memory) -> LessonEvent | None:
        with self.store.learning(self.clone_id):
            before = self.store.lessons.kept(self.clone_id, [summary.id]).get(summary.id)
            if before is not None and (before.forgotten or _says(before.memory) == _says(summary)):
                return None
            if before is not None:
                # Its stage, and what people made of it, stays.
                kept = {"tags": before.memory.tags, "created_at": before.memory.created_at}
                summary = summary.model_copy(update=kept)
            self.store.save_memory(summary)
        return LessonEvent.of(Happening.SUMMARISED, summary, "Many answers are about it.")


async def _nothing(_: int, __: float | None) -> tuple[Memory, ...]:
    return ()


def _says(memory: Memory) -> object:
    return memory.payload.model_dump(include={"rule"})


def _decided(decided: Sequence[Decided]) -> list[LessonEvent]:
    """What was promoted or retired; that a chance has moved is no news."""
    return [_weighed(one) for one in decided if one.evidence.decision in _WEIGHED]


def _weighed(decided: Decided) -> LessonEvent:
    evidence = decided.evidence
    judged = evidence.judged_shown + evidence.judged_held_out
    why = f"{judged} answers with it or without were judged, and {evidence.shadows.judged} that it changed."
    return LessonEvent.of(_WEIGHED[evidence.decision], decided.memory, why)


def _waits(memory: Memory) -> LessonEvent:
    return LessonEvent.of(Happening.WAITING, memory, reason_of(memory))


def _erased(memory: Memory) -> LessonEvent:
    return LessonEvent.of(Happening.ERASED, memory, "It has served its time.")
