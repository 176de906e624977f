"""What of a correction a changed query does not answer to, and what in it no word of the correction asks for.

Of what is half understood nothing is taught: it is asked whether it was meant.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from itertools import pairwise
from typing import Protocol

from oldhand.agent.analyst.covering.beside import Beside, named_by, nodes_of
from oldhand.agent.analyst.covering.told import said_part
from oldhand.agent.analyst.covering.unasked import other_meanings, unasked
from oldhand.agent.analyst.covering.unread import Unread
from oldhand.agent.analyst.covering.written import begin_alike
from oldhand.agent.analyst.linking.question import link
from oldhand.agent.analyst.linking.unknown import amounts_of, newcomers, relating, says_nothing
from oldhand.agent.analyst.reaching import reaching
from oldhand.agent.analyst.semantics.extending import extended, stated_words
from oldhand.agent.analyst.semantics.measured_in import asked_units, in_unit
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Cue, Links, Mention, bits, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary, vocabulary
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import STOP_WORDS, stem
from oldhand.lexicon.wording import human, is_past_form, plural
from oldhand.lexicon.wordlists import adjective_of, word_lists
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.compiling.times import MONTHS
from oldhand.query.difference import difference
from oldhand.query.form import Aggregate, ColumnRef, Comparison, Count, DatePart, Node, Query
from oldhand.query.walk import figures_of, relations, walk
from oldhand.record.schema import DatabaseSchema
from oldhand.sources.databases.values import Values

_TIMES = words("time.units") | words("correcting.times")
_MONTHS = frozenset(map(str.lower, MONTHS))
_SHAPES, _PER, _EACH = meanings("correcting.shapes"), words("grouping.per"), words("grouping.each")
_DENYING = words("leaving.denying") | words("correcting.contrasting")
_ALONE = words("leaving.alone")
_RESTRICTING = ("where", "having")
"""Kinds of parts."""
_COUNTING = ("count", "most_count", "how_much")
_GROUPING = ("by", "per", "group")
_PLACING = ("ordinal", "order", "asc", "desc", "top")
_ORDERING = ("superlative", "most_common", *_PLACING)
"""Kinds of cues."""


class Grounds(Protocol):
    """The query of an answer, and what it rests on."""

    @property
    def query(self) -> Query:
        """As it was asked."""
        ...

    @property
    def schemas(self) -> tuple[DatabaseSchema, ...]:
        """The databases that it may be about."""
        ...

    @property
    def values(self) -> Values:
        """What these hold."""
        ...

    @property
    def today(self) -> date | None:
        """When it was asked, where that is known."""
        ...


@dataclass(frozen=True)
class SaidOfAnswer:
    """A correction of an answer, which may be read in several ways."""

    words: str
    scene: Grounds

    @cached_property
    def _known(self) -> Vocabulary:
        return vocabulary(extended(self.scene.schemas))

    @cached_property
    def _links(self) -> Links:
        return self._linked(self.words)

    def _linked(self, said: str) -> Links:
        scene = self.scene
        return link(said, self._known, scene.values, scene.today, stated_words(scene.schemas))

    def unread(self, after: Query) -> Unread:
        """What it says beyond the change to another query, and what the change does beyond it."""
        before, schemas = self.scene.query, self.scene.schemas
        units = (one for one in asked_units(self.words) if in_unit(before, one.unit, schemas) == after)  # fmt: skip
        said = next((one.rest for one in units), self.words)
        links = self._links if said == self.words else self._linked(said)
        read = _Covering(said, links, self._known, before, after, difference(before, after))
        left = tuple(read.left_out())
        parts = dict.fromkeys(said_part(one, schemas) for one in unasked(read))
        others = tuple(dict.fromkeys((*other_meanings(read), *self._fewer(after))))
        return Unread(left, tuple(parts), others, bool(left) and not read.answers)

    def _fewer(self, after: Query) -> Iterator[str]:
        """The things that rows belong to, where all of these are counted in place of the rows: guests of bookings."""
        before, schemas = self.scene.query, self.scene.schemas
        counted = before.select == after.select == (Count(),) and not (before.where or after.where)
        if counted and before.rows.relations != after.rows.relations and reaching(before, after.rows.relations, schemas):  # fmt: skip
            new, old = (plural(human(one.rows.relations[0].table)) for one in (after, before))
            yield f"the different {new} of the {old}"


def unread(said: str, scene: Grounds, after: Query) -> Unread:
    """What a correction says beyond the change to another query, and what the change does beyond the correction."""
    return SaidOfAnswer(said, scene).unread(after)


@cache
def _framing() -> frozenset[str]:
    """Stems of words that say how an answer is put together, and name nothing of it."""
    said = (part for one in words("correcting.framing") for part in re.split(r"[-']", one))
    return frozenset(map(stem, said))


class _Covering(Beside):
    """What of the words the change answers to."""

    @cached_property
    def tables(self) -> set[int]:
        """The tables of both queries."""
        both = {*relations(self.before, inner=True), *relations(self.after, inner=True)}
        return {one.id for one in self.known.tables if one.relation in both}

    @cached_property
    def is_timed(self) -> bool:
        """Whether a time or a part of one has changed."""
        dates = {one.id for one in self.known.columns if one.temporal or _TIMES & one.words}
        return bool(dates & self.columns) or any(isinstance(one, DatePart) for one in self.nodes)

    @cached_property
    def functions(self) -> set[str]:
        """What is computed in the changed query, or was in what has changed."""
        terms = (*self.after.select, *(one.by for one in self.after.order))
        found = (*(node for term in terms for node in walk(term)), *self.nodes)
        return {one.function if isinstance(one, Aggregate) else "count" for one in found if isinstance(one, Aggregate | Count)}  # fmt: skip

    def left_out(self) -> Iterator[str]:
        """The words that the change does not answer to."""
        for place, token in enumerate(self.links.tokens):
            asks = token.lower in self._for_groups
            if asks or (self._has_content(place) and not self._is_answered(place)):
                yield token.text

    @cached_property
    def _for_groups(self) -> frozenset[str]:
        """Words that ask for groups, where there are none, or only the order of a list has changed: `by level`."""
        if "order" in self.kinds <= {"order", "group"} and not figures_of(self.after):
            return _EACH if {one.kind for one in self.links.cues}.isdisjoint(_ORDERING) else _PER
        return frozenset() if self.after.group or self.before.group else _PER

    @property
    def answers(self) -> bool:
        """Whether the change answers to any word."""
        places = range(len(self.links.tokens))
        return any(self._has_content(at) and self._is_answered(at) for at in places)

    def _has_content(self, place: int) -> bool:
        token = self.links.tokens[place]
        if self._asks_how_many >> place & 1:
            return True
        if token.lower in STOP_WORDS or not (token.is_word or token.number is not None):
            return False
        behind = [one.lower for one in self.links.tokens[place + 1 : place + 2]]
        word = token.lower[:-1] if behind == ["t"] and token.lower.endswith("n") else token.lower
        named = spans(m for m in self.links.columns if m.best.score >= WHOLE)
        return bool(named >> place & 1) or word in _SHAPES or stem(word) not in _framing()

    @cached_property
    def _asks_how_many(self) -> int:
        """The places of a `how many`: an answer that counts nothing leaves it out."""
        return spans(one for one in self.links.cues if one.kind == "count" and self.links.text(one.span).lower() == "how many")  # fmt: skip

    def _is_answered(self, place: int) -> bool:
        token = self.links.tokens[place]
        timed = (token.lower in _TIMES or token.lower in _MONTHS) and self.is_timed
        measured = adjective_of(token.lower) is not None and self._is_measured
        timed = timed or (is_past_form(token.lower) and self._is_deed)
        own = token.lower not in STOP_WORDS and self._is_alike(token.stem)
        return (
            bool(self._covered >> place & 1)
            or timed
            or measured
            or own
            or self._is_shape(token.lower)
        )

    @cached_property
    def _is_deed(self) -> bool:
        """Whether a verb can only tell of the one time that things have: `that joined in 2024`."""
        dated = [one for one in self.known.columns if one.temporal and one.table in {self.known.columns[two].table for two in self.columns if two >= 0}]  # fmt: skip
        return bool(self.links.dates) and self.is_timed and len(dated) == 1

    def _is_shape(self, word: str) -> bool:
        """Whether a word such as `sorted`, `split` or `once` speaks of what has changed."""
        kinds = {"order": {"order", "limit"}, "turned": {"order", "where"}, "group": {"group", "order"}, "distinct": {"distinct", "select"}}  # fmt: skip
        return not self.kinds.isdisjoint(kinds.get(_SHAPES.get(word, ""), set()))

    @cached_property
    def _covered(self) -> int:
        """The places of what the change answers to, or what says nothing more."""
        links, known = self.links, self.known
        known_ids = self.ids(self._asked) | self._repeated
        read = [m for m in links.columns if known_ids.intersection(named_by(m)) and self._is_held(m)]  # fmt: skip
        surer = [
            m for m in links.columns if m.best.score >= WHOLE
        ]  # a `comment` is no review where there are comments
        things = (m for m in links.tables if not any(one.span.holds(m.span) and one.best.score > m.best.score for one in surer))  # fmt: skip
        read += [m for m in things if self.tables.intersection(named_by(m))]
        held = [v for v in links.values for o in v.options if o.column in self.columns and (o.column in self._pinned or self.scalars.intersection(o.values))]  # fmt: skip
        kept = {self.after.limit} if "order" in self.kinds else set[int | None]()  # the 3 newest
        numbers = bits(one.said.mask for one in links.numbers if one.value in self.scalars | kept)
        dates = links.dates if self.is_timed else ()
        house = amounts_of(links, known) | newcomers(links) | says_nothing(links)
        cues = [cue for cue in links.cues if self._is_met(cue)]
        return spans((*read, *held, *dates, *cues)) | numbers | house | relating(links, known)

    def _is_held(self, mention: Mention) -> bool:
        """Whether what is meant by a word for a code is there: `men` stands for `m`, whatever else `gender` is."""
        codes = word_lists().written(self.links.text(mention.span).lower())
        held = {str(one).lower() for one in self.scalars}
        return not codes or not held.isdisjoint(codes) or bool(self._pinned & named_by(mention))

    @cached_property
    def _asked(self) -> tuple[Node, ...]:
        """All that stands in what is new, and in what is gone where words deny it or nothing takes its place: `per site and status` asks for both."""
        denied = not _DENYING.isdisjoint(one.lower for one in self.links.tokens)
        return self.nodes if denied or not self.fresh else nodes_of(self.fresh)

    @cached_property
    def _pinned(self) -> set[int]:
        """The columns of which any value is answered: `cats, not dogs` leaves dogs out, `cats and dogs separately` makes groups."""
        said = {one.lower for one in self.links.tokens}
        equal = (one.node for one in self.fresh if isinstance(one.node, Comparison) and one.node.operator in ("=", "in"))  # fmt: skip
        groups = (one.node for one in self.fresh if one.kind == "group" and isinstance(one.node, ColumnRef))  # fmt: skip
        nodes = (() if _DENYING.isdisjoint(said) else equal, groups if "group" in map(_SHAPES.get, said) else ())  # fmt: skip
        return self.ids(node for some in nodes for one in some for node in walk(one))

    @property
    def _repeated(self) -> set[int]:
        """The columns of what is still shown, where words name it in full, or it alone: `total fee of dogs only`, `only the names`, `the names of dogs`."""
        kinds = {one.kind for one in self.links.cues}
        kept = [one for one in self.before.select if one in self.after.select]
        told = [one for one in kept if isinstance(one, Aggregate) and one.function in kinds]
        kept_groups = self.before.group == self.after.group and self.kinds <= {"order", "limit", "having"}  # fmt: skip
        keys = self.before.group if kept_groups else ()  # the channel with the most
        fewer = len(kept) == len(self.after.select) < len(self.before.select)
        only = self.kinds <= {"select"} and any(one.lower in _ALONE for one in self.links.tokens)
        alone = kept if fewer or only else []
        behind = {one.lower: two.lower for one, two in pairwise(self.links.tokens)}
        shown = [one for one in kept if isinstance(one, ColumnRef) and behind.get(plural(human(one.name)), behind.get(human(one.name))) == "of"]  # fmt: skip
        return self.ids(node for one in (*told, *keys, *alone, *shown) for node in walk(one))

    def _is_met(self, cue: Cue) -> bool:
        """Whether the changed query has what a cue asks for."""
        if cue.kind in _COUNTING:
            return self._is_counted or (bool(self.links.numbers) and not self.kinds.isdisjoint(_RESTRICTING))  # fmt: skip
        if cue.kind in AGGREGATES:
            ends = cue.kind in ("max", "min") and bool(self.after.order)
            return ends or cue.kind in self.functions
        if cue.kind in _GROUPING and self.kinds <= {"select"}:
            return False
        if cue.kind in _PLACING:
            return not self.kinds.isdisjoint(("order", "limit"))
        return cue.kind not in _ORDERING or self._is_measured

    @cached_property
    def _is_counted(self) -> bool:
        """Whether rows are counted, or were; those by which other rows are told are not."""
        parts = (*self.fresh, *self.gone)
        terms = (*self.after.select, *(one.by for one in self.after.order), *(one.node for one in parts if not isinstance(one.node, int)))  # fmt: skip
        return any(isinstance(one, Count) for term in terms for one in walk(term))

    @cached_property
    def _is_measured(self) -> bool:
        """Whether the change orders, compares or computes something."""
        computed = any(isinstance(one, Aggregate) for one in self.nodes)
        return computed or not self.kinds.isdisjoint(("order", "limit", *_RESTRICTING))

    def _is_alike(self, word: str) -> bool:
        """Whether a word begins as one in what has changed does: `German`, `Germany`."""
        names = [part for one in self._asked if isinstance(one, ColumnRef) for part in split_name(one.name)]  # fmt: skip
        names += [part.lower() for one in self.scalars if isinstance(one, str) for part in re.findall(r"\w+", one)]  # fmt: skip
        return begin_alike(re.sub(r"^non(?=\w{4})", "", word), map(stem, names))
