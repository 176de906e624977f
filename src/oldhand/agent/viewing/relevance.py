"""How much each table and column has to do with a question."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.semantics.extending import extended, stated_words
from oldhand.agent.analyst.words.entries import WordHit
from oldhand.agent.analyst.words.links import Links
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.lexicon.tokens import STOP_WORDS, Token, words_in
from oldhand.lexicon.wordlists import word_lists
from oldhand.record.effect import Alias
from oldhand.record.memory import ExamplePayload
from oldhand.sources.databases.values import Values

COLUMN = 0.7
"""How much a word in a column's name says for its table, beside one in the table's own."""
DESCRIBED = 0.6
"""How much a word says that stands in a long description only."""
NEAR = 0.6
"""How much it counts what the tables say together that a key joins."""
SAME_DATABASE = 0.5
"""How much it counts what all tables of the database say together."""
USED = 8.0
"""What a table counts that confirmed examples or the conversation used."""
WANTED = 1_000.0
"""What a table counts that was asked for."""
_LONGEST = 300
"""Words of a question that are read."""

TablePlace = tuple[str, str, str]
"""Database, schema and table."""


@dataclass(frozen=True)
class HeldValues:
    """Values of one column that words of the question match."""

    place: TablePlace
    column: str
    values: tuple[str | int | float, ...]


@dataclass(frozen=True)
class Relevance:
    """What the words of a question say of the schemas."""

    tables: Mapping[TablePlace, float]
    """The score of every table; higher is better."""
    columns: Mapping[TablePlace, Mapping[str, float]]
    """The columns that are named, by their names."""
    values: tuple[HeldValues, ...]
    paths: tuple[TablePlace, ...] = ()
    """Tables that join the best ones."""


def relevance(inquiry: Inquiry, values: Values, wanted: Iterable[str] = ()) -> Relevance:
    """Score all tables and columns for a question, with its conversation and what was learned."""
    schemas = extended(inquiry.schemas)
    words = vocabulary(schemas)
    aliases = [m for one in inquiry.lessons if isinstance(m := one.memory.effect, Alias)]
    said = " ".join([*(one.question for one in inquiry.history[-1:]), inquiry.question])
    read = " ".join(said.split(" ")[-_LONGEST:])
    stated = stated_words(inquiry.schemas)
    links = link(read, words, values, inquiry.today, (*aliases, *stated))
    scores = _Scores(words)
    scores.add_words(links)
    scores.add_used(_used_sql(inquiry), USED)
    scores.add_used([" ".join(wanted)], WANTED)
    return scores.relevance(links)


def _used_sql(inquiry: Inquiry) -> Iterator[str]:
    """Statements that the question probably resembles: of confirmed answers and of the conversation."""
    for lesson in inquiry.lessons:
        payload = lesson.memory.payload
        if isinstance(payload, ExamplePayload):
            yield from (sql for sql, _ in payload.statements)
    for turn in inquiry.history[-2:]:
        yield from (step.sql for step in turn.steps)


class _Scores:
    """Adds up what speaks for each table."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words
        self._plain = [entry for entry in words.tables if not entry.role]
        self._own: dict[int, float] = defaultdict(float)
        self._near: dict[int, float] = defaultdict(float)
        self._database: dict[str, float] = defaultdict(float)
        self._columns: dict[int, float] = defaultdict(float)
        self._extra: dict[int, float] = defaultdict(float)

    def add_words(self, links: Links) -> None:
        """What each word says for the tables and columns whose names or values it may be."""
        for token in links.tokens:
            if token.is_word and (token.lower not in STOP_WORDS or token.lower == "name"):
                self._add(self._of_word(token))
        for phrase in links.spoken:
            table = self._words.columns[phrase.column].table if phrase.column >= 0 else phrase.table
            self._add({self._plain_id(table): 1.0})
            if phrase.column >= 0:
                self._columns[phrase.column] += 1.0
        for mention in links.values:
            found: dict[int, float] = {}
            for option in mention.options:
                table = self._table_of(option.column)
                found[table] = max(found.get(table, 0.0), option.score)
                self._columns[option.column] += option.score
            self._add(found)

    def _of_word(self, token: Token) -> dict[int, float]:
        irregular = word_lists().irregular
        found: dict[int, float] = {}
        for word in {token.stem, token.lower, irregular.get(token.stem, token.stem)}:
            for hit in self._words.hits(word):
                table, strength = self._strength(hit)
                if hit.column >= 0:
                    self._columns[hit.column] = max(self._columns[hit.column], strength)
                found[table] = max(found.get(table, 0.0), strength)
        return found

    def _strength(self, hit: WordHit) -> tuple[int, float]:
        """The table that a hit speaks for, and how much: a word that is all of a name says most."""
        if hit.table >= 0:
            table, forms, weight = hit.table, self._words.tables[hit.table].forms, 1.0
        else:
            entry = self._words.columns[hit.column]
            table, forms, weight = entry.table, entry.forms, COLUMN
        share = len(forms[hit.form]) ** -0.3 if hit.word >= 0 else DESCRIBED
        return self._plain_id(table), weight * share * hit.strength

    def _add(self, found: Mapping[int, float]) -> None:
        """Count what one word says; one that speaks for many tables says little."""
        if not found:
            return
        rare = math.log(1 + len(self._plain) / sum(found.values()))
        near: dict[int, float] = defaultdict(float)
        databases: dict[str, float] = defaultdict(float)
        for table, strength in found.items():
            self._own[table] += rare * strength
            name = self._words.tables[table].database
            databases[name] = max(databases[name], strength)
            for other in (table, *self._neighbours(table)):
                near[other] = max(near[other], strength)
        for table, strength in near.items():
            self._near[table] += rare * strength
        for name, strength in databases.items():
            self._database[name] += rare * strength

    def add_used(self, texts: Iterable[str], weight: float) -> None:
        """What is named in statements, or asked for by name."""
        names = words_in(texts)
        if not names:
            return
        held: dict[str, list[int]] = defaultdict(list)
        for entry in self._plain:
            columns = [self._words.columns[column] for column in entry.columns]
            named = [one for one in columns if one.column.name.casefold() in names]
            if entry.table.name.casefold() in names:
                self._extra[entry.id] += weight
                for one in named:
                    self._columns[one.id] += weight
            else:
                for one in named:
                    held[one.column.name.casefold()].append(one.id)
        for numbers in held.values():
            for number in numbers if len(numbers) <= _FEW else ():
                self._extra[self._table_of(number)] += weight / 10
                self._columns[number] += weight

    def relevance(self, links: Links) -> Relevance:
        """The scores, once all was added."""
        scores = {
            entry.id: self._own[entry.id]
            + NEAR * self._near[entry.id]
            + SAME_DATABASE * self._database[entry.database]
            + self._extra[entry.id]
            for entry in self._plain
        }
        columns: dict[TablePlace, dict[str, float]] = defaultdict(dict)
        for number, score in self._columns.items():
            entry = self._words.columns[number]
            columns[self._place(self._plain_id(entry.table))][entry.column.name] = score
        tables = {self._place(table): score for table, score in scores.items()}
        return Relevance(tables, columns, tuple(self._held(links)), tuple(self._paths(scores)))

    def _paths(self, scores: Mapping[int, float]) -> Iterator[TablePlace]:
        """The tables over which the best ones are joined."""
        best = sorted(scores, key=lambda table: -scores[table])[:_ANCHORS]
        anchors = [t for t in best if self._own[t] >= 0.5 * max(map(self._own.__getitem__, best))]
        database = self._words.tables[best[0]].database if best else ""
        for table in anchors[1:]:
            if self._words.tables[table].database != database:
                continue
            tree = self._words.joins.tree((anchors[0], table))
            if tree is not None:
                yield from (
                    self._place(self._plain_id(self._words.table(one).id)) for one in tree.relations
                )

    def _held(self, links: Links) -> Iterator[HeldValues]:
        for mention in links.values:
            for option in mention.options[:_COLUMNS_OF_A_VALUE]:
                entry = self._words.columns[option.column]
                if option.score >= _SURE and option.operator == "=":
                    place = self._place(self._plain_id(entry.table))
                    yield HeldValues(place, entry.column.name, option.values[:_VALUES])

    def _neighbours(self, table: int) -> set[int]:
        edges = self._words.joins.edges(table)
        return {self._plain_id(edge.other(table)) for edge in edges} - {table}

    def _table_of(self, column: int) -> int:
        return self._plain_id(self._words.columns[column].table)

    def _plain_id(self, table: int) -> int:
        """The table itself where it is one in a role."""
        entry = self._words.tables[table]
        return entry.of if entry.role else table

    def _place(self, table: int) -> TablePlace:
        relation = self._words.tables[table].relation
        return relation.database, relation.schema, relation.table


_FEW = 3
"""Tables that have a column of some name, up to which the name alone tells them."""
_ANCHORS = 5
_COLUMNS_OF_A_VALUE = 6
_VALUES = 3
_SURE = 0.4
"""How well a value must match to be told."""
