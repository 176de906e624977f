"""The words of the schemas: every table and column with the words by which people may call it."""

from collections.abc import Iterator, KeysView
from dataclasses import replace
from functools import lru_cache

from rapidfuzz import fuzz, process

from oldhand.agent.analyst.words.entries import ColumnEntry, TableEntry, WordHit, holding_all
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
    AMBIGUOUS,
    CUT_OFF,
    INITIALS,
    SHORTENED,
    SYNONYM,
    same_root,
    short_forms,
    short_in_languages,
)
from oldhand.agent.analyst.words.spans import ages_in, spans_between
from oldhand.lexicon.languages import in_english, language_of
from oldhand.lexicon.naming import name_words, shared_prefix, written_out
from oldhand.lexicon.splitting import segmented, split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem
from oldhand.lexicon.wordlists import word_lists
from oldhand.query import form
from oldhand.query.units import called
from oldhand.record.schema import DATES, Column, DatabaseSchema, Same, Table

DERIVED = 0.6
"""How much a word counts that shares its beginning: nation, nationality."""
COMPOUND = 0.95
"""How much a word counts that stands for several: forename, first name."""
MISSPELT = 0.75
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
        self._hits: dict[str, list[WordHit]] = {}
        self._spelt: dict[str, str] = {}
        """Each word of the schemas as it is written, and its stem."""
        self._short: dict[str, str] = {}
        """Those of a schema in another language that say nothing as they are, and the language."""
        self._guesses: dict[str, tuple[WordHit, ...]] = {}
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
        self.ages = {age.table: age.id for age in ages_in(self.tables, self.columns)}
        """The ages that are counted from a birth, by their tables."""
        for age in self.ages.values():
            self._index(self.columns[age].forms, -1, age)
        self.spans = spans_between(self.tables, self.columns)
        self._words = dict.fromkeys(self._hits)
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
        if word not in self._guesses:
            found = self._hits.get(word) or self._written_as_one(word)
            guessed = () if found else self._guess(word)
            short = tuple(self._shortened(word)) or (() if found else tuple(self._cut_off(word)))
            short = (*short, *self._short_elsewhere(word, least=0.0 if not found else INITIALS))
            self._guesses[word] = (*found, *short, *guessed)
        return self._guesses[word]

    def words(self) -> KeysView[str]:
        """All stems that the schemas themselves use."""
        return self._words.keys()

    def entry(self, ref: form.ColumnRef | form.Elapsed) -> ColumnEntry:
        """What is known of an attribute of a query."""
        return self._of_attribute[ref]

    def table(self, relation: form.Relation) -> TableEntry:
        """What is known of the rows of a query."""
        return self._of_relation[relation]

    def table_of(self, column: int) -> TableEntry:
        """The table of a column."""
        return self.tables[self.columns[column].table]

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
            self._hits.setdefault(word, []).append(hit)
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
            number, first = len(self.tables), len(self.columns)
            words = name_words(role)
            heads = {words[0], *word_lists().synonyms.get(words[0], ())}
            forms = (words, ("report", "to")) if "manag" in heads else (words,)
            relation = replace(entry.relation, role=role)
            for column in entry.columns:
                copied = self.columns[column]
                ref = form.ColumnRef(relation, copied.column.name)
                made = replace(copied, id=len(self.columns), table=number, ref=ref)
                self.columns.append(made)
            ids = tuple(range(first, len(self.columns)))
            self.tables.append(TableEntry(number, entry.table, relation, forms, ids, entry.id))
            self._spell(role)
            self._index(forms, number, -1)
            self.joins.add_role(self.tables[-1], key)

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
        for text in texts:
            for word in split_name(text)[:8]:
                self._spelt.setdefault(word, name_words(word)[0])
                if self._language and not in_english(word, self._language):
                    self._short.setdefault(word, self._language)

    def _index(self, forms: tuple[tuple[str, ...], ...], table: int, column: int) -> None:
        for f, one in enumerate(forms):
            for w, word in enumerate(one):
                self._hits.setdefault(word, []).append(WordHit(table, column, f, w, 1.0))

    def _describe(self, text: str, table: int, column: int, short: tuple[str, ...]) -> None:
        if short:
            return
        for word in set(stems(text)):
            self._hits.setdefault(word, []).append(WordHit(table, column, 0, -1, DESCRIBED))

    def _expand(self) -> None:
        """Let synonyms and short forms of the schema's words find them too."""
        lists = word_lists()
        own = {word: list(hits) for word, hits in self._hits.items()}
        for word, hits in own.items():
            near = dict.fromkeys(lists.synonyms.get(word, ()), SYNONYM)
            for plural, base in lists.irregular.items():
                if word in (plural, base):
                    near[base if word == plural else plural] = 0.9
            for short, full in lists.abbreviations.items():
                if len(full) == 1 and stem(full[0]) == word:
                    near.setdefault(short, 0.9)
            meant = [hit for hit in hits if self._may_be_meant(hit)] if near else []
            for other, strength in near.items():
                target = self._hits.setdefault(other, [])
                said = (h for h in meant if not is_other_number(word, other, self._form(h), h.word))
                target += [hit.weaker(strength) for hit in said]
        for word, parts in lists.compounds.items():
            for hit in holding_all([own.get(part, []) for part in parts]):
                self._hits.setdefault(word, []).append(replace(hit, strength=COMPOUND))

    def _written_as_one(self, word: str) -> list[WordHit]:
        """The names of which a word is all words, as `unitprice` is those of `unit_price`."""
        parts = segmented(word)
        found = [self._hits.get(stem(part), []) for part in parts] if len(parts) > 1 else []
        return [replace(hit, strength=COMPOUND) for hit in holding_all(found)]

    def _form(self, hit: WordHit) -> tuple[str, ...]:
        return self.columns[hit.column].forms[hit.form] if hit.column >= 0 else ()

    def _may_be_meant(self, hit: WordHit) -> bool:
        """False for a yes-or-no column: `total` is like `paid`, but never asks whether something is paid."""
        flag = hit.column >= 0 and self.columns[hit.column].is_flag
        return hit.word >= 0 and not flag

    def _guess(self, word: str) -> Iterator[WordHit]:
        if len(word) < 4 or word[0].isdigit() or word in STOP_WORDS:
            return
        for written, ratio, _ in process.extract(
            word, list(self._spelt), scorer=fuzz.ratio, score_cutoff=84, limit=3
        ):
            other = self._spelt[written]
            if len(written) >= 4 and written[0] == word[0] and other in self._hits:
                yield from (hit.weaker(MISSPELT * ratio / 100) for hit in self._hits[other])
        for other in self._words:
            if same_root(word, other):
                yield from (hit.weaker(DERIVED) for hit in self._hits[other])

    def _shortened(self, word: str) -> Iterator[WordHit]:
        """The names that are short for a word; `prc` may be short for product only where nothing else is."""
        short = short_forms(word, self._spelt, self._hits.keys())
        best = max(short.values(), default=0.0)
        for other in sorted(one for one in short if short[one] > AMBIGUOUS or best == AMBIGUOUS):
            yield from (h.weaker(short[other]) for h in self._hits[other] if h.strength == 1.0)

    def _short_elsewhere(self, word: str, least: float) -> Iterator[WordHit]:
        """The names that are short for what a word is called in the language of their schema."""
        for piece, strength in short_in_languages(word, self._short):
            first, *_ = name_words(piece, language=self._short[piece])
            for hit in self._hits.get(first, ()) if strength > least else ():
                if hit.strength == 1.0:
                    yield hit.weaker(strength)

    def _cut_off(self, word: str) -> Iterator[WordHit]:
        """The names of which three letters are left, in a schema that leaves no more of most."""
        cut = [one for one in self._spelt if len(one) == CUT_OFF and one in self._hits]
        if 2 * len(cut) > sum(len(one) >= CUT_OFF for one in self._spelt) and len(word) > CUT_OFF:
            yield from (h.weaker(SHORTENED) for h in self._hits.get(word[:CUT_OFF], ()))


def vocabulary(schemas: tuple[DatabaseSchema, ...]) -> Vocabulary:
    """The vocabulary of `schemas`; the last few are kept."""
    return _of_same(Same(schemas))


@lru_cache(maxsize=16)
def _of_same(same: Same) -> Vocabulary:
    return _of_equal(same.schemas)


@lru_cache(maxsize=16)
def _of_equal(schemas: tuple[DatabaseSchema, ...]) -> Vocabulary:
    return Vocabulary(schemas)
