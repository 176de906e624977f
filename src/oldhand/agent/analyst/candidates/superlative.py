"""One superlative of a question, and what it makes of a term: rows sorted by it, and cut."""

from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.candidates.sketch import Term
from oldhand.agent.analyst.linking.links import Cue


@dataclass(frozen=True, slots=True)
class Superlative:
    """One superlative: its cue, how many are wanted, and the tokens that say so."""

    cue: Cue
    limit: int
    used: int
    down: bool
    """True when the least of something is wanted."""

    @property
    def adjective(self) -> str:
        """The plain adjective, or what stands for it."""
        return self.cue.argument.removeprefix("-")

    @property
    def features(self) -> Features:
        """What all choices of this superlative share."""
        return (("super.many", float(self.limit > 1)), (f"super.{self.cue.kind}", 1.0))


def sorted_by(
    asked: Asked,
    found: Superlative,
    term: Term,
    features: Features,
    used: int,
    *,
    descending: bool | None = None,
) -> Choice:
    """The choice to sort by a term and to keep the first rows; `used` are further tokens."""
    return Choice(
        "order",
        features,
        found.used | used,
        asked.table_bit(term.column),
        found.cue.span.start,
        (term,),
        descending=not found.down if descending is None else descending,
        limit=found.limit,
    )
