"""The parts of a query, each with the choices for its place: whatever is chosen, the query stays whole."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from rapidfuzz.fuzz import partial_ratio

from oldhand.agent.analyst.proposing import said_part, words_of
from oldhand.agent.analyst.reaching import joined
from oldhand.agent.analyst.understanding import Candidate
from oldhand.agent.fixing.parting import relations_of, with_condition, without
from oldhand.agent.fixing.siblings import FEW_ROWS, Siblings
from oldhand.query.describing.describing import describe
from oldhand.query.difference import difference
from oldhand.query.editing import with_part
from oldhand.query.form import (
    ColumnRef,
    Join,
    Node,
    Order,
    Predicate,
    Query,
    Relation,
    Rows,
    Scalar,
)
from oldhand.query.normal import meaning
from oldhand.query.parts import Part, is_whole, own_parts
from oldhand.query.provenance import QueryProvenance
from oldhand.query.walk import figures_of
from oldhand.record.schema import DatabaseSchema

MOST_CHOICES = 16
"""Choices for one part."""
ADDED = "add"
"""The kind of what stands for a part that is missing."""
_NEAR = 85
"""How alike a word of the question and a choice are that stands before others, of 100."""
_OUT = "leave this out"
_REMOVABLE = frozenset(
    {"where", "having", "order", "limit", "offset", "distinct", "group", "select"}
)
_TYING = frozenset({"relation", "join"})
"""What says where rows come from: shown after what is asked of them."""
_SHOWN_ALWAYS = frozenset({"select", "where", "group", "having", "order", "limit"})


@dataclass(frozen=True)
class Read:
    """A question as it is read."""

    question: str
    query: Query
    origins: QueryProvenance = QueryProvenance()  # noqa: RUF009 - frozen, and never filled
    left_out: tuple[str, ...] = ()
    """Words that it does without."""


@dataclass(frozen=True)
class Replacements:
    """What could stand in the place of a part."""

    says: str
    read: Read
    """The question as it is read then."""


@dataclass(frozen=True)
class Exchangeable:
    """A part of a query with its choices."""

    kind: str
    """As in `oldhand.query.parts.Part`; `add` for what is missing."""
    says: str
    words: str
    """The words of the question that it comes from."""
    choices: tuple[Replacements, ...]


def exchangeable(
    read: Read,
    others: Sequence[Candidate],
    schemas: tuple[DatabaseSchema, ...],
    few: Mapping[ColumnRef, tuple[Scalar, ...]],
) -> tuple[Exchangeable, ...]:
    """What a question was read as, part by part, with what each part could be instead.

    >>> from oldhand.query.form import Comparison, Count, Relation, Rows
    >>> customers = Relation("shop", "main", "customers")
    >>> berlin = Comparison(ColumnRef(customers, "city"), "=", ("Berlin",))
    >>> query = Query(Rows((customers,)), (Count(),), (berlin,))
    >>> for part in exchangeable(Read("How many in Berlin?", query), (), (), {}):
    ...     print(part.kind, [choice.says for choice in part.choices])
    select []
    where ["customers with city other than 'Berlin'", 'leave this out']
    """
    forms = tuple(one.query for one in others if isinstance(one.query, Query))
    work = _Exchanging(read, forms, schemas, Siblings(read.query, schemas, few))
    # A group that is shown is one part: whoever exchanges it means both.
    parts = (
        one
        for one in own_parts(read.query)
        if (one.kind, one.node in read.query.group) != ("select", True)
    )
    found = [work.of(part) for part in parts]
    found = [one for one in found if one.choices or one.kind in _SHOWN_ALWAYS]
    found.sort(key=lambda one: one.kind in _TYING)
    more = (
        work.ways(),
        work.missing(),
        work.times(),
        work.limits(),
        work.columns(),
        work.groups(),
        work.orders(),
        work.first_rows(),
    )
    return (*found, *(one for one in more if one.choices))


def other_readings(
    read: Read, others: Sequence[Candidate], schemas: Sequence[DatabaseSchema]
) -> tuple[Replacements, ...]:
    """All else that the question may mean, each meaning once, in words of its own."""
    found: dict[object, Replacements] = {meaning(read.query): Replacements("", read)}
    said = {describe(read.query, schemas)}
    for one in others:
        if isinstance(one.query, Query) and (says := describe(one.query, schemas)) not in said:
            said.add(says)
            other = replace(read, query=one.query, origins=one.origins)
            found.setdefault(meaning(one.query), Replacements(says, other))
    return tuple(found.values())[1:]


@dataclass(frozen=True)
class _Exchanging:
    read: Read
    others: tuple[Query, ...]
    schemas: tuple[DatabaseSchema, ...]
    siblings: Siblings

    def of(self, part: Part) -> Exchangeable:
        """One part with its choices, those that the words of the question bring first."""
        choices = list(self._distinct(self._exchanged(part), MOST_CHOICES))
        if part.kind in _REMOVABLE and (rest := self._made(without(self.read.query, part))):
            choices.append(Replacements(_OUT, replace(self.read, query=self._reduced(rest))))
        origin = self.read.origins.origin(part)
        says = said_part(part.kind, part.node, self.schemas)
        return Exchangeable(part.kind, says, words_of(self.read.question, origin), tuple(choices))

    def missing(self) -> Exchangeable:
        """Conditions that the query lacks: those of other readings, then those that words of the question come near."""
        own = self.read.query
        theirs = [
            part.node
            for other in self.others
            for part in difference(own, other).only_other
            if part.kind in ("where", "having") and not part.holder
        ]
        said = [(node, self._says("where", node)) for node in self.siblings.conditions()]
        asked = self.read.left_out or tuple(self.read.question.split())
        said.sort(
            key=lambda one: -max(partial_ratio(it.casefold(), one[1].casefold()) for it in asked)
        )
        nodes = [*cast("list[Predicate]", theirs), *(node for node, _ in said)]
        tried = ((self._says("where", node), with_condition(own, node), None) for node in nodes)
        choices = tuple(self._distinct(tried, 2 * MOST_CHOICES))
        return Exchangeable(ADDED, "a further condition", " ".join(self.read.left_out), choices)

    def ways(self) -> Exchangeable:
        """Other keys by which rows could belong together, be they further from each other now."""
        offered = {
            one
            for part in own_parts(self.read.query)
            if isinstance(part.node, Join)
            for one in self.siblings.of(part)
        }
        tried = (one for one in self.siblings.ways() if one[0] not in offered)
        return self._more("another way to join", "join", tried)

    def times(self) -> Exchangeable:
        """Years to which rows could be restricted."""
        own = self.read.query
        tried = ((one, replace(own, where=(*own.where, one))) for one in self.siblings.times())
        return self._more("a time", "where", tried)

    def limits(self) -> Exchangeable:
        """How many rows groups must have."""
        own = self.read.query
        tried = ((one, replace(own, having=(one,))) for one in self.siblings.limits())
        return self._more("a limit for groups", "having", tried)

    def columns(self) -> Exchangeable:
        """Columns that could be shown as well."""
        own = self.read.query
        terms = () if figures_of(own) or own.group else self.siblings.shown()
        tried = ((term, replace(own, select=(*own.select, term), names=())) for term in terms)
        return self._more("a further column", "select", tried)

    def groups(self) -> Exchangeable:
        """What figures could be told for."""
        own = self.read.query
        terms = self.siblings.keys() if figures_of(own) and not own.each else ()
        tried = ((one, replace(own, select=(one, *own.select), group=(*own.group, one), names=())) for one in terms)  # fmt: skip
        return self._more("a further group", "group", tried)

    def orders(self) -> Exchangeable:
        """Orders in which the rows could stand, that of their own aside."""
        own = self.read.query
        one_row = bool(figures_of(own)) and not own.group
        found = () if one_row or own.compound else self.siblings.orders()
        tried = ((one, replace(own, order=(one,))) for one in found)
        return self._more("another order", "order", (*tried, *self._ranked()))

    def _ranked(self) -> Iterator[tuple[Order, Query]]:
        """The things that are listed, by what belongs to each: from there each key leads to one row, so nothing counts twice."""
        own = self.read.query
        first = own.select[0]
        if figures_of(own) or own.group or own.compound or not isinstance(first, ColumnRef):
            return
        key = self.siblings.key_of(first.of)
        group = tuple(dict.fromkeys((*key, *own.select)))
        for order, counted in self.siblings.totals(first.of) if key else ():
            yield order, replace(own, rows=Rows((counted,)), group=group, order=(order,), distinct=False)  # fmt: skip

    def first_rows(self) -> Exchangeable:
        """How many rows there could be of those that stand in an order."""
        own = self.read.query
        found = FEW_ROWS if own.order and own.limit is None else ()
        return self._more("fewer rows", "limit", ((n, replace(own, limit=n)) for n in found))

    def _more(self, says: str, kind: str, tried: Iterable[tuple[Node | int, Query]]) -> Exchangeable:  # fmt: skip
        """What is missing; what words of the question come near stands first."""
        said = sorted(((self._says(kind, node), made, None) for node, made in tried), key=self._is_far)  # fmt: skip
        return Exchangeable(ADDED, says, "", tuple(self._distinct(iter(said), 2 * MOST_CHOICES)))

    def _is_far(self, one: tuple[str, Query, QueryProvenance | None]) -> bool:
        words = self.read.left_out or tuple(self.read.question.split())
        return not any(partial_ratio(word.casefold(), one[0].casefold()) > _NEAR for word in words if len(word) > 3)  # fmt: skip

    def _exchanged(self, part: Part) -> Iterator[tuple[str, Query, QueryProvenance | None]]:
        for node in self._nodes(part):
            if node != part.node:
                says = self._says(part.kind, node)
                origins = self.read.origins.exchanged(part, node)
                yield says, with_part(self.read.query, part, node), origins
        for order, query in self._ranked() if part.kind == "order" else ():
            yield self._says("order", order), query, None

    def _nodes(self, part: Part) -> Iterator[Node | int]:
        origin = self.read.origins.origin(part)
        yield from (option.node for option in origin.options) if origin else ()
        for other in self.others:
            for exchange in difference(self.read.query, other).exchanged:
                if exchange.one == part and exchange.other.kind == part.kind:
                    yield exchange.other.node
        yield from self.siblings.of(part)

    def _distinct(
        self, tried: Iterator[tuple[str, Query, QueryProvenance | None]], most: int
    ) -> Iterator[Replacements]:
        """The choices that make a query of another meaning, each meaning once."""
        known = {meaning(self.read.query)}
        for says, query, origins in tried:
            made = self._made(query)
            if made is None or (key := meaning(made)) in known:
                continue
            known.add(key)
            yield Replacements(
                says, replace(self.read, query=made, origins=origins or self.read.origins)
            )
            if len(known) > most:
                return

    def _made(self, query: Query | None) -> Query | None:
        """The query with the tables that it needs; None where it can't be whole."""
        if query is None:
            return None
        made = query if is_whole(query) else joined(query, self.schemas)
        return made if made is not None and is_whole(made) else None

    def _reduced(self, query: Query) -> Query:
        """The query without the tables at its ends that nothing names any more, be it a part or a word."""
        read, joins = list(query.rows.relations), list(query.rows.joins)
        while len(read) > 1 and (last := read[-1]) not in self._named(query):
            if sum(last in (join.left, join.right) for join in joins) > 1:
                break
            read.pop()
            joins = [join for join in joins if last not in (join.left, join.right)]
        return replace(query, rows=Rows(tuple(read), tuple(joins)))

    def _named(self, query: Query) -> set[Relation]:
        """The relations that parts of a query, or words of the question, speak of."""
        parts = [one for one in own_parts(query) if not isinstance(one.node, int)]
        origin = self.read.origins.origin
        spoken = [
            one for one in parts if one.kind not in _TYING or ((it := origin(one)) and it.words)
        ]
        return {one for part in spoken for one in relations_of(part)}

    def _says(self, kind: str, node: Node | int) -> str:
        return said_part(kind, node, self.schemas)
