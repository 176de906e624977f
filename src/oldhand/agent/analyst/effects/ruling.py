"""Lessons that are rules change what a question is answered with, and say so."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.confidence import confidence
from oldhand.agent.analyst.effects.filtering import filtered, ruled_beyond, unfiltered
from oldhand.agent.analyst.effects.joining import rejoined
from oldhand.agent.analyst.effects.mentions import speaks_of
from oldhand.agent.analyst.effects.noting import note_on, still_so
from oldhand.agent.analyst.precedents.precedent import Precedent
from oldhand.agent.analyst.semantics.dating import dated, stated_dates
from oldhand.agent.analyst.understanding import Candidate, Understanding
from oldhand.agent.analyst.words.ends import tells_key
from oldhand.agent.analyst.words.vocabulary import vocabulary
from oldhand.lexicon.inclusions import tells_deed
from oldhand.lexicon.phrases import spoken_forms, word_form
from oldhand.lexicon.tokens import tokenise, word_stems
from oldhand.query.describing.describing import describe
from oldhand.query.form import ColumnRef, Query, Relation
from oldhand.query.normal import asks_alike
from oldhand.query.opaque import Opaque
from oldhand.query.walk import relations
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.effect import DefaultFilter, RowRule, TimeColumn
from oldhand.record.join_path import JoinPath
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory
from oldhand.record.schema import DatabaseSchema, schema_of
from oldhand.record.semantics import DefaultJoin, RowFilter, Rule


def ruled(
    found: Understanding, lessons: Iterable[Lesson], schemas: Sequence[DatabaseSchema]
) -> Understanding:
    """What a question means where the rules of some lessons hold.

    What was confirmed for the very same question stands as it is. A rule that leaves the first query as it is, is not
    named among what the answer rests on. Of lessons that say the same, the first one counts.
    """
    if not found.candidates or found.settled:
        return found
    found = _stated(found, schemas)
    rules = rules_of(found.question, lessons, schemas)
    if not rules:
        return found
    joins = stated_joins(found.question, schemas)
    under = (_under(one, rules, found, schemas) for one in found.candidates)
    candidates = tuple(_led(one, joins, found.question, schemas) for one in under)
    first = candidates[0].rules
    by_id = {memory.id: (rule, memory) for rule, memory in rules.items()}
    kept = still_so(found.notes, found.candidates[0].query, candidates[0].query)
    return replace(
        found,
        candidates=candidates,
        notes=(*kept, *(note_on(*by_id[one]) for one in first)),
        lessons=(*found.lessons, *first),
    )


def foreruled(
    found: Understanding, lessons: Iterable[Lesson], schemas: Sequence[DatabaseSchema]
) -> Understanding:
    """What the words mean where the rules hold, before it is held against what was judged.

    Whoever called an answer wrong for a row that a rule leaves out did not speak of the query under the rule.
    """
    rules = rules_of(found.question, lessons, schemas)
    joins = stated_joins(found.question, schemas)
    if not found.candidates or not (rules or joins):
        return found
    under = [_under(one, rules, found, schemas) for one in found.candidates]
    led = tuple(_led(one, joins, found.question, schemas) for one in under)
    notes = (f"By a rule of {_told(said)}" for rule, said in joins.items() if _led(under[0], [rule], found.question, schemas) != under[0])  # fmt: skip
    read = {one.table.casefold() for one in _read(found)}
    learned = [one for one in rules if isinstance(one, JoinPath) and {*map(str.casefold, one.tables)} <= read]  # fmt: skip
    ends = ({rule.tables[0].casefold(), rule.tables[-1].casefold()} for rule in joins)
    decided = found.undecided if learned or any(tables <= read for tables in ends) else ()
    told = {word_form(word) for rule in learned for word in rule.when}  # they say which key it is

    def still(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for one in words if one not in decided and word_form(one.lower()) not in told)  # fmt: skip

    left_out = still(found.left_out)
    # Nothing else kept the likeliest query from being the answer, and nobody doubts the key that people stated.
    settled = bool(decided) and not left_out
    signals = replace(found.signals, broken=0.0, joined=1.0) if settled else found.signals
    return replace(
        found,
        candidates=led,
        signals=signals,
        confidence=max(found.confidence, confidence(signals)) if settled else found.confidence,
        left_out=left_out,
        unknown_words=still(found.unknown_words),
        notes=(*still_so(found.notes, found.candidates[0].query, led[0].query), *notes),
    )


def rejected_under(
    pairs: Iterable[Precedent], lessons: Iterable[Lesson], schemas: Sequence[DatabaseSchema]
) -> tuple[Precedent, ...]:
    """The pairs, what was called wrong as it is where the rules hold, unless it is right there: then it was wrong for nothing else."""
    judged, lessons = tuple(pairs), tuple(lessons)
    right = {one.question: one.query for one in judged if one.right}

    def held(one: Precedent) -> Precedent:
        if one.right or isinstance(one.query, Opaque):
            return one
        rules = [
            r for r in rules_of(one.question, lessons, schemas) if not isinstance(r, TimeColumn)
        ]
        good = right.get(one.question)
        query, _ = _changed(one.query, rules, one.question, frozenset(), schemas)
        mended = isinstance(good, Query) and asks_alike(query, good)
        return one if mended else replace(one, query=query)

    return tuple(map(held, judged))


def stated_joins(question: str, schemas: Sequence[DatabaseSchema]) -> dict[JoinPath, DefaultJoin]:
    """The ways that people have stated and a question does not decide itself, each with the rule that says it."""
    paths = (
        (stated.effect(schema.name), stated)
        for schema in schemas
        for stated in schema.semantics.joins
    )
    return {path: stated for path, stated in paths if _is_about(path, question, schemas)}


def _led(
    candidate: Candidate,
    joins: Iterable[JoinPath],
    question: str,
    schemas: Sequence[DatabaseSchema],
) -> Candidate:
    """A candidate by the ways that people have stated."""
    query = candidate.query
    for path in joins:
        if not isinstance(query, Opaque):
            query = rejoined(query, path, question, schemas) or query
    if query is candidate.query or isinstance(query, Opaque):
        return candidate
    return replace(candidate, query=query, reading=describe(query, tuple(schemas)))


def whose(by: str) -> str:
    """Whose rule it is, as it is told."""
    return "the owner" if by == DEFAULT_USER else by or "the house"


def _read(found: Understanding) -> tuple[Relation, ...]:
    """The tables that the likeliest query reads."""
    query = found.candidates[0].query if found.candidates else None
    return relations(query, inner=True) if isinstance(query, Query) else ()


def _stated(found: Understanding, schemas: Sequence[DatabaseSchema]) -> Understanding:
    """What a question means over the rows that count by what people have stated."""
    rules = dict(stated_for(found.question, schemas))
    if not rules:
        return found
    candidates = list[Candidate]()
    used = list[DefaultFilter]()
    for one in found.candidates:
        if isinstance(one.query, Opaque):
            candidates.append(one)
            continue
        done = filtered(one.query, [*rules], schemas)
        query, applied = done.query, [*done.rules]
        # What is said of revenue holds for it, whatever rows it is read from.
        for rule in (rule for rule, stated in rules.items() if stated.when and rule not in applied):
            if (condition := ruled_beyond(query, rule, schemas)) is not None:
                query = replace(query, where=(*query.where, condition))
                applied.append(rule)
        used = applied if one is found.candidates[0] else used
        candidates.append(replace(one, query=query))
    notes = (*found.notes, *(f"By a rule of {_told(rules[one])}" for one in used))
    return replace(found, candidates=tuple(candidates), notes=notes)


def _told(rule: Rule) -> str:
    return f"{whose(rule.by)}: {rule.told}."


def stated_for(
    question: str, schemas: Sequence[DatabaseSchema]
) -> Iterator[tuple[DefaultFilter, RowFilter]]:
    """The stated filters that a question leaves room for, as the analyst applies them."""
    asked = {token.stem for token in tokenise(question)}
    for schema in schemas:
        for stated in schema.semantics.filters:
            rule = stated.effect(schema.name)
            about = not stated.when or _is_asked(stated.when, asked)
            if about and not _is_spoken_of(question, rule, schemas):
                yield rule, stated


def _is_asked(when: str, asked: set[str]) -> bool:
    """Whether the stems of a question have all words that a rule is about, or say the same of money as one that means nothing else."""
    own = {token.stem for token in tokenise(when) if token.is_word}
    money = word_stems("money.revenue")
    return own <= asked or (own <= money and not money.isdisjoint(asked))


def freed(
    query: Query, question: str, lessons: Iterable[Lesson], schemas: Sequence[DatabaseSchema]
) -> tuple[Query, frozenset[str]]:
    """The query before, without what rules have left out and a follow-up now speaks of; and the ids of these lessons."""
    ids: set[str] = set()
    for lesson in lessons:
        rule = lesson.memory.effect
        if isinstance(rule, DefaultFilter) and _is_spoken_of(question, rule, schemas):
            query = unfiltered(query, rule, schemas)
            ids.add(lesson.id)
    for schema in schemas:
        for stated in schema.semantics.filters:
            if _is_spoken_of(question, rule := stated.effect(schema.name), schemas):
                query = unfiltered(query, rule, schemas)
    return query, frozenset(ids)


def rules_of(
    question: str, lessons: Iterable[Lesson], schemas: Sequence[DatabaseSchema]
) -> dict[RowRule, Memory]:
    """The rules that a question leaves room for, each once."""
    found: dict[RowRule, Memory] = {}
    for lesson in lessons:
        rule = lesson.memory.effect
        if (
            (isinstance(rule, JoinPath) and _is_about(rule, question, schemas))
            or (isinstance(rule, DefaultFilter) and not _is_spoken_of(question, rule, schemas))
            or (isinstance(rule, TimeColumn) and _leaves_open(rule, question, schemas))
        ):
            found.setdefault(rule, lesson.memory)
    return found


def _leaves_open(rule: TimeColumn, question: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """Whether neither people nor the question have said which date of a table is meant."""
    table = rule.database, rule.table.casefold()
    return not tells_deed(question) and table not in stated_dates(schemas)


def _is_about(rule: JoinPath, question: str, schemas: Sequence[DatabaseSchema]) -> bool:
    """Whether a question has the words that tell the key of a rule from others, or none of any where the rule was made of such a one."""
    tokens = tokenise(question)
    if rule.when:
        return {*map(word_form, rule.when)} <= {*spoken_forms(tokens)}
    words = vocabulary(tuple(schemas))
    tables = {name.casefold() for name in rule.tables}
    joined = (
        end
        for end in words.ends.values()
        if {words.tables[t].table.name.casefold() for t in (end.holder, end.table)} <= tables
    )
    return not tells_key(tokens, joined)


def _is_spoken_of(question: str, rule: DefaultFilter, schemas: Sequence[DatabaseSchema]) -> bool:
    schema = schema_of(rule.database, schemas)
    table = None if schema is None else schema.table(rule.table, rule.schema_name)
    return table is not None and speaks_of(question, rule, table)


def _under(
    candidate: Candidate,
    rules: dict[RowRule, Memory],
    found: Understanding,
    schemas: Sequence[DatabaseSchema],
) -> Candidate:
    """A candidate with the rules carried out, and the ids of those that changed it."""
    if isinstance(candidate.query, Opaque):
        return candidate
    # A time of a confirmed pair is as it was confirmed.
    fit = [one for one in rules if candidate.origins.origins or not isinstance(one, TimeColumn)]
    query, used = _changed(candidate.query, fit, found.question, found.named, schemas)
    ids = tuple(rules[rule].id for rule in used)
    rested = tuple(dict.fromkeys((*candidate.rules, *ids)))
    other = any(isinstance(rule, JoinPath) and rule.column is not None for rule in used)
    reading = describe(query, tuple(schemas)) if other else candidate.reading
    return replace(candidate, query=query, reading=reading, rules=rested) if ids else candidate


def _changed(
    query: Query,
    rules: Sequence[RowRule],
    question: str,
    named: frozenset[ColumnRef],
    schemas: Sequence[DatabaseSchema],
) -> tuple[Query, tuple[RowRule, ...]]:
    """A query with rules carried out, and those that changed it."""
    used: list[RowRule] = []
    for rule in rules:
        other = None
        if isinstance(rule, JoinPath):
            other = rejoined(query, rule, question, schemas)
        elif isinstance(rule, TimeColumn):
            dates = {(rule.database, rule.table.casefold()): rule.column}
            other = dated(query, named, dates, schemas)
        if other is not None and other != query:
            query = other
            used.append(rule)
    done = filtered(query, [rule for rule in rules if isinstance(rule, DefaultFilter)], schemas)
    return done.query, (*used, *done.rules)
