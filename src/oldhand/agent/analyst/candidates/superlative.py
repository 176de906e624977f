"""One superlative of a question, and what it makes of a term: rows sorted by it, and cut."""

from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features
from oldhand.agent.analyst.words.cues import ORDINALS
from oldhand.agent.analyst.words.links import Cue
from oldhand.query.form import Expression


@dataclass(frozen=True, slots=True)
class Superlative:
    """One superlative: its cue, how many are wanted, and the tokens that say so."""

    cue: Cue
    limit: int
    used: int
    down: bool
    """True when the least of something is wanted."""
    passed: int = 0
    """Rows that are passed over: 1 for the second largest."""

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
    term: Expression,
    features: Features,
    used: int,
    table: int = -1,
) -> Choice:
    """The choice to sort by a term, or by the rows of a table, and to keep the first ones; `used` are further tokens."""
    tables = asked.bits(term) | (1 << table if table >= 0 else 0)
    return Choice("order", features, found.used | used, tables, found.cue.span.start, (term,),
                  descending=not found.down, limit=found.limit, table=table)  # fmt: skip


def ordinal_before(asked: Asked, cue: Cue) -> tuple[int, int]:
    """The place that the word before a superlative names, and its tokens: 2 for `the second largest`, else 1."""
    ordinal = asked.cue_before(cue.span.start, 0, "ordinal")
    if ordinal is None:
        return 1, 0
    words = asked.words(ordinal.span.start, ordinal.span.end)
    numbers = [ORDINALS.get(word, 0) or (int(word) if word.isdigit() else 0) for word in words]
    return max(1, *numbers), ordinal.span.mask
