"""Columns that answer `who`, `when` and `where`: of people, of days and of places."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import LinkOption, ValueMention, ValueOption
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems

_PLACES, _NO_PLACES = word_stems("places.whereabouts"), word_stems("places.nowhere")
_ASKING, _OF_THEM = words("asking.further"), words("asking.of_them")
_AND = ("and", ",")
_WORKING = words("verbs.working")


def is_age(asked: Asked, adjective: str, entry: ColumnEntry) -> bool:
    """False for the day on which somebody was hired, or seen: it makes nobody old."""
    if adjective not in ("old", "young") or not entry.temporal:
        return True
    subjects = [asked.vocabulary.tables[m.best.id].columns[0] for m in asked.links.tables[:1]]
    if not any(asked.is_person(asked.column(column)) for column in (entry.id, *subjects)):
        return True
    return any(word.startswith(("birth", "born", "dob")) for word in entry.words)


def asked_by(asked: Asked, word: str) -> Iterator[LinkOption]:
    """The columns that `when` or `where` may ask for."""
    if word == "where":
        yield from _places(asked)
        return
    for number, entry in enumerate(asked.vocabulary.columns):
        near = asked.nearness(entry.table)
        if near > 0 and is_dated(entry):
            yield LinkOption(number, 0.8, near)


def asked_again(asked: Asked) -> int:
    """Where more is asked of the same things, as in `which trees fell, and what species are they`; -1 where nothing is."""
    last, opens = len(asked.links.tokens), any(m.span.start <= 1 for m in asked.links.tables)
    joined = (i for i in range(2, last) if asked.word(i) in _ASKING and asked.word(i - 1) in _AND)
    return next((i for i in joined if opens and not _OF_THEM.isdisjoint(asked.words(i, last))), -1)


def _places(asked: Asked) -> Iterator[LinkOption]:
    """Where things are, the town before the country; where people work is where what they belong to is."""
    near = {t.id: asked.meant(t.id) for t in asked.vocabulary.tables if asked.meant(t.id) >= 0.5}
    joins = asked.vocabulary.joins
    if asked.marked(("work", "works", "working", "worked")):
        near = {held: sure for table, sure in near.items() for held in joins.held(table)}
    for number, entry in enumerate(asked.vocabulary.columns):
        if entry.table in near and is_place(entry):
            wide = {"countri", "region"} & entry.words
            yield LinkOption(number, 0.6 if wide else 0.8, near[entry.table])


def is_dated(entry: ColumnEntry) -> bool:
    """True for columns that answer `when`."""
    return entry.temporal or bool(set(entry.forms[-1]) & {"date", "year"})


def is_place(entry: ColumnEntry) -> bool:
    """True for columns that answer `where`; an email address does not."""
    return bool(entry.words & _PLACES) and not entry.words & _NO_PLACES


def workplace(asked: Asked, start: int, column: int) -> float:
    """1 for the place of what people belong to, after `work in`; -1 for the place where they live."""
    entry = asked.column(column)
    if not _WORKING & set(asked.words(start - 3, start)) or not is_place(entry):
        return 0.0
    belongs = any(asked.meant(t) >= 0.5 for t in asked.vocabulary.joins.holders(entry.table))
    own = asked.meant(entry.table) >= 0.5 and asked.is_person(entry)
    return 1.0 if belongs and not own else -1.0 if own else 0.0


def own_places(asked: Asked, mention: ValueMention) -> Iterator[ValueOption]:
    """The column of the thing itself for a place that only others are in: `stores in Granada`, where customers live.

    That there are none is the answer, not the stores that those customers went to. Where a thing has no place
    of its own, as employees, it is where what it belongs to is.
    """
    start = mention.span.start
    things = [m.best.id for m in asked.links.tables if m.best.score >= 0.9 and m.span.end <= start]
    if asked.word(start - 1) not in ("in", "from", "at") or not things:
        return
    belongs = asked.vocabulary.joins.held(things[-1])
    near = _columns_like(asked, mention, things[-1:]) or _columns_like(asked, mention, belongs)
    holding = {option.column for option in mention.options}
    if near and not holding & {column for column, _ in near}:
        column, option = near[0]
        yield replace(option, column=column)


def _columns_like(
    asked: Asked, mention: ValueMention, tables: Sequence[int]
) -> list[tuple[int, ValueOption]]:
    """The columns of places in some tables that bear the name of one that holds the value, with that one."""
    return [
        (column, option)
        for table in tables
        for column in asked.vocabulary.tables[table].columns
        for option in mention.options
        if is_place(asked.column(column))
        and asked.column(option.column).forms[0] == asked.column(column).forms[0]
    ]
