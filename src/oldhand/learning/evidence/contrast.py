"""The difference that being shown makes, estimated while trials come in; nothing is kept but sums."""

from math import sqrt
from statistics import NormalDist

from oldhand.record.base import Record

LEAST = 5
"""Trials with the lesson, and without it, from which on an interval is given."""
_DECAY = 0.5 ** (1 / 200)
"""Of the baseline: what is 200 trials old counts half, so that it follows a drifting rate of success."""


class Interval(Record):
    """An estimate with the limits between which the truth lies with 95 % confidence."""

    mean: float
    low: float
    high: float

    def times(self, factor: float) -> "Interval":
        """The interval of so many times as much; `factor` is not negative."""
        return Interval(mean=factor * self.mean, low=factor * self.low, high=factor * self.high)


class Contrast:
    """E[y | shown] - E[y | held out], by inverse propensity with a predictable baseline.

    With the chance p, shown A, outcome y and the baseline m, each trial estimates the effect without bias by

        psi = (A / p - (1 - A) / (1 - p)) (y - m)

    whatever m is, so long as it was fixed before the draw: that is augmented inverse-propensity weighting (Robins,
    Rotnitzky and Zhao 1994) with one baseline for both arms. Trials are weighted by w = p (1 - p), the overlap weights
    of Li, Morgan and Zaslavsky (2018), which are the best where an effect is the same everywhere; then w psi = (A - p)
    (y - m), so that no chance near 0 or 1 blows anything up. As each draw is independent of all that came before, rates
    that drift, chances that change, other lessons on trial and repeated questions bias nothing.

    >>> contrast = Contrast()
    >>> for number in range(400):
    ...     contrast.add(number % 2 == 0, 0.5, float(number % 4 == 0 or number % 8 == 1))
    >>> found = contrast.interval()
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2)
    (0.25, 0.15, 0.35)
    """

    __slots__ = (
        "_moment", "_recent", "_size", "_square", "_square_weight", "held", "held_sum", "score", "shown", "shown_sum",
        "variance", "weight",
    )  # fmt: skip

    def __init__(self, guess: float | None = None) -> None:
        """Start with nothing but a guess of what the outcomes are like."""
        self._recent = guess or 0.0
        self._size = 0.0 if guess is None else 1.0
        self._square = self._moment = self._square_weight = 0.0
        self.score = 0.0
        """Sum of (A - p) (y - m); below 0 when outcomes are better without."""
        self.weight = 0.0
        """Sum of p (1 - p)."""
        self.variance = 0.0
        """Of the score, given the outcomes: sum of p (1 - p) (y - m)^2. Exact where no outcome depends on the draw."""
        self.shown = self.held = 0
        self.shown_sum = self.held_sum = 0.0

    def add(self, shown: bool, chance: float, outcome: float) -> None:
        """Take one trial in."""
        baseline = self._recent / self._size if self._size else outcome
        surprise, weight = outcome - baseline, chance * (1 - chance)
        if shown:
            self.shown += 1
            self.shown_sum += outcome
            part = (1 - chance) * surprise
        else:
            self.held += 1
            self.held_sum += outcome
            part = -chance * surprise
        self.score += part
        self.weight += weight
        self.variance += weight * surprise * surprise
        self._square += part * part
        self._moment += part * weight
        self._square_weight += weight * weight
        self._recent = self._recent * _DECAY + outcome
        self._size = self._size * _DECAY + 1

    def interval(self) -> Interval | None:
        """The effect with its 95 % interval; None while there are fewer than `LEAST` trials of either kind.

        The variance is that of the parts around the estimate, or that of the draws where it is larger: neither needs
        outcomes of equal variance. The limits are those of Student's t for the rarer kind.
        """
        if min(self.shown, self.held) < LEAST:
            return None
        mean = self.score / self.weight
        around = self._square - 2 * mean * self._moment + mean * mean * self._square_weight
        error = sqrt(max(around, self.variance)) / self.weight
        reach = t_quantile(0.975, min(self.shown, self.held) - 1) * error
        return Interval(mean=mean, low=mean - reach, high=mean + reach)

    def means(self) -> tuple[float | None, float | None]:
        """What the outcomes were like when it was shown, and when it was held out."""
        shown = self.shown_sum / self.shown if self.shown else None
        return shown, self.held_sum / self.held if self.held else None


def t_quantile(share: float, freedom: int) -> float:
    """Student's t, by the expansion around the normal quantile (Abramowitz and Stegun 26.7.5).

    >>> round(t_quantile(0.975, 971), 3), round(t_quantile(0.975, 30), 3)
    (1.962, 2.042)
    """
    z = NormalDist().inv_cdf(share)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
