"""With what a question is rehearsed: answered without a trace, as if other things were known."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from oldhand.record.memory import Memory
from oldhand.record.semantics import Semantics


@dataclass(frozen=True)
class RehearsalSetup:
    """With which lessons a question is rehearsed, apart from those that are known anyway."""

    shown: tuple[Memory, ...] = ()
    """Used where they fit the question, whatever their stage; the index need not know them."""
    hidden: frozenset[str] = frozenset()
    """Ids of memories that are not used."""
    semantics: Mapping[str, Semantics] = field(default_factory=dict[str, Semantics])
    """By database: rules that are tried in place of those that are in force."""

    def without(self, hidden: frozenset[str]) -> "RehearsalSetup":
        """The same, with further memories that are not used."""
        return RehearsalSetup(self.shown, self.hidden | hidden, self.semantics)
