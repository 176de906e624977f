"""Guarding what was mended: a lesson or a prompt that breaks a spec is set aside, without anybody asking for it.

What people have vouched for stays, whatever it breaks: what they confirmed, stated, pinned or approved.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field

from oldhand.errors import InvalidSpec, MissingExtra, ModelRefused, ModelUnavailable
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.learning.prompts.evolving import Evolving
from oldhand.learning.regression import BehaviourSpec, Blame, Gate
from oldhand.learning.regression.gate import NOBODYS_FAULT
from oldhand.learning.regression.seen import SpecsSeen, digest_of, digest_with
from oldhand.loop.ground import LoopPart
from oldhand.record.base import Record
from oldhand.record.memory import Memory, MemoryType
from oldhand.record.stage import REVIEWED, is_found_out, is_shown

logger = logging.getLogger(__name__)

_MUTE = (MissingExtra, ModelRefused, ModelUnavailable)

Known = Callable[[BehaviourSpec], Sequence[Memory]]
"""What is recalled and shown when a spec is answered."""


class Guarded(Record):
    """What a look at the specs has found."""

    specs: int = 0
    """How many there are."""
    answered: int = 0
    """How many of them were answered: nothing that matters to the others had changed since they were looked at."""
    failing: tuple[str, ...] = ()
    """Those that fail although nothing that may be set aside is to blame, each with what is wrong."""
    rolled_back: tuple[Memory, ...] = Field(default=(), exclude=True)
    """Lessons and versions of prompts that were to blame; the reason stands in each."""
    waits: str = ""
    """Why some could not be looked at; empty when nothing kept us."""
    finished: bool = True
    """False when there was no time for all; the rest is looked at the next time."""

    def __str__(self) -> str:
        """In one line.

        >>> print(Guarded(specs=3, answered=1, failing=("'How many?': rows: ...",)))
        3 specs, 1 answered anew, 1 failing, 0 rolled back
        """
        return (
            f"{self.specs} specs, {self.answered} answered anew, {len(self.failing)} failing, "
            f"{len(self.rolled_back)} rolled back"
        )


@dataclass
class _Look:
    """One look at all specs."""

    answered: int = 0
    failing: list[str] = field(default_factory=list[str])
    blamed: dict[str, tuple[Memory, str]] = field(default_factory=dict[str, tuple[Memory, str]])
    """By id, with the reason."""
    waits: str = ""
    is_mute: bool = False
    """Whether no model answers at present: it makes no sense to ask on."""


@dataclass(frozen=True)
class Guarding(LoopPart):
    """Looks at the specs of one clone. Methods block."""

    gate: Gate
    known: Known
    evolving: Evolving
    mind: str
    """Who answers."""
    file: Path
    """Where it is remembered which specs need no answer."""
    most: int
    """Specs that are answered at one look."""

    def check(self, *, go_on: Callable[[], bool], write: bool = True) -> Guarded:
        """Answer the specs for which something has changed, and set aside what breaks one; without `write`, only tell.

        `go_on` is asked before each spec; the rest is left for the next time when it says no.
        """
        try:
            specs = tuple(self.gate.specs())
        except InvalidSpec as error:
            logger.warning("specs_wait: %s", error)
            return Guarded(waits=str(error))
        if not specs:
            return Guarded()
        seen, look, finished = SpecsSeen.read(self.file), _Look(), True
        for spec in specs:
            enough = look.is_mute or look.answered >= self.most
            if not (finished := finished and not enough and go_on()):
                seen.holds(digest_of(spec), "")  # it stays known
                continue
            self._look_at(spec, seen, look)
        rolled_back = self._rolled_back(look.blamed.values(), write=write)
        if write:
            seen.write()
        return Guarded(
            specs=len(specs),
            answered=look.answered,
            failing=tuple(look.failing),
            rolled_back=rolled_back,
            waits=look.waits,
            finished=finished,
        )

    def _look_at(self, spec: BehaviourSpec, seen: SpecsSeen, look: _Look) -> None:
        """Answer one spec, unless it would be the same answer as the last time."""
        recalled, prompts = self.known(spec), self.evolving.in_use()
        learned = (*recalled, *prompts, *self.evolving.candidates())
        name, with_what = digest_of(spec), digest_with(self.mind, learned)
        held = seen.holds(name, with_what)
        if held:
            return
        if held is False:
            look.failing.append(
                f"{spec.input.question!r}: it failed before, and nothing has changed"
            )
            return
        look.answered += 1
        suspects = [one for one in recalled if _may_be_set_aside(one)]
        try:
            blame = self._blame(spec, (*suspects, *prompts))
        except NOBODYS_FAULT as error:
            look.waits = f"{type(error).__name__}: {error}"
            look.is_mute = isinstance(error, _MUTE)
            logger.warning("spec_waits: %s: %s", spec.input.question, look.waits)
            return
        if blame is None or not blame.guilty:
            seen.note(name, with_what, holds=blame is None)
        if blame is not None and not blame.guilty:
            look.failing.append(str(blame.failure))
        for one in blame.guilty if blame else ():
            reason = f"It broke the spec {blame.failure}" if blame else ""
            look.blamed.setdefault(one.id, (one, reason))

    def _blame(self, spec: BehaviourSpec, suspects: Sequence[Memory]) -> Blame | None:
        """Who breaks a spec; versions of prompts that are only tried are tried on it as well."""
        blame = self.gate.to_blame(spec, suspects)
        if blame is not None:
            return blame
        for candidate in self.evolving.candidates():
            failure = self.gate.failure(spec, shown=(candidate,))
            if failure is not None:
                return Blame(failure, (candidate,))
        return None

    def _rolled_back(
        self, blamed: Iterable[tuple[Memory, str]], *, write: bool
    ) -> tuple[Memory, ...]:
        """What was to blame, set aside with the reason; what people have changed meanwhile stays."""
        done: list[Memory] = []
        with self.store.learning(self.clone_id):
            for memory, reason in blamed:
                kept = self.store.lessons.kept(self.clone_id, [memory.id]).get(memory.id)
                if kept is None or kept.forgotten or not is_shown(kept.memory):
                    continue
                if memory.type is MemoryType.PROMPT:
                    changed = self.evolving.given_up(kept.memory, reason)
                elif _may_be_set_aside(kept.memory):
                    changed = (set_aside(kept.memory, reason),)
                else:
                    continue
                if write:
                    self.store.save_memories(self.clone_id, changed)
                    logger.info("rolled_back: %s, %s", memory.id, reason)
                done.append(changed[0])
        return tuple(done)


def _may_be_set_aside(memory: Memory) -> bool:
    """Whether it is on trial, and nobody has approved it."""
    return is_found_out(memory) and REVIEWED not in memory.tags
