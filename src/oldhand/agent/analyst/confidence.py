"""How sure an understanding is: signals, and the calibrated chance that is made from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import prod

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.ranking import chance, learned, shares
from oldhand.agent.analyst.ranked import Ranked
from oldhand.lexicon.tokens import STOP_WORDS, Token
from oldhand.query.form import Count, Expression, Query
from oldhand.query.walk import is_measure


@dataclass(frozen=True, slots=True)
class ConfidenceSignals:
    """What is known about the best candidate; all between 0 and 1 but the counts."""

    share: float = 0.0
    """Its share of the belief among all candidates."""
    margin: float = 0.0
    """Its share minus that of the second one."""
    covered: float = 0.0
    """Share of the words with content that it answers to."""
    unknown: float = 0.0
    """Number of words that nothing knows."""
    unknown_asked: float = 0.0
    """Number of those that say what is asked for, or are names."""
    unused: float = 0.0
    """Number of values, numbers and cues that it leaves aside."""
    tables: float = 0.0
    """Tables joined."""
    score: float = 0.0
    """Its score, in tens."""
    broken: float = 0.0
    """1 when it breaks a constraint."""
    preferred: float = 0.0
    """1 when it was put before a likelier one that breaks a constraint."""
    joined: float = 1.0
    """How likely it is that its tables belong together as it joins them; less than 1 over keys that were inferred."""
    shown: float = 0.0
    """Columns and numbers that it shows, up to six: each is one more to be mistaken in."""
    counts: float = 0.0
    """1 when it only counts the rows of one table: there is little to be mistaken in."""

    def named(self) -> dict[str, float]:
        """All by their names, with `ahead`: its share of the belief in it and the second one together.

        Belief that is spread over many others says less against the first one than belief in one other.
        """
        both = 2 * self.share - self.margin
        return {**asdict(self), "ahead": self.share / both if both else 0.0}


def signals_of(
    asked: Asked, found: Sequence[Ranked], unknown: Sequence[Token]
) -> ConfidenceSignals:
    """The signals of the first candidate; all zero when there is none."""
    known = ConfidenceSignals(unknown=float(len(unknown)), unknown_asked=_asked_for(asked, unknown))
    if not found:
        return known
    best = found[0]
    parts = _shares_of_meanings(asked, found)
    content = [
        i for i, t in enumerate(asked.links.tokens) if t.is_word and t.lower not in STOP_WORDS
    ]
    covered = sum(1 for i in content if best.used >> i & 1) / max(len(content), 1)
    unused = sum(amount for name, amount in best.features.items() if name.startswith("unused."))
    return replace(
        known,
        share=parts[0],
        margin=parts[0] - (parts[1] if len(parts) > 1 else 0.0),
        covered=covered,
        unused=unused,
        tables=float(len(best.query.rows.relations)),
        score=best.score / 10,
        broken=float(bool(best.broken)),
        preferred=float(bool(best.passed)),
        shown=best.features.get("select.count", 0.0),
        counts=float(_only_counts(best.query)),
        joined=prod(edge.confidence for edge in asked.edges(best.query.rows)),
    )


def _only_counts(query: Query) -> bool:
    more = query.group or query.having or query.compound
    return query.select == (Count(),) and len(query.rows.relations) == 1 and not more


def _shares_of_meanings(asked: Asked, found: Sequence[Ranked]) -> list[float]:
    """Shares of the belief, the first candidate's meaning first, then the largest of the others.

    The same rows by the name, half the name or the key of what they are mean the same.
    """
    standing = _standing_for_things(
        asked, {table for one in found for table in asked.inside(one.query.rows)}
    )
    keys = [meaning(_by_things(one.query, standing)) for one in found]
    shared: dict[object, float] = {}
    for key, share in zip(keys, shares(one.score for one in found), strict=True):
        shared[key] = shared.get(key, 0.0) + share
    first = shared.pop(keys[0])
    return [first, *sorted(shared.values(), reverse=True)]


def _standing_for_things(asked: Asked, tables: Iterable[int]) -> Mapping[Expression, Expression]:
    """The columns that say which row of a table it is, each with the one that stands for them all."""
    found: dict[Expression, Expression] = {}
    for table in tables:
        names = asked.full_name(table) or asked.labels(table)[:1]
        first, *others = map(asked.ref, (*asked.key(table), *names))
        found.update(dict.fromkeys(others, first))
    return found


def _by_things(query: Query, standing: Mapping[Expression, Expression]) -> Query:
    select, group = (
        tuple(dict.fromkeys(standing.get(part, part) for part in parts))
        for parts in (query.select, query.group)
    )
    return replace(query, select=select, group=group)


def meaning(query: Query) -> object:
    """What a query asks for; the order of its columns, repeated rows, and whether groups stand beside their numbers aside."""
    measured = any(map(is_measure, (*query.select, *(order.by for order in query.order))))
    numbers = frozenset(filter(is_measure, query.select))
    return (
        numbers if numbers and query.group else frozenset(query.select),
        frozenset(query.rows.relations),
        frozenset(query.where),
        frozenset(query.group) if measured or query.having else (),
        query.having,
        query.order,
        query.limit,
        query.offset,
        query.each,
        query.compound,
    )


def confidence(signals: ConfidenceSignals) -> float:
    """The chance that the first candidate is right, 0 when there is none."""
    if signals.share == 0.0:
        return 0.0
    return signals.joined * chance(signals.named(), learned().calibration)


def _asked_for(asked: Asked, unknown: Sequence[Token]) -> float:
    tokens = asked.links.tokens
    return float(
        sum(
            asked.links.regions[tokens.index(token)] in "SG"
            or (token.text[0].isupper() and token is not tokens[0])
            for token in unknown
        )
    )
