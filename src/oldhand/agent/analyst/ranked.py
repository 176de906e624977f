"""All queries that a question may mean, each once: the likeliest that breaks no constraint first, then by their scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import permutations

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.assemble import assemble
from oldhand.agent.analyst.candidates.beam import drafts
from oldhand.agent.analyst.candidates.choices import ChoiceDraft
from oldhand.agent.analyst.candidates.features import features_of
from oldhand.agent.analyst.candidates.named_rows import (
    shown_by_name,
    told_of_each,
    with_its_figure,
)
from oldhand.agent.analyst.candidates.over_groups import told_apart
from oldhand.agent.analyst.candidates.ranking import score
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.constraints.table import DOUBTED, LEFT_OUT, broken, makes_sense
from oldhand.agent.analyst.words.ends import End
from oldhand.query.form import ColumnRef, Join, Node, Query
from oldhand.query.walk import changed

REACH = 2.5
"""How far, in points of the score, a query that breaks nothing may lie behind one that breaks a constraint and still come before it."""

_LESS_LIKELY = 0.01
"""What sets another key apart that nothing speaks against."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A query before it is written, with what speaks for it."""

    query: Query
    features: Mapping[str, float]
    score: float
    draft: ChoiceDraft
    """The choices that it was made of."""
    broken: Mapping[str, int] = field(default_factory=dict[str, int])
    """The constraints that it breaks, each with the tokens that it fails for as bits; looked up for the first query alone."""
    passed: Mapping[str, int] = field(default_factory=dict[str, int])
    """The same of the likeliest query, where this one was put before it."""

    @property
    def used(self) -> int:
        """The words of the question that it answers to, as bits."""
        return self.draft.used


def ranked(asked: Asked, weights: Mapping[str, float]) -> list[Ranked]:
    """The queries that make sense, the one to answer with first, the others by their scores."""
    best: dict[Query, Ranked] = {}
    for draft in drafts(asked, weights):
        for query, added in assemble(asked, draft):
            if not makes_sense(asked, query):
                continue
            features = features_of(asked, draft, query, added)
            named = with_its_figure(asked, told_of_each(asked, shown_by_name(asked, query)))
            made = told_apart(asked, named)
            found = Ranked(made, features, score(features, weights), draft)
            known = best.get(made)
            if known is None or known.score < found.score:
                best[made] = found
    found = sorted(best.values(), key=lambda found: -found.score)
    return _soundest_first(asked, found) if found else []


def together(one: Sequence[Ranked], other: Sequence[Ranked]) -> list[Ranked]:
    """The queries of two ways to link a question, each once; the sounder of both firsts comes first, or the likelier one."""
    firsts = sorted((*one[:1], *other[:1]), key=lambda it: (_gravity(it.broken), -it.score))
    rest = sorted((*one[1:], *other[1:]), key=lambda it: -it.score)
    kept: dict[Query, Ranked] = {}
    for it in (*firsts, *rest):
        kept.setdefault(it.query, it)
    return [*kept.values()]


def by_other_keys(asked: Asked, one: Ranked) -> Iterator[Ranked]:
    """The same over other keys to the same rows: trains by where they end, in place of where they start."""
    followed = Hypothesis(asked, one.query, one.draft).follows
    for end, other in permutations(asked.vocabulary.ends.values(), 2):
        if (end.holder, end.table) != (other.holder, other.table):
            continue
        if followed(end.holder, end.column) and not followed(other.holder, other.column):
            query = changed(one.query, partial(_over_another, end=end, other=other))
            yield replace(one, query=query, score=one.score - _LESS_LIKELY)


def _over_another(node: Node, end: End, other: End) -> Node:
    """A part of a query with another key of the same rows in the place of one."""
    holder = end.edge.join.left
    if isinstance(node, Join) and holder in (node.left, node.right):
        refers = node.left == holder
        keys = (pair if refers else pair[::-1] for pair in node.keys)
        made = ((other.column if own == end.column else own, to) for own, to in keys)
        return replace(node, keys=tuple(pair if refers else pair[::-1] for pair in made))
    if isinstance(node, ColumnRef) and (node.of, node.name) == (holder, end.column):
        return replace(node, name=other.column)
    return node


def _soundest_first(asked: Asked, found: Sequence[Ranked]) -> list[Ranked]:
    """The first query within reach that breaks nothing, else one that only leaves something out, before all others."""
    passed: Mapping[str, int] = {}
    first, least = found[0], 3
    for place, one in enumerate(found):
        if one.score < found[0].score - REACH or least == 0:
            break
        breaks = broken(Hypothesis(asked, one.query, one.draft))
        if _gravity(breaks) < least:
            first, least = replace(one, broken=breaks, passed=passed), _gravity(breaks)
        passed = passed if place else breaks
    return [first, *(one for one in found if one.query is not first.query)]


def _gravity(breaks: Mapping[str, int]) -> int:
    """0 for a query that breaks nothing, 1 for one that only leaves something out, 2 for others."""
    grave = breaks.keys() - DOUBTED
    return 2 if grave - LEFT_OUT else len(grave)
