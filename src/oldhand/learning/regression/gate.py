"""The gate: nothing that was learned may bring back what has been mended."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from oldhand.errors import (
    DatabaseUnreachable,
    InvalidSpec,
    MissingExtra,
    ModelRefused,
    ModelUnavailable,
    OldhandError,
)
from oldhand.learning.regression.checking import Mismatch, RowsOf, mismatches
from oldhand.learning.regression.spec import BehaviourSpec
from oldhand.record.base import Record
from oldhand.record.episode import Message
from oldhand.record.memory import Memory
from oldhand.record.route import RouteResponse

Specs = Callable[[], Iterable[BehaviourSpec]]
"""Reads the specs, each time anew: they are files that people edit."""


NOBODYS_FAULT = (DatabaseUnreachable, InvalidSpec, MissingExtra, ModelRefused, ModelUnavailable)
"""Errors after which it can't be told whether a spec holds: it has to wait."""


class Rehearses(Protocol):
    """Answers a conversation as if other lessons were known; records nothing, draws nothing at random."""

    def __call__(
        self,
        messages: Sequence[Message],
        *,
        shown: Sequence[Memory] = (),
        hidden: Collection[str] = (),
    ) -> RouteResponse:
        """Answer the last message; blocks."""
        ...


class SpecFailure(Record):
    """A spec that no longer holds."""

    episode_id: str
    """The episode that the spec was made from."""
    question: str
    mismatches: tuple[Mismatch, ...]

    def __str__(self) -> str:
        return f"{self.question!r}: {'; '.join(map(str, self.mismatches))}"


class Blame(NamedTuple):
    """A spec that fails, and why."""

    failure: SpecFailure
    guilty: tuple[Memory, ...]
    """Without them it would hold; empty when nothing that was learned is to blame."""


@dataclass(frozen=True)
class Gate:
    """Says which specs a lesson or a prompt would break.

    >>> from oldhand.testing.records import example_memory
    >>> spec = BehaviourSpec.model_validate({
    ...     "episode_id": "e1", "created_at": "2026-01-01T00:00:00Z", "failure_type": "too_verbose",
    ...     "input": {"messages": [{"role": "user", "content": "What's 2 + 2?"}]},
    ...     "expected": {"response_contains": ["4"]}})
    >>> def answer(messages, *, shown=(), hidden=()):
    ...     return RouteResponse(text="It depends." if shown else "4", model_used="builtin")
    >>> gate = Gate(specs=lambda: [spec], answer=answer)
    >>> print(gate.broken_by(example_memory())[0])
    "What's 2 + 2?": response_contains: expected '4', was 'It depends.'
    """

    specs: Specs
    answer: Rehearses
    rows_of: RowsOf | None = None
    """Runs the SQL of specs; None when none has any."""
    matters: Callable[[Memory, BehaviourSpec], bool] = lambda _memory, _spec: True
    """False where a memory would not be recalled for the question of a spec, so that no answer is needed."""

    def broken_by(self, candidate: Memory) -> tuple[SpecFailure, ...]:
        """The specs that hold without `candidate`, and don't with it; blocks.

        It makes no difference whether the candidate is in the store already, so that this serves before a promotion
        as well as for a roll-back.

        Raises:
            InvalidSpec: a spec can't be read.
            DatabaseUnreachable: nor are `ModelUnavailable` and `ModelRefused` the candidate's fault.
        """
        found: list[SpecFailure] = []
        for spec in self.specs():
            if not self.matters(candidate, spec):
                continue
            failure = self.failure(spec, shown=(candidate,))
            if failure and self.failure(spec, hidden=(candidate.id,)) is None:
                found.append(failure)
        return tuple(found)

    def to_blame(self, spec: BehaviourSpec, suspects: Iterable[Memory]) -> Blame | None:
        """Of lessons in use, those without which a spec that fails would hold: they are to be rolled back; blocks.

        Takes one answer while it holds, and two more than there are suspects when it fails. Where several break it
        only together, or each for itself, so many are named that it holds without them, the younger ones first.

        Returns:
            None when it holds.

        Raises:
            DatabaseUnreachable: as `broken_by`.
        """
        failure = self.failure(spec)
        if failure is None:
            return None
        young = sorted(suspects, key=lambda one: (one.created_at, one.id), reverse=True)
        hidden = {one.id for one in young}
        if not hidden or self.failure(spec, hidden=hidden) is not None:
            return Blame(failure, ())
        for one in reversed(young):
            if len(hidden) > 1 and self.failure(spec, hidden=hidden - {one.id}) is None:
                hidden.remove(one.id)
        return Blame(failure, tuple(one for one in young if one.id in hidden))

    def failing(self) -> tuple[SpecFailure, ...]:
        """The specs that don't hold as things are; blocks."""
        found = (self.failure(spec) for spec in self.specs())
        return tuple(failure for failure in found if failure is not None)

    def failure(
        self, spec: BehaviourSpec, *, shown: Sequence[Memory] = (), hidden: Collection[str] = ()
    ) -> SpecFailure | None:
        """What is wrong with one spec, with and without some memories; None when it holds."""
        try:
            response = self.answer(spec.input.messages, shown=shown, hidden=hidden)
            wrong = mismatches(spec.expected, response, self.rows_of)
        except NOBODYS_FAULT:
            raise
        except OldhandError as error:
            wrong = (Mismatch("answer", "one", f"{type(error).__name__}: {error}"),)
        if not wrong:
            return None
        return SpecFailure(
            episode_id=spec.episode_id, question=spec.input.question, mismatches=wrong
        )
