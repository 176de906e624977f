"""What the rows of an answer are, as its sentence speaks of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from oldhand.agent.analyst.rendering.headings import counted_noun
from oldhand.agent.analyst.rendering.names import Source, finest, joins, sources, subject
from oldhand.agent.analyst.rendering.roles import role_of
from oldhand.agent.analyst.telling.describing import described_conditions
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import tokenise
from oldhand.lexicon.wording import human, plural
from oldhand.record.schema import DatabaseSchema

_WORTH, _REVENUE = words("money.worth"), words("money.revenue")


@dataclass(frozen=True)
class About:
    """What the rows of an answer are, and what they meet."""

    noun: str
    """In the plural."""
    conditions: str | None
    """Words to follow the noun; None when they can't be told."""

    counted: str
    """What `COUNT(*)` counts, in the plural."""
    alias: str = ""
    """Of the table that the noun names."""
    repeats: bool = False
    """True when a join may show the same thing several times."""
    role: bool = False
    """True when they are spoken of by what they are to others of their table."""
    values: bool = False
    """True when the question asks for a value, not for revenue."""

    @classmethod
    def of(cls, select: exp.Select, question: str, schemas: Sequence[DatabaseSchema]) -> "About":
        """What the rows of `select` are."""
        rows = finest(select, schemas)
        plain = all(isinstance(o.unalias(), exp.Count | exp.Div) for o in select.selects)
        main = rows if plain and rows is not None else subject(select, question)
        if main is None:
            noun = counted_noun(next(iter(sources(select)), None))
            return cls(noun, None if select.args.get("where") else "", noun)
        conditions = described_conditions(select, main.alias)
        once = select.args.get("distinct") or select.args.get("group") or not joins(select)
        repeats = not once and rows != main
        counted = _noun(rows) if rows is not None else "rows"
        said = {token.lower for token in tokenise(question)}
        values = bool(said & _WORTH) and not said & _REVENUE
        role = role_of(main.alias, select)
        noun = plural(role) if role else _noun(main)
        return cls(noun, conditions, counted, main.alias, repeats, bool(role), values)

    @property
    def things(self) -> str:
        """The noun with what is known of it."""
        return f"{self.noun} {self.conditions}".strip() if self.conditions else self.noun

    @property
    def after(self) -> str:
        """What is known of them, to follow the noun; empty when nothing is."""
        return f" {self.conditions}" if self.conditions else ""


def _noun(source: Source) -> str:
    return plural(human(source.table.name)) if source.table is not None else "rows"
