"""What happened to a row: which of its times begins and ends it, which one a word names, and the spans that words tell of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Prefix

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import Choice, Features, where
from oldhand.agent.analyst.candidates.lookup import PERSONS
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.privacy import tells_birth
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.lexicon.wording import plain_number
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Comparison
from oldhand.query.units import Unit, kinds_of, units

REACH = 4
"""Words between the word that leads to an event and the event's own."""
_DAY = 86_400
_LEAST = 4
"""Letters that two forms of a word share at least."""
_GENERAL = word_stems("time.plain")
_EXPECTED = word_stems("time.expected")
_BESIDE = word_stems("time.beside")
_ENDS = word_stems("time.ends")
_BEGINS = word_stems("time.begins")
_STARTS, _TAKING = word_stems("time.starts"), words("verbs.taking")
_STAYS = word_stems("time.stays")
_DURING = words("time.during")
_NOUNS = (_ENDS | _STARTS) - word_stems("ends.before_ends")
_BIRTHS = word_stems("privacy.births") | word_stems("privacy.birthdays")
TOLD: Features = (("duration.told", 1.0),)
"""What all that is told of spans counts."""
ITS = words("function_words.beside_events")
_NAMED = 0.4
"""How surely a table must be named for the lives of its rows to be meant."""


def may_be_meant(asked: Asked, entry: ColumnEntry) -> bool:
    """False for a day of birth where the question speaks of none: who came in May is known by another day of the same rows."""
    spoken = any(token.stem in _BIRTHS for token in asked.links.tokens)
    if spoken or not tells_birth(entry.column.name):
        return True
    days = (e for e in asked.times if e.table == entry.table)
    return all(tells_birth(e.column.name) for e in days)


def births(asked: Asked, place: int) -> set[int]:
    """The births of those before the `born` at a place, whatever their column is called; empty where it stands with nobody who has one."""
    before = [m.best.id for m in asked.links.tables if m.span.end <= place]
    if asked.links.tokens[place].stem not in _BIRTHS or not before:
        return set()
    return {e.id for e in asked.times if e.table == before[-1] and tells_birth(e.column.name)}


@dataclass(frozen=True, slots=True)
class EventColumn:
    """A column of times that a word names."""

    column: int
    place: int
    """Where the word stands."""


def named_at(asked: Asked, place: int) -> Iterator[int]:
    """The columns of times that the word at a place names as what happened then."""
    word = asked.word(place)
    noun = place > 0 and asked.links.tokens[place].stem in _NOUNS  # `of return`
    if (word in STOP_WORDS and not noun) or not word or not asked.links.tokens[place].is_word:
        return
    root = asked.links.tokens[place].stem
    if theirs := births(asked, place):
        yield from theirs
        return
    own = {entry.id: set(entry.forms[0]) - _GENERAL for entry in asked.times}
    named = [column for column, words in own.items() if any(_alike(root, w) for w in words)]
    hits = [hit for hit in asked.vocabulary.hits(root) if hit.column >= 0]
    # An `amount` that is held was not `paid`.
    best = max((hit.strength for hit in hits), default=0.0)
    near = {hit.column for hit in hits if hit.strength >= max(0.6, best)}
    found = named or [column for column, words in own.items() if words and column in near]
    # `Since` before a time is no event of things that are not spoken of, though these are `customer_since` some day.
    tables = asked.named_tables if word in _DURING else {asked.column(c).table for c in found}
    yield from (column for column in found if asked.column(column).table in tables)


def events_between(asked: Asked, start: int, end: int) -> list[EventColumn]:
    """All events that the words from `start` up to `end` name, in their order."""
    last = min(end, len(asked.links.tokens))
    return [
        EventColumn(c, place)
        for place in range(max(start, 0), last)
        for c in named_at(asked, place)
    ]


def begun_at(asked: Asked, place: int, table: int) -> int | None:
    """The column of when a row began, where the word at a place says so: `placed`, of orders."""
    if asked.word(place) and asked.links.tokens[place].stem in _BEGINS:
        pair = life(asked, table)
        return pair[0] if pair is not None else None
    return None


def life(asked: Asked, table: int) -> tuple[int, int] | None:
    """The columns in which a row of a table begins and ends, as names and days tell; None where that is not clear."""
    named = _named_life(asked, table)
    if named is None:
        return None
    (low, high), (first, last) = map(_seen, map(asked.column, named))
    turned = low > first > "" and high > last > ""
    return (named[1], named[0]) if turned else named


def _seen(entry: ColumnEntry) -> tuple[str, str]:
    """The first and the last day of a column; empty where they are not known, or not written so that they can be compared."""
    profile = entry.column.profile
    known = profile is not None and not profile.form and None not in (profile.low, profile.high)
    return (f"{profile.low}", f"{profile.high}") if profile is not None and known else ("", "")


def _named_life(asked: Asked, table: int) -> tuple[int, int] | None:
    times = [e for e in asked.times if e.table == table and not _words(e) & _BESIDE]
    times = [e for e in times if not (_words(e) & _EXPECTED or tells_birth(e.column.name))]
    stays = [e.id for e in times if _words(e) & _STAYS]
    if len(stays) == 2:
        return min(stays), max(stays)
    # The start of a term is no end of anything, though its end is one.
    ends = [e for e in times if _words(e) & _ENDS and not _words(e) & (_STARTS - _ENDS)]
    begins = [e for e in times if e not in ends]
    if not ends or not begins:
        return _filled_later(times)
    taking = asked.marked(_TAKING)
    started = [e for e in begins if _words(e) & _STARTS and not taking]
    return (started or begins)[0].id, ends[-1].id


