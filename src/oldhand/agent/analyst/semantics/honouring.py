"""Whether a question and a query mean by a stated name what people here mean by it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

from oldhand.agent.analyst.semantics.extending import column_of, rule_of
from oldhand.agent.analyst.semantics.meanings import Meaning, meanings
from oldhand.agent.analyst.words.links import Cue, LinkOption, Links, Mention, Span
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.phrases import ends_of, phrase_forms, spoken_forms, word_form
from oldhand.lexicon.tokens import tokenise
from oldhand.lexicon.wording import singular
from oldhand.query.describing.nouns import place_of
from oldhand.query.form import ColumnRef, Comparison, Node, Query
from oldhand.query.walk import changed, columns, walk
from oldhand.record.effect import Alias
from oldhand.record.schema import DatabaseSchema

IN_FULL = 0.95
"""How well words fit a stated name when they are that name."""
_GROUPING = words("rules.grouping")
_BE = frozenset(map(word_form, words("verbs.be")))


def by_what_is_stated(
    links: Links, words: Vocabulary, schemas: tuple[DatabaseSchema, ...]
) -> Links:
    """The links without what the words of a stated name could mean otherwise: `high` airports are not about the height of airports.

    Args:
        links: what the words of a question may mean.
        words: the schemas' words, those of measures and conditions among them.
        schemas: with what people have stated.
    """
    stated = {meaning.column for meaning in meanings(schemas)}
    links = replace(links, columns=_by_their_words(links, words, _read_by(schemas)))
    named = [(one.span, column) for one, column in _in_full(links, words) if column in stated]
    taken = [span for span, _ in named]
    if not taken:
        return links

    def apart(span: Span) -> bool:
        return not any(one.overlaps(span) for one in taken)

    columns = (
        mention if apart(mention.span) else _only(mention, words, stated)
        for mention in links.columns
    )
    return replace(
        links,
        tables=tuple(_things(links, taken)),
        columns=tuple(one for one in columns if one.options),
        values=tuple(one for one in links.values if one.quoted or apart(one.span)),
        cues=tuple(one for cue in links.cues for one in _without(cue, taken)),
        stated=(*links.stated, *((span.mask, column) for span, column in named)),
    )


def by_stated_words(links: Links, words: Vocabulary, stated: Collection[Alias]) -> Links:
    """The links without what else the words could mean that people have stated for a table or a column: `revenue` is the fee of visits, whatever amounts there are."""
    meant: dict[Span, set[tuple[int, int]]] = {}
    for one in links.spoken:
        if one.alias in stated and one.alias.value is None:
            meant.setdefault(one.span, set()).add((one.table, one.column))

    def kept(mention: Mention, *, of_columns: bool) -> Mention:
        inside = [ends for span, ends in meant.items() if span.holds(mention.span)]
        if not inside:
            return mention
        ids = {column if of_columns else table for table, column in inside[0] if of_columns is (column >= 0)}  # fmt: skip
        return replace(mention, options=tuple(one for one in mention.options if one.id in ids))

    if not meant:
        return links
    columns = ((span, words.columns[at].ref) for span, ends in meant.items() for _, at in ends if at >= 0)  # fmt: skip
    named = tuple((span.mask, one) for span, one in columns if isinstance(one, ColumnRef))
    tables = (kept(one, of_columns=False) for one in links.tables)
    columns = (kept(one, of_columns=True) for one in links.columns)
    return replace(
        links,
        tables=tuple(one for one in tables if one.options),
        columns=tuple(one for one in columns if one.options),
        stated=named,
    )


def stated_nouns(
    question: str, schemas: tuple[DatabaseSchema, ...], words: Vocabulary
) -> Iterator[Alias]:
    """The conditions that stand for the rows themselves, as words for their table: `strays` are dogs, though nothing else says so."""
    conditions = [(schema.name, one) for schema in schemas for one in schema.semantics.conditions]
    often = Counter((database, one.name.casefold()) for database, one in conditions)
    # What is said of the rows of several tables stands for none of them.
    conditions = [(name, one) for name, one in conditions if often[name, one.name.casefold()] == 1]
    forms = spoken_forms(tokenise(question)) if conditions else ()
    for database, one in conditions:
        phrase = column_of(one).casefold()
        size = len(phrase_forms(phrase))
        # What calls were said to be, as in `were abandoned`, is no word for calls.
        ends = [
            end
            for end in ends_of(phrase, forms)
            if not _BE.intersection(forms[end - size - 1 : end - size])
        ]
        followed = (
            hit for end in ends for hit in words.hits(forms[end] if end < len(forms) else "")
        )
        if ends and not any(hit.table >= 0 and hit.strength >= IN_FULL for hit in followed):
            yield Alias(phrase=phrase, database=database, table=one.table, condition=one.condition)


def words_read(query: Query, defined: Collection[Alias]) -> Iterator[Alias]:
    """The words of which a query reads the condition or the measure that they mean."""
    read = {(one.of.database, one.of.table, one.name) for one in walk(query, inner=True) if isinstance(one, ColumnRef)}  # fmt: skip
    for word in defined:
        if (word.database, word.table, column_of(rule_of(word))) in read:
            yield word


def as_things(links: Links, words: Vocabulary, nouns: Collection[Alias]) -> Links:
    """The links in which the words that stand for rows name their tables alone."""
    flags = {(one.database, one.table, one.phrase) for one in nouns}

    def is_flag(option: LinkOption) -> bool:
        ref = words.columns[option.id].ref
        return isinstance(ref, ColumnRef) and _noun_of(ref) in flags

    kept = (
        replace(one, options=tuple(o for o in one.options if not is_flag(o)))
        for one in links.columns
    )
    return replace(links, columns=tuple(one for one in kept if one.options), stated=())


def narrowed_by(query: Query, nouns: Collection[Alias], schemas: tuple[DatabaseSchema, ...]) -> Query | None:  # fmt: skip
    """A query over the rows that some words stand for; None where it reads no rows of a table that one of them narrows."""
    flags = {_noun_of(one.column): one.column for one in meanings(schemas) if one.term is None}
    for noun in nouns:
        flag = flags.get((noun.database, noun.table, noun.phrase))
        narrowed = None if flag is None else changed(query, partial(_narrowed, flag=flag))
        if narrowed is None or narrowed == query:
            return None
        query = narrowed
    return query


def _noun_of(flag: ColumnRef) -> tuple[str, str, str]:
    """Database, table and phrase of the noun that a condition may be."""
    return flag.of.database, flag.of.table, flag.name.casefold()


def _narrowed(part: Node, flag: ColumnRef) -> Node:
    """A part of a query, where it reads the rows of a condition only those that meet it."""
    if not isinstance(part, Query):
        return part
    own = next((one for one in part.rows.relations if place_of(one) == place_of(flag.of)), None)
    if own is None:
        return part
    return replace(part, where=(*part.where, Comparison(replace(flag, of=own), "=", (True,))))


def _by_their_words(
    links: Links, words: Vocabulary, stated: Mapping[object, Collection[ColumnRef]]
) -> tuple[Mention, ...]:
    """The columns that are mentioned, what was stated only by words of its name: the `cost` of things does not say that they are `costly`.

    What a condition reads may be named behind it: the `office` of `the Leeds office`.
    """
    said = [singular(token.lower) for token in links.tokens]
    names = {
        entry.id: [singular(one.lower) for one in tokenise(entry.column.name.replace("_", " "))]
        for entry in words.columns
        if entry.ref in stated
    }
    alike: dict[Span, list[LinkOption]] = {}
    for id_, name in names.items():
        for end in range(len(name), len(said) + 1):
            if said[end - len(name) : end] == name:
                near = _nearness(links, words.columns[id_].table)
                last = _past_column(links, words, end, stated[words.columns[id_].ref])
                alike.setdefault(Span(end - len(name), last), []).append(LinkOption(id_, 1.0, near))
    own = [
        Mention(span, tuple(sorted(options, key=lambda one: -one.nearness)))
        for span, options in alike.items()
    ]

    def is_meant(mention: Mention, option: int) -> bool:
        within = set(said[mention.span.start : mention.span.end])
        whole = any(
            one.span.overlaps(mention.span) and option in {o.id for o in one.options} for one in own
        )
        return option not in names or not (whole or within.isdisjoint(names[option]))

    kept = (
        replace(one, options=tuple(option for option in one.options if is_meant(one, option.id)))
        for one in links.columns
    )
    return (*(one for one in kept if one.options), *own)


def _read_by(schemas: tuple[DatabaseSchema, ...]) -> dict[object, frozenset[ColumnRef]]:
    """The columns that each measure and condition goes by, as far as they are compared."""
    return {
        one.column: frozenset(chain.from_iterable(map(columns, one.where)))
        for one in meanings(schemas)
    }


def _past_column(links: Links, words: Vocabulary, end: int, read: Collection[ColumnRef]) -> int:
    """The place behind the name of a column that a condition reads, where its own name ends before that."""
    beside = (one for one in links.columns if one.span.start == end)
    named = (one for one in beside if any(words.columns[o.id].ref in read for o in one.options))
    return next((one.span.end for one in named), end)


def _nearness(links: Links, table: int) -> float:
    """How surely the rows of a condition are named themselves; a condition of no other rows is as near as can be."""
    return max((o.score for m in links.tables for o in m.options if o.id == table), default=0.0)


def _things(links: Links, taken: Collection[Span]) -> Iterator[Mention]:
    """The tables that are named, but by a word of a stated name before another one: `settled claims` are no settlements."""
    for mention in links.tables:
        before = any(
            one.overlaps(mention.span) and one.end == other.span.start
            for one in taken
            for other in links.tables
        )
        if not before:
            yield mention


def _without(cue: Cue, taken: Collection[Span]) -> Iterator[Cue]:
    """A superlative without the words of a stated name: `the most high airports` are those of which there are most. What such a name denies, nobody does: `no show rate`."""
    inside = [one for one in taken if one.overlaps(cue.span)]
    if cue.kind == "not" and any(one.holds(cue.span) for one in inside):
        return
    if not inside or cue.kind != "superlative":
        yield cue
    elif cue.span.start < inside[0].start:
        down = "-" if cue.argument.startswith("-") else ""
        yield replace(cue, span=Span(cue.span.start, inside[0].start), argument=f"{down}most")


def adjectives(
    links: Links,
    words: Vocabulary,
    said: Collection[ColumnRef],
    schemas: tuple[DatabaseSchema, ...],
) -> frozenset[ColumnRef]:
    """The conditions among those that a question names which stand before a thing, and not behind `by`: `big orders per country`."""
    nouns = {mention.span.start for mention in links.tables}
    conditions = {meaning.column for meaning in meanings(schemas) if meaning.term is None}
    themselves = {mention.span for mention in links.tables}
    return frozenset(
        column
        for mention, column in _in_full(links, words)
        if column in conditions
        and column in said
        and (mention.span.end in nouns or mention.span in themselves)
        and not (mention.span.start and links.tokens[mention.span.start - 1].lower in _GROUPING)
    )


def honours(
    query: Query,
    said: Collection[ColumnRef],
    beside: Collection[ColumnRef],
    schemas: tuple[DatabaseSchema, ...],
) -> bool:
    """Whether a query uses each measure that a question names, and narrows or groups by each condition.

    Args:
        query: in which measures and conditions still go by their names.
        said: the columns that the question names in full.
        beside: those of them that stand before a thing, as adjectives do: these narrow, and do nothing else.
        schemas: with what people have stated.
    """
    parts = [*walk(query, inner=True)]
    read = Counter(one for one in parts if isinstance(one, ColumnRef))
    narrowed = Counter(one.left for one in parts if isinstance(one, Comparison))
    used: dict[tuple[str, str], bool] = {}
    for meaning in meanings(schemas):
        if meaning.column in said:
            # One word may be said of several tables, and is meant of one of them.
            name = (meaning.column.of.database, meaning.column.name.casefold())
            used[name] = used.get(name, False) or (
                _is_used(meaning, read, narrowed, {*query.group})
                and (meaning.column not in beside or read[meaning.column] == narrowed[meaning.column])
            )  # fmt: skip
    return all(used.values())


def _is_used(
    meaning: Meaning,
    read: Collection[object],
    narrowed: Collection[object],
    group: Collection[object],
) -> bool:
    if meaning.term is not None:
        return meaning.column in read
    return meaning.column in narrowed or meaning.column in group


def _in_full(links: Links, words: Vocabulary) -> Iterator[tuple[Mention, ColumnRef]]:
    for mention in links.columns:
        for option in mention.options:
            ref = words.columns[option.id].ref
            if option.score >= IN_FULL and isinstance(ref, ColumnRef):
                yield mention, ref


def _only(mention: Mention, words: Vocabulary, stated: Collection[object]) -> Mention:
    kept = tuple(one for one in mention.options if words.columns[one.id].ref in stated)
    return replace(mention, options=kept)
