"""What speaks for and against a query of the pool, as named numbers."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log

from oldhand.agent.analyst.precedents.adapting import Adaptation
from oldhand.agent.analyst.precedents.comparing import QuestionDifference
from oldhand.agent.analyst.precedents.gist import Word
from oldhand.agent.analyst.precedents.habits import HABITS, KINDS, Habit, habitual
from oldhand.agent.analyst.precedents.pool import PoolEntry, marks_of, unsettled
from oldhand.agent.analyst.understanding import Understanding
from oldhand.query.likeness import Mark, share

LEAST_SHARE = 0.002
"""Belief of the rules in a query that they did not think of."""
UNLIKE = {"little": 0.05, "half": 0.2, "much": 0.4}
"""How unlike questions are from which on."""
MANY = 3
"""Pairs or votes beyond which more make no difference."""


def features_of(
    entry: PoolEntry,
    pool: Sequence[PoolEntry],
    habits: Sequence[Habit],
    fitting: Mapping[str, float],
    rules: Understanding,
) -> dict[str, float]:
    """All features of one query.

    `rule.…` is what the rules think of it, `fit.…` how it answers to the question, `yes.…` and `no.…` what the nearest
    confirmed and rejected pair say that come out as this query, `habit.…` what similar questions had.

    Args:
        entry: the query.
        pool: all that come into question.
        habits: what the confirmed pairs teach.
        fitting: how the query answers to the question.
        rules: what the rules alone make of the question.
    """
    found: dict[str, float] = defaultdict(float)
    found.update({f"fit.{name}": amount for name, amount in fitting.items()})
    _rule(entry, pool, rules.confidence, found)
    found["rule.unknown"] = float(min(len(unsettled(rules.unknown_words, entry)), MANY))
    found["rule.left_out"] = float(min(len(unsettled(rules.left_out, entry)), MANY))
    read = next((other.marks for other in pool if other.rank == 0), frozenset[Mark]())
    found["rule.slot_unmet"] = 0.0 if entry.confirmed else fitting.get("slot_unmet", 0.0)
    if entry.confirmed:
        _pair("yes", entry.confirmed, found)
        _readings(entry, read, found)
        _lead(entry, pool, found)
        first = max((other.share for other in pool), default=0.0)
        found["yes.against"] = (first - entry.share) * (1.0 - entry.confirmed[0].left.likeness)
    if entry.rejected:
        _pair("no", entry.rejected, found)
    own = {one.precedent.id for one in entry.confirmed}
    others = [one for one in habits if one.source not in own]
    found.update(zip(HABITS, habitual(entry.marks, others), strict=True))
    # In a fixed order, so that their sum is the same to the last digit.
    return {name: found[name] for name in sorted(found) if found[name]}


def _rule(
    entry: PoolEntry, pool: Sequence[PoolEntry], sure: float, found: dict[str, float]
) -> None:
    found["rule.log_share"] = log(max(entry.share, LEAST_SHARE))
    found["rule.first"] = float(entry.rank == 0)
    found["rule.first.sure"] = sure * (entry.rank == 0)
    found["rule.absent"] = float(entry.candidate is None)
    found["rule.absent.sure"] = sure * (entry.candidate is None)
    if entry.candidate is None:
        rules = [other for other in pool if other.share]
        found["rule.likeness"] = sum(o.share * share(entry.marks, o.marks) for o in rules)


def _readings(entry: PoolEntry, read: frozenset[Mark], found: dict[str, float]) -> None:
    """How differently the rules read the old question and the new one, and whether they know the query themselves."""
    past = entry.confirmed[0].past
    differing = Counter(kind for kind, _ in past.read ^ read if kind in KINDS)
    found["yes.reads"] = float(sum(min(count, MANY) for count in differing.values()))
    found["yes.reads.same"] = float(past.read == read)
    known = past.read == marks_of(past.precedent.query)
    found["yes.known"] = float(known)
    found["yes.known.not_first"] = float(known and entry.rank != 0)


def _lead(entry: PoolEntry, pool: Sequence[PoolEntry], found: dict[str, float]) -> None:
    """How much nearer the nearest pair behind this query is than any other pair."""
    own = {one.precedent.id for one in entry.confirmed}
    others = [
        other.confirmed[0].nearness
        for other in pool
        if other.confirmed and other.confirmed[0].precedent.id not in own
    ]
    lead = entry.confirmed[0].nearness - max(others, default=0.0)
    found["yes.nearest"] = float(lead >= 0)
    found["yes.lead"] = max(-1.0, min(lead, 1.0))


def _pair(name: str, adaptations: Sequence[Adaptation], found: dict[str, float]) -> None:
    best = adaptations[0]
    found[name] = 1.0
    for feature, amount in difference_features(best.left).items():
        found[f"{name}.{feature}"] = amount
    forms = best.left.new_forms | best.left.old_forms
    if name == "no":
        found["no.forms"] = float(len(forms))
    else:
        found.update({f"yes.form.{form.partition(' ')[0]}": 1.0 for form in forms})
    for kind, count in best.changed.items():
        found[f"{name}.changed.{kind}"] = float(count)
    pair = best.precedent
    found[f"{name}.thumb"] = float(not pair.corrected)
    found[f"{name}.contested"] = float(pair.contested)
    found[f"{name}.ups"] = min(pair.ups, MANY)
    found[f"{name}.downs"] = min(pair.downs, MANY)
    found[f"{name}.others"] = min(len({a.precedent.id for a in adaptations}) - 1, MANY)
    if not pair.corrected:
        found[f"{name}.thumb.likeness"] = best.left.likeness


def _content(words: Sequence[tuple[Word, float]]) -> float:
    return sum(amount for word, amount in words if not word.cue)


def difference_features(left: QuestionDifference) -> dict[str, float]:
    """The difference of two questions, as named numbers."""
    found: dict[str, float] = defaultdict(float)
    found["unlike"] = 1.0 - left.likeness
    for name, least in UNLIKE.items():
        found[f"unlike.{name}"] = float(1.0 - left.likeness > least)
    found["letters"] = left.letters
    for side, words, slots in (
        ("new", left.new_words, left.new_slots),
        ("old", left.old_words, left.old_slots),
    ):
        for word, amount in words:
            if word.cue:
                continue
            name = "column" if word.columns else "table" if word.tables else "word"
            found[f"{side}.{name}"] += amount
        for slot in slots:
            found[f"{side}.{slot.kind}"] += slot.weight
    fresh, gone = _content(left.new_words), _content(left.old_words)
    found["swapped"] = min(fresh, gone)
    found["shown"] = sum(
        amount
        for word, amount in (*left.new_words, *left.old_words)
        if word.columns and word.region == "S"
    )
    found["same"] = float(not (left.new_words or left.old_words or left.new_slots or left.old_slots or left.new_forms or left.old_forms))  # fmt: skip
    return found
