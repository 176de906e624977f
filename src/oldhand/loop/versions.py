"""Versions of prompts: what there is, how it does, and what becomes of it."""

from dataclasses import dataclass

from oldhand.learning.prompts import Evolved, Evolving, PromptTest, Standing, Version
from oldhand.record.memory import Memory, PerformanceMetrics
from oldhand.store import Store


@dataclass(frozen=True)
class Versions:
    """Looks after the prompt versions of one clone. Methods block."""

    store: Store
    evolving: Evolving

    def all(self, role: str | None = None) -> tuple[Version, ...]:
        """All versions, deprecated ones too, oldest first.

        Raises:
            UsageError: there is no such role.
        """
        return self.evolving.shelf.versions(role)

    def one(self, version_id: str) -> Version:
        """The version of that id.

        Raises:
            UnknownMemory: there is none.
        """
        return self.evolving.shelf.version(version_id)

    def standing(self, role: str) -> Standing:
        """Which versions of a role are used.

        Raises:
            UsageError: there is no such role.
        """
        return self.evolving.shelf.standing(role)

    def metrics(self, version_id: str) -> PerformanceMetrics:
        """How a version has done, by the answers that were made with it."""
        return self.evolving.shelf.metrics(version_id)

    def test(self, role: str) -> PromptTest | None:
        """The test that runs for a role; None when none does.

        Raises:
            UsageError: there is no such role.
        """
        return self.evolving.shelf.test(self.standing(role))

    def evolve(self) -> Evolved:
        """Decide tests, and begin new ones out of suggestions; as the night does."""
        with self.store.learning(self.evolving.shelf.clone_id):
            return self.evolving.evolve()

    def roll_back(self, role: str, to: str | None = None) -> tuple[Memory, ...]:
        """Use an earlier version again.

        Returns:
            the versions that changed.

        Raises:
            UsageError: there is nothing to go back to, or no such role.
            UnknownMemory: there is no such version.
        """
        with self.store.learning(self.evolving.shelf.clone_id):
            return self.evolving.roll_back(role, to)
