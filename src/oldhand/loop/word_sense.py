"""What the built-in analyst can tell about words, for whoever learns them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from oldhand.agent.analyst.aliases.gate import alias_helps, explains
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.agent.analyst.effects.filtering import unfiltered
from oldhand.agent.analyst.linking.indexes import ValueSource
from oldhand.agent.analyst.precedents.statements import statements
from oldhand.agent.analyst.semantics.writing import statement
from oldhand.query.form import Query
from oldhand.record.effect import Alias, DefaultFilter
from oldhand.record.evidence import Pair
from oldhand.record.ports import Clock
from oldhand.record.schema import DatabaseSchema, schema_of
from oldhand.sources.databases import Catalog


@dataclass(frozen=True)
class WordSense:
    """Compares questions with their SQL over all databases of a home. Methods block."""

    catalog: Catalog
    values: ValueSource
    clock: Clock
    learned: Callable[[], Iterable[DefaultFilter]]
    """The rules about rows that were learned and are in force."""

    def propose(self, pair: Pair, /) -> Sequence[Alias]:
        """The aliases that a confirmed pair speaks for clearly; what rules have added to its query is no meaning of a word."""
        schemas = self.catalog.schemas()
        values = self.values.lookup(schemas, self.clock.now().date()).values
        sql = self._unruled(pair, schemas)
        return proposed_aliases(pair.question, sql, schemas, values, database=pair.database)

    def _unruled(self, pair: Pair, schemas: tuple[DatabaseSchema, ...]) -> str:
        """The SQL of a pair without the conditions that go without saying."""
        schema = schema_of(pair.database, schemas)
        query = statements(schemas).query(pair.sql, pair.database) if schema is not None else None
        if schema is None or not isinstance(query, Query):
            return pair.sql
        stated = (one.effect(schema.name) for one in schema.semantics.filters)
        free = query
        for rule in (*stated, *self.learned()):
            if rule.database == schema.name:
                free = unfiltered(free, rule, schemas)
        return pair.sql if free == query else statement(free, schema)

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
