"""Means with their 95 % intervals, where several observations belong to one question."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import inf, nan, sqrt
from statistics import NormalDist


@dataclass(frozen=True)
class Interval:
    """A mean with the limits between which it lies with 95 % confidence."""

    mean: float
    low: float
    high: float


def clustered(observed: Iterable[tuple[Hashable, float]]) -> Interval:
    """The mean of all observations; those of one cluster may depend on each other as they like.

    The variance is that of the sums of the clusters' residuals (Liang and Zeger 1986, with the
    correction C / (C - 1) for C clusters), the limits are those of Student's t with C - 1 degrees of freedom.

    >>> clustered((number, number % 2) for number in range(40))
    Interval(mean=0.5, low=0.338..., high=0.661...)
    >>> clustered((number // 2, number % 4 // 2) for number in range(40))
    Interval(mean=0.5, low=0.259..., high=0.740...)
    >>> clustered([("a", 0.0), ("b", 0.0)])
    Interval(mean=0.0, low=0.0, high=0.0)
    """
    listed = list(observed)
    if not listed:
        return Interval(nan, nan, nan)
    mean = sum(value for _, value in listed) / len(listed)
    residuals: dict[Hashable, float] = {}
    for cluster, value in listed:
        residuals[cluster] = residuals.get(cluster, 0.0) + value - mean
    count = len(residuals)
    if count < 2:
        return Interval(mean, -inf, inf)
    square = sum(residual * residual for residual in residuals.values())
    error = sqrt(square * count / (count - 1)) / len(listed)
    reach = t_quantile(0.975, count - 1) * error
    return Interval(mean, mean - reach, mean + reach)


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
