"""Sentences that say by which of several keys, or over which table, rows belong to others: `a job belongs to the town it goes to`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from oldhand.agent.analyst.stating.named import THINGS, tables_meant
from oldhand.agent.analyst.stating.pointers import Pointer, pointed
from oldhand.agent.analyst.stating.written_keys import key_stated, undeclared
from oldhand.agent.analyst.words.ends import End
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.errors import UnclearRule
from oldhand.lexicon.entries import words
from oldhand.lexicon.naming import name_words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, Token, stem, tokenise
from oldhand.record.schema import Column, DatabaseSchema, ForeignKey, Table
from oldhand.record.semantics import DefaultJoin
from oldhand.sources.databases.values import Values

_VERBS = "|".join(one.replace("-", " ") for one in sorted(words("rules.belonging"), key=len, reverse=True))  # fmt: skip
_LEADS = "(?:to|for|under|at|in|with|by|as)"
_OFTEN = "(?:always |only |should |must |shall |are to |is to |to be )*"
_FORMS = (
    (re.compile(rf"^(?P<rows>[\w ]+?) {_OFTEN}(?:{_VERBS}) {_LEADS} (?:the |an? |its |their )?(?P<to>.+)$", re.IGNORECASE), True),
    (re.compile(r"^for (?P<rows>[\w ]+?),? (?:we |please )?(?:use|take|count|go by) (?:the |its |their )?(?P<to>.+)$", re.IGNORECASE), False),
    (re.compile(r"^for (?P<rows>[\w ]+?),? (?:the |its |their )?(?P<other>[\w ]+?) (?:is|means|should be|must be) (?:the |that |an? |its |their )?(?P<to>.+)$", re.IGNORECASE), True),
    (re.compile(r"^(?:the )?(?P<other>[\w ]+?) of (?:the |an? |all |each |our )?(?P<rows>[\w ]+?) (?:is|means|should be|must be|are) (?:always )?(?:the |that |an? |its |their )(?P<to>.+)$", re.IGNORECASE), False),
    (re.compile(r"^(?:the |an? |each )?(?P<rows>[\w ]+?)(?:'s|') (?P<other>[\w ]+?) (?:is|means|should be|must be|are) (?:always )?(?:the |that |an? |its |their )(?P<to>.+)$", re.IGNORECASE), False),
    (re.compile(r"^(?:always )?join (?:the )?(?P<rows>[\w ]+?) (?:to|with|and) (?:the )?(?P<other>[\w ]+?) (?P<to>(?:by|on|via|over|through|using) .+)$", re.IGNORECASE), True),
    (re.compile(r"^(?P<rows>[\w ]+?) (?:are|is) joined (?:to|with) (?:the )?(?P<other>[\w ]+?) (?P<to>(?:by|on|via|over|through|using) .+)$", re.IGNORECASE), True),
)  # fmt: skip
"""Sentences with the rows, the others that they belong to, and what says which; and whether they can be about nothing else."""
CONTRAST = re.compile(r",? (?:and |but )?\b(?:not|never|rather than|instead of|no longer)\b (?P<rest>.+)$", re.IGNORECASE)  # fmt: skip
_LED = re.compile(r"^(?:to|by|of|for|in|at|with|on) ", re.IGNORECASE)
_QUALIFIERS = 2
"""Words before the others that say which of them are meant: `the return resort`."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way from rows to others."""

    keys: tuple[tuple[Table, ForeignKey], ...]
    """Each after the table that holds it."""

    @property
    def first(self) -> str:
        """The column of the rows by which it begins."""
        return self.keys[0][1].columns[0]

    @property
    def over(self) -> str:
        """The table on the way; empty where there is none."""
        return self.keys[0][1].table if len(self.keys) > 1 else ""

    @property
    def on(self) -> tuple[str, ...]:
        """What is equal along it."""
        return tuple(
            f"{table.name}.{mine} = {key.table}.{theirs}"
            for table, key in self.keys
            for mine, theirs in zip(key.columns, key.target_columns, strict=False)
        )


def way_said(
    sentence: str, schemas: tuple[DatabaseSchema, ...], values: Values
) -> tuple[str, DefaultJoin] | None:
    """As `way_stated`, of a sentence as it was written; None where it is not understood, too."""
    try:
        told = pointed(sentence, schemas, values)
        return way_stated(told.text, told.schemas, told.pointers)
    except UnclearRule:
        return None


