"""Which of two shares of successes is the larger one: Beta posteriors, compared exactly."""

from math import exp, lgamma, log
from typing import NamedTuple


class Arm(NamedTuple):
    """What is known of one share of successes; before anything is known, every share is as likely as any other."""

    good: int
    bad: int

    @property
    def judged(self) -> int:
        """How many outcomes are known."""
        return self.good + self.bad

    @property
    def mean(self) -> float:
        """Its expectation."""
        return (self.good + 1) / (self.judged + 2)


def chance_better(one: Arm, other: Arm) -> float:
    """The probability that `one` has the larger share.

    Closed form for Beta posteriors with whole parameters: Miller, *Formulas for Bayesian A/B testing* (2014). Drawing
    by this chance is Thompson sampling, and the chance can be put on record.

    >>> round(chance_better(Arm(0, 0), Arm(0, 0)), 3), round(chance_better(Arm(46, 4), Arm(42, 8)), 3)
    (0.5, 0.883)
    """
    return min(1.0, _better(one.good + 1, one.bad + 1, other.good + 1, other.bad + 1))


def expected_loss(chosen: Arm, other: Arm) -> float:
    """What is lost on average by choosing one while the other may be better, as a share: E[max(other - chosen, 0)].

    >>> round(expected_loss(Arm(46, 4), Arm(42, 8)), 3), round(expected_loss(Arm(42, 8), Arm(46, 4)), 3)
    (0.004, 0.081)
    """
    a, b, c, d = other.good + 1, other.bad + 1, chosen.good + 1, chosen.bad + 1
    gain = other.mean * _better(a + 1, b, c, d) - chosen.mean * _better(a, b, c + 1, d)
    return max(0.0, gain)


def _better(a: int, b: int, c: int, d: int) -> float:
    """P(X > Y) of X ~ Beta(a, b) and Y ~ Beta(c, d): a sum over the smallest of the four."""
    least = min(a, b, c, d)
    if a == least:
        return _summed(a, b, c, d)
    if d == least:  # 1 - Y > 1 - X
        return _summed(d, c, b, a)
    return 1 - (_summed(c, d, a, b) if c == least else _summed(b, a, d, c))


def _summed(a: int, b: int, c: int, d: int) -> float:
    base = -_log_beta(c, d)
    terms = (
        exp(_log_beta(c + i, b + d) - log(b + i) - _log_beta(1 + i, b) + base) for i in range(a)
    )
    return min(1.0, sum(terms))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
