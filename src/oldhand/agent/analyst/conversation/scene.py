"""The query of the question before, with what a follow-up may find in it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from oldhand.agent.analyst.conversation.reaching import within_reach
from oldhand.lexicon.tokens import STOP_WORDS, split_name, stem, tokenise
from oldhand.lexicon.wording import human, plural, singular
from oldhand.query.form import Column, Query, Relation
from oldhand.query.known import known_table
from oldhand.query.walk import columns
from oldhand.record.schema import Column, DatabaseSchema, Table
from oldhand.record.schema import Column as KnownColumn
from oldhand.sources.databases.values import Values

_ALIKE = 0.5
"""Share of the words of a column, or of those that were said, that must be the same."""


@dataclass(frozen=True)
class Scene:
    """What a change may look at."""

    query: Query
    question: str
    """The question before, standing alone."""
    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date

    def tables(self) -> Iterator[tuple[Relation, Table]]:
        """The described tables of the query, what it speaks of first."""
        main = self._subject()
        for relation in sorted(self.query.rows.relations, key=lambda one: one != main):
            table = known_table(relation, self.schemas)
            if table is not None:
                yield relation, table

    def near(self) -> Iterator[tuple[Relation, Table]]:
        """The tables beyond those of the query to which its rows refer."""
        for relation, (table, _) in within_reach(self.query, self.schemas).items():
            yield relation, table

    def main_table(self) -> tuple[Relation, Table] | None:
        """What the query speaks of."""
        return next(self.tables(), None)

    def _subject(self) -> Relation:
        """The relation whose columns are shown, else the first that the question names."""
        own = self.query.rows.relations
        shown = [column.of for term in self.query.select for column in columns(term)]
        if shown and shown[0] in own:
            return shown[0]
        words = self.question.lower()

        def place(relation: Relation) -> int:
            name = human(relation.table)
            found = [at for form in (plural(name), singular(name)) if (at := words.find(form)) >= 0]
            return min(found, default=len(words))

        return min(own, key=place)

    def column(self, words: str) -> tuple[Column, KnownColumn] | None:
        """The column called by `words`: one of the query's tables, else the only one of those that its rows refer to."""
        own = self._called(words, self.tables())
        near = own or self._called(words, self.near())
        return near[0] if own or len(near) == 1 else None

    def _called(
        self, words: str, tables: Iterable[tuple[Relation, Table]]
    ) -> list[tuple[Column, KnownColumn]]:
        """The columns that are called by `words` best."""
        tokens = tokenise(words)
        wanted = {stem(t.lower) for t in tokens if t.is_word and t.lower not in STOP_WORDS}
        wanted |= {stem(t.lower) for t in tokens if t.lower == "name"}
        best, found = _ALIKE, list[tuple[Column, KnownColumn]]()
        for relation, table in tables:
            of_table = {stem(word) for word in split_name(relation.role or table.name)}
            for column in table.columns:
                named = {stem(word) for word in split_name(column.name)}
                both = named & wanted
                score = len(both) / len(named | (wanted - of_table)) if both else 0.0
                if score < best or wanted - named - of_table:
                    continue
                found = found if score == best else []
                found.append((Column(relation, column.name), column))
                best = score
        return found
