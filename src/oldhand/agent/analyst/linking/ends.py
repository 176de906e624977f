"""Which end is told of: the start of `trains from Oslo`, the end of `trains that arrive in Oslo`, and neither of `trains of Oslo`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from oldhand.agent.analyst.linking.written import but_told_deeds, written
from oldhand.agent.analyst.words.ends import End, Place, tells_doer
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import (
    LinkOption,
    Links,
    Mention,
    Span,
    ToldEnd,
    ValueMention,
    bits,
    spans,
)
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.wording import is_past_form

_BEFORE = {Place.START: words("ends.before_starts"), Place.END: words("ends.before_ends")}
_LEADING = (_BEFORE[Place.START] | _BEFORE[Place.END]) - words("ends.before_groups")
_BETWEEN, _JOINING = words("ends.between"), words("ends.joining")
_BEING = words("verbs.be")
_APART = words("ends.apart")
_GROUPING = words("ends.before_groups")
_PATTERNS = ("starts", "ends")
_PLAIN = words("ends.plain")
_DONE = 0.7
"""How surely a verb names the rows of what was done."""
_NAMED = 0.5
"""How surely a table must be named whose keys these are."""


def with_ends(links: Links, vocabulary: Vocabulary) -> Links:
    """The links with what is told of ends; values that are told of one are those of its role."""
    links = replace(links, tables=(*links.tables, *_done(links, vocabulary)))
    holders = {o.id for m in links.tables for o in m.options if o.score >= _NAMED}
    holders |= {vocabulary.tables[m.best.id].holder for m in links.tables}
    holders |= {held for table in holders if table >= 0 for held in vocabulary.joins.held(table)}
    if not holders.intersection(end.holder for end in vocabulary.ends.values()):
        # `Who directed Alien` speaks of films.
        held = (vocabulary.columns[o.column].table for v in links.values for o in v.options)
        holders |= {vocabulary.tables[t].of if vocabulary.tables[t].role else t for t in held}
    groups: dict[tuple[int, int], dict[int, End]] = {}
    for role, end in vocabulary.ends.items():
        if end.holder in holders:
            groups.setdefault((end.holder, end.table), {})[role] = end
    for ends in groups.values():
        links = _Telling(links, vocabulary, ends).links()
    return but_told_deeds(links)


def _done(links: Links, vocabulary: Vocabulary) -> Iterator[Mention]:
    """The rows that a verb tells of in which the things that are named do it: the deals of `museums that bought from Rome`."""
    known = spans((*links.tables, *links.values))
    held = {vocabulary.columns[o.column].table for v in links.values for o in v.options}
    held |= {m.best.id for m in links.tables}
    ends = [end for end in vocabulary.ends.values() if end.table in held]
    for place, token in enumerate(links.tokens[1:], 1):
        told = {end.holder for end in ends if tells_doer(token, end.column)}
        if len(told) == 1 and not known >> place & 1:
            option = LinkOption(told.pop(), _DONE, 1.0)
            yield Mention(Span(place, place + 1), (option,))


@dataclass(frozen=True, slots=True)
class _Place:
    """Words that stand for rows that the keys lead to."""

    span: Span
    value: ValueMention | None = None


class _Telling:
    """The keys of one table to the same others, beside one question."""

    def __init__(self, links: Links, vocabulary: Vocabulary, ends: dict[int, End]) -> None:
        self._links, self._tokens = links, links.tokens
        self._vocabulary = vocabulary
        self._ends = ends
        self._table = next(iter(ends.values())).table
        self._columns = {*vocabulary.tables[self._table].columns}
        self._things = [m for m in links.tables if m.best.id == self._table]
        self._places = sorted(self._found(), key=lambda place: place.span.start)
        # What names other rows tells no key: the departments of employees are no departure.
        named = (m for m in links.tables if m.best.id not in ends and m.best.score >= WHOLE)
        named = (m for m in named if not self._is_verb_of(m))
        self._taken = spans((*links.values, *named))

    def _is_verb_of(self, mention: Mention) -> bool:
        """True for the verb of things: `translated`, where translations have a table."""
        name = self._vocabulary.tables[mention.best.id].table.name
        return written(self._tokens[mention.span.end - 1], name) is False

    def links(self) -> Links:
        """The links with what is told of these ends."""
        told: dict[Span, ToldEnd] = {}
        for number, place in enumerate(self._places):
            found = self._told_of(number) or self._as_before(number, told)
            if found is not None:
                told[place.span] = replace(found, of=place.span)
        spoken = [*told.values()] or self._of_nothing()
        wished = {one.role for one in spoken if one.of is None or self._is_thing(one.of)}
        wished = wished or self._of_the_others(told)
        values = tuple(self._in_role(value, told, wished) for value in self._links.values)
        beyond = {told[p.span].role for p in self._places if p.span in told and self._is_beyond(p)}
        known = tuple(replace(one, wished=one.role in wished | beyond) for one in spoken)
        known += tuple(self._end(role, 0, wished=True) for role in wished - {o.role for o in known})
        known = (*known, *self._named(spoken))
        used = bits(one.used for one in known if one.of is not None)
        dated = self._links.dates or self._links.cues_of("not")  # `not returned` is told by the day
        verbs = used if dated else bits(one.used for one in known)
        columns = (m for m in self._links.columns if not self._is_day_of(m, verbs))
        # The start of a name is no matter of the end of a way.
        cues = tuple(
            c for c in self._links.cues if c.kind not in _PATTERNS or not c.span.mask & used
        )
        return replace(
            self._links,
            values=values,
            columns=tuple(self._of_named(columns)),
            cues=cues,
            ends=(*self._links.ends, *known),
        )

    def _named(self, told: Sequence[ToldEnd]) -> Iterator[ToldEnd]:
        """The ends that are named by nouns: `their destinations`."""
        known = {one.role for one in told}
        for mention in self._links.tables:
            role = mention.best.id
            if role in self._ends and role not in known:
                yield replace(self._end(role, mention.span.mask), of=mention.span)

    def _of_named(self, columns: Iterable[Mention]) -> Iterator[Mention]:
        """The city of `the city of the destination`, where no other of those is spoken of."""
        named = {m.best.id for m in self._links.tables if m.best.id in self._ends}
        if len(named) != 1 or self._places:
            yield from columns
            return
        (role,) = named
        for mention in columns:
            options = (replace(o, id=self._column_in(role, o.id)) for o in mention.options)
            yield replace(mention, options=tuple(options))

    def _found(self) -> Iterator[_Place]:
        """The words that stand for such rows, or for others that these refer to."""
        reached = {self._table, *self._vocabulary.joins.held(self._table)}
        reached -= {end.holder for end in self._ends.values()}
        for value in self._links.values:
            tables = {self._vocabulary.columns[o.column].table for o in value.options}
            if tables & reached:
                yield _Place(value.span, value)
        busy = [value.span for value in self._links.values]
        for mention in self._things:
            if not any(span.overlaps(mention.span) for span in busy):
                yield _Place(mention.span)

    def _told_of(self, number: int) -> ToldEnd | None:
        span = self._places[number].span
        after = self._places[number - 1].span.end if number else 0
        until = len(self._tokens)
        if number + 1 < len(self._places):
            until = self._places[number + 1].span.start
        return (
            self._by_preposition(span)
            or self._by_deed_of_the_other(span, after)
            or self._by_word(self._said_at_once(range(span.start - 1, after - 1, -1)))
            or self._by_last_word(span)
            or self._by_word(self._not_done_to(range(span.end, until)))
        )

    def _by_preposition(self, span: Span) -> ToldEnd | None:
        place = span.start - 1
        while place >= 0 and self._may_stand_between(place):
            place -= 1
        word = self._word(place)
        if word in _GROUPING and not any(span == value.span for value in self._links.values):
            return None  # `for each station`
        if self._by_word([place - 1] if word == "by" else []):
            return None  # `received by`
        told, deed, tables = self._at(place), place - 1, self._links.tables
        held = any(told and m.best.id == told.holder and m.best.score >= WHOLE for m in tables)
        others = (m for m in tables if deed in m.span.places)
        # `Texts translated into Polish` are told by their language: no translator is spoken of.
        if told and held and is_past_form(self._word(deed)) and all(map(self._is_verb_of, others)):
            told = replace(told, used=told.used | 1 << deed)
        return told

    def _by_deed_of_the_other(self, span: Span, after: int) -> ToldEnd | None:
        """The lender in `who borrowed from Rome`, the borrower in `what Rome lent to Oslo`: a verb tells the one end, a preposition the other."""
        place = span.start - 1
        while place >= after and self._may_stand_between(place):
            place -= 1
        if len(self._ends) != 2 or self._word(place) not in _LEADING or place < after:
            return None
        for verb in range(place - 1, -1, -1):
            doing = [r for r, e in self._ends.items() if tells_doer(self._tokens[verb], e.column)]
            if len(doing) == 1:
                (other,) = self._ends.keys() - set(doing)
                return self._end(other, 1 << verb | 1 << place)
        return None

    def _at(self, place: int) -> ToldEnd | None:
        """The end that the preposition at a place tells."""
        for role, end in self._ends.items():
            if end.side is not None and self._word(place) in _BEFORE[end.side]:
                return self._end(role, 1 << place)
        return None

    def _by_last_word(self, span: Span) -> ToldEnd | None:
        """`Which stations have we never gone to?`: a preposition that nothing follows, or a time alone, belongs to the things before."""
        if not self._is_thing(span):
            return None
        later = (date.span.start for date in self._links.dates if date.span.start > span.end)
        places = range(span.end, min(later, default=len(self._tokens)))
        said = [p for p in places if self._tokens[p].is_word and self._word(p) not in _BETWEEN]
        return self._at(said[-1]) if said and self._word(said[-1]) not in _GROUPING else None

    def _may_stand_between(self, place: int) -> bool:
        own = [m.span for m in self._things]
        own += [m.span for m in self._links.columns if m.best.id in self._columns]
        return self._word(place) in _BETWEEN or any(place in span.places for span in own)

    def _by_word(self, places: Sequence[int]) -> ToldEnd | None:
        """The end that the first of some words tells that tells one."""
        for place in places:
            if place < 0 or self._taken >> place & 1:
                continue
            told = [role for role, end in self._ends.items() if end.is_told_by(self._tokens[place])]
            if len(told) == 1:
                return self._end(told[0], 1 << place)
        return None

    def _said_at_once(self, places: Sequence[int]) -> Sequence[int]:
        """The places up to a word that joins: what is said of others is said beyond it."""
        return [*takewhile(lambda place: self._word(place) not in _APART, places)]

    def _not_done_to(self, places: Sequence[int]) -> Sequence[int]:
        """The places of words that somebody does, or that stand behind them: not `is assigned to` somebody else."""
        said = self._said_at_once(places)
        return [*takewhile(lambda place: self._word(place) not in _BEING, said)]

    def _as_before(self, number: int, told: dict[Span, ToldEnd]) -> ToldEnd | None:
        """`From Oslo or Bergen`: what is joined to others is told of the same end."""
        if not number:
            return None
        before, here = self._places[number - 1].span, self._places[number].span
        between = {self._word(place) for place in range(before.end, here.start)}
        return told.get(before) if between and between <= _JOINING else None

    def _of_nothing(self) -> list[ToldEnd]:
        """What is told of no row: `departing trains`, `who sent the most messages`."""
        found = [
            (role, place)
            for place, token in enumerate(self._tokens)
            for role, end in self._ends.items()
            if end.is_told_by(token) and not self._taken >> place & 1
        ]
        roles = {role for role, _ in found}
        if len(roles) != 1:
            return []
        return [self._end(roles.pop(), bits(1 << place for _, place in found))]

    def _of_the_others(self, told: dict[Span, ToldEnd]) -> set[int]:
        """The other one of two ends, where one is told of: `which stations have trains to Oslo`."""
        roles = {one.role for one in told.values()}
        others = self._ends.keys() - roles
        untold = any(not p.value and p.span not in told for p in self._places)
        return set(others) if untold and len(roles) == len(others) == 1 else set()

    def _in_role(
        self, value: ValueMention, told: dict[Span, ToldEnd], wished: set[int]
    ) -> ValueMention:
        one = told.get(value.span)
        roles = [one.role] if one is not None else self._either() if not wished else []
        if not roles or (one is not None and one.role in wished):
            return value
        found = [
            replace(option, column=self._column_in(role, option.column))
            for option in value.options
            for role in roles
        ]
        return replace(value, options=tuple(dict.fromkeys(found)))

    def _either(self) -> list[int]:
        """All ends, where nothing says which is meant, or the one that is meant then; none where not all have words of their own."""
        ends = self._ends.items()
        if self._things or not all(end.is_noun for _, end in ends):
            return []
        plain = [role for role, end in ends if not _PLAIN.isdisjoint(end.pieces)]
        return plain[:1] or [role for role, _ in ends]

    def _column_in(self, role: int, column: int) -> int:
        own = self._vocabulary.tables[self._table].columns
        theirs = self._vocabulary.tables[role].columns
        return theirs[own.index(column)] if column in own else column

    def _is_thing(self, span: Span) -> bool:
        return any(mention.span == span for mention in self._things)

    def _is_beyond(self, place: _Place) -> bool:
        """True for a value that only others have to which those lead: `trains to Norway`, of the countries of stations."""
        options = place.value.options if place.value else ()
        return bool(options) and not any(o.column in self._columns for o in options)

    def _is_day_of(self, mention: Mention, verbs: int) -> bool:
        """True for the `departs_on` of `depart from`."""
        entry = self._vocabulary.columns[mention.best.id]
        return not mention.span.mask & ~verbs and entry.temporal

    def _end(self, role: int, used: int, *, wished: bool = False) -> ToldEnd:
        end = self._ends[role]
        return ToldEnd(role, end.holder, end.column, used, None, wished)

    def _word(self, place: int) -> str:
        return self._tokens[place].lower if 0 <= place < len(self._tokens) else ""