def way_stated(
    sentence: str,
    schemas: tuple[DatabaseSchema, ...],
    pointers: Sequence[Pointer] = (),
) -> tuple[str, DefaultJoin] | None:
    """The database, and the rule by which rows belong to others; None where a sentence says no such thing.

    Raises:
        UnclearRule: it does, but by which key is not understood.
    """
    said = " ".join(sentence.replace("\u2019", "'").split()).strip(" .!;")
    found = CONTRAST.search(said)
    plain, other_than = (said[: found.start()], found["rest"]) if found else (said, "")
    if (told := key_stated(plain, schemas)) is not None:
        return told
    for form, surely in _FORMS:
        parts = form.match(plain)
        if parts is None:
            continue
        named = parts.groupdict()
        for database, rows in tables_meant(_plain(named["rows"]), schemas):
            schema = next(one for one in schemas if one.name == database)
            for other, told in _others(named, schema, rows, pointers):
                telling = _Telling(schema, rows, other, told, other_than, pointers)
                column = _column(named.get("other"), rows, other, schema)
                made = telling.direct() if column is not None else telling.way()
                if made is not None:
                    return database, DefaultJoin(table=rows.name, to=other.name, keys=made.on, column=column)  # fmt: skip
                if surely:
                    raise UnclearRule(_unclear(rows, other, schema))
    return None


def _column(said: str | None, rows: Table, other: Table, schema: DatabaseSchema) -> str | None:
    """The column of others that is said to be the one of rows which have none by that name: the city of an invoice is that of its site."""
    if not said or tables_meant(_plain(said), (schema,)):
        return None
    named = set(name_words(said))
    own, theirs = ([one.name for one in table.columns if named <= {*name_words(one.name)} - {*name_words(table.name)}] for table in (rows, other))  # fmt: skip
    return theirs[0] if len(theirs) == 1 and not own else None


def _others(named: dict[str, str], schema: DatabaseSchema, rows: Table, pointers: Sequence[Pointer]) -> Iterator[tuple[Table, str]]:  # fmt: skip
    """The others that rows may belong to, each with the words that say which are meant."""
    named_key = any(_named_keys(rows, named["to"], pointers))
    whole = named.get("other")
    for _, other in tables_meant(_plain(whole), (schema,)) if whole else ():
        if other is not rows:
            yield other, named["to"]
            return
    said = named["to"].split()
    for start in range(min(_QUALIFIERS + 1, len(said))):
        for size in range(THINGS, 0, -1):
            for _, other in tables_meant(" ".join(said[start : start + size]), (schema,)):
                if other is not rows and (named_key or [*_ways(schema, rows, other)]):
                    yield other, " ".join((*said[:start], *said[start + size :]))
                    return
    known = vocabulary((schema,))
    for end in known.ends.values():  # the recipient
        told = known.tables[end.holder].table.name == rows.name and any(map(end.is_told_by, tokenise(named["to"])))  # fmt: skip
        other = schema.table(known.tables[end.table].table.name) if told else None
        if other is not None:
            yield other, named["to"]
            return


