"""What the built-in analyst can tell about words, for whoever learns them."""

from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.aliases.gate import alias_helps, explains
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair
from oldhand.record.ports import Clock
from oldhand.sources.databases import Catalog


@dataclass(frozen=True)
class WordSense:
    """Compares questions with their SQL over all databases of a home. Methods block."""

    catalog: Catalog
    values: ValueSource
    clock: Clock

    def propose(self, pair: Pair, /) -> Sequence[Alias]:
        """The aliases that a confirmed pair speaks for clearly."""
        schemas = self.catalog.schemas()
        values = self.values.lookup(schemas, self.clock.now().date()).values
        return proposed_aliases(pair.question, pair.sql, schemas, values, database=pair.database)

    def helps(self, alias: Alias, pairs: Sequence[Pair], /) -> bool:
        """True when the first pair is understood better with the alias, and no other worse."""
        schemas = self.catalog.schemas()
        values = self.values.lookup(schemas, self.clock.now().date()).values
        return alias_helps(alias, pairs, schemas, values)

    def explains(self, alias: Alias, pair: Pair, /) -> bool:
        """True when the alias alone makes the question read as it was confirmed."""
        schemas = self.catalog.schemas()
        values = self.values.lookup(schemas, self.clock.now().date()).values
        return explains(alias, pair, schemas, values)
