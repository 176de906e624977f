"""People who ask, look at five passages and press a thumb; and how good the order of passages is afterwards."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks._credit.collections import Collection
from oldhand.learning.credit.events import CreditEvent, CreditRule
from oldhand.learning.credit.kernel import features_of

_SHOWN, _RANKED = 5, 10
_HELD_OUT = 0.3
_MEASURED = 300


@dataclass(frozen=True)
class Stream:
    """How people behave."""

    signals: int = 2_500
    noise: float = 0.1
    """Share of thumbs that say the opposite."""
    rated: float = 1.0
    """Share of answers that somebody rates."""
    late: int = 0
    """Answers that are given between an answer and its thumb."""
    revised: float = 0.0
    """Share of thumbs that are changed to what is true, some time later."""
    hybrid: bool = True
    cites: bool = False
    """Whether the thumb is about the passage that the answer rests on: the best relevant one, else the first."""


@dataclass
class Measured:
    """Means over questions."""

    ndcg: list[float] = field(default_factory=list)
    mrr: list[float] = field(default_factory=list)
    success: list[float] = field(default_factory=list)

    def add(self, ranked: Sequence[int], relevant: frozenset[int]) -> None:
        """One question."""
        hits = [at in relevant for at in ranked[:_RANKED]]
        gain = sum(1 / np.log2(n + 2) for n, hit in enumerate(hits) if hit)
        best = sum(1 / np.log2(n + 2) for n in range(min(len(relevant), _RANKED)))
        self.ndcg.append(gain / best)
        self.mrr.append(next((1 / n for n, hit in enumerate(hits, 1) if hit), 0.0))
        self.success.append(float(any(hits[:_SHOWN])))

    @property
    def means(self) -> tuple[float, float, float]:
        """nDCG@10, reciprocal rank, success@5."""
        each = (self.ndcg, self.mrr, self.success)
        return tuple(float(np.mean(one)) if one else float("nan") for one in each)


@dataclass(frozen=True)
class Outcome:
    """What one stream has led to."""

    held_out: Measured
    """Questions that nobody rated."""
    repeated: Measured
    """Questions that were rated, each asked once more."""
    again: Measured
    """The same, drawn as often as they were asked."""
    paraphrased: Measured
    """Those of `repeated` in other words."""
    popular: Measured
    rare: Measured
    """Those of `repeated` that were rated most often, and only once."""
    learning: float
    """Success@5 while votes came in."""


def run(
    collection: Collection, make: Callable[[], CreditRule], stream: Stream, seed: int
) -> Outcome:
    """Let people vote, and measure."""
    chance = random.Random(seed)
    rule, hybrid = make(), stream.hybrid
    order = chance.sample(range(collection.originals), collection.originals)
    cut = int(len(order) * _HELD_OUT)
    held, train = order[:cut], order[cut:]
    weights = [1 / n for n in range(1, len(train) + 1)]  # Zipf
    waiting: list[CreditEvent] = []
    asked: dict[int, int] = {}
    good: list[bool] = []
    for number, question in enumerate(
        chance.choices(train, weights, k=round(stream.signals / stream.rated))
    ):
        event, success = _answered(collection, rule, stream, question, number, chance)
        good.append(success)
        if chance.random() >= stream.rated:
            continue
        asked[question] = asked.get(question, 0) + 1
        waiting.append(event)
        if len(waiting) > stream.late:
            rule.learn(waiting.pop(0))
        if chance.random() < stream.revised:
            _revise(collection, rule, chance, 2 * number + 1)
    for event in waiting:
        rule.learn(event)
    often = sorted(asked, key=lambda one: -asked[one])
    paraphrases = {of: one for one, of in collection.paraphrase_of.items()}

    def measured(questions: Iterable[int]) -> Measured:
        found = Measured()
        for one in questions:
            found.add(ranking(collection, rule, one, hybrid=hybrid), collection.relevant[one])
        return found

    return Outcome(
        measured(held[:_MEASURED]),
        measured(chance.sample(often, min(_MEASURED, len(often)))),
        measured(chance.choices(often, [asked[one] for one in often], k=_MEASURED)),
        measured([paraphrases[one] for one in often if one in paraphrases][:_MEASURED]),
        measured(often[: max(1, len(often) // 10)]),
        measured([one for one in often if asked[one] == 1][:_MEASURED]),
        float(np.mean(good)),
    )


def ranking(collection: Collection, rule: CreditRule, question: int, *, hybrid: bool) -> list[int]:
    """The passages for a question, best first."""
    point = collection.asked(question)
    found = collection.candidates(question, rule.evident(point), hybrid=hybrid)
    return [int(one.chunk) for one in rule.rank(point, found)]


def _answered(
    collection: Collection,
    rule: CreditRule,
    stream: Stream,
    question: int,
    number: int,
    chance: random.Random,
) -> tuple[CreditEvent, bool]:
    point = collection.asked(question)
    found = collection.candidates(question, rule.evident(point), hybrid=stream.hybrid)
    shown, top = features_of(found)
    known = {one.chunk: one for one in shown}
    ranked = [known[one.chunk] for one in rule.rank(point, found)[:_SHOWN]]
    relevant = [one for one in ranked if int(one.chunk) in collection.relevant[question]]
    if stream.cites:
        ranked = (relevant or ranked)[:1]
    success = bool(relevant)
    thumb = success if chance.random() >= stream.noise else not success
    event = CreditEvent(
        f"f{number}",
        2 * number,
        f"r{number}",
        f"{number}:{question}",
        point,
        tuple(ranked),
        1 if thumb else -1,
        cites=stream.cites,
        top=top,
    )
    return event, success


def _revise(collection: Collection, rule: CreditRule, chance: random.Random, order: int) -> None:
    """Somebody says of a late answer what is true."""
    late = [one for one, _ in rule.learned()[-50:]]
    if not late:
        return
    one = chance.choice(late)
    question = int(one.episode_id.split(":")[1])
    right = any(int(shown.chunk) in collection.relevant[question] for shown in one.shown)
    fields = {
        **one.__dict__,
        "id": f"{one.id}.{order}",
        "order": order,
        "rating": 1 if right else -1,
    }
    rule.learn(CreditEvent(**fields))
