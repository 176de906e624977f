"""The query of the question before, and what a follow-up says about it."""

import re
from dataclasses import dataclass, field
from datetime import date

from oldhand.agent.analyst.deciding import DecisionKind, decide
from oldhand.agent.analyst.reaching import reaching
from oldhand.agent.analyst.restriction import Restriction, RestrictionReader
from oldhand.agent.analyst.understanding import LIMIT, Understanding
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.lexicon.wording import human, plural
from oldhand.query.describing.about import subject
from oldhand.query.describing.nouns import finest
from oldhand.query.form import ColumnRef, Count, Expression, Query, Relation
from oldhand.query.known import known_table
from oldhand.query.walk import columns, figures_of, is_measure, relations
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

_DETERMINERS = words("function_words.determiners")
_OWNED = (
    re.compile(r"(?:the |their |its )?(?P<owner>[\w ]+?)(?:'s|s') (?P<what>[\w ]+)", re.IGNORECASE),
    re.compile(r"(?:the |their |its )?(?P<what>[\w ]+) of (?:the |their |its )?(?P<owner>[\w ]+)", re.IGNORECASE),
)  # fmt: skip
"""Whose something is."""


@dataclass(frozen=True)
class Scene:
    """What a change may look at."""

    query: Query
    question: str
    """The question before, standing alone."""
    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date
    read_before: dict[tuple[str, int], Understanding] = field(default_factory=dict, compare=False, repr=False)  # fmt: skip
    """By text and number of candidates: whatever is tried, no text is read twice."""

    @property
    def reader(self) -> RestrictionReader:
        """What reads restrictions over the same databases."""
        return RestrictionReader(self.schemas, self.values, self.today, self.read_before)

    @property
    def things(self) -> Relation:
        """What is said of the answer is said of these rows first: those that are measured or counted, else those that the answer is about."""
        figures = figures_of(self.query)
        measured = [column.of for one in figures for column in columns(one)]
        if measured:
            return measured[0]
        counted = any(one == Count() for one in (*figures, *(one.by for one in self.query.order)))
        return (finest(self.query.rows) if counted else None) or subject(self.query, self.question)

    def columns_of(self, things: Relation) -> list[ColumnEntry]:
        """What is known of the columns of some rows."""
        known = vocabulary(self.schemas)
        return [known.columns[at] for one in known.tables if one.relation == things for at in one.columns]  # fmt: skip

    def changed(self, query: Query | None) -> tuple[Query, ...]:
        """A query that a change has made; none where it made none, or left all as it was."""
        return (query,) if query is not None and query != self.query else ()

    def names_thing(self, said: str) -> bool:
        """Whether what is said names a table and nothing else, as `and products?` does."""
        stems = [token.stem for token in tokenise(said) if token.lower not in _DETERMINERS]
        names = (table.name for schema in self.schemas for table in schema.tables)
        return any([stem(part) for part in split_name(name)] == stems for name in names)

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
        within = query is not None and reaching(self.query, relations(query), self.schemas)
        return query if within else None

    def asked(self, text: str) -> Query | None:
        """What a question of its own is read as; None when it is not understood."""
        found = self.reader.understood(text, LIMIT)
        if decide(found, self.schemas).kind is not DecisionKind.ANSWER:
            return None
        query = found.candidates[0].query
        return query if isinstance(query, Query) else None

    def restriction(self, words: str) -> Restriction | None:
        """What words say of the things that the query speaks of, else of others that it reads."""
        main = self.things
        for relation in sorted(self.query.rows.relations, key=lambda one: one != main):
            if (found := self.reader.of(relation, words)) is not None:
                return found
        return None

    def named(self, words: str) -> tuple[Expression, ...]:
        """The columns that are called by `words`; none when one of them isn't known, or is computed from many rows."""
        written = self._written(words)
        shown = written if "_" in words else self.shown(words) or written
        owned = next(filter(None, (one.fullmatch(words) for one in _OWNED)), None)
        if owned and not shown:  # `the customer's country` is the country of customers
            found = self.read(f"{owned['what']} of {plural(owned['owner'])}")
            shown = found.select if found is not None and not found.where else ()
        return () if any(map(is_measure, shown)) else shown

    def _written(self, words: str) -> tuple[Expression, ...]:
        """The column of the rows that are read whose very name this is: `dt_dn`, `jb.dt_dn`."""
        of, _, name = words.casefold().removeprefix("the ").rpartition(".")
        for relation in sorted(self.query.rows.relations, key=lambda one: one != self.things):
            table = known_table(relation, self.schemas)
            for column in table.columns if table is not None else ():
                if column.name.casefold() == name and of in ("", relation.table.casefold()):
                    return (ColumnRef(relation, column.name),)
        return ()

    def shown(self, words: str) -> tuple[Expression, ...]:
        """What is shown of the things in question, or computed from all of them, where `words` of them are asked for."""
        found = self.said(f"{words} of")
        plain = found is not None and not (found.where or found.having or found.compound)
        return found.select if found is not None and plain and found.limit is None else ()
