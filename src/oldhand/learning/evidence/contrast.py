"""The difference that being shown makes, estimated while trials come in; nothing is kept but sums."""

from math import sqrt
from statistics import NormalDist

from oldhand.record.base import Record

LEAST = 5
"""Trials with the lesson, and without it, from which on an interval is given."""
_PRIOR = 0.5
"""What is added to the variance of a score before it is believed: about as much as two trials bring."""
_EVEN = 0.25
"""What a trial weighs whose chance was one half: p (1 - p)."""
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

    Where both answers are known, shown and shadow, a trial says d = y(with) - y(without) itself, and counts as much as
    one with a chance of one half. That happens when the shown one was right, since a shadow with other rows was wrong
    then, and when a wrong one was corrected, which judges both. A wrong answer that nobody corrects leaves the shadow
    unknown; so of a right one only the share r counts as d that wrong ones are corrected in, known before the draw:

        right, d known:     r d / 4 + (1 - r) w psi
        wrong, corrected:   d / 4
        wrong, else:        w psi

    Averaged over both draws that is d (r / 4 + (1 - r) w), whatever the answers are like, if who corrects would do so for
    either answer. Where that fails, chances of one half still bias nothing.

    >>> contrast = Contrast()
    >>> for number in range(400):
    ...     contrast.add(number % 2 == 0, 0.5, float(number % 4 == 0 or number % 8 == 1))
    >>> found = contrast.interval()
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2)
    (0.25, 0.15, 0.35)
    """

    __slots__ = (
        "_corrected", "_moment", "_recent", "_size", "_square", "_square_weight", "_wrong", "held", "held_sum", "score",
        "shown", "shown_sum", "variance", "weight",
    )  # fmt: skip

    def __init__(self, guess: float | None = None) -> None:
        """Start with nothing but a guess of what the outcomes are like."""
        self._recent = guess or 0.0
        self._size = 0.0 if guess is None else 1.0
        self._square = self._moment = self._square_weight = 0.0
        self._wrong = self._corrected = 0
        self.score = 0.0
        """Sum of (A - p) (y - m); below 0 when outcomes are better without."""
        self.weight = 0.0
        """Sum of p (1 - p)."""
        self.variance = 0.0
        """Of the score, given the outcomes: sum of p (1 - p) (y - m)^2. Exact where no outcome depends on the draw."""
        self.shown = self.held = 0
        self.shown_sum = self.held_sum = 0.0

    def add(self, shown: bool, chance: float, outcome: float, other: float | None = None) -> None:
        """Take one trial in; `other` is the outcome of the opposite draw, where that is known."""
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
        spread = weight * surprise * surprise
        revealed = self._corrected / self._wrong if self._wrong else 0.0
        if other is not None:
            known = revealed if outcome else 1.0
            whole = _EVEN * (outcome - other if shown else other - outcome)
            part = known * whole + (1 - known) * part
            spread = known * whole * whole + (1 - known) * spread
        weight = revealed * _EVEN + (1 - revealed) * weight
        if not outcome:
            self._wrong += 1
            self._corrected += other is not None
        self.score += part
        self.weight += weight
        self.variance += spread
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


def belief(score: float, variance: float) -> float:
    """How likely it is that answers are better with it, by a score with its variance, starting from even odds.

    >>> round(belief(0.0, 3.0), 2), round(belief(-1.5, 1.75), 2)
    (0.5, 0.16)
    """
    return NormalDist().cdf(score / sqrt(variance + _PRIOR))


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
