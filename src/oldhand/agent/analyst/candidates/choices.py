"""What can be chosen for one part of the query, and for which words of the question."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.query.form import Expression

Features = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to understand some words; `kind` says which of the other fields count."""

    kind: str
    """`select`, `where`, `having`, `order`, `group`, `join`, `negate`, `exclude` or `skip`."""
    features: Features = ()
    used: int = 0
    """The tokens that it explains, as bits."""
    tables: int = 0
    """The tables that it needs, as bits."""
    position: int = 0
    """Where in the question it stands."""
    terms: tuple[Expression, ...] = ()
    """Selected, ordered or grouped by; empty with `order`: by what is selected first."""
    condition: Condition | None = None
    descending: bool = False
    limit: int | None = None
    passed: int = 0
    """With `order`: the first rows that are left out."""
    table: int = -1
    """The table whose rows are counted or excluded."""
    shown: str = ""
    """With `group`: the group's name is selected too, `first` or `placed` where it is named."""
    along: tuple["Choice", ...] = ()
    """Choices of other kinds that are made with it, such as the order and the cut of a superlative."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Words of the question for which one of several choices is made."""

    trigger: int
    """The tokens that must be explained; when earlier choices did, the slot is passed over."""
    choices: tuple[Choice, ...]


@dataclass(slots=True)
class Draft:
    """Choices made so far."""

    score: float = 0.0
    used: int = 0
    tables: int = 0
    choices: tuple[Choice, ...] = ()
    taken: tuple[tuple[Slot, Choice], ...] = ()
    """The slots that were not passed over, each with its choice; those made along with one are not told apart."""
    _by_kind: dict[str, list[Choice]] | None = field(default=None, repr=False)

    def of(self, kind: str) -> list[Choice]:
        """The choices of one kind, in the order of the question."""
        if self._by_kind is None:
            self._by_kind = {}
            for choice in sorted(self.choices, key=lambda c: c.position):
                self._by_kind.setdefault(choice.kind, []).append(choice)
        return self._by_kind.get(kind, [])

    def turned(self, negation: Choice) -> Choice | None:
        """The choice whose condition a negation turns round: the first one after it."""
        after = (choice for choice in self.of("where") if choice.position > negation.position)
        return next(after, None)


def skip(name: str, amount: float = 1.0) -> Choice:
    """Leave the words unexplained, which costs."""
    return Choice("skip", ((f"skip.{name}", amount),))


def weigh(features: Features, weights: Mapping[str, float]) -> float:
    """The score of some features."""
    return sum(weights.get(name, 0.0) * amount for name, amount in features)
