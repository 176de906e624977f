"""Things that are named without a column: shown by their names, or only joined."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import (
    PASSED,
    Choice,
    Features,
    Slot,
    join,
    select,
    skip,
    slot,
)
from oldhand.agent.analyst.candidates.counting import counted_deeds, things_of_kind
from oldhand.agent.analyst.candidates.days import adverbial_parts, rates
from oldhand.agent.analyst.candidates.group_words import is_heading, names_amount
from oldhand.agent.analyst.candidates.lookup import PERSONS
from oldhand.agent.analyst.candidates.payers import payers
from oldhand.agent.analyst.candidates.whereabouts import asked_again
from oldhand.agent.analyst.words.ends import tells_doer
from oldhand.agent.analyst.words.links import Cue, Mention, Span, ValueMention
from oldhand.lexicon.entries import words
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Count, Expression
from oldhand.record.schema import Kind

_WHOLE, _NEAR = 0.9, 4
"""How well words must name a column to be whom `who is the` asks for, and where these words begin at the latest."""
_DEED = 0.8
"""How well a verb must name the column of who did it."""
_PAYING = 0.6
"""How surely those are meant from whom money comes, where nobody is named."""
_ALWAYS = -1
"""The trigger of a slot that is not passed over when a filter explains its words already."""
_PLACING = words("places.prepositions")
_BEING, _HAVING = words("verbs.be"), words("verbs.have")


def thing_slots(asked: Asked) -> Iterator[tuple[int, Slot]]:
    """Slots for tables that are named where something is asked for."""
    named = False
    for mention in asked.links.tables:
        if asked.region(mention.span) == "S" and mention.best.score >= 0.5:
            named = True
            yield mention.span.start, _thing_slot(asked, mention)
    yield from _kind_slots(asked, named=named)
    for cue in asked.links.cues_of("all"):
        if asked.region(cue.span) == "S":
            yield cue.span.start, _everything_slot(asked, cue)
    if asked.word(0) in ("who", "whose"):
        yield from (
            (0, made)
            for made in slot(1, (*_in_charge(asked), *_doers(asked), *_persons(asked)), skip("wh"))
        )


def _kind_slots(asked: Asked, *, named: bool) -> Iterator[tuple[int, Slot]]:
    """Slots for kinds of things, such as `tents`; where things are named, only for those that are asked for first."""
    for value in asked.links.values:
        asking = asked.word(value.span.start - 1) in ("which", "what")
        if named and not asking and not _counted_in_groups(asked, value.span):
            continue
        placed = asked.word(value.span.start - 1) in _PLACING
        counted = asked.links.cues_of("count", "how_much")
        if asked.region(value.span) == "S" and not placed and not counted:
            yield from ((value.span.start, one) for one in slot(_ALWAYS, _of_kind(asked, value)))


def join_slots(asked: Asked) -> Iterator[Slot]:
    """Tables named in the narrowing part: a row there must exist."""
    for mention in asked.links.tables:
        if asked.region(mention.span) == "F" and mention.best.score >= 0.6:
            choices = [
                join(mention.span, (("join.score", o.score), ("join.rank", float(rank))), o.id)
                for rank, o in enumerate(mention.options[:2])
            ]
            yield Slot(mention.span.mask, (*choices, skip("join")))


_OWNING, _TITLES = ("their", "its"), words("names.titles_asked")
_THEIRS = (["and", "their"], ["and", "its"], ["with", "their"], ["with", "its"], ["together", "with", "their"], ["along", "with", "their"])  # fmt: skip


def _thing_slot(asked: Asked, mention: Mention) -> Slot:
    choices: list[Choice] = []
    after_wh = asked.word(mention.span.start - 1) in ("which", "what", "who", "all", "the")
    end = mention.span.end + (asked.word(mention.span.end) in ("member", "members"))
    their = asked.words(end, end + 2) in _THEIRS or asked.words(end, end + 3) in _THEIRS
    rest = asked.words(end, len(asked.links.tokens))
    their = their or any(list(pair) in _THEIRS[2:4] for pair in pairwise(rest))
    # `With their name and city` says itself by what they are shown.
    their = their and not any(one in _OWNING and title in _TITLES for one, title in pairwise(rest))
    start = mention.span.start
    theirs = asked.words(start - 2, start) in _THEIRS[:4] and not any(asked.columns_after(end, 1))
    again = _which_again(asked)
    their, theirs = their or start < again, theirs or start == again + 1 > 0
    for rank, option in enumerate(mention.options[:2]):
        shared: Features = (
            ("thing.score", option.score),
            ("thing.theirs", float(theirs)),
            ("thing.rank", float(rank)),
            ("thing.and_their", float(their)),
            ("thing.after_wh", float(after_wh)),
            ("thing.in_role", float(option.id in asked.roles or option.id in asked.ends)),
            ("thing.after_of", float(asked.is_owner(mention))),
        )
        choices.extend(_shown(asked, mention.span, option.id, shared))
        everything: Features = (*shared, ("thing.everything", 1.0))
        choices.append(_all_columns(asked, mention.span, option.id, everything))
    if mention.best.id not in asked.roles and mention.best.id not in asked.ends:
        joined: Features = (("thing.joined", mention.best.score),)
        choices.append(join(mention.span, joined, mention.best.id))
    for option in mention.options[:2] if _counted_in_groups(asked, mention.span) else ():
        for term, told in counted_deeds(asked, mention, option.id):
            counted: Features = (("thing.counted", option.score), *told)
            choices.append(_select(asked, mention.span, option.id, counted, term))
    return Slot(mention.span.mask, (*choices, PASSED))


def _which_again(asked: Asked) -> int:
    """Where the second word of `which town belongs to which county` stands that asks: both are wanted; -1 where none does."""
    asking = (i for i in range(1, len(asked.links.tokens)) if asked.word(i) in ("which", "what"))
    opens = asked.word(0) in ("which", "what", "who")
    again = (i for i in asking if opens and asked.word(i - 1) not in ("and", ",", "or"))
    return next((i for i in again if asked.links.regions[i] == "S"), asked_again(asked))


def _select(asked: Asked, span: Span, table: int, features: Features, *terms: Expression) -> Choice:
    return select(asked, span.start, span.mask, features, *terms, table=table)


def _counted_in_groups(asked: Asked, span: Span) -> bool:
    """`orders per month`, `monthly orders`: a number for each group is wanted, though no word says so."""
    if asked.links.cues_of(*AGGREGATES, "count", "order"):
        return False
    if any(part.end == span.start for _, part in adverbial_parts(asked)):
        return True
    cue = asked.cue_after(span.end, 4, "per", "by")
    if cue is None:
        return any(part.start == span.end for _, part in rates(asked))
    return not names_amount(asked, cue.span.start) and (cue.kind == "per" or is_heading(asked, cue))


def _shown(asked: Asked, span: Span, table: int, shared: Features) -> Iterator[Choice]:
    """A thing shown by its name, by first and last name, or by its key."""
    labels = asked.labels(table)[:2]
    if len(labels) > 1 and _tells_less(asked, *labels):
        labels = labels[:1]
    keys = [key for key in asked.key(table)[:1] if key not in labels]
    shows: list[tuple[str, tuple[Expression, ...]]]
    shows = [(f"thing.label_{place}", (asked.ref(label),)) for place, label in enumerate(labels)]
    shows += [("thing.key", (asked.ref(key),)) for key in keys]
    names = tuple(asked.ref(column) for column in asked.full_name(table) or ())
    if names:
        shows = [show for show in shows if show[0] != "thing.label_1" or show[1][0] in names]
        shows.append(("thing.full_name", names))
    for name, terms in shows:
        half = len(terms) == 1 and terms[0] in names
        features: Features = (*shared, (name, 1.0), ("thing.half_name", float(half)))
        yield _select(asked, span, table, features, *terms)


def _tells_less(asked: Asked, first: int, second: int) -> bool:
    """True for the status of an order, and the job of an employee: they stand for no row."""
    label, other = asked.column(first), asked.column(second)
    known = label.column.primary_key or label.name_like
    return known and not (other.name_like or other.column.primary_key)


def _all_columns(asked: Asked, span: Span, table: int, features: Features) -> Choice:
    terms = (asked.ref(column) for column in asked.vocabulary.tables[table].columns)
    return _select(asked, span, table, features, *terms)


def _of_kind(asked: Asked, value: ValueMention) -> Iterator[Choice]:
    """`The cheapest tent`: the things of that kind, by their names; a filter explains the word."""
    for table, score in things_of_kind(asked, value).items():
        rest = asked.words(value.span.end, len(asked.links.tokens))
        and_their = any(list(pair) in _THEIRS[:4] for pair in pairwise(rest))
        shared: Features = (("thing.of_kind", score), ("thing.and_their", float(and_their)))
        shows = [*_shown(asked, value.span, table, shared)]
        if _counted_in_groups(asked, value.span):
            counted: Features = (("thing.counted", score),)
            shows.append(_select(asked, value.span, table, counted, Count()))
        yield from (replace(choice, used=0) for choice in shows)


def _everything_slot(asked: Asked, cue: Cue) -> Slot:
    choices = [
        _all_columns(asked, cue.span, table, (("thing.all_cue", score),))
        for table, score in asked.named_tables.items()
    ]
    return Slot(cue.span.mask, (*choices, skip("all")))


def _persons(asked: Asked) -> Iterator[Choice]:
    """`Who` asks for the name of a person."""
    yield from _at_ends(asked)
    sought = [table for table in (*asked.roles, *asked.ends) if _who_is(asked, table)]
    paying = payers(asked)
    for entry in asked.vocabulary.tables:
        near = (_PAYING if entry.id in paying else 0.0) if paying else asked.meant(entry.id)
        if _only_does(asked, entry.id):
            continue
        if near > 0 and (entry.id in sought if sought else not entry.role):
            person = float(bool(entry.words & PERSONS))
            shared: Features = (("thing.who", near), ("thing.person", person))
            yield from _shown(asked, Span(0, 1), entry.id, shared)


def _at_ends(asked: Asked) -> Iterator[Choice]:
    """`Who directed Alien`, where films refer to people twice: those to whom the key leads that the verb tells."""
    for end in asked.links.ends:
        if end.of is None and end.wished and end.used >> 1 & 1:
            table = asked.vocabulary.tables[end.role].of
            told = dict.fromkeys(("thing.who", "thing.person", "thing.in_charge"), 1.0)
            done = join(Span(1, 2), (("join.deed", 1.0),), end.holder)
            names, used = asked.names(table), 1 | end.used
            yield select(asked, 0, used, tuple(told.items()), *names, table=table, along=(done,))


def _in_charge(asked: Asked) -> Iterator[Choice]:
    """`Who is the head of …`: the one that a key leads to, or whom a column of texts names."""
    for mention in asked.links.columns if asked.word(1) in _BEING else ():
        if mention.best.score < _WHOLE or not 2 <= mention.span.start <= _NEAR:
            continue
        edge, entry = asked.leading(mention.best.id), asked.column(mention.best.id)
        shown = asked.names(edge.right) if edge is not None else (entry.ref,)
        table = edge.right if edge is not None else entry.table
        if edge is not None or (entry.column.kind is Kind.TEXT and not entry.key_like):
            told = dict.fromkeys(("thing.who", "thing.person", "thing.in_charge"), 1.0)
            features: Features = tuple(told.items())
            yield select(asked, 0, 1 | mention.span.mask, features, *shown, table=table)


def _only_does(asked: Asked, table: int) -> bool:
    """True for the staff in `who had a test`: they refer to it only as those who did it."""
    named = set(asked.named_tables)
    edges = [e for e in asked.vocabulary.joins.edges(table) if e.other(table) in named]
    keys = [one for edge in edges for pair in edge.keys for one in pair]
    done = any(key.casefold().endswith("by") for key in keys)
    return asked.word(1) in _HAVING and done and len(edges) == 1 and table not in named


def _doers(asked: Asked) -> Iterator[Choice]:
    """`Who sold the most`, `who curated Blue`: those that `sold_by` or `curator_id` refers to, each with what they did."""
    said = ((m.best.id, m.span, m.best.score) for m in asked.links.columns)
    found = [(c, span, sure) for c, span, sure in said if sure >= _DEED and 1 <= span.start <= 2]
    by = [one for one in found if asked.column(one[0]).column.name.casefold().endswith("by")]
    for column, span, sure in (*by, *_named_after_deeds(asked)):
        edge = asked.leading(column)
        if edge is not None:
            told = dict.fromkeys(("thing.who", "thing.person", "thing.in_charge"), 1.0)
            done = join(span, (("join.deed", sure),), edge.left)
            names = asked.names(edge.right)
            yield select(asked, 0, 1 | span.mask, tuple(told.items()), *names, table=edge.right, along=(done,))  # fmt: skip


def _named_after_deeds(asked: Asked) -> Iterator[tuple[int, Span, float]]:
    """The keys to those who do what the verb after `who` says, of rows that the question speaks of."""
    held = {asked.column(o.column).table for value in asked.links.values for o in value.options}
    verb = asked.links.tokens[1:2]
    for entry in asked.vocabulary.columns if verb else ():
        told = entry.foreign and tells_doer(verb[0], entry.column.name)
        if told and (entry.table in held or asked.meant(entry.table) > 0):
            yield entry.id, Span(1, 2), 1.0


def _who_is(asked: Asked, role: int) -> bool:
    """True for the manager in `Who is the manager of …`, and in `Who manages …`, but not in `Who reports to …`."""
    named = [m.span.start for m in asked.links.tables if m.best.id == role]
    verb = 1 in named and not asked.word(1).startswith("report")
    being = asked.word(1) in ("is", "are", "was", "were", "s")
    return verb or (being and any(start <= 3 for start in named))


def full_name_slots(asked: Asked) -> Iterator[tuple[int, Slot]]:
    """`Full names`, and `names` of what has none in one column: of people who have a first and a last one, or of parties by their themes."""
    for position, token in enumerate(asked.links.tokens):
        if token.stem != "name" or asked.links.regions[position] != "S":
            continue
        full = asked.word(position - 1) in ("full", "complete", "whole")
        if asked.word(position - 1) in ("first", "last", "middle"):
            continue
        span = Span(position - 1, position + 1) if full else Span(position, position + 1)
        choices: list[Choice] = []
        for table in range(len(asked.vocabulary.tables)):
            names = asked.full_name(table) or asked.unnamed(table)
            near = asked.nearness(table)
            if names and (near > 0 or not asked.named_tables):
                name = "sel.full_name" if full else "sel.both_names"
                features: Features = ((name, 1.0), ("sel.near", near))
                choices.append(_select(asked, span, table, features, *map(asked.ref, names)))
        left = skip("full_name") if full else PASSED
        yield from ((span.start - 1, one) for one in slot(span.mask, choices, left))