def _filled_later(times: Sequence[ColumnEntry]) -> tuple[int, int] | None:
    """The two times of which every row has the first one, and some do not have the second, later one yet, whatever they are called."""
    if len(times) != 2:
        return None
    seen = [(one.column.profile, one.id) for one in times]
    known = [(profile, column) for profile, column in seen if profile is not None]
    always = [column for profile, column in known if profile.never_missing]
    open_still = [column for profile, column in known if profile.missing]
    lows = {column: f"{profile.low}" for profile, column in known if not profile.form}
    if len(always) != 1 or len(open_still) != 1 or len(lows) != 2:
        return None
    later = lows[always[0]] < lows[open_still[0]]
    return (always[0], open_still[0]) if later else None


def expected(asked: Asked, table: int) -> list[int]:
    """The columns of when something was to happen, such as `due_on`; the latest first: what was promised, not when that was agreed."""
    due = [e for e in asked.times if e.table == table and _words(e) & _EXPECTED]
    return [e.id for e in sorted(due, key=_seen, reverse=True)]


def _words(entry: ColumnEntry) -> set[str]:
    return set(entry.forms[0])


def _alike(one: str, two: str) -> bool:
    """True for `deliveri` and `deliv`, `admiss` and `admit`, but not for `company` and `completed`."""
    least = max(_LEAST, min(len(one), len(two)) - 1)
    return one == two or Prefix.similarity(one, two) >= least


def event_before(asked: Asked, start: int) -> list[EventColumn]:
    """The columns that the last event before a place names: `admitted` in `admitted to the ward in 2023`."""
    things = spans(m for m in asked.links.tables if m.best.score >= 0.9)
    # The `total` of takings computes, and was not `paid`.
    things |= spans(asked.links.cues_of(*AGGREGATES))
    for place in range(start - 1, max(start - REACH, 0) - 1, -1):
        deed = asked.word(place).endswith(("ed", "ing")) or not things >> place & 1
        if deed and (found := events_between(asked, place, place + 1)):
            return found
        if asked.links.tokens[place].number is not None:
            return []
    return []


@dataclass(frozen=True, slots=True)
class TimeSpanWords:
    """Words that tell of a span of time."""

    since: int
    until: int
    used: int
    """Their tokens as bits."""
    place: int


def spanning(asked: Asked, told: TimeSpanWords, operator: str, *days: float) -> Iterator[Choice]:
    """The condition that a span compares in this way with so many days."""
    number = asked.vocabulary.spans[told.since, told.until, "days"]
    condition = Comparison(asked.ref(number), operator, tuple(map(plain_number, days)))
    yield where(asked, told.place, told.used, TOLD, condition)


def up_to(asked: Asked, until: int, used: int, place: int) -> Iterator[TimeSpanWords]:
    """From when a row began up to an event."""
    table = asked.column(until).table
    pair = life(asked, table)
    since = pair[0] if pair is not None else _begun(asked, table)
    if since is not None and since != until:
        yield TimeSpanWords(since, until, used, place)


def _begun(asked: Asked, table: int) -> int | None:
    """The only time that every row of a table has: all others are yet to come for some."""
    times = [e for e in asked.times if e.table == table and not tells_birth(e.column.name)]
    known = [e.id for e in times if e.column.profile is not None and e.column.profile.never_missing]
    return known[0] if len(known) == 1 else None


def lives(
    asked: Asked, used: int, place: int, *, alone: bool, unit: Unit | None = None
) -> Iterator[TimeSpanWords]:
    """From the beginning of a row to its end: of what is named, of what belongs to it, or of all there is.

    Args:
        asked: the question.
        used: the tokens that ask for it.
        place: where they stand.
        alone: True when they do even where nothing with a beginning and an end is named.
        unit: the one in which it is told. A column that holds it goes before the times between two dates.
    """
    surely = sorted(asked.named_tables.items(), key=lambda pair: -pair[1])
    named = [table for table, score in surely if score >= _NAMED]
    beside = [holder for table in named for holder in asked.vocabulary.joins.holders(table)]
    shown = list(asked.implied_tables)
    everything = [t.id for t in asked.vocabulary.tables if not (t.role or named)]
    if asked.word(0) == "who":
        everything = [t for t in everything if asked.vocabulary.tables[t].words & PERSONS]
    for tables in (named, beside, shown, everything)[: 4 if alone else 3 if used else 1]:
        pairs = [pair for t in dict.fromkeys(tables) if (pair := life(asked, t)) is not None]
        holders = [asked.column(until).table for _, until in pairs]
        holders += named[:1] if tables is named else []
        if any(_holds_lasting(asked, table, unit) for table in holders):
            return
        if pairs:
            if len(pairs) == 1:
                yield TimeSpanWords(*pairs[0], used, place)
            return


def _holds_lasting(asked: Asked, table: int, unit: Unit | None) -> bool:
    """True where a column of a table holds how long it took, such as `hrs` or `duration_min`; `break_minutes` are only a part."""
    columns = map(asked.column, asked.vocabulary.tables[table].columns)
    held = [(e.unit, split_name(e.column.name)) for e in columns if e.measures]
    sizes = [
        own.size
        for own, said in held
        if own is not None and own.kind == "time"
        if all(word in units() or "time" in kinds_of(word) for word in said)
    ]
    return any(unit is None or unit.size < _DAY or unit.size <= size for size in sizes)


def past(asked: Asked, end: int) -> int:
    """The place after the words `date` or `time` that belong to the name of an event."""
    while asked.word(end) in ("date", "day", "time"):
        end += 1
    return end
