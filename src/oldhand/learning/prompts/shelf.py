"""The shelf of prompt versions: which there are, how each has done, and which is used."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import ndiff
from typing import NamedTuple

from oldhand.errors import UnknownMemory, UsageError
from oldhand.learning.evidence import Watch
from oldhand.learning.prompts.beta import Arm, chance_better, expected_loss
from oldhand.learning.prompts.comparing import PromptTest, chance_of, verdict_of, watch_of
from oldhand.learning.prompts.roles import checked_role
from oldhand.learning.prompts.versions import (
    ACTIVE,
    CANDIDATE,
    DEPRECATED,
    Version,
    in_state,
)
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.fared import Fared
from oldhand.record.memory import Memory, MemoryType, PerformanceMetrics
from oldhand.record.trial import Trial
from oldhand.settings import PromptSettings
from oldhand.store import Store


class Standing(NamedTuple):
    """The versions of one role, as they are used now."""

    role: str
    active: Version | None
    """None while the prompt is as it is shipped, without any version."""
    candidate: Version | None = None
    """The one on trial against it."""


@dataclass(frozen=True)
class PromptShelf:
    """Looks after the prompt versions of one clone. Methods block."""

    clone_id: str
    store: Store
    limits: PromptSettings

    def versions(self, role: str | None = None) -> tuple[Version, ...]:
        """All versions, deprecated ones too, oldest first; of one role, or of all.

        Raises:
            UsageError: there is no such role.
        """
        wanted = None if role is None else checked_role(role)
        kept = self.store.memories(self.clone_id, DEFAULT_USER, MemoryType.PROMPT, limit=None)
        found = (Version.of(memory) for memory in kept)
        mine = [one for one in found if one is not None and wanted in {None, one.role}]
        return tuple(
            sorted(mine, key=lambda one: (one.role, one.number, one.memory.created_at, one.id))
        )

    def version(self, version_id: str) -> Version:
        """The version of that id.

        Raises:
            UnknownMemory: there is none.
        """
        found = next((one for one in self.versions() if one.id == version_id), None)
        if found is None:
            raise UnknownMemory(f"There is no version {version_id!r} of a prompt.")
        return found

    def answers(self, version_id: str) -> tuple[Fared, ...]:
        """The latest answers that were made with a version, newest first."""
        return self.store.fared.made_with(
            self.clone_id, [version_id], kind="prompt", limit=self.limits.window
        )

    def metrics(self, version_id: str) -> PerformanceMetrics:
        """How a version has done, from the answers that were made with it."""
        return metrics_of(self.answers(version_id))

    def fared(self, version: Version) -> Memory:
        """A version with how it has done by now."""
        figures = {"performance_metrics": self.metrics(version.id)}
        payload = version.payload.model_copy(update=figures)
        return version.memory.model_copy(update={"payload": payload})

    def difference(self, version_id: str, other: str | None = None) -> tuple[str, ...]:
        """The lines of a version and of another, else of the one that it supersedes, marked as in a patch.

        Raises:
            UnknownMemory: there is no such version.
        """
        new = self.version(version_id)
        before = other or new.payload.supersedes
        old = [] if before is None else self.version(before).payload.text.splitlines()
        lines = ndiff(old, new.payload.text.splitlines())
        return tuple(line for line in lines if not line.startswith("?"))

    def standing(self, role: str, *, without: Collection[str] = ()) -> Standing:
        """What is used for a role: of the versions that are not deprecated, the most worth; and the one on trial."""
        return self._standing(role, [one for one in self.versions(role) if one.id not in without])

    def standings(
        self, roles: Sequence[str], *, without: Collection[str] = ()
    ) -> tuple[Standing, ...]:
        """As `standing`, for several roles; those without versions are left out."""
        everything = [one for one in self.versions() if one.id not in without]
        by_role = {role: [one for one in everything if one.role == role] for role in roles}
        return tuple(self._standing(role, mine) for role, mine in by_role.items() if mine)

    def test(self, standing: Standing) -> PromptTest | None:
        """The test that runs, with its figures; None when none does."""
        active, candidate = standing.active, standing.candidate
        if active is None or candidate is None:
            return None
        left, right = self._arms(active, candidate)
        watch = self._watched(active, candidate)
        last = len(watch.looks) - 1
        return PromptTest(
            role=standing.role,
            active=active.id,
            candidate=candidate.id,
            active_metrics=self.metrics(active.id),
            candidate_metrics=self.metrics(candidate.id),
            judged_active=left.judged,
            judged_candidate=right.judged,
            better=chance_better(right, left),
            chance=chance_of(left, right, self.limits),
            difference=watch.success.interval(),
            loss=expected_loss(right, left),
            standing=watch.looks[last].standing if watch.looks else None,
            bound=watch.bound(last) if watch.looks else None,
            verdict=verdict_of(left, right, watch, self.limits),
        )

    def chance(self, standing: Standing) -> float | None:
        """The probability with which the next answer is made with the version on trial; None when none is.

        It is asked for each answer: the database counts, and no answer is read.
        """
        active, candidate = standing.active, standing.candidate
        if active is None or candidate is None:
            return None
        return chance_of(*self._arms(active, candidate), self.limits)

    def _arms(self, active: Version, candidate: Version) -> tuple[Arm, Arm]:
        """How the answers of their test went."""
        ids, began = (active.id, candidate.id), candidate.memory.created_at
        found = self.store.fared.tried(self.clone_id, ids, kind="prompt", since=began)
        return Arm(*found[active.id]), Arm(*found[candidate.id])

    def _watched(self, active: Version, candidate: Version) -> Watch:
        """The same answers with their draws, in the order in which it became known how they went."""
        watch, began = watch_of(self.limits), candidate.memory.created_at

        def take(trial: Trial) -> None:
            if trial.success is not None and trial.at >= began:
                watch.add(trial.shown, trial.chance, trial.success)

        either = (active.id, candidate.id)
        self.store.trials.each(self.clone_id, take, lesson_id=candidate.id, used=either)
        return watch

    def rolled_back(self, role: str, to: str | None = None) -> tuple[Memory, ...]:
        """The versions as they are after going back; nothing is saved yet.

        Args:
            role: whose prompt.
            to: id of the version to use again; the one before the active one when None. A running test ends.

        Raises:
            UsageError: there is nothing to go back to.
            UnknownMemory: there is no such version.
        """
        standing = self.standing(checked_role(role))
        if standing.candidate is not None and to is None:
            assert standing.active is not None, "a candidate is tried against something"
            return (in_state(standing.candidate, DEPRECATED, replaced_by=standing.active.id),)
        target = self._target(standing, to)
        others = (
            one for one in self.versions(role) if one.id != target.id and not one.is_deprecated
        )
        gone = tuple(in_state(one, DEPRECATED, replaced_by=target.id) for one in others)
        return (in_state(target, ACTIVE), *gone)

    def with_figures(self) -> tuple[Memory, ...]:
        """The versions whose record does not say how they have done by now, with figures that do."""
        versions = self.versions()
        return tuple(new for one in versions if (new := self.fared(one)) != one.memory)

    def _target(self, standing: Standing, to: str | None) -> Version:
        if to is not None:
            target = self.version(to)
            if target.role != standing.role:
                raise UsageError(f"{to} is a version of the {target.role} prompt.")
            return target
        before = None if standing.active is None else standing.active.payload.supersedes
        if before is None:
            raise UsageError(f"The {standing.role} prompt has no earlier version to go back to.")
        return self.version(before)

    def _standing(self, role: str, versions: Sequence[Version]) -> Standing:
        usable = [one for one in versions if one.is_usable]
        settled = [one for one in usable if CANDIDATE not in one.memory.tags]
        if len(settled) > 1:
            figures = {one.id: self.metrics(one.id) for one in settled}
            settled.sort(key=lambda one: one.worth(figures[one.id]))
        active = settled[-1] if settled else None
        tried = [one for one in usable if CANDIDATE in one.memory.tags and active is not None]
        return Standing(role, active, tried[-1] if tried else None)


def metrics_of(answers: Sequence[Fared]) -> PerformanceMetrics:
    """The figures of the answers that were made with one version; nothing known is None, not 0.

    >>> metrics_of(()).success_rate is None
    True
    """
    if not answers:
        return PerformanceMetrics()
    judged = [one.success for one in answers if one.success is not None]
    count = len(answers)
    return PerformanceMetrics(
        success_rate=round(sum(judged) / len(judged), 4) if judged else None,
        avg_cost=round(sum(one.cost for one in answers) / count, 6),
        avg_latency_ms=round(1000 * sum(one.seconds for one in answers) / count, 1),
        episodes_used=count,
        positive_feedback=sum(one.feedback == "positive" for one in answers),
        negative_feedback=sum(one.feedback == "negative" for one in answers),
    )
