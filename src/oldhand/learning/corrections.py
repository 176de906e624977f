"""Corrections: what people say would have been right, checked before anything is learned from it."""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from sqlglot import exp

from oldhand.errors import (
    DatabaseError,
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    MissingExtra,
    OldhandError,
    QueryCancelled,
    QueryRefused,
    QueryTimedOut,
)
from oldhand.learning.confirmation import PASSAGE, Solution, solution_of, spelled_alike
from oldhand.learning.endless_statements import EndlessStatements
from oldhand.learning.spanning import HOW, local_query, spans, whole_query
from oldhand.learning.sql_like import looks_like_sql
from oldhand.query.describing.describing import describe
from oldhand.query.form import Query
from oldhand.query.lifting import lift
from oldhand.query.normal import same
from oldhand.record.answer import WORKSPACE, Answer
from oldhand.record.episode import Episode
from oldhand.record.feedback import Feedback
from oldhand.record.row_digest import rows_digest
from oldhand.record.schema import DatabaseSchema
from oldhand.settings import QueryLimits
from oldhand.sources.databases import Catalog, check_sql, find_errors
from oldhand.sources.databases.by_address import UrlDatabases
from oldhand.sources.databases.guard import checked_text

GARBLED = (
    "It looks like SQL, but it is no statement that could be run for an answer: that is one SELECT."
    " Write it out, such as SELECT COUNT(*) FROM customers, or say in a sentence what would have been right."
)
_OF_STEPS = re.compile(r"\b(?:from|join)\s+[\"`\[]?step_\d+\b", re.IGNORECASE)
LEANS = "The question leans on the ones before it: ask it as a whole, so that it can be learned."
_COMMENTS = r"(?:\s|\(|--[^\n]*\n|/\*.*?\*/)*"
_QUERY = re.compile(
    _COMMENTS
    + r"(?:select\b(?!\s+(?:only|just|the|those|these|every|all\s+(?:the|those|of))\b).*(?:\bfrom\b|[\d*(=;])|values\s*\("
    r"|with\s+(?:recursive\s+)?[\w\"`\[\]]+\s*(?:\([^)]*\)\s*)?as\b)",
    re.IGNORECASE | re.DOTALL,
)
_OTHER = re.compile(
    _COMMENTS + r"(?:insert\s+into|update\s+\S+\s+set|delete\s+from|merge\s+into|(?:drop|create|alter|truncate)\s+"
    r"(?:table|view|index|schema|database|user|role)|pragma|attach|copy|grant|explain"
    r"|replace\s+into|call\s+\w+\s*\(|vacuum)\b",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip


_NAMED = re.compile(r"\s*([A-Za-z0-9][\w.@-]*)\s*:\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Unusable:
    """A correction from which nothing is learned."""

    reason: str
    """A sentence."""


@dataclass(frozen=True)
class Unchecked:
    """A correction of which it is not known yet whether it can be used: its database does not answer."""

    reason: str
    """A sentence or two."""


_READS_NOTHING = (
    "It reads no table, so it would give the same whatever the databases hold. "
    "To say only what the answer is, write it as a sentence: the right answer is 2."
)
_OUT_OF_REACH = (DatabaseUnreachable, QueryCancelled, MissingExtra)
_ENDLESS = "It ran longer than the {:g} seconds that a query may take (query.seconds), and is not run again under this limit."
_LATER = "The correction is kept, and checked with the next feedback on the question, or by `oldhand learn --anew`."


def is_sql(text: str) -> bool:
    """Whether a correction is meant as SQL; else it is the answer in words.

    >>> [is_sql(text) for text in ("SELECT 1", "(select a from b)", "Select the paid ones only", "42 customers")]
    [True, True, False, False]
    """
    return bool(_QUERY.match(text) or _OTHER.match(text))


def sql_of(correction: str) -> tuple[str | None, str] | None:
    """The database that a correction names, if it names one, and its SQL; None when it is no SQL.

    >>> sql_of("shop: SELECT 1"), sql_of("SELECT 1"), sql_of("Note: all of them")
    (('shop', 'SELECT 1'), (None, 'SELECT 1'), None)
    """
    if is_sql(correction):
        return None, correction.strip()
    named = _NAMED.fullmatch(correction)
    if named is None or not is_sql(named[2]):
        return None
    return named[1], named[2].strip()


@dataclass(frozen=True)
class Corrections:
    """Reads corrections; SQL is checked by the guard, against the schema, and by running it."""

    catalog: Catalog | UrlDatabases
    limits: QueryLimits
    endless: EndlessStatements
    """Those that ran too long: they are not run again."""

    def read(self, episode: Episode, feedback: Feedback) -> Solution | Unusable | Unchecked:
        """What `feedback` says would have been right; blocks."""
        question = episode.answer.standalone
        correction = feedback.correction or ""
        if question is None:
            return Unusable(self.leaning(episode.answer))
        cited = tuple(one.chunk for one in episode.answer.citations)
        if correction.startswith(PASSAGE):
            return Solution(question, chunks=(correction.removeprefix(PASSAGE),))
        found = sql_of(correction)
        if found is None:
            garbled = looks_like_sql(correction)
            return (
                Unusable(GARBLED)
                if garbled
                else Solution(question, words=correction.strip(), chunks=cited)
            )
        if (given := self.repeated(episode, correction)) is not None:
            return given
        return self._tried(episode, question, correction, found)

    def _tried(
        self, episode: Episode, question: str, correction: str, found: tuple[str | None, str]
    ) -> Solution | Unusable | Unchecked:
        """SQL, tried where it belongs: an agent may have databases of its own."""
        steps = [one.database for one in episode.answer.steps if one.database != WORKSPACE]
        asked = tuple(dict.fromkeys(steps))
        try:
            if not episode.addresses:
                return self._within_time(question, correction, found, asked)
            with closing(UrlDatabases(episode.addresses, self.catalog)) as own:
                return replace(self, catalog=own)._within_time(question, correction, found, asked)
        except (*_OUT_OF_REACH, InvalidDatabaseUrl) as error:
            return Unchecked(f"{error} {_LATER}")

    def _within_time(
        self, question: str, correction: str, found: tuple[str | None, str], asked: Sequence[str]
    ) -> Solution | Unusable:
        """What it says, unless it runs too long now or has done so before."""
        seconds = self.limits.seconds
        if not self.endless.holds(correction, seconds):
            try:
                return self._checked(question, found, asked)
            except QueryTimedOut:
                self.endless.add(correction, seconds)
        return Unusable(_ENDLESS.format(seconds))

    def leaning(self, answer: Answer) -> str:
        """Why nothing is learned from a question that leans on others, and how it might be asked as a whole."""
        steps = [step for step in answer.steps if step.succeeded]
        if len(steps) != 1 or steps[0].database == WORKSPACE:
            return LEANS
        try:
            schema = self.catalog.schema(steps[0].database)
        except OldhandError:
            return LEANS
        query = lift(steps[0].sql, schema)
        if not isinstance(query, Query):
            return LEANS
        return f"{LEANS} It was read as: {describe(query, (schema,))}."

    def _checked(
        self, question: str, found: tuple[str | None, str], asked: Sequence[str]
    ) -> Solution | Unusable:
        """SQL, with the database that was named for it, once it is known to run."""
        named, sql = found
        if _OF_STEPS.search(sql) or (named is not None and _several(sql)):
            return Unusable(f"The steps of an answer cannot be corrected one by one. {HOW}")
        if spans(sql, [entry.name for entry in self.catalog.list()]):
            return self._whole(question, sql)
        place = self._place(sql, named, asked)
        return place if isinstance(place, Unusable) else self._run(question, sql, place)

    def repeated(self, episode: Episode, correction: str) -> Solution | None:
        """The answer itself, when a correction is the same query: it confirms what it was meant to correct."""
        given, found = solution_of(episode.answer), sql_of(correction)
        if given is None or given.sql is None or found is None or not _QUERY.match(found[1]):
            return None
        named, sql = found
        if named not in (None, given.database):
            return None
        if spelled_alike(sql) == spelled_alike(given.sql):
            return given
        if given.database is None:
            return None
        try:
            schema = self.catalog.schema(given.database)
        except OldhandError:
            return None  # it is checked, or found out of reach, like any other
        return given if is_same_query(sql, given.sql, schema) else None

    def _whole(self, question: str, sql: str) -> Solution | Unusable:
        """A statement that names the databases of its tables, which may be several."""
        try:
            databases, query = whole_query(sql, self.catalog, self.limits)
        except (*_OUT_OF_REACH, QueryTimedOut):
            raise
        except OldhandError as error:
            return Unusable(f"It cannot be run: {error}")
        if len(databases) == 1:
            return self._run(
                question, local_query(query, self.catalog.schema(databases[0])), databases[0]
            )
        return Solution(question, databases, None, query)

    def _place(self, sql: str, named: str | None, asked: Sequence[str]) -> str | Unusable:
        """The database that `sql` is for: the one that is named, else the answer's, else the only one that fits."""
        others = [entry.name for entry in self.catalog.list() if entry.name not in asked]
        faults: dict[str, str] = {}
        for names in ([named],) if named is not None else (asked, others):
            found = {name: self._fault(sql, name) for name in names}
            fitting = [name for name, fault in found.items() if fault is None]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                several = ", ".join(fitting)
                return Unusable(
                    f"Several databases could run it ({several}): write {fitting[0]}: SELECT … to say which one."
                )
            faults |= {name: fault for name, fault in found.items() if fault is not None}
        if not faults:
            return Unusable("No database is registered that could run it.")
        likeliest = named or next(iter(asked), None) or next(iter(faults))
        if len(set(faults.values())) == 1 or likeliest in (named, *asked):
            return Unusable(f"{likeliest} cannot run it: {faults[likeliest]}")
        return Unusable(
            f"No database has all the tables and columns it names ({', '.join(faults)})."
        )

    def _fault(self, sql: str, name: str) -> str | None:
        """Why a database cannot run `sql`, as far as that can be seen; None when it can.

        Raises:
            DatabaseUnreachable: it does not answer; nor are `QueryCancelled` and `MissingExtra` faults of the SQL.
        """
        try:
            schema = self.catalog.schema(name)
            check_sql(sql, schema.dialect)
            wrong = find_errors(sql, schema)
        except _OUT_OF_REACH:
            raise
        except OldhandError as error:
            return str(error)
        return " ".join(wrong) or None

    def _run(self, question: str, sql: str, name: str) -> Solution | Unusable:
        try:
            database = self.catalog.open(name)
            text = checked_text(sql, database.dialect)
            if check_sql(text, database.dialect).find(exp.Table) is None:
                return Unusable(_READS_NOTHING)
            result = database.fetch(text, rows=self.limits.rows, seconds=self.limits.seconds)
        except (*_OUT_OF_REACH, QueryTimedOut):
            raise
        except (DatabaseError, QueryRefused) as error:
            return Unusable(f"{name} did not run it: {error}")
        rows = None if result.truncated else rows_digest(result.rows)
        return Solution(question, (name,), name, text.strip(), rows=rows)


def _several(sql: str) -> bool:
    """True for `SELECT …; crm: SELECT …`: a statement for each database."""
    return any(sql_of(part) is not None for part in sql.split(";")[1:])


def is_same_query(one: str, other: str, schema: DatabaseSchema) -> bool:
    """Whether two statements ask for the same rows, by the same tables, conditions and order.

    Names of results and of tables within the statement, letter case, what is left out of a name because it is clear,
    and the order of conditions are no difference. Statements that only happen to give the same rows are not the same.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER), Column(name="city", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> is_same_query("SELECT COUNT(*) AS n FROM customers AS t1 WHERE t1.city = 'Rome' AND t1.id > 1",
    ...               "select count(*) from shop.Customers where id > 1 and 'Rome' = city", shop)
    True
    >>> is_same_query("SELECT city FROM customers", "SELECT id FROM customers", shop)
    False
    """
    if spelled_alike(one) == spelled_alike(other):
        return True
    first, second = lift(one, schema), lift(other, schema)
    return isinstance(first, Query) and isinstance(second, Query) and same(first, second)
