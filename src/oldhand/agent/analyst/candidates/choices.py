"""What can be chosen for one part of the query, and for which words of the question."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from oldhand.agent.analyst.candidates.conditions import Condition
from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.words.links import Span
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


PASSED = Choice("skip")
"""Leave the words unexplained at no cost."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Words of the question for which one of several choices is made."""

    trigger: int
    """The tokens that must be explained; when earlier choices did, the slot is passed over."""
    choices: tuple[Choice, ...]


@dataclass(slots=True)
class ChoiceDraft:
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


def select(
    lookup: Lookup,
    place: int,
    used: int,
    features: Features,
    *terms: Expression,
    table: int = -1,
    along: tuple[Choice, ...] = (),
) -> Choice:
    """Show some terms, which need their own tables unless the rows of one are shown or counted."""
    tables = 1 << table if table >= 0 else lookup.bits(*terms)
    return Choice("select", features, used, tables, place, terms, table=table, along=along)


def where(
    lookup: Lookup,
    place: int,
    used: int,
    features: Features,
    condition: Condition,
    along: tuple[Choice, ...] = (),
) -> Choice:
    """Narrow the rows by a condition on a column."""
    tables = lookup.bits(condition.left)
    return Choice("where", features, used, tables, place, condition=condition, along=along)


def having(
    lookup: Lookup, place: int, used: int, features: Features, condition: Condition, table: int = -1
) -> Choice:
    """Narrow the groups by a condition; `table` is the one whose rows are counted, or to which the lines belong."""
    tables = lookup.bits(condition.left) | (1 << table if table >= 0 else 0)
    return Choice("having", features, used, tables, place, condition=condition, table=table)


def join(span: Span, features: Features, table: int) -> Choice:
    """Ask for a row of a table that some words name."""
    return Choice("join", features, span.mask, 1 << table, span.start, table=table)


def skip(name: str, amount: float = 1.0) -> Choice:
    """Leave the words unexplained, which costs."""
    return Choice("skip", ((f"skip.{name}", amount),))


def slot(trigger: int, choices: Iterable[Choice], left: Choice = PASSED) -> Iterator[Slot]:
    """The slot for some words, with one more choice to leave them; none where there is nothing to choose."""
    if made := tuple(choices):
        yield Slot(trigger, (*made, left))


def told_slot(choices: Iterable[Choice], left: Choice = PASSED) -> Iterator[Slot]:
    """The slot for the words that the first of some choices explains."""
    made = list(choices)
    yield from slot(made[0].used if made else 0, made, left)


def weigh(features: Features, weights: Mapping[str, float]) -> float:
    """The score of some features."""
    return sum(weights.get(name, 0.0) * amount for name, amount in features)
