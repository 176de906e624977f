"""The query of the question before, with what a follow-up may find in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from oldhand.agent.analyst.rendering.names import described, sources, subject
from oldhand.agent.analyst.rendering.render import needs_quotes
from oldhand.lexicon.tokens import STOP_WORDS, split_name, stem, tokenise
from oldhand.record.schema import Column, DatabaseSchema, Table
from oldhand.sources.databases.values import Values


@dataclass(frozen=True)
class Scene:
    """What a change may look at."""

    query: exp.Select
    """The query of the question before; never changed in place."""
    question: str
    """The question before, standing alone."""
    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date

    def tables(self) -> Iterator[tuple[str, Table]]:
        """The described tables of the query, by alias, what it speaks of first."""
        main = subject(self.query, self.question)
        for source in sorted(sources(self.query), key=lambda source: source != main):
            table = described(source.table, self.schemas) if source.table is not None else None
            if table is not None:
                yield source.alias, table

    def database(self, alias: str) -> str:
        """The database in which the table of that alias lies."""
        return next((s.database for s in sources(self.query) if s.alias == alias), "")

    def column(self, words: str) -> tuple[exp.Column, Column] | None:
        """The column of the query's tables that is called by `words`, or None."""
        wanted = {stem(t.lower) for t in tokenise(words) if t.is_word and t.lower not in STOP_WORDS}
        wanted |= {stem(t.lower) for t in tokenise(words) if t.lower == "name"}
        best: tuple[float, exp.Column, Column] | None = None
        for alias, table in self.tables():
            of_table = {stem(word) for word in split_name(table.name)}
            for column in table.columns:
                named = {stem(word) for word in split_name(column.name)}
                both = named & wanted
                if not both or wanted - named - of_table:
                    continue
                score = len(both) / len(named | (wanted - of_table))
                if best is None or score > best[0]:
                    best = (score, column_node(column.name, alias), column)
        return (best[1], best[2]) if best is not None and best[0] >= 0.5 else None

    def main_table(self) -> tuple[str, Table] | None:
        """What the query speaks of."""
        return next(self.tables(), None)


def column_node(name: str, alias: str) -> exp.Column:
    """A column with its table's alias, quoted where needed."""
    return exp.Column(
        this=exp.to_identifier(name, quoted=needs_quotes(name)), table=exp.to_identifier(alias)
    )
