"""What is to be listed beside things, though it stands in the rows that they refer to: `loans with book title and member name`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, dropwhile
from typing import Self

from oldhand.agent.analyst.candidates.days import of_its_table
from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.reaching import reaching
from oldhand.agent.analyst.words.links import Mention, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import ColumnRef, Elapsed, Query, Relation
from oldhand.query.walk import is_measure
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

_WITH = re.compile(
    r",?\s+(?:(?:along |together )?with|including)\s+(?:(?:the|their|its|his|her)\s+)?",
    re.IGNORECASE,
)
_OF_EACH = re.compile(
    r"^(?P<listed>[\w', ]+?)\s+(?:of|for) (?:(?P<each>each|every|all)(?: of)? )?(?:the )?(?P<things>\w.*)$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|their|its|his|her)\s+", re.IGNORECASE)
_SHOWING = words("asking.opening")
_ENDING = words("function_words.narrowing") | words("sorting.ordering")
_ENDS = re.compile(rf"\s+(?=(?:{'|'.join(sorted(_ENDING))})\b)|\s*[?.!]*$|,", re.IGNORECASE)
_FOR_IT = ("date.own_name",)
_TITLES = words("names.titles_asked")
_TIMES = words("time.columns")
_COMPUTING = ("count", "how_much", *AGGREGATES)
_LONGEST = 300
"""Letters of a question that says what is to be seen."""
_WELL = 0.9
"""How well a name fits words at least that mean it, against the best that they may mean."""
_NAMED = 0.7
"""How well it fits them at all."""
_PART = 0.45
"""How well a name does that has a word more."""


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """A question that says what is to be seen of some things."""

    rest: str
    """The question without these words."""
    listed: tuple[str, ...]
    """What is to be seen, each in the words for it."""
    alone: bool
    """True where nothing else is to be seen: `the title and author of each book`."""


def listings(question: str) -> Iterator[ListedQuestion]:
    """Each way in which a question may say what is to be seen of things.

    >>> *_, least = listings("List the loans in 2024 with book title and member sorted by date")
    >>> least
    ListedQuestion(rest='List the loans in 2024 sorted by date', listed=('book title', 'member'), alone=False)
    >>> next(listings("What are the title and the author of each book?"))
    ListedQuestion(rest='List all book', listed=('title', 'author'), alone=True)
    """
    for found in _WITH.finditer(question) if len(question) <= _LONGEST else ():
        behind = question[found.end() :]
        for end in reversed([*_ENDS.finditer(behind)]):  # as many as there are, first
            rest = f"{question[: found.start()]}{behind[end.start() :]}"
            yield ListedQuestion(rest, _items(behind[: end.start()]), alone=False)
    if len(question) <= _LONGEST and (found := _OF_EACH.match(question)):
        items = _items(_asked_for(found["listed"]))
        if found["each"] or len(items) > 1:  # `the email of Anna Lee` is told of one
            yield ListedQuestion(f"List all {found['things'].rstrip('?. ')}", items, alone=True)


def _asked_for(said: str) -> str:
    """Words without those that ask to see them."""
    return " ".join(dropwhile(lambda one: one.lower() in _SHOWING, said.split()))


def _items(said: str) -> tuple[str, ...]:
    return tuple(_ARTICLE.sub("", one) for one in _BETWEEN.split(said.strip()) if one)


@dataclass(frozen=True, slots=True)
class ListedNames:
    """What a question lists, looked up once for all that the rest of it may mean."""

    named: tuple["_Named", ...]
    alone: bool
    lookup: Lookup

    @classmethod
    def of(
        cls, listing: ListedQuestion, schemas: tuple[DatabaseSchema, ...], values: Values
    ) -> Self | None:
        """None where one of them is no name here, or all may stand in the rows of the things themselves."""
        known = vocabulary(schemas)
        named = list[_Named]()
        for said in listing.listed:
            named.append(_Named(said, known, values))
            if not named[-1].is_known:
                return None
        held = [one.held for one in named]
        beyond = any(one.leads for one in named) or len(named) == 1 or (held and not held[0].intersection(*held[1:]))  # fmt: skip
        return cls(tuple(named), listing.alone, Lookup(known)) if beyond else None

    def beside(self, query: Query) -> Query | None:
        """The query with what is listed; None where that is not said of its things, or belongs to them all the same."""
        of = {one.of for one in query.select if isinstance(one, ColumnRef)}
        if len(of) != 1 or query.having or query.each or query.compound or any(map(is_measure, query.select)):  # fmt: skip
            return None
        (things,) = of
        shown = [one.shown(things, query, self.lookup) for one in self.named]
        fresh = tuple(chain.from_iterable(shown))
        read = [one.of for one in fresh if isinstance(one, ColumnRef)]
        if not all(shown) or (len(read) == len(fresh) and {*read} == {things}):
            return None
        reached = reaching(query, read, self.lookup.vocabulary.schemas)
        if reached is None:
            return None
        joins = tuple(one if one in query.rows.joins else replace(one, outer=True) for one in reached.rows.joins)  # fmt: skip
        own = () if self.alone or query.select[0] in fresh else self._own(query)
        select = tuple(dict.fromkeys((*own, *fresh)))
        group = tuple(dict.fromkeys((*query.group, *select))) if query.group else ()
        rows = replace(reached.rows, joins=joins)
        return replace(query, rows=rows, select=select, group=group, names=())

    def _own(self, query: Query) -> tuple[ColumnRef | Elapsed, ...]:
        """What is seen of the things themselves: their names; a key only beside a single thing, of which it tells one from another."""
        entries = (self.lookup.entry(one) for one in query.select)
        single = len(self.named) == 1
        return tuple(one.ref for one in entries if single or not one.column.primary_key)


def _own_time(table: int, lookup: Lookup) -> int | None:
    """The date that is meant where it is called by no name: the day of the order, and not the one on which it is due."""
    times = [lookup.column(one) for one in lookup.vocabulary.tables[table].columns]
    times = [one for one in times if one.temporal]
    for_it = {one.id: sum(n if name in _FOR_IT else -n for name, n in of_its_table(lookup, one)) for one in times}  # fmt: skip
    best = [one for one, amount in for_it.items() if amount == max(for_it.values())]
    return best[0] if len(best) == 1 else None


class _Named:
    """What some words name, to the last of them."""

    def __init__(self, said: str, known: Vocabulary, values: Values) -> None:
        links = link(said, known, values, None)
        each = [(1 << i, one.lower) for i, one in enumerate(links.tokens) if one.is_word]
        content = sum(bit for bit, word in each if word not in STOP_WORDS)
        named = [m for m in links.columns if m.best.score >= _NAMED]
        whole = any(not content & ~m.span.mask for m in named)  # a `total` may be a column
        computed = links.cues_of(*_COMPUTING) and not whole
        plain = not (computed or _ENDING.intersection(word for _, word in each))
        called = sum(bit for bit, word in each if word in _TITLES)
        self._known = known
        tables = [m for m in links.tables if plain and m.best.score >= _NAMED]
        self.things = [m for m in tables if not content & ~m.span.mask & ~called]
        """Names of things: what these are called is to be seen."""
        self.columns = [m for m in links.columns if plain and not content & ~m.span.mask]
        pairs = [(t, c) for t in tables for c in named if not t.span.overlaps(c.span)]
        self.owned = [(t, c) for t, c in pairs if not content & ~spans([t, c])]
        """Names of things and of what is told of them."""
        self._is_time = bool(content) and _TIMES.issuperset(w for bit, w in each if bit & content)

    @property
    def is_known(self) -> bool:
        """Whether there is anything that they may name."""
        return bool(self.things or self.owned or self.columns or self._is_time)

    @property
    def leads(self) -> bool:
        """Whether they may name things, or a key that refers to them."""
        told = (one for mention in self.columns for one in self._told(mention))
        return bool(self.things or self.owned) or any(
            self._known.columns[one].foreign for one in told
        )

    @property
    def held(self) -> set[int]:
        """The tables that may hold what they name."""
        columns = self._known.columns
        return {columns[one].table for mention in self.columns for one in self._told(mention)}

    def shown(self, things: Relation, query: Query, lookup: Lookup) -> list[ColumnRef | Elapsed]:
        """What of things, or of what they refer to, the words mean; none where it is not known which."""
        own = self._known.table(things).id
        for mention in self.columns:
            mine = [one for one in self._told(mention) if lookup.column(one).table == own]
            if len(mine) == 1:
                return self._with_name(mine[0], query, lookup)
        if self._is_time and (time := _own_time(own, lookup)) is not None:
            return [lookup.ref(time)]
        for mention in self.things:
            near = [one for one in self._ids(mention) if one != own and self._is_near(one, query)]
            if len(near) == 1:
                return [*lookup.names(near[0])]
        for table, column in self.owned:
            ends = [one for one in self._ids(table) if self._is_near(one, query)]
            found = [c for c in (o.id for o in column.options) if lookup.column(c).table in ends]
            if found:
                return [lookup.ref(found[0])]
        for mention in self.columns:
            near = [one for one in self._told(mention) if self._is_near(lookup.column(one).table, query)]  # fmt: skip
            if len(near) == 1:
                return self._with_name(near[0], query, lookup)
        return []

    def _with_name(self, column: int, query: Query, lookup: Lookup) -> list[ColumnRef | Elapsed]:
        """A column, or what the rows are called that it refers to."""
        entry = lookup.column(column)
        edge = lookup.leading_to_name(entry) if entry.foreign and not entry.textual else None
        if edge is None or not self._is_near(edge.right, query):
            return [entry.ref]
        return [*lookup.names(edge.right)]

    def _told(self, mention: Mention) -> list[int]:
        """The columns that are meant, by a part of their names as well: `price` of `unit_price`, `owner` of `owner_no`."""
        fit = self._ids(mention) or self._ids(mention, _PART)
        options = (one for one in mention.options if one.score >= _PART)
        keys = (one.id for one in options if self._known.columns[one.id].foreign)
        return [*dict.fromkeys((*fit, *keys))]

    def _ids(self, mention: Mention, least: float = _NAMED) -> list[int]:
        least = max(_WELL * mention.best.score, least)
        return [one.id for one in mention.options if one.score >= least]

    def _is_near(self, table: int, query: Query) -> bool:
        """Whether each row refers to one of a table."""
        return reaching(query, [self._known.tables[table].relation], self._known.schemas) is not None  # fmt: skip
