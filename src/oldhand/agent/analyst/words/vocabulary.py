"""The words of the schemas: every table and column with the words by which people may call it."""

from collections import Counter
from collections.abc import Iterator, KeysView, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

from oldhand.agent.analyst.words.ends import End, ends_of
from oldhand.agent.analyst.words.entries import (
    ColumnEntry,
    Forms,
    TableEntry,
    WordHit,
    holding_all,
    in_role,
)
from oldhand.agent.analyst.words.index import COMPOUND, WordIndex
from oldhand.agent.analyst.words.joins import JoinGraph
from oldhand.agent.analyst.words.naming import (
    alternatives,
    dated_words,
    is_other_number,
    is_short,
    leading,
    roles,
    stems,
    word_weights,
)
from oldhand.agent.analyst.words.shortened import (
    SYNONYM,
)
from oldhand.agent.analyst.words.spans import ages_in, spans_between
from oldhand.lexicon.entries import words
from oldhand.lexicon.languages import language_of
from oldhand.lexicon.naming import name_words, shared_prefix, written_out
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, word_stems
from oldhand.lexicon.wording import human
from oldhand.lexicon.wordlists import word_lists
from oldhand.query import form
from oldhand.query.units import called, kinds_of_stem
from oldhand.record.schema import DATES, Column, DatabaseSchema, Same, Table

_ELSEWHERE = words("names.short_elsewhere")
NUMBERED = 0.67
"""How much `id` counts in the name of a key that is only called after the rows it leads to."""
DESCRIBED = 0.45
"""How much a word counts that stands only in a long description."""
_NAME, _FIRST, _LAST = ("name",), ("first", "name"), ("last", "name")