@dataclass(frozen=True, slots=True)
class _Telling:
    """What is said of the way from rows to others."""

    schema: DatabaseSchema
    rows: Table
    other: Table
    said: str
    other_than: str
    pointers: Sequence[Pointer]

    def way(self) -> _Way | None:
        """The one way that is meant; None where none is told, or several."""
        ways = [*_ways(self.schema, self.rows, self.other)]
        named = [*_named_keys(self.rows, self.said, self.pointers)]
        if told := [one for one in ways if one.first in {column.name for column in named}]:
            return _only([one for one in told if not one.over] or told)
        if named:
            made = [
                key for one in named if (key := undeclared(one, self.rows, self.other, self.schema))
            ]
            return _Way(((self.rows, made[0]),)) if len(made) == 1 else None
        left = {one: self._left(one) for one in ways}
        told = [one for one in ways if left[one] == ()]
        if (way := _only(told) or _only([one for one in told if not one.over])) is not None:
            return way
        # Where the one key is told and each of the others is said not to be meant, no word can say another one.
        half = [one for one in ways if left[one] is not None and not one.over]
        others = tokenise(self.other_than)
        denied = all(self._telling(one, others) for one in ways if not one.over and one not in half)
        return _only(half) if denied and self.other_than else None

    def direct(self) -> _Way | None:
        """The only way, or the only one by a key of the rows."""
        ways = [*_ways(self.schema, self.rows, self.other)]
        return self.way() or _only([one for one in ways if not one.over]) or _only(ways)

    def _left(self, way: _Way) -> tuple[str, ...] | None:
        """The words that say nothing of a way; None where none tells it from others, or what it is not says the same."""
        tokens = tokenise(self.said)
        telling = self._telling(way, tokens)
        others = tokenise(_LED.sub("", self.other_than))
        named = _stems(self.other.name)
        if not telling or any(others[at].stem not in named for at in self._telling(way, others)):
            return None
        named |= _stems(self.rows.name) | (_stems(way.over) if way.over else set())
        idle = STOP_WORDS | words("rules.staying")
        left = (one for at, one in enumerate(tokens) if one.is_word and at not in telling and one.lower not in idle and one.stem not in named)  # fmt: skip
        return tuple(one.text for one in left if not self._is_of(one, self.rows, self.other))

    def _telling(self, way: _Way, tokens: Sequence[Token]) -> set[int]:
        """The places of the words that are about a way: they name the table on it, or its key; `picked up` does so with a `pickup`."""
        over = self.schema.table(way.over) if way.over else None
        if over is not None:
            return {at for at, one in enumerate(tokens) if self._is_of(one, over)}
        end = next((one for one in self._ends() if one.column == way.first), None)
        if end is None:
            return set()
        alone = {at for at, one in enumerate(tokens) if end.is_told_by(one) or one.lower in end.pieces}  # fmt: skip
        pairs = (at for at, (one, two) in enumerate(pairwise(tokens)) if one.stem + two.lower in end.pieces)  # fmt: skip
        return alone.union(*({at, at + 1} for at in pairs))

    def _is_of(self, token: Token, *tables: Table) -> bool:
        """Whether a word names one of some tables."""
        if not token.is_word or token.lower in STOP_WORDS:
            return False
        meant = tables_meant(token.text, (self.schema,))
        return any((self.schema.name, one) in meant for one in tables)

    def _ends(self) -> Iterator[End]:
        known = vocabulary((self.schema,))
        for one in known.ends.values():
            held = known.tables[one.holder].table.name, known.tables[one.table].table.name
            if held == (self.rows.name, self.other.name):
                yield one


def _named_keys(rows: Table, said: str, pointers: Sequence[Pointer]) -> Iterator[Column]:
    """The columns of rows that stand beside words, or in them by their very names."""
    pointed = [one.column.name for one in pointers if one.column is not None and one.table.name == rows.name]  # fmt: skip
    keys = {name for key in rows.foreign_keys for name in key.columns}
    for one in rows.columns:
        plain = "_" in one.name or one.name in keys
        if one.name in pointed or (not pointed and plain and re.search(rf"\b{re.escape(one.name)}\b", said, re.IGNORECASE)):  # fmt: skip
            yield one


def _ways(schema: DatabaseSchema, rows: Table, other: Table) -> Iterator[_Way]:
    """The keys by which rows refer to others, and the ways to these over one table that they refer to."""
    for key in _keys(rows, schema):
        there = schema.table(key.table)
        if there is other:
            yield _Way(((rows, key),))
        elif there is not None and there is not rows:
            yield from (_Way(((rows, key), (there, on))) for on in _keys(there, schema) if schema.table(on.table) is other)  # fmt: skip


def _keys(table: Table, schema: DatabaseSchema) -> Iterator[ForeignKey]:
    return (key for key in table.foreign_keys if key.database == schema.name)


def _only(found: Sequence[_Way]) -> _Way | None:
    return found[0] if len(found) == 1 else None


def _unclear(rows: Table, other: Table, schema: DatabaseSchema) -> str:
    ways = [" and ".join(one.on) for one in _ways(schema, rows, other)]
    if not ways:
        return f"No key leads from {rows.name} to {other.name}."
    known = "; ".join(ways[:5])
    return f"I can't tell which way from {rows.name} to {other.name} is meant: {known}. Name its first column, as in: {rows.name} belong to the {other.name} by {next(_ways(schema, rows, other)).first}."


def _stems(name: str) -> set[str]:
    return {stem(word) for word in split_name(name)}


def _plain(said: str) -> str:
    found = said.split()
    while len(found) > 1 and found[0].lower() in words("rules.articles") | {"all", "each", "every"}:
        found = found[1:]
    return " ".join(found)
