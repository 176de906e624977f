"""The query of the question before, and what a follow-up says about it."""

from dataclasses import dataclass
from datetime import date

from oldhand.agent.analyst.conversation.reaching import reaching
from oldhand.agent.analyst.deciding import Kind, decide
from oldhand.agent.analyst.understanding import understand
from oldhand.lexicon.wording import human, plural, singular
from oldhand.query.form import Expression, Query, Relation
from oldhand.query.walk import columns, is_measure, relations
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values


@dataclass(frozen=True)
class Scene:
    """What a change may look at."""

    query: Query
    question: str
    """The question before, standing alone."""
    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date

    def subject(self) -> Relation:
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

    def said(self, before: str = "", after: str = "") -> Query | None:
        """What words around the name of the things in question are read as: `emails of` customers, customers `in Rome`.

        The things are those that the query speaks of, else others that it reads. None when a word would be left out.
        """
        main = self.subject()
        for relation in sorted(self.query.rows.relations, key=lambda one: one != main):
            things = plural(human(relation.role or relation.table))
            found = self.read(f"{before} {things} {after}".strip())
            if found is not None:
                return found
        return None

    def read(self, text: str) -> Query | None:
        """What a text is read as; None when it is not understood, or speaks of what is out of reach."""
        found = understand(text, self.schemas, self.values, today=self.today)
        if decide(found, self.schemas).kind is not Kind.ANSWER:
            return None
        query = found.candidates[0].query
        within = isinstance(query, Query) and reaching(self.query, relations(query), self.schemas)
        return query if isinstance(query, Query) and within else None

    def named(self, words: str) -> tuple[Expression, ...]:
        """The columns that are called by `words`; none when one of them isn't known, or is computed from many rows."""
        shown = self.shown(words)
        return () if any(map(is_measure, shown)) else shown

    def shown(self, words: str) -> tuple[Expression, ...]:
        """What is shown of the things in question, or computed from all of them, where `words` of them are asked for."""
        found = self.said(f"{words} of")
        plain = found is not None and not (found.where or found.having or found.compound)
        return found.select if found is not None and plain and found.limit is None else ()
