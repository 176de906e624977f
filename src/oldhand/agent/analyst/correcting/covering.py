"""What of a correction a changed query does not answer to, and what in it no word of the correction asks for.

Of what is half understood nothing is taught: it is asked whether it was meant.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.told import said_part
from oldhand.agent.analyst.correcting.unread import Unread
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.linking.unknown import amounts_of, newcomers, relating, says_nothing
from oldhand.agent.analyst.semantics.extending import extended, stated_words
from oldhand.agent.analyst.semantics.measured_in import asked_units, in_unit
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Links, Mention, bits, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem
from oldhand.lexicon.wording import human, plural
from oldhand.lexicon.wordlists import adjective_of
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.difference import Difference, difference
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    DatePart,
    Node,
    Query,
    Scalar,
)
from oldhand.query.parts import Part
from oldhand.query.walk import relations, walk

_TIMES = words("time.units") | words("correcting.times")
_COMPUTED = meanings("grouping.aggregates")
_PARTS, _SHAPES = meanings("time.parts"), meanings("correcting.shapes")
_PER = words("grouping.per")
_NAMES = words("names.titles_asked")
_ADDING, _ADDING_BEHIND = words("correcting.adding"), words("correcting.adding_behind")
_PREFIX = 4
"""Letters with which words begin that are taken for each other: `German` and `Germany`."""
_RESTRICTING, _SHOWING = ("where", "having"), ("select", "group")
"""Kinds of parts."""
_COUNTING = ("count", "most_count", "how_much")
_PLACING = ("ordinal", "order", "asc", "desc", "top")
_ORDERING = ("superlative", "most_common", *_PLACING)
_COMPUTING = (*_COUNTING, *_ORDERING, *AGGREGATES, "distinct", "share")
"""Kinds of cues."""
_NAMED = 0.5
"""How well words fit a column that they name; less well they fit it by the name of its table alone."""
_BEST = 0.9
"""How well a name must fit words against the best that they may name."""


def unread(said: str, scene: Scene, after: Query) -> Unread:
    """What a correction says beyond the change to another query, and what the change does beyond the correction."""
    for one in asked_units(said):
        if in_unit(scene.query, one.unit, scene.schemas) == after:
            said = one.rest
    known = vocabulary(extended(scene.schemas))
    links = link(said, known, scene.values, scene.today, stated_words(scene.schemas))
    reading = _Reading(links, known, scene.query, after, difference(scene.query, after))
    told = (said_part(one, scene.schemas) for one in reading.unasked())
    left = tuple(reading.left_out())
    others = tuple(dict.fromkeys(reading.others()))
    return Unread(left, tuple(dict.fromkeys(told)), others, bool(left) and not reading.answers)


@cache
def _framing() -> frozenset[str]:
    """Stems of words that say how an answer is put together, and name nothing of it."""
    said = (part for one in words("correcting.framing") for part in re.split(r"[-']", one))
    return frozenset(map(stem, said))


def _named_by(mention: Mention) -> set[int]:
    """What words name as well as anything: the `county` of a correction is no state where there are counties."""
    return {one.id for one in mention.options if one.score >= _BEST * mention.best.score}


@dataclass(frozen=True)
class _Reading:
    """A correction beside the change that it is read as."""

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
        parts = (one.node for one in (*self.fresh, *self.gone) if not isinstance(one.node, int))
        return tuple(node for part in parts for node in walk(part, inner=True))

    @cached_property
    def columns(self) -> set[int]:
        """The columns in what has changed."""
        return self._ids(self.nodes)

    def _ids(self, nodes: Iterable[Node]) -> set[int]:
        ids, known = set[int](), self.known.column_ids
        for one in nodes:
            if isinstance(one, ColumnRef) and not one.of.query:
                of = one.of
                ids.add(known.get((of.database, of.schema, of.table, one.name), -1))
        return ids

    @cached_property
    def tables(self) -> set[int]:
        """The tables of both queries."""
        both = {*relations(self.before, inner=True), *relations(self.after, inner=True)}
        return {one.id for one in self.known.tables if one.relation in both}

    @cached_property
    def scalars(self) -> set[Scalar]:
        """The values and numbers in what has changed."""
        numbers = {one.node for one in (*self.fresh, *self.gone) if isinstance(one.node, int)}
        return {
            v for one in self.nodes if isinstance(one, Comparison) for v in one.values
        } | numbers

    @cached_property
    def is_timed(self) -> bool:
        """Whether a time or a part of one has changed."""
        dates = {one.id for one in self.known.columns if one.temporal or _TIMES & one.words}
        return bool(dates & self.columns) or any(isinstance(one, DatePart) for one in self.nodes)

    @cached_property
    def kinds(self) -> set[str]:
        """The kinds of the parts that have changed."""
        return {one.kind for one in (*self.fresh, *self.gone)}

    @cached_property
    def functions(self) -> set[str]:
        """What is computed in the changed query, or was in what has changed."""
        terms = (*self.after.select, *(one.by for one in self.after.order))
        found = (*(node for term in terms for node in walk(term)), *self.nodes)
        return {one.function if isinstance(one, Aggregate) else "count" for one in found if isinstance(one, Aggregate | Count)}  # fmt: skip

    def left_out(self) -> Iterator[str]:
        """The words that the change does not answer to."""
        for place, token in enumerate(self.links.tokens):
            per = token.lower in _PER and not (self.after.group or self.before.group)
            if per or (self._has_content(place) and not self._is_answered(place)):
                yield token.text

    @property
    def answers(self) -> bool:
        """Whether the change answers to any word."""
        places = range(len(self.links.tokens))
        return any(self._has_content(at) and self._is_answered(at) for at in places)

    def _has_content(self, place: int) -> bool:
        token = self.links.tokens[place]
        if token.lower in STOP_WORDS or not (token.is_word or token.number is not None):
            return False
        behind = [one.lower for one in self.links.tokens[place + 1 : place + 2]]
        word = token.lower[:-1] if behind == ["t"] and token.lower.endswith("n") else token.lower
        named = spans(m for m in self.links.columns if m.best.score >= WHOLE)
        return bool(named >> place & 1) or word in _SHAPES or stem(word) not in _framing()

    def _is_answered(self, place: int) -> bool:
        token = self.links.tokens[place]
        timed = token.lower in _TIMES and self.is_timed
        measured = adjective_of(token.lower) is not None and self._is_measured
        own = token.lower not in STOP_WORDS and self._is_alike(token.stem)
        return (
            bool(self._covered >> place & 1)
            or timed
            or measured
            or own
            or self._is_shape(token.lower)
        )

    def _is_shape(self, word: str) -> bool:
        """Whether a word such as `sorted`, `split` or `once` speaks of what has changed."""
        kinds = {"order": {"order", "limit"}, "group": {"group", "order"}, "distinct": {"distinct", "select"}}  # fmt: skip
        return not self.kinds.isdisjoint(kinds.get(_SHAPES.get(word, ""), set()))

    @cached_property
    def _covered(self) -> int:
        """The places of what the change answers to, or what says nothing more."""
        links, known = self.links, self.known
        read = [m for m in links.columns if self.columns.intersection(_named_by(m))]
        read += [m for m in links.tables if self.tables.intersection(_named_by(m))]
        held = [v for v in links.values for o in v.options if o.column in self.columns and self.scalars.intersection(o.values)]  # fmt: skip
        numbers = bits(one.said.mask for one in links.numbers if one.value in self.scalars)
        dates = links.dates if self.is_timed else ()
        house = amounts_of(links, known) | newcomers(links) | says_nothing(links)
        cues = [cue for cue in links.cues if self._is_met(cue)]
        return spans((*read, *held, *dates, *cues)) | numbers | house | relating(links, known)

    def _is_met(self, cue: Cue) -> bool:
        """Whether the changed query has what a cue asks for."""
        if cue.kind in _COUNTING:
            return "count" in self.functions or not self.kinds.isdisjoint(_RESTRICTING)
        if cue.kind in AGGREGATES:
            ends = cue.kind in ("max", "min") and bool(self.after.order)
            return ends or cue.kind in self.functions
        if cue.kind in _PLACING:
            return not self.kinds.isdisjoint(("order", "limit"))
        return cue.kind not in _ORDERING or self._is_measured

    @cached_property
    def _is_measured(self) -> bool:
        """Whether the change orders, compares or computes something."""
        computed = any(isinstance(one, Aggregate) for one in self.nodes)
        return computed or not self.kinds.isdisjoint(("order", "limit", *_RESTRICTING))

    def _is_alike(self, word: str) -> bool:
        """Whether a word begins as one in what has changed does: `German`, `Germany`."""
        names = [part for one in self.nodes if isinstance(one, ColumnRef) for part in split_name(one.name)]  # fmt: skip
        names += [part.lower() for one in self.scalars if isinstance(one, str) for part in one.split()]  # fmt: skip
        word = re.sub(r"^(?:un|non)(?=\w{4})", "", word)
        return any(one == word or (len(one) >= _PREFIX and one[:_PREFIX] == word[:_PREFIX]) for one in map(stem, names))  # fmt: skip

    def others(self) -> Iterator[str]:
        """What else words may mean that are a value, or the name of a table, as well as what was taken."""
        fresh = (one.node for one in self.fresh if one.kind in _RESTRICTING)
        compared = self._ids(node for one in fresh if isinstance(one, Node) for node in walk(one))
        named = self._ids(walk(self.before)) | self._named(spans(self.links.values))
        for value in self.links.values:
            for one in value.options if compared.isdisjoint(named) else ():
                own = self.known.columns[one.column] if one.column in compared else None
                for other in (self.known.columns[two.column] for two in value.options if two.score >= one.score):  # fmt: skip
                    if own and other.table == own.table and other.id not in compared | named:
                        yield f"the {human(other.column.name)}"
        yield from self._other_columns()
        before, after = {*relations(self.before)}, {*relations(self.after)}
        for mention in self.links.tables:
            tables = [self.known.tables[one.id] for one in mention.options if one.score >= mention.best.score]  # fmt: skip
            if any(one.relation in after - before for one in tables):
                yield from (plural(human(one.table.name)) for one in tables if one.relation not in after | before)  # fmt: skip

    def _other_columns(self) -> Iterator[str]:
        """Columns of the same name, in the same table or one as near: the town of branches, where that of clients was taken."""
        read = self._ids(walk(self.after))
        before = {one.id for one in self.known.tables if one.relation in relations(self.before)}
        fresh = self._in(self.fresh) - self._ids(walk(self.before))
        for mention in (one for one in self.links.columns if one.best.score >= _NAMED):
            tied = [one.id for one in mention.options if one.score >= mention.best.score]
            tables = {self.known.columns[one].table for one in tied if one in fresh}
            for one in (self.known.columns[at] for at in tied if at not in read):
                near = any(self.known.joins.between(one.table, table) for table in before)
                if one.table in tables or (tables and near and before.isdisjoint({*tables, one.table})):  # fmt: skip
                    table = human(self.known.tables[one.table].table.name)
                    yield f"the {human(one.column.name)} of {plural(table)}"

    def unasked(self) -> Iterator[Part]:
        """The parts that have changed though nobody asked for it."""
        said = [token.lower for token in self.links.tokens if token.is_word]
        adds = bool(said) and (said[0] in _ADDING or said[-1] in _ADDING_BEHIND)
        outer = [one for one in self.fresh if one.kind in _SHOWING and not one.holder]
        yield from (one for one in outer if not self._is_asked(one))
        if adds:
            yield from (one for one in self.gone if one.kind in _SHOWING and not one.holder)
        about = self._named() | self._in(self.fresh)
        for part in self.change.only_one:
            if part.kind in _RESTRICTING and not part.holder and about.isdisjoint(self._in([part])):
                yield part

    def _in(self, parts: Sequence[Part]) -> set[int]:
        """The columns in some parts."""
        nodes = (one.node for one in parts if not isinstance(one.node, int))
        return self._ids(inner for one in nodes for inner in walk(one, inner=True))

    def _named(self, aside: int = 0) -> set[int]:
        """The columns that words mean, or hold as a value; those of some places aside."""
        said = {one for m in self.links.columns if not m.span.mask & aside for one in _named_by(m)}
        return said | {o.column for v in self.links.values if not v.span.mask & aside for o in v.options}  # fmt: skip

    def _is_asked(self, part: Part) -> bool:
        """Whether words ask for what is shown, or makes the groups."""
        node, said = part.node, [token.lower for token in self.links.tokens]
        if self._in([part]) & self._named() or not _NAMES.isdisjoint(said):
            return True
        if isinstance(node, DatePart):
            return bool(self.links.dates) or not (_TIMES | {*_PARTS}).isdisjoint(said)
        if not isinstance(node, ColumnRef):
            kinds = {cue.kind for cue in self.links.cues}
            return not (kinds.isdisjoint(_COMPUTING) and _COMPUTED.keys().isdisjoint(said))
        tables = {one for m in self.links.tables for one in _named_by(m)}
        own = {one.id for one in self.known.tables if one.relation == node.of}
        grouping = part.kind == "group" or node in self.after.group
        return bool(own & tables) and (grouping or node.of not in self.before.rows.relations)
