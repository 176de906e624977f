"""The choice of a model: the cheapest one that is good enough, as far as can be told, with a floor of quality.

Whether a model is good enough for a kind of question is known only by its probability, so it is drawn: models are asked
in the order of their cost whether they reach the floor, each by a draw from what is known of it (satisficing Thompson
sampling). A cheap model that is probably good enough is mostly used, one that is probably not is tried now and then, and
one that is surely not is never tried. When none reaches the floor, the one that is expected to be best is used.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from pydantic import Field

from oldhand.learning.routing.buckets import Bucket, bucket_of, is_trivial
from oldhand.learning.routing.experience import Experience, experience_of
from oldhand.learning.routing.share import BetaEstimate
from oldhand.record.base import Record
from oldhand.record.episode import Recalled
from oldhand.record.situation import Situation
from oldhand.settings import BUILTIN, RoutedModel, RoutingSettings
from oldhand.store import Store

_WEAKEST, _STRONGEST = 0.5, 0.9
_HARDNESS = {"simple": 0.1, "medium": 0.5, "hard": 1.0}
_LEAST = 0.02
"""No expectation is closer to 0 or 1 than this."""


class ModelCandidate(NamedTuple):
    """A model that may answer."""

    model: str
    expected: float
    """The share of right answers that is expected of it."""
    chance: float
    """The probability with which it is chosen."""


class Route(Record):
    """How one model does on questions of one kind."""

    intent: str
    complexity: str
    model: str
    answers: int = Field(ge=0)
    judged: int = Field(ge=0)
    success: float | None
    """The share of right ones among the judged; None while none is."""
    expected: float
    """The share that is expected, with what is known of other questions."""
    cost: float
    """US dollars for an answer."""
    seconds: float
    """For an answer; 0 while there is none."""
    chance: float = Field(ge=0, le=1)
    """The probability with which it gets the next such question."""


@dataclass(frozen=True)
class Chooser:
    """Chooses models for the questions of one clone. Methods block."""

    clone_id: str
    store: Store
    limits: RoutingSettings

    def options(
        self, situation: Situation, *, without: Collection[str] = ()
    ) -> tuple[ModelCandidate, ...]:
        """The models with their chances, the cheapest first."""
        trivial = is_trivial(situation)
        known = Experience() if trivial else self._experience()
        return self._options(bucket_of(situation), known, trivial=trivial, without=without)

    def best(self, situation: Situation) -> str:
        """The model that is most likely to be chosen: for a rehearsal, in which nothing is left to chance."""
        return max(self.options(situation), key=lambda one: one.chance).model

    def draw(
        self, situation: Situation, random: Random, *, without: Collection[str] = ()
    ) -> tuple[str, tuple[Recalled, ...]]:
        """A model, and the record of the draw: all models that had a chance.

        Some may be left out, because they can't be asked now, but not all.
        """
        options = [one for one in self.options(situation, without=without) if one.chance > 0]
        weights = [one.chance for one in options]
        (chosen,) = random.choices(options, weights) if len(options) > 1 else options
        items = tuple(
            Recalled(
                kind="model",
                item_id=one.model,
                rank=rank,
                score=one.expected,
                shown=one is chosen,
                chance=one.chance,
                used=one is chosen,
            )
            for rank, one in enumerate(options, 1)
        )
        return chosen.model, items

    def routes(self) -> tuple[Route, ...]:
        """How each model does on each kind of question that was asked so far."""
        known = self._experience()
        names = {one.name for one in self.limits.models}
        buckets = sorted({bucket for model, bucket in known.by_bucket if model in names})
        return tuple(
            self._route(option, bucket, known)
            for bucket in buckets
            for option in self._options(
                bucket, known, trivial=is_trivial(Situation(intent=bucket.intent, complexity=1))
            )
        )

    def _experience(self) -> Experience:
        return experience_of(self.store.fared.latest(self.clone_id, self.limits.window))

    def _options(
        self, bucket: Bucket, known: Experience, *, trivial: bool, without: Collection[str] = ()
    ) -> tuple[ModelCandidate, ...]:
        # The cheapest first, with the time that one waits for them; of equally cheap ones, as they are named.
        by_price = sorted(self.limits.models, key=lambda one: self._price(one, known))
        models = [one for one in by_price if one.name not in without]
        shares = [self._share(one, bucket, known) for one in models]
        chances = _only(_for_nothing(models), len(models)) if trivial else self._chances(shares)
        return tuple(
            ModelCandidate(one.name, round(share.mean, 4), chance)
            for one, share, chance in zip(models, shares, chances, strict=True)
        )

    def _chances(self, shares: Sequence[BetaEstimate]) -> list[float]:
        """The probability of each to be the first that reaches the floor; what is left goes to the best one."""
        below = [share.below(self.limits.floor) for share in shares]
        best = max(range(len(shares)), key=lambda place: shares[place].mean)
        chances, left = [0.0] * len(shares), 1.0
        for place, short in enumerate(below):
            if short >= self.limits.sure:
                continue  # surely not good enough
            chances[place] = left * (1 - short)
            left *= short
        chances[best] += left
        # A chance that can't be told from 0 on record is none.
        kept = [chance if chance >= 1e-4 else 0.0 for chance in chances]
        return [round(chance / sum(kept), 6) for chance in kept]

    def _share(self, model: RoutedModel, bucket: Bucket, known: Experience) -> BetaEstimate:
        """What was seen on such questions, and as a few answers more, what was expected.

        A model that did better, or worse, than expected on other questions is expected to do so on these.
        """
        here, weight = known.of(model.name, bucket), self.limits.weight
        others = known.elsewhere(model.name, bucket)
        judged = sum(tried.judged for _, tried in others)
        better = sum(
            tried.good - tried.judged * self._expected(model, other) for other, tried in others
        )
        guess = self._expected(model, bucket) + better / (weight + judged)
        guess = min(max(guess, _LEAST), 1 - _LEAST)
        return BetaEstimate(here.good + guess * weight, here.bad + (1 - guess) * weight)

    def _expected(self, model: RoutedModel, bucket: Bucket) -> float:
        """The share of right answers before anything was seen."""
        return 1 - _HARDNESS[bucket.complexity] * (1 - self._strength(model))

    def _strength(self, model: RoutedModel) -> float:
        if model.strength is not None:
            return model.strength
        costs = sorted({_stated_cost(one) for one in self.limits.models})
        place = costs.index(_stated_cost(model)) / max(1, len(costs) - 1)
        return _WEAKEST + place * (_STRONGEST - _WEAKEST)

    def _price(self, model: RoutedModel, known: Experience) -> float:
        """Dollars for an answer, waiting included: none is expected until there are answers."""
        tried, weight = known.by_model.get(model.name), self.limits.weight
        seconds = 0.0 if tried is None else tried.seconds / (weight + tried.answers)
        return self._cost(model, known) + self.limits.second * seconds

    def _cost(self, model: RoutedModel, known: Experience) -> float:
        """Dollars for an answer: as stated, and as seen once there are answers."""
        if is_free(model):
            return 0.0
        tried, weight = known.by_model.get(model.name), self.limits.weight
        if tried is None:
            return model.cost
        return (model.cost * weight + tried.cost) / (weight + tried.answers)

    def _route(self, option: ModelCandidate, bucket: Bucket, known: Experience) -> Route:
        tried = known.of(option.model, bucket)
        model = next(one for one in self.limits.models if one.name == option.model)
        return Route(
            intent=bucket.intent,
            complexity=bucket.complexity,
            model=option.model,
            answers=tried.answers,
            judged=tried.judged,
            success=round(tried.good / tried.judged, 4) if tried.judged else None,
            expected=option.expected,
            cost=tried.cost / tried.answers if tried.answers else self._cost(model, known),
            seconds=tried.seconds / tried.answers if tried.answers else 0.0,
            chance=option.chance,
        )


def is_free(model: RoutedModel) -> bool:
    """Whether its answers cost nothing."""
    return model.free or model.name == BUILTIN


def _stated_cost(model: RoutedModel) -> float:
    return 0.0 if is_free(model) else model.cost


def _for_nothing(models: Sequence[RoutedModel]) -> int:
    """The place of the model for trivial questions: the first free local one, else the first free one, else the cheapest."""
    local = (
        place
        for place, one in enumerate(models)
        if is_free(one) and (one.local or one.name == BUILTIN)
    )
    free = (place for place, one in enumerate(models) if is_free(one))
    return next(local, next(free, 0))


def _only(place: int, count: int) -> list[float]:
    return [float(one == place) for one in range(count)]