class Vocabulary:
    """All words of some schemas; made once and used for many questions."""

    def __init__(self, schemas: tuple[DatabaseSchema, ...]) -> None:
        self.schemas = schemas
        self.tables: list[TableEntry] = []
        self.columns: list[ColumnEntry] = []
        self._named = WordIndex()
        known = {w for s in schemas for t in s.tables for w in split_name(t.name)}
        for schema in schemas:
            prefix = shared_prefix([table.name for table in schema.tables])
            self._language = language_of(
                name for t in schema.tables for name in (t.name, *(c.name for c in t.columns))
            )
            for table in schema.tables:
                self._add_table(schema, table, known, prefix)
        self.joins = JoinGraph(self.tables)
        for entry in list(self.tables):
            self._add_roles(entry)
        self.ends: dict[int, End] = {}
        """The keys of which several lead to the same rows, by those rows in their roles."""
        self._add_ends()
        self.ages = {age.table: age.id for age in ages_in(self.tables, self.columns)}
        """The ages that are counted from a birth, by their tables."""
        for age in self.ages.values():
            self._index(self.columns[age].forms, -1, age)
        self.spans = spans_between(self.tables, self.columns)
        self._named.close()
        self._expand()
        self.column_ids = {
            (t.database, t.table.schema_name, t.table.name, self.columns[c].column.name): c
            for t in self.tables
            if not t.role
            for c in t.columns
        }
        self._of_relation = {entry.relation: entry for entry in self.tables}
        self._of_attribute = {entry.ref: entry for entry in self.columns}

    def hits(self, word: str) -> tuple[WordHit, ...]:
        """Schema words that `word` (a stem) may be, guesses at misspellings last."""
        return self._named.hits(word)

    def words(self) -> KeysView[str]:
        """All stems that the schemas themselves use."""
        return self._named.words()

    def entry(self, ref: form.ColumnRef | form.Elapsed) -> ColumnEntry:
        """What is known of an attribute of a query."""
        return self._of_attribute[ref]

    def table(self, relation: form.Relation) -> TableEntry:
        """What is known of the rows of a query."""
        return self._of_relation[relation]

    def table_of(self, column: int) -> TableEntry:
        """The table of a column."""
        return self.tables[self.columns[column].table]

    @cached_property
    def heads(self) -> frozenset[str]:
        """The last words of the names of tables that no other table's name ends with and no column but keys is called by: they stand for the whole name."""
        tables = [entry for entry in self.tables if not entry.role]
        held = Counter(last for entry in tables for last in {form[-1] for form in entry.forms})
        told = {word for entry in self.columns if not entry.key_like for word in entry.words}
        heads = {e.forms[0][-1] for e in tables if held[e.forms[0][-1]] == 1}
        return frozenset(heads - told - word_stems("names.containers"))

    @cached_property
    def roles_by_key(self) -> Mapping[tuple[form.Relation, str], form.Relation]:
        """The rows in their role to which each key leads of which several lead to the same; keys are columns of their tables."""
        return {
            (self.tables[end.holder].relation, end.column): self.tables[role].relation
            for role, end in self.ends.items()
        }

    def plain(self, column: int) -> int:
        """The same column of the rows without their role, where they are an end of a key; else the column itself."""
        entry = self.table_of(column)
        return (
            self.tables[entry.of].columns[entry.columns.index(column)] if entry.is_end else column
        )

    def _add_table(
        self, schema: DatabaseSchema, table: Table, known: set[str], prefix: str
    ) -> None:
        number = len(self.tables)
        self._spell(table.name.removeprefix(prefix))
        names = name_words(table.name.removeprefix(prefix), known, self._language)
        described = tuple(stems(table.description)) if is_short(table.description) else ()
        others = self._otherwise(table.name.removeprefix(prefix))
        forms = tuple(dict.fromkeys(f for f in (names, described, *others) if f))
        self._index(forms, number, -1)
        foreign = dict(leading(table, schema))
        first = len(self.columns)
        relation = form.Relation(schema.name, table.schema_name, table.name)
        ids = tuple(range(first, first + len(table.columns)))
        entry = TableEntry(number, table, relation, forms, ids)
        self.tables.append(entry)
        named = {name_words(column.name, language=self._language) for column in table.columns}
        for column in table.columns:
            self._add_column(entry, column, foreign.get(column.name.casefold()), known)
        for number in ids if _FIRST in named and _LAST not in named else ():
            if self.columns[number].forms[0] == _NAME:  # beside a first name it is the last one
                self._call(number, _LAST)
        self._strip_columns(entry)
        self._describe(table.description, number, -1, described)

    def _call(self, number: int, form: tuple[str, ...]) -> None:
        """Let a column have another name, too."""
        known = self.columns[number]
        for place, word in enumerate(form):
            hit = WordHit(-1, number, len(known.forms), place, 1.0)
            self._named.add(word, hit)
        weights = (*known.weights, word_weights(form, self.tables[known.table].forms[0]))
        self.columns[number] = replace(known, forms=(*known.forms, form), weights=weights)

    def _strip_columns(self, entry: TableEntry) -> None:
        """Columns are also called without a word that opens all of their names: `crm_city` is the city."""
        prefix = shared_prefix([column.name for column in entry.table.columns])
        if not prefix or set(name_words(prefix)) <= entry.words:
            return
        for number in entry.columns:
            name = self.columns[number].column.name.removeprefix(prefix)
            self._call(number, name_words(name, language=self._language))

    def _add_roles(self, entry: TableEntry) -> None:
        """A table whose rows refer to others of its rows comes twice, the second time by that role."""
        for role, key in roles(entry.table):
            words = name_words(role)
            heads = {words[0], *word_lists().synonyms.get(words[0], ())}
            forms = (words, ("report", "to")) if "manag" in heads else (words,)
            self.joins.add_role(self._in_role(entry, entry.id, role, forms), key)

    def _add_ends(self) -> None:
        """A table to which several keys of another lead comes once more for each of them."""
        for end in list(ends_of(self.tables, self.joins)):
            made = self._in_role(self.tables[end.table], end.holder, end.called, end.forms)
            self.joins.add_role(made, end.edge.keys[0], end.edge)
            self.ends[made.id] = end

    def _in_role(self, entry: TableEntry, holder: int, role: str, forms: Forms) -> TableEntry:
        mine = [self.columns[column] for column in entry.columns]
        number, first = len(self.tables), len(self.columns)
        known = forms or (name_words(role),)
        made, columns = in_role(entry, mine, (number, first), role, known, holder)
        if any(table.relation == made.relation for table in self.tables):
            return self._in_role(
                entry, holder, f"{human(self.tables[holder].table.name)} {role}", forms
            )
        self.columns += columns
        self.tables.append(made)
        self._spell(role)
        self._index(forms, number, -1)
        return made

    def _add_column(
        self,
        table: TableEntry,
        column: Column,
        target: str | None,
        known: set[str],
    ) -> None:
        number = len(self.columns)
        self._spell(column.name)
        names = name_words(column.name, known, self._language)
        rows = set(name_words(target, known, self._language)) if target else set[str]()
        names = (*names, "id") if rows else names  # the words alone name the rows it leads to
        described = tuple(stems(column.description)) if is_short(column.description) else ()
        dated = dated_words(names) if column.kind in DATES else ()
        others = (
            *alternatives(names),
            *((stem(noun),) for noun in called(column)),
            *self._otherwise(column.name),
        )
        forms = tuple(
            dict.fromkeys(f for f in (names, dated, described, *others) if f and not set(f) <= rows)
        )
        weights = tuple(word_weights(one, table.forms[0]) for one in forms)
        if rows:
            weights = ((*weights[0][:-1], NUMBERED), *weights[1:])
        ref = form.ColumnRef(table.relation, column.name)
        foreign = target is not None
        self.columns.append(ColumnEntry(number, table.id, column, ref, forms, weights, foreign))
        self._index(forms, -1, number)
        self._describe(column.description, -1, number, described)

    def _otherwise(self, name: str) -> Iterator[tuple[str, ...]]:
        """A name as it is written where it is not English or was only guessed at, and one without the letter of its type."""
        written = split_name(name)
        if self._language or any(written_out(one) != one for one in written):
            yield tuple(map(stem, written))
        if name[:1].islower() and name[1:2].isupper():
            yield name_words(name[1:], language=self._language)

    def _spell(self, *texts: str) -> None:
        self._named.spell(texts, self._language)

    def _index(self, forms: tuple[tuple[str, ...], ...], table: int, column: int) -> None:
        for f, one in enumerate(forms):
            for w, word in enumerate(one):
                self._named.add(word, WordHit(table, column, f, w, 1.0))

    def _describe(self, text: str, table: int, column: int, short: tuple[str, ...]) -> None:
        if short:
            return
        for word in set(stems(text)):
            self._named.add(word, WordHit(table, column, 0, -1, DESCRIBED))

    def _expand(self) -> None:
        """Let synonyms and short forms of the schema's words find them too."""
        lists = word_lists()
        own = self._named.known()
        for word, hits in own.items():
            near = dict.fromkeys(lists.synonyms.get(word, ()), SYNONYM)
            for plural, base in lists.irregular.items():
                if word in (plural, base):
                    near[base if word == plural else plural] = 0.9
            for short, full in lists.abbreviations.items():
                if len(full) == 1 and stem(full[0]) == word and short not in _ELSEWHERE:
                    near.setdefault(short, 0.9)
            meant = [hit for hit in hits if self._may_be_meant(hit)] if near else []
            for other, strength in near.items():
                said = (h for h in meant if not is_other_number(word, other, self._form(h), h.word) and self._may_measure(h, other))  # fmt: skip
                self._named.add(other, *(hit.weaker(strength) for hit in said))
        for word, parts in lists.compounds.items():
            for hit in holding_all([own.get(part, []) for part in parts]):
                self._named.add(word, replace(hit, strength=COMPOUND))

    def _form(self, hit: WordHit) -> tuple[str, ...]:
        return self.columns[hit.column].forms[hit.form] if hit.column >= 0 else ()

    def _may_measure(self, hit: WordHit, said: str) -> bool:
        """False for a column of minutes by `distance`: a word like `length` may be of both."""
        kinds = kinds_of_stem(said)
        unit = self.columns[hit.column].unit if hit.column >= 0 and kinds else None
        return unit is None or unit.kind in kinds

    def _may_be_meant(self, hit: WordHit) -> bool:
        """False for a yes-or-no column: `total` is like `paid`, but never asks whether something is paid."""
        flag = hit.column >= 0 and self.columns[hit.column].is_flag
        return hit.word >= 0 and not flag


def vocabulary(schemas: tuple[DatabaseSchema, ...]) -> Vocabulary:
    """The vocabulary of `schemas`; the last few are kept."""
    return _of_same(Same(schemas))


@lru_cache(maxsize=16)
def _of_same(same: Same) -> Vocabulary:
    return _of_equal(same.schemas)


@lru_cache(maxsize=16)
def _of_equal(schemas: tuple[DatabaseSchema, ...]) -> Vocabulary:
    return Vocabulary(schemas)
