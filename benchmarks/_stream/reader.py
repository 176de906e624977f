"""The built-in analyst over one database, which works nothing out twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from benchmarks._spider_data import Rows, SpiderDatabase, same_answer
from oldhand.agent.analyst.aliases.gate import alias_helps
from oldhand.agent.analyst.aliases.meanings import aliases_of
from oldhand.agent.analyst.aliases.proposing import proposed_aliases
from oldhand.agent.analyst.precedents.informed import informed
from oldhand.agent.analyst.precedents.precedent import Precedent, precedents_of
from oldhand.agent.analyst.understanding import Understanding, understand
from oldhand.query.compiling.compile import compile_query, spelled
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque
from oldhand.record.effect import Alias
from oldhand.record.evidence import Pair
from oldhand.record.lesson import Lesson

TODAY = date(2024, 6, 1)


@dataclass(frozen=True)
class Shown:
    """The best candidate for a question."""

    question: str
    confidence: float = 0.0
    query: str | None = None
    """Over `database.schema.table`, in no dialect; None when there is no candidate."""
    sql: str | None = None
    """As it runs, in SQLite's dialect."""
    lessons: tuple[str, ...] = ()
    """The ids of the memories that it rests on."""


class Reader:
    """Reads the questions about one database with what was recalled for them."""

    def __init__(self, database: SpiderDatabase) -> None:
        self.database = database
        self._understood: dict[tuple[str, tuple[Alias, ...]], Understanding] = {}
        self._shown: dict[tuple[str, tuple[Alias, ...], tuple[Precedent, ...]], Shown] = {}
        self._proposed: dict[Pair, tuple[Alias, ...]] = {}
        self._helps: dict[tuple[Alias, tuple[Pair, ...]], bool] = {}
        self._texts: dict[Query | Opaque, tuple[str, str]] = {}
        self._rows: dict[str, Rows | None] = {}
        self._right: dict[tuple[str, str], bool] = {}

    def shown(self, text: str, lessons: Sequence[Lesson]) -> Shown:
        """The answer that the product would show."""
        aliases = aliases_of(lessons)
        precedents = precedents_of(lessons, (self.database.schema,))
        key = (text, tuple(aliases), precedents)
        if key not in self._shown:
            self._shown[key] = self._read(text, aliases, precedents)
        return self._shown[key]

    def is_right(self, gold: str, sql: str | None) -> bool:
        """Whether `sql` returns what the gold query does, by the rule of `benchmarks.spider`."""
        if sql is None:
            return False
        key = (gold, sql)
        if key not in self._right:
            self._right[key] = same_answer(gold, self._fetched(gold) or [], self._fetched(sql))
        return self._right[key]

    def proposed(self, pair: Pair, /) -> tuple[Alias, ...]:
        """The aliases that a confirmed pair speaks for."""
        if pair not in self._proposed:
            schemas, values = (self.database.schema,), self.database.values
            self._proposed[pair] = proposed_aliases(
                pair.question, pair.sql, schemas, values, database=pair.database
            )
        return self._proposed[pair]

    def helps(self, alias: Alias, pairs: Sequence[Pair], /) -> bool:
        """Whether an alias may be learned from the first pair without spoiling the others."""
        key = (alias, tuple(pairs))
        if key not in self._helps:
            schemas, values = (self.database.schema,), self.database.values
            self._helps[key] = alias_helps(alias, pairs, schemas, values)
        return self._helps[key]

    def _read(
        self, text: str, aliases: Mapping[Alias, str], precedents: Sequence[Precedent]
    ) -> Shown:
        schemas, values = (self.database.schema,), self.database.values
        plain = self._understanding(text, tuple(aliases))
        found = informed(plain, precedents, schemas, values, today=TODAY)
        if not found.candidates:
            return Shown(text)
        query, sql = self._written(found.candidates[0].query)
        used = (*found.lessons, *(aliases[alias] for alias in found.aliases if alias in aliases))
        return Shown(text, found.confidence, query, sql, used)

    def _written(self, query: Query | Opaque) -> tuple[str, str]:
        """A query as text: as it was thought, and in SQLite's dialect."""
        if query not in self._texts:
            self._texts[query] = (
                spelled(query),
                compile_query(query, (self.database.schema,), "sqlite"),
            )
        return self._texts[query]

    def _understanding(self, text: str, aliases: tuple[Alias, ...]) -> Understanding:
        key = (text, aliases)
        if key not in self._understood:
            schemas, values = (self.database.schema,), self.database.values
            self._understood[key] = understand(text, schemas, values, today=TODAY, aliases=aliases)
        return self._understood[key]

    def _fetched(self, sql: str) -> Rows | None:
        if sql not in self._rows:
            self._rows[sql] = self.database.rows(sql)
        return self._rows[sql]
