"""Who owns the assistant and who its experts are; roles are looked up here, never claimed."""

from dataclasses import dataclass

from oldhand.errors import UsageError
from oldhand.record.access import Role
from oldhand.record.base import checked_name
from oldhand.record.clone import Clone
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.ports import Clock
from oldhand.store import Store


def role_of(rater: str, clone: Clone) -> Source:
    """The role of a person towards a clone; unknown people are external.

    >>> from datetime import UTC, datetime
    >>> clone = Clone(owner="ana", experts=("bo",), created_at=datetime(2026, 1, 1, tzinfo=UTC))
    >>> [role_of(name, clone).value for name in ("ana", "bo", "cy")]
    ['owner', 'expert', 'external']
    """
    if rater == clone.owner:
        return Source.OWNER
    return Source.EXPERT if rater in clone.experts else Source.EXTERNAL


@dataclass(frozen=True)
class CloneRoles:
    """The clone's people. Methods block: call them in a thread from async code."""

    clone_id: str
    store: Store
    clock: Clock

    def clone(self) -> Clone:
        """The clone; until somebody is named, its owner is `default`."""
        known = self.store.clone(self.clone_id)
        return known or Clone(id=self.clone_id, created_at=self.clock.now())

    def name(self, *, owner: str | None, experts: tuple[str, ...] | None) -> Clone:
        """Name the owner and the experts; None leaves them as they are."""
        clone = self.clone()
        if owner is not None:
            clone = clone.model_copy(update={"owner": checked_name(owner)})
        if experts is not None:
            clone = clone.model_copy(update={"experts": tuple(map(checked_name, experts))})
        self.store.save_clone(clone)
        return clone

    def is_member(self, person: str) -> bool:
        """Whether `person` belongs to the company: the owner, an expert, or somebody who was let in as a member."""
        known = self.store.access.members
        return self.role(person) in TRUSTED or known(self.clone_id).get(person) is Role.MEMBER

    def role(self, person: str) -> Source:
        """What `person` is to this clone."""
        return role_of(person, self.clone())

    def check_owner(self, person: str, does: str) -> None:
        """Refuse to go on unless that person is the owner."""
        if self.role(person) is not Source.OWNER:
            raise UsageError(f"Only the owner {does}: {self.clone().owner}, not {person}.")
