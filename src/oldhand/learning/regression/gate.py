"""The gate: nothing that was learned may bring back what has been mended."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

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


_NOBODYS_FAULT = (DatabaseUnreachable, InvalidSpec, MissingExtra, ModelRefused, ModelUnavailable)


class Answering(Protocol):
    """Answers a conversation as if other lessons were known; records nothing, draws nothing at random."""

    def __call__(
        self,
        messages: Sequence[Message],
        *,
        shown: Sequence[Memory] = (),
        hidden: Collection[str] = (),
    ) -> RouteResponse:
        """Answer the last message; blocks.

        Args:
            messages: a conversation that ends with the user's question.
            shown: memories, prompts among them, that are used whatever their stage.
            hidden: ids of memories that are not used.
        """
        ...


class SpecFailure(Record):
    """A spec that no longer holds."""

    episode_id: str
    """The episode that the spec was made from."""
    question: str
    mismatches: tuple[Mismatch, ...]

    def __str__(self) -> str:
        return f"{self.question!r}: {'; '.join(map(str, self.mismatches))}"


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
    answer: Answering
    rows_of: RowsOf | None = None
    """Runs the SQL of specs; None when none has any."""

    def broken_by(self, candidate: Memory) -> tuple[SpecFailure, ...]:
        """The specs that hold without `candidate`, and don't with it; blocks.

        It makes no difference whether the candidate is in the store already, so that this serves before a promotion
        as well as for a roll-back.

        Args:
            candidate: a lesson or a version of a prompt.

        Raises:
            InvalidSpec: a spec can't be read.
            DatabaseUnreachable: nor are `ModelUnavailable` and `ModelRefused` the candidate's fault.
        """
        found: list[SpecFailure] = []
        for spec in self.specs():
            failure = self._failure(spec, shown=(candidate,))
            if failure and self._failure(spec, hidden=(candidate.id,)) is None:
                found.append(failure)
        return tuple(found)

    def to_blame(self, known: Iterable[Memory]) -> tuple[tuple[Memory, SpecFailure], ...]:
        """Of lessons in use, those without which a spec that fails would hold: they are to be rolled back; blocks.

        Takes one answer for each spec while all hold, and one more for each lesson and spec that fails.

        Args:
            known: lessons, or versions of prompts, that may be to blame.
        """
        lessons = tuple(known)
        found: list[tuple[Memory, SpecFailure]] = []
        for spec in self.specs():
            failure = self._failure(spec)
            if failure is not None:
                guilty = (one for one in lessons if self._failure(spec, hidden=(one.id,)) is None)
                found += [(one, failure) for one in guilty]
        return tuple(found)

    def failing(self) -> tuple[SpecFailure, ...]:
        """The specs that don't hold as things are; blocks."""
        found = (self._failure(spec) for spec in self.specs())
        return tuple(failure for failure in found if failure is not None)

    def _failure(
        self, spec: BehaviourSpec, *, shown: Sequence[Memory] = (), hidden: Collection[str] = ()
    ) -> SpecFailure | None:
        try:
            response = self.answer(spec.input.messages, shown=shown, hidden=hidden)
            wrong = mismatches(spec.expected, response, self.rows_of)
        except _NOBODYS_FAULT:
            raise
        except OldhandError as error:
            wrong = (Mismatch("answer", "one", f"{type(error).__name__}: {error}"),)
        if not wrong:
            return None
        return SpecFailure(
            episode_id=spec.episode_id, question=spec.input.question, mismatches=wrong
        )
