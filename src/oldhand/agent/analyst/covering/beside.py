"""A correction beside the change that it is read as: what its words mean, and what has changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from oldhand.agent.analyst.words.links import Links, Mention
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.difference import Difference
from oldhand.query.form import AnyOf, ColumnRef, Comparison, Node, Predicate, Query, Scalar
from oldhand.query.parts import Part
from oldhand.query.walk import columns, walk

_BOUNDS = ("<", "<=", ">", ">=")
_BEST = 0.9
"""How well a name must fit words against the best that they may name."""


def named_by(mention: Mention) -> set[int]:
    """What words name as well as anything: the `county` of a correction is no state where there are counties."""
    return {one.id for one in mention.options if one.score >= _BEST * mention.best.score}


def nodes_of(parts: Sequence[Part]) -> tuple[Node, ...]:
    """All that stands in some parts."""
    nodes = (one.node for one in parts if not isinstance(one.node, int))
    return tuple(inner for one in nodes for inner in walk(one, inner=True))


@dataclass(frozen=True)
class Beside:
    """The words of a correction, and the query before and after."""

    said: str
    links: Links
    known: Vocabulary
    before: Query
    after: Query
    change: Difference

    @cached_property
    def fresh(self) -> tuple[Part, ...]:
        """The parts that only the changed query has."""
        return (*self.change.only_other, *(one.other for one in self.change.exchanged))

    @cached_property
    def gone(self) -> tuple[Part, ...]:
        """The parts that it has no more."""
        return (*self.change.only_one, *(one.one for one in self.change.exchanged))

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All that stands in what has changed."""
        return nodes_of((*self.fresh, *self.gone))

    @cached_property
    def columns(self) -> set[int]:
        """The columns in what has changed."""
        return self.ids(self.nodes)

    def ids(self, nodes: Iterable[Node]) -> set[int]:
        """The columns in some nodes."""
        ids, known = set[int](), self.known.column_ids
        for one in nodes:
            if isinstance(one, ColumnRef) and not one.of.query:
                of = one.of
                ids.add(known.get((of.database, of.schema, of.table, one.name), -1))
        return ids

    @cached_property
    def scalars(self) -> set[Scalar]:
        """The values and numbers in what has changed."""
        numbers = {one.node for one in (*self.fresh, *self.gone) if isinstance(one.node, int)}
        return {
            v for one in self.nodes if isinstance(one, Comparison) for v in one.values
        } | numbers

    @cached_property
    def kinds(self) -> set[str]:
        """The kinds of the parts that have changed."""
        return {one.kind for one in (*self.fresh, *self.gone)}

    def within(self, parts: Sequence[Part]) -> set[int]:
        """The columns in some parts."""
        return self.ids(nodes_of(parts))

    def called(self, aside: int = 0) -> set[int]:
        """The columns that words call by their names, which `men` does not; those of some places aside."""
        codes = word_lists().written
        said = (m for m in self.links.columns if not m.span.mask & aside)
        return {one for m in said if not codes(self.links.text(m.span).lower()) for one in named_by(m)}  # fmt: skip

    def named(self, aside: int = 0) -> set[int]:
        """The columns that words mean, or hold as a value; those of some places aside."""
        said = {one for m in self.links.columns if not m.span.mask & aside for one in named_by(m)}
        return said | {o.column for v in self.links.values if not v.span.mask & aside for o in v.options}  # fmt: skip


def are_of_the_same(before: tuple[Predicate, ...], behind: tuple[Predicate, ...]) -> bool:
    """Whether what is said further can be of the same rows: it is no other value of a column, and none of several things."""
    told = {column for one in before for column in columns(one) if not _is_bound(one)}
    one_thing = all(not isinstance(one, AnyOf) or len({*columns(one)}) == 1 for one in behind)
    return one_thing and all(told.isdisjoint(columns(one)) for one in behind)


def _is_bound(one: Predicate) -> bool:
    return isinstance(one, Comparison) and one.operator in _BOUNDS
