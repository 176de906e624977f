"""What words say of some things, read as questions about these are: `over 50 kg`, `never shipped`, `with more than 3 orders`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from oldhand.agent.analyst.deciding import ANSWER_FROM, ASK_FROM
from oldhand.agent.analyst.reaching import reaching
from oldhand.agent.analyst.understanding import Understanding, understand
from oldhand.agent.analyst.words.dates import find_dates
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, tokenise
from oldhand.lexicon.wording import human, plural
from oldhand.query.describing.about import subject
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    Has,
    Predicate,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import known_table
from oldhand.query.walk import columns, is_measure, relations
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

SURE = 0.6
"""Confidence from which no other wording is tried."""
_WORDINGS = (
    "How many {things} {said} are there?",
    "How many {things} are {said}?",
    "How many {said} {things} are there?",
    "How many {things} have {said}?",
    "How many {things} {said}?",
)
_WITH = "How many {things} have a {bare}?"
_HAVING = re.compile(r"^(?:with|having|has|have)(?: an?)?\s+", re.IGNORECASE)
_COMPARING = STOP_WORDS.union(
    *map(
        words, ("comparing.more", "comparing.less", "comparing.amounts", "comparing.before_numbers")
    )
)


@dataclass(frozen=True, slots=True)
class Restriction:
    """What things must meet."""

    things: Relation
    where: tuple[Predicate, ...]
    """All of them; what they say of other tables, each row refers to once."""
    sure: float


@dataclass(frozen=True, slots=True)
class UnreadWords:
    """Words that are not understood."""

    unknown: tuple[str, ...] = ()
    """Those that neither the schemas nor the values know."""
    left_out: tuple[str, ...] = ()
    """Others that no reading answers to."""


@dataclass(frozen=True, slots=True)
class RestrictionReader:
    """Reads what words say of things over some databases."""

    schemas: tuple[DatabaseSchema, ...]
    values: Values
    today: date | None = None
    read_before: dict[tuple[str, int], Understanding] = field(default_factory=dict, compare=False, repr=False)  # fmt: skip
    """By text and number of candidates."""

    def of(self, things: Relation, said: str) -> Restriction | None:
        """What words say of the rows of a table; None where they are not understood to the last one.

        Read in several wordings: what is read surely in one of them, or alike in two. An amount alone says too little.
        """
        if is_amount(said) and not find_dates(said, tokenise(said), self.today):
            return None
        return self._best(self._read(question, things) for question in _questions(things, said))

    def unread(self, things: Relation, said: str) -> UnreadWords:
        """The words that are not understood of what is said of the rows of a table; none where each has a reading."""
        own = {token.lower for token in tokenise(said)}
        found: list[UnreadWords] = []
        for question in _questions(things, said):
            read = self.understood(question)
            unknown, left_out = (
                tuple(one for one in some if one.casefold() in own)
                for some in (read.unknown_words, read.left_out)
            )
            found += [UnreadWords(unknown, left_out)] if unknown or left_out else []
        return min(found, key=lambda one: len(one.unknown + one.left_out), default=UnreadWords())

    def unknown(self, question: str) -> tuple[str, ...]:
        """The words of a question that neither the schemas nor the values know."""
        return self.understood(question).unknown_words

    def of_any(self, said: str) -> Restriction | None:
        """What words say that name the things themselves: `cancelled orders`."""
        return self._best([self._read(f"How many {said} are there?", None)])

    def _best(self, read: "Iterator[Restriction | None] | list[Restriction | None]") -> Restriction | None:  # fmt: skip
        found: list[Restriction] = []
        for one in read:
            if one is not None:
                alike = [other for other in found if set(other.where) == set(one.where)]
                sure = ANSWER_FROM if alike else 0.0
                found.append(replace(one, sure=max(one.sure, sure)))
                if one.sure >= SURE:
                    break
        best = max(found, key=lambda one: one.sure, default=None)
        if best is not None:
            # What says less with the same words has read none of them twice.
            less = [one for one in found if set(one.where) < set(best.where)]
            best = min(less, key=lambda one: len(one.where), default=best)
        return best if best is not None and best.sure >= ANSWER_FROM else None

    def _read(self, question: str, things: Relation | None) -> Restriction | None:
        found = self.understood(question)
        unread = found.unknown_words or found.left_out or found.compares
        if not found.candidates or unread or found.confidence < ASK_FROM:
            return None
        query, guessed = (
            found.candidates[0].query,
            found.candidates[0].features.get("num.guessed_unit"),
        )
        if (
            guessed
            or not isinstance(query, Query)
            or query.compound is not None
            or query.limit is not None
        ):
            return None
        own = things or subject(query, question)
        where = restricting(query, own, self.schemas)
        return Restriction(own, where, found.confidence) if where else None

    def understood(self, question: str, limit: int = 1) -> Understanding:
        """What a question may mean; read once."""
        key = (question, limit)
        if key not in self.read_before:
            self.read_before[key] = understand(
                question, self.schemas, self.values, limit=limit, today=self.today
            )
        return self.read_before[key]


def _questions(things: Relation, said: str) -> Iterator[str]:
    """What is said of things, asked about them."""
    name = plural(human(things.role or things.table))
    said = re.sub(rf"^(?:the )?{name}\s+(?=\w)", "", said, flags=re.IGNORECASE)
    bare = _HAVING.sub("", said)
    read = _WORDINGS if bare == said else (*_WORDINGS, _WITH)
    return (one.format(things=name, said=said, bare=bare) for one in read)


def is_amount(said: str) -> bool:
    """Whether words name an amount, and not what it is of.

    >>> is_amount("at least 20"), is_amount("over 5 kg"), is_amount("between 2 and 3")
    (True, False, True)
    """
    tokens = tokenise(said)
    numbers = [token for token in tokens if token.number is not None]
    others = (token.lower for token in tokens if token.is_word and token.number is None)
    return bool(numbers) and _COMPARING.issuperset(others)


def restricting(
    query: Query, things: Relation, schemas: Sequence[DatabaseSchema]
) -> tuple[Predicate, ...]:
    """The conditions that a query about things puts on them; none where it tells nothing of the kind."""
    if things not in query.rows.relations:
        return ()
    alone = Query(Rows((things,)), (Count(),))
    read = [one for part in query.where for one in relations(part)]
    within = reaching(alone, (*read, *query.rows.relations), tuple(schemas)) is not None
    if within and not query.having and not query.group:
        told = [_of_itself(one) for one in query.where]
        parts = tuple(part for one in told for part in one)
        return parts if all(told) and all(columns(part) for part in parts) else ()
    table = known_table(things, schemas)
    if table is None or len(table.primary_key) != 1:
        return ()
    key = ColumnRef(things, table.primary_key[0])
    tells = len(query.rows.relations) > 1
    each = not query.group or key in query.group
    if not tells or not each or any(is_measure(one) and one not in (Count(), Count(key, distinct=True)) for one in query.select):  # fmt: skip
        return ()
    group = query.group if query.having else ()
    rows = replace(query, select=(key,), group=group, order=(), distinct=False, names=())
    return (Has(key, rows),)


def _of_itself(one: Predicate) -> tuple[Predicate, ...]:
    """A condition on the group that each row is by itself, said of the row: `a total over 100`; none where it counts: there is one."""
    if not isinstance(one, Has) or one.rows.rows.relations != (*relations(one.left),):
        return (one,)
    having = tuple(
        replace(two, left=two.left.of)
        for two in one.rows.having
        if isinstance(two, Comparison) and isinstance(two.left, Aggregate) and not one.none
    )
    return (*one.rows.where, *having) if len(having) == len(one.rows.having) else ()
