"""All queries that come into question: those of the rules, and those that old questions lend."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from oldhand.agent.analyst.candidates.ranking import shares
from oldhand.agent.analyst.offering import same_rows
from oldhand.agent.analyst.precedents.adapting import Adaptation
from oldhand.agent.analyst.precedents.agreeing import reworded
from oldhand.agent.analyst.understanding import Candidate
from oldhand.lexicon.tokens import tokenise
from oldhand.query.form import Query
from oldhand.query.likeness import Mark, marks
from oldhand.query.normal import meaning
from oldhand.query.opaque import Opaque


@dataclass(slots=True)
class PoolEntry:
    """One query, whoever brought it up."""

    query: Query | Opaque
    candidate: Candidate | None = None
    """That of the rules; None when they did not think of it."""
    share: float = 0.0
    """The rules' belief in it, as a share of that in all their candidates."""
    rank: int = -1
    """Its place among the rules' candidates; -1 when they did not think of it."""
    confirmed: list[Adaptation] = field(default_factory=list[Adaptation])
    """Confirmed pairs that come out as this query, the nearest question first."""
    rejected: list[Adaptation] = field(default_factory=list[Adaptation])
    """Rejected pairs that come out as this query, the nearest question first."""
    opposed: bool = False
    """True when it answers a question that means the opposite in nearly the same words."""

    @property
    def marks(self) -> frozenset[Mark]:
        """What the query can share with others."""
        return marks_of(self.query)


def marks_of(query: Query | Opaque) -> frozenset[Mark]:
    """What a query can share with others; all in one where the form can't hold it."""
    return frozenset({("opaque", query)}) if isinstance(query, Opaque) else marks(query)


def _meaning(query: Query | Opaque) -> object:
    return query if isinstance(query, Opaque) else meaning(_as_groups_come(query))


def _as_groups_come(query: Query) -> Query:
    """A query without the order in which its groups come anyway: that of what is shown of their keys."""
    keys = [key for key in query.group if key in query.select]
    by = [one.by for one in query.order if not one.descending]
    anyway = query.limit is None and query.compound is None and by == keys
    return replace(query, order=()) if anyway and len(by) == len(query.order) else query


def pool_of(
    candidates: Sequence[Candidate],
    lent: Iterable[Adaptation],
    opposed: Iterable[Query | Opaque] = (),
) -> list[PoolEntry]:
    """Each query once, the rules' first; a rejected query that nobody else brings up is left out.

    Args:
        candidates: the rules' queries.
        lent: what pairs come out as.
        opposed: what was confirmed for questions that mean the opposite.
    """
    found: dict[object, PoolEntry] = {}
    beliefs = shares(candidate.score for candidate in candidates)
    for rank, (candidate, share) in enumerate(zip(candidates, beliefs, strict=True)):
        entry = found.setdefault(_meaning(candidate.query), PoolEntry(candidate.query))
        if entry.candidate is None:
            entry.candidate, entry.rank = candidate, rank
        entry.share += share
    nearest = sorted(lent, key=lambda one: (not one.precedent.right, -one.nearness))
    for one in nearest:
        key = _meaning(one.query)
        if one.precedent.right:
            found.setdefault(key, PoolEntry(one.query)).confirmed.append(one)
        elif key in found:
            found[key].rejected.append(one)
    for query in opposed:
        if _meaning(query) in found:
            found[_meaning(query)].opposed = True
    return list(found.values())


def is_settled(entry: PoolEntry) -> bool:
    """True when the query was confirmed for the very same question, and nobody called it wrong for that."""
    return _is_judged(entry.confirmed) and not _is_judged(entry.rejected)


def is_barred(entry: PoolEntry) -> bool:
    """True when the query was called wrong for the very same question, or confirmed for its opposite, and not for itself."""
    against = _is_judged(entry.rejected) or entry.opposed
    return against and not _is_judged(entry.confirmed)


def is_like_barred(entry: PoolEntry, pool: Iterable[PoolEntry]) -> bool:
    """True when an entry shows the very rows, by other columns at most, of one that was called wrong for the question."""
    return not entry.confirmed and any(
        other is not entry and is_barred(other) and same_rows(entry.query, other.query)
        for other in pool
    )


def _is_judged(pairs: Sequence[Adaptation]) -> bool:
    return any(
        one.past.left.identical and not one.changed and not one.precedent.contested for one in pairs
    )


def unsettled(words: Sequence[str], entry: PoolEntry) -> tuple[str, ...]:
    """The words in doubt that the question of the pair behind a query does not have either; all without a pair."""
    if not entry.confirmed:
        return tuple(words)
    best = entry.confirmed[0]
    left = best.left
    fresh = {word.stem for word, amount in left.new_words if 2 * amount > word.weight}
    fresh -= reworded(left, best.past.old)
    fresh |= {word for slot in left.new_slots for text in slot.texts for word in text.split()}
    return tuple(
        word
        for word in words
        if word.casefold() in fresh
        or any(t.stem in fresh or t.lower in fresh for t in tokenise(word))
    )
