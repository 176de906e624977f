"""The query of the question before, and what a follow-up says about it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from oldhand.agent.analyst.deciding import DecisionKind, decide
from oldhand.agent.analyst.understanding import understand
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.wording import human, plural
from oldhand.query.describing.about import subject
from oldhand.query.form import Expression, Query, Relation, Rows
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

    def said(self, before: str = "", after: str = "") -> Query | None:
        """What words around the name of the things in question are read as: `emails of` customers, customers `in Rome`.

        The things are those that the query speaks of, else others that it reads. None when a word would be left out.
        """
        main = subject(self.query, self.question)
        for relation in sorted(self.query.rows.relations, key=lambda one: one != main):
            things = plural(human(relation.role or relation.table))
            found = self.read(f"{before} {things} {after}".strip())
            if found is not None:
                return found
        return None

    def read(self, text: str) -> Query | None:
        """What a text is read as; None when it is not understood, or speaks of what is out of reach."""
        query = self.asked(text)
        within = query is not None and _reaching(self.query, relations(query), self.schemas)
        return query if within else None

    def asked(self, text: str) -> Query | None:
        """What a question of its own is read as; None when it is not understood."""
        found = understand(text, self.schemas, self.values, today=self.today)
        if decide(found, self.schemas).kind is not DecisionKind.ANSWER:
            return None
        query = found.candidates[0].query
        return query if isinstance(query, Query) else None

    def named(self, words: str) -> tuple[Expression, ...]:
        """The columns that are called by `words`; none when one of them isn't known, or is computed from many rows."""
        shown = self.shown(words)
        return () if any(map(is_measure, shown)) else shown

    def shown(self, words: str) -> tuple[Expression, ...]:
        """What is shown of the things in question, or computed from all of them, where `words` of them are asked for."""
        found = self.said(f"{words} of")
        plain = found is not None and not (found.where or found.having or found.compound)
        return found.select if found is not None and plain and found.limit is None else ()


def _reaching(
    query: Query, relations: Iterable[Relation], schemas: tuple[DatabaseSchema, ...]
) -> Query | None:
    """The query with some relations; None where one can't be joined without a row coming twice."""
    words = vocabulary(schemas)
    wanted = [one for one in dict.fromkeys(relations) if one not in query.rows.relations]
    if not wanted:
        return query
    numbers = {entry.relation: entry.id for entry in words.tables}
    if any(one not in numbers for one in (*query.rows.relations, *wanted)):
        return None
    tree = words.joins.tree([numbers[one] for one in (*query.rows.relations, *wanted)])
    joins = tree.joins if tree is not None else ()
    known, made = list(query.rows.relations), list(query.rows.joins)
    while set(wanted) - set(known):
        step = next((one for one in joins if one.left in known and one.right not in known), None)
        if step is None:
            return None
        made.append(step)
        known.append(step.right)
    return replace(query, rows=Rows(tuple(known), tuple(made)))


def joined(query: Query, schemas: tuple[DatabaseSchema, ...]) -> Query | None:
    """The query with the tables that its parts name and its rows lack; None where one is out of reach."""
    order = (one.by for one in query.order)
    parts = (*query.select, *query.where, *query.group, *query.having, *order)
    return _reaching(query, (column.of for part in parts for column in columns(part)), schemas)
