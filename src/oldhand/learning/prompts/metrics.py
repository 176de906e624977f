"""How a version of a prompt has done: always derived from the answers that were made with it."""

from collections.abc import Sequence

from oldhand.record.fared import Fared
from oldhand.record.memory import PerformanceMetrics


def metrics_of(answers: Sequence[Fared]) -> PerformanceMetrics:
    """The figures of the answers that were made with one version; nothing known is None, not 0.

    >>> metrics_of(()).success_rate is None
    True
    """
    if not answers:
        return PerformanceMetrics()
    judged = [one.success for one in answers if one.success is not None]
    count = len(answers)
    return PerformanceMetrics(
        success_rate=round(sum(judged) / len(judged), 4) if judged else None,
        avg_cost=round(sum(one.cost for one in answers) / count, 6),
        avg_latency_ms=round(1000 * sum(one.seconds for one in answers) / count, 1),
        episodes_used=count,
        positive_feedback=sum(one.feedback == "positive" for one in answers),
        negative_feedback=sum(one.feedback == "negative" for one in answers),
    )
