"""Understanding a question: from words to ranked queries, with what is unsure about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.origins import Origins
from oldhand.agent.analyst.candidates.ranking import learned
from oldhand.agent.analyst.confidence import ConfidenceSignals, confidence, signals_of
from oldhand.agent.analyst.constraints.table import COMPARED, KEYS
from oldhand.agent.analyst.constraints.understood import signs
from oldhand.agent.analyst.likeliest import likeliest, named_columns
from oldhand.agent.analyst.linking.compounds import in_whole
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.linking.spoken import defined_in
from oldhand.agent.analyst.linking.unknown import unknown_words
from oldhand.agent.analyst.listing import ListedNames, listings
from oldhand.agent.analyst.ranked import Ranked
from oldhand.agent.analyst.semantics.dating import dated, stated_dates
from oldhand.agent.analyst.semantics.expanding import expanded
from oldhand.agent.analyst.semantics.extending import (
    extended,
    stated_words,
    with_learned,
)
from oldhand.agent.analyst.semantics.honouring import (
    IN_FULL,
    by_stated_words,
    by_what_is_stated,
    stated_nouns,
    words_read,
)
from oldhand.agent.analyst.semantics.measured_in import asked_units, in_unit
from oldhand.agent.analyst.semantics.missing import with_missing
from oldhand.agent.analyst.semantics.totals import totalled
from oldhand.agent.analyst.verbalizer.notes import notes_on
from oldhand.agent.analyst.words.links import Links, bits, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.lexicon.inclusions import counted_first, deeds, without_inclusions
from oldhand.query.describing.describing import describe
from oldhand.query.form import ColumnRef, Query
from oldhand.query.opaque import Opaque
from oldhand.query.provenance import QueryProvenance
from oldhand.query.walk import databases
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

    query: Query | Opaque
    """What is asked; SQL as somebody wrote it where the form can't hold it."""
    score: float
    features: Mapping[str, float]
    """What the score was made from."""
    reading: str
    """The query in plain words, for a question back and for notes."""
    databases: tuple[str, ...]
    """The databases that it reads, in the order in which they are joined."""
    rules: tuple[str, ...] = ()
    """Ids of the lessons whose rules have changed it."""
    origins: QueryProvenance = field(default_factory=QueryProvenance)
    """The words that its parts come from, and what else these could have meant."""

    @property
    def said(self) -> frozenset[int]:
        """The places of the words that it answers to, as far as that is known."""
        found = self.origins.origins.values()
        return frozenset(place for origin in found for place in origin.words)


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
    """The databases that have the tables that are named; those of the first candidates where none is."""
    signals: ConfidenceSignals = field(default_factory=ConfidenceSignals)
    """What the confidence was made from."""
    left_out: tuple[str, ...] = ()
    """Words, numbers and signs that the first candidate does not answer to."""
    compares: bool = False
    """True when two values are set against each other."""
    apart: tuple[str, ...] = ()
    """Two tables that the question is about, of which no key says how their rows belong together."""
    aliases: tuple[Alias, ...] = ()
    """The learned words that the first candidate rests on."""
    lessons: tuple[str, ...] = ()
    """Ids of the lessons that the first candidate rests on."""
    doubted: Candidate | None = None
    """What the rules would answer, where people's words on like questions speak against it; None where the rules are unsure, too."""
    settled: bool = False
    """True when the first candidate was confirmed for the very same question."""
    undecided: tuple[str, ...] = ()
    """The words left out of which only the key that is meant is not said."""
    rejected: bool = False
    """True when it was called wrong for the very same question, as all others were."""
    named: frozenset[ColumnRef] = frozenset()
    """The columns that the question names."""


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
        values: what these hold.
        limit: candidates to write out.
        today: what `last year` counts from; without it such words stay unknown.
        aliases: words whose meaning was learned; each adds a reading, and takes none away.

    >>> from oldhand.query.compiling.compile import spelled
    >>> from oldhand.record.schema import Column, Kind, Table
    >>> from oldhand.sources.databases.values import ValueIndex
    >>> columns = (Column(name="id", type="INT", kind=Kind.INTEGER, primary_key=True),
    ...            Column(name="city", type="TEXT", kind=Kind.TEXT))
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite",
    ...                       tables=(Table(name="customers", schema_name="main", columns=columns),))
    >>> values = ValueIndex.in_memory("shop", [("main", "customers", "city", ["Berlin", "Rome"])])
    >>> found = understand("How many clients are in Berlin?", (shop,), values)
    >>> spelled(found.candidates[0].query)
    "SELECT COUNT(*) FROM shop.main.customers AS t1 WHERE t1.city = 'Berlin'"
    >>> found.notes
    ("'clients' was read as the table customers.", "'Berlin' is a value of customers.city.")
    """
    if (rest := counted_first(without_inclusions(question))) != question:
        found = understand(rest, schemas, values, limit=limit, today=today, aliases=aliases)
        return replace(found, question=question)
    for asked_for in asked_units(question):
        found = understand(asked_for.rest, schemas, values, limit=limit, today=today, aliases=aliases)  # fmt: skip
        change = partial(in_unit, unit=asked_for.unit, schemas=schemas)
        if told := _changed(found, question, schemas, change):
            return told
    for listing in listings(question):
        if names := ListedNames.of(listing, schemas, values):
            found = understand(listing.rest, schemas, values, limit=limit, today=today, aliases=aliases)  # fmt: skip
            if told := _changed(found, question, schemas, names.beside):
                return told
    defined = defined_in(question, aliases)
    plain = with_learned(schemas, defined)
    schemas = extended(plain)
    words = vocabulary(schemas)
    spoken = (one for one in aliases if not one.is_defined)
    nouns = tuple(stated_nouns(question, plain, words))
    stated = stated_words(plain)
    read = " ".join(question.split(" ", LONGEST_QUESTION)[:LONGEST_QUESTION])
    links = link(read, words, values, today, (*spoken, *stated, *nouns))
    links = by_stated_words(links, words, stated)
    if plain is not schemas:
        links = by_what_is_stated(links, words, plain)
    asked = Asked(links, words)
    found = likeliest(asked, nouns, plain, schemas)
    unknown = unknown_words(links, words, found[0].used if found else 0)
    signals = signals_of(asked, found, unknown)
    doubts: Mapping[str, int] = found[0].broken if found else {}
    candidates = _candidates(asked, found[:limit], plain, schemas)
    read = (*_resting_on(links, words, found[0]), *words_read(found[0].query, defined)) if found else ()  # fmt: skip
    return Understanding(
        question,
        candidates,
        notes_on(links, words, found[0].query) if found else (),
        tuple(dict.fromkeys(in_whole(token, links) for token in unknown)),
        confidence(signals),
        _databases(candidates, links, words),
        signals,
        _left_out(links, doubts) if found else (),
        COMPARED in doubts,
        _apart(asked, found[0]) if found else (),
        read,
        undecided=_left_out(links, {KEYS: doubts[KEYS]}) if KEYS in doubts else (),
        named=named_columns(links, words),
    )


def _candidates(
    asked: Asked,
    found: Sequence[Ranked],
    plain: tuple[DatabaseSchema, ...],
    schemas: tuple[DatabaseSchema, ...],
) -> tuple[Candidate, ...]:
    """The queries written out, as people here mean them."""
    named = named_columns(asked.links, asked.vocabulary)
    origins = Origins(asked, learned().weights)
    each = bool(asked.links.cues_of("group", "per"))
    made = (_candidate(item, schemas, origins) for item in found)
    total = bool(asked.links.cues_of("sum"))
    # What happened at the time is told, by a word that names nothing here: `issued in May`.
    known = spans((*asked.links.values, *asked.links.columns, *asked.links.tables))
    told = any(not known >> place & 1 for place in deeds(asked.links.tokens))
    dates = {} if told else stated_dates(plain)
    return tuple(
        _meant(one, named, dates, (plain, schemas), each=each, total=total) for one in made
    )


def _candidate(item: Ranked, schemas: tuple[DatabaseSchema, ...], origins: Origins) -> Candidate:
    return Candidate(
        with_missing(item.query, schemas),
        item.score,
        dict(item.features),
        describe(item.query, schemas),
        databases(item.query),
        origins=origins.of(item.query, item.draft),
    )


def _changed(
    found: Understanding,
    question: str,
    schemas: tuple[DatabaseSchema, ...],
    change: Callable[[Query], Query | None],
) -> Understanding | None:
    """What a question means that says of another how its answer is to be seen; None where the best reading of that can't be changed so."""
    made = list[Candidate]()
    for one in found.candidates:
        query = None if isinstance(one.query, Opaque) else change(one.query)
        if query is not None:
            read = describe(query, schemas)
            made.append(replace(one, query=query, reading=read, databases=databases(query)))
        elif not made:
            return None
    return replace(found, question=question, candidates=tuple(made)) if made else None


