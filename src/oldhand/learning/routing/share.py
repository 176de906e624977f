"""What is known of a share of successes, as a Beta distribution with any parameters."""

from math import exp, lgamma, log, log1p
from typing import NamedTuple

_STEPS = 400
_SMALL = 1e-300
_CLOSE = 1e-12


class BetaEstimate(NamedTuple):
    """Beta(good, bad): what was seen, together with what was expected before."""

    good: float
    bad: float

    @property
    def mean(self) -> float:
        """Its expectation."""
        return self.good / (self.good + self.bad)

    def below(self, limit: float) -> float:
        """The probability that the share is below `limit`: the regularised incomplete beta function.

        By its continued fraction (DLMF 8.17.22), evaluated as Lentz does.

        >>> round(BetaEstimate(2, 1).below(0.5), 6), round(BetaEstimate(40, 10).below(0.7), 4)
        (0.25, 0.048)
        """
        if limit <= 0 or limit >= 1:
            return float(limit >= 1)
        if limit > (self.good + 1) / (self.good + self.bad + 2):
            return 1 - BetaEstimate(self.bad, self.good).below(1 - limit)
        a, b, x = self.good, self.bad, limit
        front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x) - log(a))
        return min(1.0, max(0.0, front * _fraction(a, b, x)))


def _fraction(a: float, b: float, x: float) -> float:
    """1 / (1 + d1 / (1 + d2 / (1 + …)))."""
    c, d = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _STEPS):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _off_zero(1 + part * d)
            c = _off_zero(1 + part / c)
            result *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return result


def _off_zero(value: float) -> float:
    return value if abs(value) > _SMALL else _SMALL
