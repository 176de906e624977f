"""What a sentence states."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from oldhand.record.semantics import NamedCondition, RowFilter, Rule, Semantics


@dataclass(frozen=True, slots=True)
class ReadRule:
    """A rule, and the database that it is about."""

    database: str
    rule: Rule
    beside: tuple[NamedCondition | RowFilter, ...] = ()
    """What a word of the sentence means for which it gives a code: `cancelled orders (status X) don't count`; the rows that an amount is one of; the same word for other tables."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All that it states."""
        return self.rule, *self.beside

    def of(self, stated: Mapping[str, str]) -> "ReadRule":
        """The same with who stated it, and when."""
        beside = tuple(one.model_copy(update=stated) for one in self.beside)
        return replace(self, rule=self.rule.model_copy(update=stated), beside=beside)

    def within(self, semantics: Semantics) -> Semantics:
        """The rules of a database with it; a word that means something already keeps its meaning."""
        known = {one.name.casefold() for one in semantics.rules} - {self.rule.name.casefold()}
        semantics = semantics.having(self.rule)
        for one in self.beside:
            if not isinstance(one, NamedCondition) or one.name not in known:
                semantics = semantics.having(one)
        return semantics
