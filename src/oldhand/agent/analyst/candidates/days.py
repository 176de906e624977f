"""Parts of dates, and which of several dates is meant where no word names one."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Features
from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.candidates.worth import worth_words
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Span, spans
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import word_stems

_PARTS = meanings("time.parts")
_DAY_OF_WEEK = (["of", "the", "week"], ["of", "week"])
_AFTER = words("time.after_rates")
_ENDS = word_stems("states.end_columns")
_EXPECTED = word_stems("time.expected")
_NOTED = words("time.noted")
_BESIDE = 0.6
"""How surely the rows that undated ones refer to tell when these were."""


def part_at(asked: Asked, place: int) -> tuple[str, Span] | None:
    """The part of a date that the words at a place name, with the words; None when they name none."""
    part = _PARTS.get(asked.word(place))
    if part is None:
        return None
    for said in _DAY_OF_WEEK if part == "day" else ():
        if asked.words(place + 1, place + 1 + len(said)) == said:
            return "weekday", Span(place, place + 1 + len(said))
    return part, Span(place, place + 1)


def adverbial_parts(asked: Asked) -> Iterator[tuple[str, Span]]:
    """The parts that words like `monthly` name."""
    for place in range(len(asked.links.tokens)):
        found = part_at(asked, place) if asked.word(place).endswith("ly") else None
        if found is not None:
            yield found


def rates(asked: Asked) -> Iterator[tuple[str, Span]]:
    """The parts of `orders a month`, with the article."""
    named = [m.span for m in (*asked.links.tables, *asked.links.columns)]
    for place in {span.end for span in (*named, *worth_words(asked.links.tokens))}:
        found = part_at(asked, place + 1) if asked.word(place) == "a" else None
        last = found is not None and found[1].end == len(asked.links.tokens)
        if found is not None and (last or asked.word(found[1].end) in _AFTER):
            yield found[0], Span(place, found[1].end)


def of_its_table(asked: Lookup, entry: ColumnEntry, *, grouped: bool = False) -> Features:
    """What speaks for a date against the others of its table: orders are of the order date, not of the day they are due or done.

    Args:
        asked: the question, or the words of its databases.
        entry: the date.
        grouped: for groups, of which a date that says when a row was noted (`booked_at`) is less likely to tell than for `since March`.
    """
    own = bool(set(entry.forms[0]) & asked.vocabulary.tables[entry.table].words)
    noted = not _NOTED.isdisjoint(split_name(entry.column.name))
    return (
        ("date.own_name", float(own and not (grouped and noted))),
        ("date.noted", float(noted and not own)),
        ("date.end", float(bool(_ENDS & entry.words))),
        ("date.expected", float(bool(_EXPECTED & entry.words))),
    )


def tables_of_dates(asked: Asked, place: int) -> tuple[dict[int, float], AbstractSet[int]]:
    """The tables with dates that may be meant, each with how surely, and those among them whose rows are counted or added up before a place."""
    tables = {entry.table for entry in asked.times}
    meant = {table: near for table in tables if (near := asked.meant(table))}
    if asked.dating:
        return {**dict.fromkeys(asked.dating, _BESIDE), **meant}, asked.dating
    subjects = tables_of_amounts(asked, place) or {m.best.id for m in asked.links.tables[:1]}
    for table in subjects - tables:
        for held in asked.vocabulary.joins.held(table):
            meant[held] = max(meant.get(held, 0.0), _BESIDE)
    return meant, subjects


@lru_cache(maxsize=16)
def tables_of_amounts(asked: Asked, place: int) -> frozenset[int]:
    """The tables of the amounts that are named before a place: whose rows are added up there."""
    counting = spans(asked.links.cues_of("count"))
    said = [m for m in asked.links.columns if m.span.end <= place and not m.span.mask & counting]
    amounts = [asked.column(m.best.id) for m in said if not asked.is_thing(m)]
    return frozenset(entry.table for entry in amounts if entry.measures)
