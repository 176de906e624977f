"""Means with their 95 % intervals, where several observations belong to one question."""

from collections.abc import Hashable, Iterable
from math import inf, nan, sqrt

from oldhand.learning.evidence.contrast import Interval, t_quantile


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
        return Interval(mean=nan, low=nan, high=nan)
    mean = sum(value for _, value in listed) / len(listed)
    residuals: dict[Hashable, float] = {}
    for cluster, value in listed:
        residuals[cluster] = residuals.get(cluster, 0.0) + value - mean
    count = len(residuals)
    if count < 2:
        return Interval(mean=mean, low=-inf, high=inf)
    square = sum(residual * residual for residual in residuals.values())
    error = sqrt(square * count / (count - 1)) / len(listed)
    reach = t_quantile(0.975, count - 1) * error
    return Interval(mean=mean, low=mean - reach, high=mean + reach)