def _meant(
    candidate: Candidate,
    named: frozenset[ColumnRef],
    dates: Mapping[tuple[str, str], str],
    within: tuple[tuple[DatabaseSchema, ...], tuple[DatabaseSchema, ...]],
    *,
    each: bool,
    total: bool,
) -> Candidate:
    """A candidate as people here mean it: by their dates, and with the measures and conditions that they have named."""
    query, (schemas, full) = candidate.query, within
    if isinstance(query, Opaque) or not any(schema.semantics.rules for schema in schemas):
        return candidate
    meant = totalled(dated(query, named, dates, schemas), schemas, each=each)
    reading = candidate.reading if meant == query else describe(meant, full)
    return replace(candidate, query=expanded(meant, schemas, each=total), reading=reading)


def _left_out(links: Links, doubts: Mapping[str, int]) -> tuple[str, ...]:
    """The words that a query fails for, and signs that nothing reads."""
    failed = bits(mask for name, mask in doubts.items() if name != COMPARED)
    words = (token.text for place, token in enumerate(links.tokens) if failed >> place & 1)
    return (*dict.fromkeys(words), *signs(links.question))


def _apart(asked: Asked, best: Ranked) -> tuple[str, ...]:
    """A table of the best query, and one that the question names besides, or a value of it, which no key leads to."""
    inside = set(asked.inside(best.query.rows))
    named = [(m.span, [m.best.id]) for m in asked.links.tables if m.best.score >= IN_FULL]
    held = [(v.span, [asked.column(o.column).table for o in v.options]) for v in asked.links.values]
    for span, tables in (*named, *held):
        if span.mask & best.used or not tables or inside.intersection(tables):
            continue
        if all(asked.tree({min(inside), other}) is None for other in tables):
            words = asked.vocabulary.tables
            return words[min(inside)].table.name, words[tables[0]].table.name
    return ()


def _resting_on(links: Links, words: Vocabulary, best: Ranked) -> tuple[Alias, ...]:
    """The learned phrases that the reading answers to, in the order of the question."""
    tables = {words.table(relation).id for relation in best.query.rows.relations}
    return tuple(
        dict.fromkeys(
            one.alias
            for one in links.spoken
            if one.span.mask & best.used or (one.column < 0 and one.table in tables)
        )
    )


def _databases(
    candidates: tuple[Candidate, ...], links: Links, words: Vocabulary
) -> tuple[str, ...]:
    least = max((0.6, *(0.9 * mention.best.score for mention in links.tables)))
    named = [
        words.tables[option.id].database
        for mention in links.tables
        for option in mention.options
        if option.score >= least
    ]
    read = [name for candidate in candidates[:3] for name in candidate.databases]
    return tuple(dict.fromkeys(named or read))
