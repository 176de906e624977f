"""Distillation: read the reflections that came since the last time, and let few lessons say what many of them propose.

Lessons are added, merged and retired one by one, never written anew as a whole. What is done for a batch of
reflections, and how far that is, is saved in one transaction: whatever happens in between, the next run goes on there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from oldhand.errors import OldhandError
from oldhand.learning.distillation.bookmark import Bookmark, bookmark_note, read_bookmark
from oldhand.learning.distillation.conflicts import at_birth, settled
from oldhand.learning.distillation.lessons import (
    DISTILLED,
    UNTRUSTED,
    Proposed,
    is_known_now,
    lesson_of,
    restated,
    said_by,
    texts_of,
    with_evidence,
    without_evidence,
)
from oldhand.learning.distillation.observing import PROPOSED, is_observation, names_in
from oldhand.learning.distillation.reading import proposed_in
from oldhand.learning.distillation.report import DistilledLesson, Happening, LessonsReport, told
from oldhand.learning.distillation.shelf import Shelf
from oldhand.learning.evidence.exam_results import faults_in
from oldhand.learning.lifecycle.pruning import superseded_by
from oldhand.learning.lifecycle.quarantine import (
    REJECTED,
    reason_of,
    restored,
    set_aside,
    waits_behind,
)
from oldhand.learning.lifecycle.scanning import findings
from oldhand.learning.recall.applies_when import fault_in_condition
from oldhand.learning.regression.exam import Examine, not_examined
from oldhand.record.base import Record
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import LESSONS, PINNED, REVIEWED, Stage, is_shown, stage_of
from oldhand.store import Store
from oldhand.store.memory_rows import Stored

Breaks = Callable[[Memory], Sequence[object]]
"""The behaviour specs that a lesson breaks."""

TAKEN_BACK = "What it rested on was taken back."


class Distilled(Record):
    """What became of the reflections that were read."""

    read: int = 0
    """Reflections."""
    proposals: int = 0
    """Lessons that they proposed."""
    told: LessonsReport = LessonsReport()
    finished: bool = True
    """False when there was no time for all."""


@dataclass(frozen=True)
class Distiller:
    """Distils for one clone. Methods block."""

    clone_id: str
    store: Store
    breaks: Breaks = lambda _memory: ()
    """Nothing does in a clone without specs."""
    exam: Examine = not_examined
    batch: int = 1_000
    """Reflections that are read at a time."""

    def distil(self, *, go_on: Callable[[], bool] = lambda: True, write: bool = True) -> Distilled:
        """Distil all reflections that came since the last time.

        Args:
            go_on: asked before each batch; the rest is left for the next time when it says no.
            write: False only says what would be done.

        Raises:
            StoreError: what was done so far is saved, and the next run goes on there.
        """
        done, shelf, seen = Distilled(), self._shelf(), read_bookmark(self.store, self.clone_id)
        drafts: dict[str, Memory] = {}
        while go_on():
            page = self.store.lessons.page(
                self.clone_id, [MemoryType.REFLECTION], after=seen.seq, limit=self.batch
            )
            if page:
                seen = Bookmark(page[-1].seq, page[-1].memory.id)
                with self.store.learning(self.clone_id):
                    batch = _Batch(self, shelf, drafts)
                    events = batch.take(page)
                    if write:
                        note = bookmark_note(self.store, self.clone_id, page[-1])
                        self.store.save_memories(self.clone_id, [*batch.changed.values(), note])
                    else:
                        drafts.update(batch.changed)
                done = done.model_copy(
                    update={
                        "read": done.read + len(page),
                        "proposals": done.proposals + batch.proposals,
                        "told": told(events, done.told),
                    }
                )
            if len(page) < self.batch:
                return done
        return done.model_copy(update={"finished": False})

    def take_up(self, reflection_id: str) -> tuple[Memory, ...]:
        """Distil what a reflection proposes by the word of people with a say, before its turn; the next run reads it again.

        Only what has an effect is taken up: it is in force at once. Gives the lessons that are new or different.
        """
        with self.store.learning(self.clone_id):
            kept = self.store.lessons.kept(self.clone_id, [reflection_id])
            changed = self._taken_up([*kept.values()])
            if changed:
                self.store.save_memories(self.clone_id, changed)
        return changed

    def planned(self, reflection: Memory) -> tuple[Memory, ...]:
        """What `take_up` would give for a reflection that nobody has saved; nothing is changed."""
        return self._taken_up([Stored(reflection, 1, 0, reflection.created_at, None, None)])

    def _taken_up(self, page: Sequence[Stored]) -> tuple[Memory, ...]:
        batch = _Batch(self, self._shelf(), {}, wanted=_is_vouched_effect)
        batch.take(page)
        return tuple(batch.changed.values())

    def _shelf(self) -> Shelf:
        shelf = Shelf()
        for one in self.store.lessons.all(self.clone_id, LESSONS):
            shelf.put(one)
        return shelf

    def faults(self, memory: Memory) -> list[str]:
        """What speaks against showing a lesson; nothing does once the owner has approved it."""
        if not {REVIEWED, PINNED}.isdisjoint(memory.tags):
            return []
        found = list(findings(texts_of(memory)))
        if memory.provenance.source is Source.EXTERNAL:
            found.append(UNTRUSTED)
        if memory.provenance.source is Source.MODEL and not self._is_observed(memory):
            found.append(PROPOSED)
        if fault := fault_in_condition(memory):
            found.append(f"its condition does not parse: {fault}")
        if not found:
            found += [f"it would break a spec: {one}" for one in self._broken_by(memory)[:3]]
        if not found:
            found += faults_in(self.exam(memory))
        return [found[0][:1].upper() + found[0][1:], *found[1:]] if found else []

    def _is_observed(self, memory: Memory) -> bool:
        """Whether it does no more than note how the statements behind it were written, or should have been."""
        said = said_by(memory)
        if said is None or said[0] not in {"semantic", "checklist"} or memory.effect is not None:
            return False
        shown = (said[1], *getattr(memory.payload, "examples", ()))
        behind = self.store.episodes_called(self.clone_id, memory.provenance.episode_ids)
        names = names_in(behind.values())
        return all(is_observation(one, names) for one in shown)

    def _broken_by(self, memory: Memory) -> Sequence[object]:
        try:
            return self.breaks(memory)
        except OldhandError:
            return ()  # what can't be checked now is checked before it is trusted


@dataclass
class _Batch:
    """The lessons that one batch of reflections touches."""

    distiller: Distiller
    shelf: Shelf
    drafts: dict[str, Memory]
    """What would have been saved before, in a run that only tells."""
    wanted: Callable[[Proposed], bool] = lambda _one: True
    """Which proposals are taken up; the others wait."""
    changed: dict[str, Memory] = field(default_factory=dict[str, Memory])
    proposals: int = 0
    _kept: dict[str, Stored] = field(default_factory=dict[str, Stored])

    def take(self, page: Sequence[Stored]) -> list[DistilledLesson]:
        """Work out what becomes of the lessons that some reflections propose."""
        events: list[DistilledLesson] = []
        by_lesson: dict[str, list[Proposed]] = {}
        latest: dict[str, int] = {}
        for arrived in page:
            for one in filter(self.wanted, proposed_in(arrived.memory)):
                name = self.shelf.name(one)
                by_lesson.setdefault(name, []).append(one)
                latest[name] = self.proposals
                self.proposals += 1
        rivals = {one: list(self.shelf.against(said[-1])) for one, said in by_lesson.items()}
        self._load([*by_lesson, *(other for others in rivals.values() for other in others)])
        events += self._taken_back(page, by_lesson)
        for lesson_id, said in by_lesson.items():
            events += self._merged(lesson_id, said)
        for lesson_id in sorted(rivals, key=lambda one: latest[one]):
            for other in rivals[lesson_id]:
                if latest.get(other, -1) < latest[lesson_id]:
                    events += self._settled(lesson_id, other)
        return events

    def _load(self, ids: Sequence[str]) -> None:
        store, clone_id = self.distiller.store, self.distiller.clone_id
        self._kept = store.lessons.kept(clone_id, list(dict.fromkeys(ids)))

    def _now(self, lesson_id: str) -> Memory | None:
        """A lesson as it is by now; None when there is none, or it was forgotten."""
        if lesson_id in self.changed:
            return self.changed[lesson_id]
        if lesson_id in self.drafts:
            return self.drafts[lesson_id]
        kept = self._kept.get(lesson_id)
        return None if kept is None or kept.forgotten else kept.memory

    def _merged(self, lesson_id: str, said: Sequence[Proposed]) -> Iterator[DistilledLesson]:
        kept = self._kept.get(lesson_id)
        if kept is not None and kept.forgotten:
            # People forgot it, rolled it back, or it has served its time: only people teach it again.
            gone = set(kept.memory.provenance.episode_ids)
            taught = [one for one in said if one.proposal.source in TRUSTED]
            said = [one for one in taught if one.proposal.episode_id not in gone]
            if not said:
                return
        before = self._now(lesson_id)
        if before is None:
            yield self._born(lesson_id, said)
            return
        after = with_evidence(restated(before, said), said)
        if after == before:
            return
        again = self._again(before, after)
        self.changed[lesson_id] = again
        number = len(after.provenance.episode_ids)
        why = f"{number} answer{'' if number == 1 else 's'} speak{'s' if number == 1 else ''} for it now."
        yield DistilledLesson.of(Happening.MERGED, again, why)

    def _born(self, lesson_id: str, said: Sequence[Proposed]) -> DistilledLesson:
        new = lesson_of(lesson_id, said)
        # Nights keep how it did: at birth only what it breaks counts, so that it comes back the same when it is made anew.
        lesson = at_birth(new, self.distiller.faults(new))
        self.changed[lesson_id] = lesson
        if is_shown(lesson):
            return DistilledLesson.of(Happening.LEARNED, lesson, _sources(lesson))
        return DistilledLesson.of(Happening.WAITING, lesson, reason_of(lesson))

    def _again(self, before: Memory, after: Memory) -> Memory:
        """A lesson with more evidence: what set it aside may hold no longer."""
        if REJECTED in after.tags or is_shown(after):
            return after
        known_now = is_known_now(before, after)
        withdrawn = not before.provenance.episode_ids
        if known_now or withdrawn or waits_behind(after) or superseded_by(after):
            young = restored(after)
            return at_birth(young, self.distiller.faults(young))
        return after

    def _settled(self, lesson_id: str, other_id: str) -> Iterator[DistilledLesson]:
        newer, older = self._now(lesson_id), self._now(other_id)
        if newer is None or older is None or not is_shown(newer) or not is_shown(older):
            return
        done = settled(newer, older)
        self.changed[newer.id], self.changed[older.id] = done.newer, done.older
        if done.newer_wins:
            yield DistilledLesson.of(Happening.RETIRED, done.older, done.why)
        else:
            yield DistilledLesson.of(Happening.WAITING, done.newer, done.why)

    def _taken_back(
        self, page: Sequence[Stored], by_lesson: dict[str, list[Proposed]]
    ) -> Iterator[DistilledLesson]:
        """Of reflections that were made anew: what they propose no longer."""
        store, clone_id = self.distiller.store, self.distiller.clone_id
        anew = [one.memory.id for one in page if one.version > 1]
        known = store.known_memories(clone_id, anew)
        still = {
            (name, one.proposal.episode_id) for name, said in by_lesson.items() for one in said
        }
        gone = {
            (self.shelf.name(one), one.proposal.episode_id): None
            for versions in known.values()
            for version in versions[:-1]
            for one in filter(self.wanted, proposed_in(version))
        }
        lost = [one for one in gone if one not in still]
        self._kept |= store.lessons.kept(clone_id, [name for name, _ in lost])
        for lesson_id, episode_id in lost:
            before = self._now(lesson_id)
            if before is None or DISTILLED not in before.tags:
                continue
            after = without_evidence(before, episode_id)
            if after == before:
                continue
            self.changed[lesson_id] = after
            bare = not after.provenance.episode_ids
            if bare and {PINNED, REVIEWED}.isdisjoint(after.tags) and stage_of(after) is not Stage.RETIRED:  # fmt: skip
                self.changed[lesson_id] = set_aside(after, TAKEN_BACK, Stage.RETIRED)
                yield DistilledLesson.of(Happening.RETIRED, self.changed[lesson_id], TAKEN_BACK)


def _is_vouched_effect(one: Proposed) -> bool:
    return one.proposal.source in TRUSTED and one.proposal.effect is not None


def _sources(memory: Memory) -> str:
    number = len(memory.provenance.episode_ids)
    return f"From {number} answer{'' if number == 1 else 's'}, by the word of {memory.provenance.said_by}."
