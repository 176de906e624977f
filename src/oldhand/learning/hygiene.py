"""A report on what was learned: what is there twice, stale, of no use, fed by its own answers, contradicting, or broken.

Whatever it finds can be retired, and everything that is retired can be taken back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from oldhand.learning.distillation.conflicts import settled, weight_of
from oldhand.learning.distillation.likeness import TextGist, gist_of
from oldhand.learning.distillation.opponents import Opponents, stand_of_effect, stands_of_claim
from oldhand.learning.distillation.places import detail_of, place_of
from oldhand.learning.distillation.texts import Texts
from oldhand.learning.lifecycle.quarantine import reason_of, retired
from oldhand.learning.recall.applies_when import condition_of, fault_in_condition
from oldhand.record.base import Record
from oldhand.record.memory import (
    NOTES,
    BugFixPayload,
    ChecklistPayload,
    ExamplePayload,
    Memory,
    PreferencePayload,
    SemanticPayload,
)
from oldhand.record.stage import LESSONS, PINNED, State, is_shown, state_of
from oldhand.store import Store
from oldhand.store.lesson_reads import MemoryUse


class Flaw(StrEnum):
    """What may be wrong with a lesson."""

    DUPLICATE = "duplicate"
    CONTRADICTING = "contradicting"
    DISAGREEING = "disagreeing"
    """A rule that somebody stated answers confirmed questions otherwise than they were confirmed."""
    FED_BACK = "fed back"
    """It rests on nothing but answers that were made with it, and that nobody has judged."""
    BROKEN = "condition does not parse"
    STALE = "stale"
    UNUSED = "never used"
    STUCK = "stuck"
    """It has been on trial for long, and nothing is decided."""
    WAITING = "waiting"
    """It waits for somebody with a say."""


OPEN = frozenset({Flaw.STUCK, Flaw.WAITING, Flaw.DISAGREEING})
"""Where somebody has to decide; nothing is wrong with the lesson."""


class Flawed(Record):
    """A lesson with something wrong, or a rule that disagrees with confirmed answers."""

    flaw: Flaw
    lesson_id: str = ""
    """Empty where it is a rule."""
    rule: str | None = None
    """What a rule says that somebody stated: it goes by that; None where it is a lesson."""
    says: str
    why: str
    other_id: str | None = None
    """The lesson that it is compared with."""


@dataclass(frozen=True)
class Hygiene:
    """Looks over the lessons of one clone. Methods block."""

    clone_id: str
    store: Store
    stale_days: int = 90

    def report(self, now: datetime) -> tuple[Flawed, ...]:
        """All that is found, by kind; changes nothing."""
        with self.store.snapshot():
            known = list(self._lessons())
            lessons = [one for one in known if is_shown(one)]
            gists = {one.id: gist_of(text_of(one)) for one in lessons if one.effect is None}
            uses = self.store.lessons.uses(self.clone_id, [one.id for one in lessons])
            found = [
                *_duplicates(lessons, gists),
                *_contradicting(lessons, gists),
                *self._fed_back(lessons),
                *_broken(lessons),
                *_idle(lessons, uses, now, timedelta(days=self.stale_days)),
                *(
                    _flawed(Flaw.WAITING, one, reason_of(one))
                    for one in known
                    if state_of(one) is State.WAITING
                ),
            ]
        order = list(Flaw)
        return tuple(sorted(found, key=lambda one: (order.index(one.flaw), one.lesson_id)))

    def clean(self, now: datetime) -> tuple[Flawed, ...]:
        """Retire what was found, but for what waits for a decision; what the owner has pinned stays."""
        with self.store.learning(self.clone_id):
            found = tuple(one for one in self.report(now) if one.flaw not in OPEN)
            reasons: dict[str, Flawed] = {}
            for one in found:
                reasons.setdefault(one.lesson_id, one)
            kept = self.store.lessons.kept(self.clone_id, list(reasons))
            aside = [
                retired(kept[name].memory, f"{one.flaw.value.capitalize()}: {one.why}")
                for name, one in reasons.items()
                if PINNED not in kept[name].memory.tags
            ]
            self.store.save_memories(self.clone_id, aside)
        return found

    def _lessons(self) -> Iterator[Memory]:
        for one in self.store.lessons.all(self.clone_id, LESSONS):
            if NOTES.isdisjoint(one.tags) and one.word is None:
                yield one

    def _fed_back(self, lessons: Sequence[Memory]) -> Iterator[Flawed]:
        rest_on = {one.id: set(one.provenance.episode_ids) for one in lessons}
        fed = self.store.lessons.fed_by(self.clone_id, rest_on)
        why = "It rests only on answers that were made with it."
        for one in lessons:
            if rest_on[one.id] and rest_on[one.id] == fed.get(one.id):
                yield _flawed(Flaw.FED_BACK, one, why)


def text_of(memory: Memory) -> str:
    """What a lesson says, without its summary."""
    payload = memory.payload
    match payload:
        case SemanticPayload():
            return payload.rule
        case ChecklistPayload():
            return payload.step
        case PreferencePayload():
            return f"{payload.key}: {payload.value}"
        case BugFixPayload():
            return payload.fix
        case _:
            return memory.summary


def editable_text(memory: Memory) -> str:
    """What a memory says, as it would be edited."""
    payload = memory.payload
    if memory.word is not None:
        return memory.word.target
    if isinstance(payload, ExamplePayload) and payload.sql:
        return f"{payload.database}: {payload.sql}" if payload.database else payload.sql
    return memory.effect.says if memory.effect is not None else text_of(memory)


def _duplicates(lessons: Sequence[Memory], gists: Mapping[str, TextGist]) -> Iterator[Flawed]:
    """The less well supported of two that say the same."""
    texts, effects = Texts(), dict[str, Memory]()
    for one in sorted(lessons, key=_standing, reverse=True):
        effect, place = one.effect, f"{one.type}|{one.user_id}|{condition_of(one) or ''}"
        if effect is None:
            gist = gists[one.id]
            same = texts.same(place, gist)
            if same is None:
                texts.add(one.id, place, gist)
        else:
            key = f"{place}|{place_of(effect)}|{detail_of(effect)}"
            first = effects.setdefault(key, one)
            same = None if first is one else first.id
        if same is not None:
            yield _flawed(Flaw.DUPLICATE, one, f"{same} says the same.", same)


def _contradicting(lessons: Sequence[Memory], gists: Mapping[str, TextGist]) -> Iterator[Flawed]:
    """Those that have to give way, each with the one that counts most of those that it contradicts."""
    rivals, by_id = Opponents(), {one.id: one for one in lessons}
    for one in sorted(lessons, key=lambda it: (weight_of(it), it.created_at, it.id), reverse=True):
        place, effect = f"{one.user_id}|{condition_of(one) or ''}", one.effect
        if effect is None:
            said = [x for claim in gists[one.id].claims for x in stands_of_claim(claim)]
        else:
            said = [stand_of_effect(effect)]
        other = rivals.taken(one.id, [stand.within(place) for stand in said])
        if other is not None:
            # Of the same moment, the other one counts more: it came first in their order.
            newer, older = sorted((by_id[other], one), key=lambda it: it.created_at, reverse=True)
            yield _flawed(Flaw.CONTRADICTING, one, settled(newer, older).why, other)


def _broken(lessons: Sequence[Memory]) -> Iterator[Flawed]:
    for one in lessons:
        fault = fault_in_condition(one)
        if fault is not None:
            yield _flawed(Flaw.BROKEN, one, str(fault))


def _idle(
    lessons: Sequence[Memory], uses: Mapping[str, MemoryUse], now: datetime, stale: timedelta
) -> Iterator[Flawed]:
    """What was not used for so long, or never in all that time."""
    for one in lessons:
        use = uses[one.id]
        since = use.last or one.created_at
        if now - one.created_at > stale >= now - since and state_of(one) is State.ON_TRIAL:
            why = f"On trial since {one.created_at:%Y-%m-%d}, and nothing is decided: approve or retire it."
            yield _flawed(Flaw.STUCK, one, why)
        if PINNED in one.tags or now - since <= stale:
            continue
        if use.uses:
            yield _flawed(Flaw.STALE, one, f"It was last used on {since:%Y-%m-%d}.")
        else:
            yield _flawed(Flaw.UNUSED, one, f"No answer has used it since {since:%Y-%m-%d}.")


def _standing(memory: Memory) -> tuple[bool, int, float, str]:
    evidence = len(memory.provenance.episode_ids)
    return (PINNED in memory.tags, evidence, -memory.created_at.timestamp(), memory.id)


def _flawed(flaw: Flaw, memory: Memory, why: str, other: str | None = None) -> Flawed:
    return Flawed(flaw=flaw, lesson_id=memory.id, says=memory.summary, why=why, other_id=other)
