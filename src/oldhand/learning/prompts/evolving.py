"""How prompts evolve: a suggestion becomes a version, the version is tried, the better one stays.

Always one instruction at a time, and one test for each role at a time: so it can be told what made the difference.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from oldhand.learning.evidence.exam_results import faults_in
from oldhand.learning.lifecycle.quarantine import set_aside
from oldhand.learning.prompts.comparing import PromptTest, PromptVerdict
from oldhand.learning.prompts.roles import ROLES
from oldhand.learning.prompts.shelf import PromptShelf, Standing
from oldhand.learning.prompts.versions import (
    ACTIVE,
    DEPRECATED,
    Version,
    in_state,
    instruction_in,
    next_version,
    shipped_version,
    taken_up,
)
from oldhand.learning.regression import Gate
from oldhand.learning.regression.exam import Examine, not_examined
from oldhand.learning.regression.gate import NOBODYS_FAULT
from oldhand.record.base import Record
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.instructions import ORCHESTRATOR
from oldhand.record.memory import Memory, MemoryType, SemanticPayload
from oldhand.record.ports import Clock
from oldhand.record.stage import SUGGESTION, is_approved, is_shown

logger = logging.getLogger(__name__)


class Evolved(Record):
    """What became of prompts."""

    created: tuple[str, ...] = ()
    """Versions that are on trial now."""
    refused: tuple[str, ...] = ()
    """Versions that are set aside because they would break a spec."""
    promoted: tuple[str, ...] = ()
    deprecated: tuple[str, ...] = ()
    tests: tuple[PromptTest, ...] = Field(default=(), exclude=True)
    """Those that were decided, with their figures."""

    @property
    def changed(self) -> bool:
        """Whether anything is other than before."""
        return bool(self.created or self.refused or self.promoted or self.deprecated)


@dataclass(frozen=True)
class Evolving:
    """Makes versions out of suggestions, and lets tests decide. Methods block."""

    shelf: PromptShelf
    clock: Clock
    gate: Gate
    """Says which specs a version breaks: where there are any, it is neither tried nor promoted."""
    gate_reads: bool = True
    """Whether the mind that answers for the gate reads prompts. Where it does not, and there are specs, all waits."""
    exam: Examine = not_examined

    def evolve(self) -> Evolved:
        """Decide what can be decided, then try the best suggestion of each role that has no test under way.

        What specs can't say now, because a model or a database can't be reached, waits for the next time.
        """
        try:
            if not self.gate_reads and any(True for _ in self.gate.specs()):
                return Evolved()
            with self.shelf.store.learning(self.shelf.clone_id):
                return self._evolved()
        except NOBODYS_FAULT as error:
            logger.warning("prompts_wait: %s: %s", type(error).__name__, error)
            return Evolved()

    def _evolved(self) -> Evolved:
        settled = self.settle()
        created: list[str] = []
        refused: list[str] = []
        suggestions = self._suggestions()
        for role in ROLES:
            standing = self.shelf.standing(role)
            suggestion = suggestions.get(role)
            if standing.candidate is not None or suggestion is None:
                continue
            version, held_back = self._taken_up(standing, suggestion)
            (refused if held_back else created).append(version.id)
        self._save(self.shelf.with_figures())
        return settled.model_copy(update={"created": tuple(created), "refused": tuple(refused)})

    def settle(self) -> Evolved:
        """Promote candidates that have done better, and deprecate those that have not."""
        tests: list[PromptTest] = []
        promoted: list[str] = []
        deprecated: list[str] = []
        for role in ROLES:
            standing = self.shelf.standing(role)
            test = self.shelf.test(standing)
            if test is None or test.verdict is PromptVerdict.WAIT:
                continue
            active, candidate = standing.active, standing.candidate
            assert active is not None, "a test has two versions"
            assert candidate is not None, "a test has two versions"
            won = test.verdict is PromptVerdict.PROMOTE and not self.gate.broken_by(
                candidate.memory
            )
            winner, loser = (candidate, active) if won else (active, candidate)
            self._save(
                [in_state(winner, ACTIVE), in_state(loser, DEPRECATED, replaced_by=winner.id)]
            )
            tests.append(test)
            promoted += [winner.id] if won else []
            deprecated.append(loser.id)
            logger.info(
                "prompt_%s: %s against %s, difference %s, %d and %d judged",
                test.verdict, test.candidate, test.active, test.difference, test.judged_candidate, test.judged_active,
            )  # fmt: skip
        return Evolved(promoted=tuple(promoted), deprecated=tuple(deprecated), tests=tuple(tests))

    def roll_back(self, role: str, to: str | None = None) -> tuple[Memory, ...]:
        """Use an earlier version again; what was used is deprecated.

        Raises:
            UsageError: there is nothing to go back to.
            UnknownMemory: there is no such version.
        """
        with self.shelf.store.learning(self.shelf.clone_id):
            changed = self.shelf.rolled_back(role, to)
            self._save(changed)
        return changed

    def in_use(self) -> tuple[Memory, ...]:
        """The active versions that say something; none where nobody reads them."""
        active = (one.active for one in self._standings())
        return tuple(one.memory for one in active if one is not None and one.payload.text.strip())

    def candidates(self) -> tuple[Memory, ...]:
        """The versions on trial; none where nobody reads them."""
        tried = (one.candidate for one in self._standings())
        return tuple(one.memory for one in tried if one is not None)

    def given_up(self, memory: Memory, reason: str) -> tuple[Memory, ...]:
        """A version set aside for a reason, and with it the others of its role that change; nothing is saved yet.

        In place of an active version the one before it is used again, or the prompt as it is shipped.
        """
        version = Version.of(memory)
        assert version is not None, "it was among the versions"
        standing = self.shelf.standing(version.role)
        changed: tuple[Memory, ...] = ()
        before = version.payload.supersedes
        known = {one.id for one in self.shelf.versions(version.role)}
        if standing.active is not None and standing.active.id == version.id and before in known:
            changed = self.shelf.rolled_back(version.role, before)
        gone = set_aside(in_state(version, DEPRECATED), reason)
        return (gone, *(one for one in changed if one.id != gone.id))

    def _standings(self) -> tuple[Standing, ...]:
        return self.shelf.standings(tuple(ROLES)) if self.gate_reads else ()

    def _suggestions(self) -> dict[str, Memory]:
        """By role, the suggestion that is believed most and that no version was made of."""
        known = self.shelf.store.memories(
            self.shelf.clone_id, DEFAULT_USER, MemoryType.SEMANTIC, SUGGESTION, limit=None
        )
        used = taken_up(self.shelf.versions())
        fitting = [
            one
            for one in known
            if one.id not in used
            and is_shown(one)
            and is_approved(one)
            and len(one.provenance.episode_ids) >= self.shelf.limits.sources
        ]
        fitting.sort(key=lambda one: (one.confidence, one.created_at, one.id))
        return {role_for(one): one for one in fitting}

    def _taken_up(self, standing: Standing, suggestion: Memory) -> tuple[Memory, bool]:
        """The next version, saved: on trial, or set aside because it breaks a spec or a confirmed answer."""
        now = self.clock.now()
        before = standing.active
        if before is None:
            shipped = shipped_version(standing.role, self.shelf.clone_id, now)
            self._save([shipped])
            before = Version.of(shipped)
            assert before is not None, "it has its role as a tag"
        assert isinstance(suggestion.payload, SemanticPayload), "suggestions are kept as rules"
        number = 1 + max(one.number for one in self.shelf.versions(standing.role))
        instruction = instruction_in(suggestion.payload.rule)
        version = next_version(before, suggestion, instruction, number, now)
        broken = self.gate.broken_by(version)
        faults = [f"it would break {len(broken)} of the specs: {broken[0]}"] if broken else []
        if faults := faults or faults_in(self.exam(version)):
            reason = f"{faults[0][:1].upper()}{faults[0][1:]}"
            logger.info("prompt_held_back: %s, %s", version.id, reason)
            version = set_aside(version, reason)
        self._save([version])
        return version, bool(faults)

    def _save(self, memories: Sequence[Memory]) -> None:
        if memories:
            self.shelf.store.save_memories(self.shelf.clone_id, memories)


def role_for(suggestion: Memory) -> str:
    """The role that a suggestion is for: the one it names, else every prompt."""
    return next((tag for tag in suggestion.tags if tag in ROLES), ORCHESTRATOR)
