"""What a sentence states."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oldhand.record.semantics import NamedCondition, RowFilter, Rule, Semantics


@dataclass(frozen=True, slots=True)
class ReadRule:
    """A rule, and the database that it is about."""

    database: str
    rule: Rule
    beside: NamedCondition | RowFilter | None = None
    """What a word of the sentence means for which it gives a code: `cancelled orders (status X) don't count`; the rows that an amount is one of."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All that it states."""
        return (self.rule,) if self.beside is None else (self.rule, self.beside)

    def of(self, stated: Mapping[str, str]) -> "ReadRule":
        """The same with who stated it, and when."""
        beside = self.beside and self.beside.model_copy(update=stated)
        return replace(self, rule=self.rule.model_copy(update=stated), beside=beside)

    def within(self, semantics: Semantics) -> Semantics:
        """The rules of a database with it; a word that means something already keeps its meaning."""
        known = {one.name.casefold() for one in semantics.rules}
        semantics = semantics.having(self.rule)
        word = isinstance(self.beside, NamedCondition) and self.beside.name in known
        return semantics if self.beside is None or word else semantics.having(self.beside)
