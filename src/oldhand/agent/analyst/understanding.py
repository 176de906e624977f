"""Understanding a question: from words to ranked queries, with what is unsure about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlglot import exp

from oldhand.agent.analyst.aliases.resting import resting_on
from oldhand.agent.analyst.candidates.as_query import as_query
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.query import to_query
from oldhand.agent.analyst.candidates.ranked import Ranked, ranked
from oldhand.agent.analyst.candidates.ranking import learned
from oldhand.agent.analyst.candidates.sketch import Sketch
from oldhand.agent.analyst.confidence import Signals, confidence, signals_of
from oldhand.agent.analyst.doubts import is_compared, left_out
from oldhand.agent.analyst.linking.links import Links
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.linking.unknown import unknown_words
from oldhand.agent.analyst.telling.notes import notes_on
from oldhand.agent.analyst.telling.paraphrase import paraphrase
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.query.form import Opaque, Query
from oldhand.record.effect import Alias
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

LIMIT = 8
"""Candidates that are written out."""
LONGEST_QUESTION = 300
"""Words; what follows is not read."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One query that the question may mean."""

    form: Query | Opaque
    """What is asked, in the query form; SQL as somebody wrote it where the form can't hold it."""
    query: exp.Query
    """Without regard to a dialect; every table is `database.schema.table` with an alias."""
    score: float
    features: Mapping[str, float]
    """What the score was made from."""
    reading: str
    """The query in plain words, for a question back and for notes."""
    databases: tuple[str, ...]
    """The databases that it reads, in the order in which they are joined."""
    rules: tuple[str, ...] = ()
    """Ids of the lessons whose rules have changed it."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question may mean."""

    question: str
    candidates: tuple[Candidate, ...]
    """Likeliest first; empty when nothing in the question fits the schemas."""
    notes: tuple[str, ...]
    """How words were understood, such as: 'Berlin' is a value of customers.city."""
    unknown_words: tuple[str, ...]
    """Words with content that neither the schemas nor the values know."""
    confidence: float
    """The chance that the first candidate is right, 0..1, calibrated."""
    databases: tuple[str, ...]
    """The databases that matter, those of the first candidate first."""
    signals: Signals = field(default_factory=Signals)
    """What the confidence was made from."""
    left_out: tuple[str, ...] = ()
    """Words, numbers and signs that the first candidate does not answer to."""
    compares: bool = False
    """True when two values are set against each other."""
    aliases: tuple[Alias, ...] = ()
    """The learned words that the first candidate rests on."""
    lessons: tuple[str, ...] = ()
    """Ids of the lessons that the first candidate rests on."""
    settled: bool = False
    """True when the first candidate was confirmed for the very same question."""


def understand(
    question: str,
    schemas: tuple[DatabaseSchema, ...],
    values: Values,
    *,
    limit: int = LIMIT,
    today: date | None = None,
    aliases: tuple[Alias, ...] = (),
) -> Understanding:
    """Find the queries that a question may mean; the same question always gives the same ones.

    Args:
        question: in English.
        schemas: the databases that may be asked.
        values: the index over their values.
        limit: candidates to write out.
        today: what `last year` counts from; without it such words stay unknown.
        aliases: words whose meaning was learned; each adds a reading, and takes none away.

    >>> from oldhand.record.schema import Column, Kind, Table
    >>> from oldhand.sources.databases.values import ValueIndex
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
    ...            Column(name="city", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> values = ValueIndex.in_memory("shop", [("main", "customers", "city", ["Berlin", "Rome"])])
    >>> found = understand("How many clients are in Berlin?", (shop,), values)
    >>> found.candidates[0].query.sql()
    "SELECT COUNT(*) FROM shop.main.customers AS t1 WHERE t1.city = 'Berlin'"
    >>> found.notes
    ("'clients' was read as the table customers.", "'Berlin' is a value of customers.city.")
    """
    words = vocabulary(schemas)
    links = link(_cut(question), words, values, today, aliases)
    asked = Asked(links, words)
    found = ranked(asked, learned().weights)
    unknown = unknown_words(links, words, found[0].used if found else 0)
    signals = signals_of(asked, found, unknown)
    return Understanding(
        question,
        tuple(_candidate(item, words) for item in found[:limit]),
        notes_on(links, words, found[0].sketch) if found else (),
        tuple(dict.fromkeys(token.text for token in unknown)),
        confidence(signals),
        _databases(found, links, words),
        signals,
        left_out(asked, found[0]) if found else (),
        is_compared(asked, found[0]) if found else False,
        resting_on(links, found[0]) if found else (),
    )


def _cut(question: str) -> str:
    words = question.split(" ", LONGEST_QUESTION)
    return " ".join(words[:LONGEST_QUESTION])


def _candidate(item: Ranked, words: Vocabulary) -> Candidate:
    return Candidate(
        as_query(item.sketch, words),
        to_query(item.sketch, words),
        item.score,
        dict(item.features),
        paraphrase(item.sketch, words),
        tuple(dict.fromkeys(words.tables[t].database for t in _tables(item.sketch))),
    )


def _tables(sketch: Sketch) -> list[int]:
    conditions = (*sketch.where, *(c for term in sketch.select for c in term.when))
    inner = [c.query for c in conditions if c.query is not None]
    if sketch.compound is not None:
        inner.append(sketch.compound[1])
    return [*sketch.tree.tables, *(table for query in inner for table in _tables(query))]


def _databases(found: list[Ranked], links: Links, words: Vocabulary) -> tuple[str, ...]:
    tables = [t for item in found[:3] for t in _tables(item.sketch)]
    tables += [m.best.id for m in links.tables if m.best.score > 0.6]
    return tuple(dict.fromkeys(words.tables[table].database for table in tables))
