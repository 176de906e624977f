"""What the signals about an episode add up to; always derived, never stored."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import MACHINES, OUR_TAGS, Feedback, Source, standing

STRENGTH = {
    Source.OWNER: 4,
    Source.EXTERNAL: 3,
    Source.EXPERT: 2,
    Source.EVALUATOR: 1,
    Source.EXECUTION: 0,
    Source.MODEL: 0,
}
CORRECTION = 5


class Verdict(NamedTuple):
    """How an episode went, as far as is known."""

    success: bool | None
    """What the strongest signal says; None while nothing is known."""
    feedback: Literal["positive", "negative"] | None
    """What the strongest signal of a person says; None while nobody has said anything."""
    tags: tuple[tuple[str, str], ...] = ()
    """Who has given which tag, in order."""

    def tags_by(self, person: str) -> tuple[str, ...]:
        """The tags that one person has given; those of others are not theirs to keep or to erase."""
        return tuple(tag for rater, tag in self.tags if rater == person)


def verdict(
    feedback: Sequence[Feedback],
    evaluations: Sequence[Evaluation] = (),
    executed: bool | None = None,
) -> Verdict:
    """Let the strongest known signal decide: correction, rating, expert, evaluator, execution.

    Of signals that are equally strong, the latest one counts. "Could not judge" is no signal.

    Args:
        feedback: on one episode, in order of arrival; superseded ones may be among it.
        evaluations: of the same episode; those of single steps say nothing about the whole.
        executed: what was known when the episode was recorded.
    """
    heard = [one for one in standing(feedback) if one.rating or one.correction]
    signals = [(0, executed), (1, _evaluated(evaluations))]
    signals += [(_strength(one), _is_good(one)) for one in heard]
    said = [(_strength(one), _is_good(one)) for one in heard if one.source not in MACHINES]
    approved = _strongest(said)
    word = None if approved is None else "positive" if approved else "negative"
    given = dict.fromkeys(
        (one.rater, tag) for one in feedback if one.passage is None for tag in one.tags
    )
    tags = tuple((rater, tag) for rater, tag in given if tag not in OUR_TAGS)
    return Verdict(_strongest(signals), word, tags)


def _strongest(signals: Sequence[tuple[int, bool | None]]) -> bool | None:
    known = [signal for signal in signals if signal[1] is not None]
    # Of several that are equally strong, max() gives the first: here, the latest.
    return max(reversed(known), key=lambda signal: signal[0])[1] if known else None


def _strength(one: Feedback) -> int:
    return CORRECTION if one.correction else STRENGTH[one.source]


def _is_good(one: Feedback) -> bool:
    if one.correction:
        return not one.corrects and one.rating != -1
    return one.rating == 1


def _evaluated(evaluations: Sequence[Evaluation]) -> bool | None:
    latest: dict[str, bool] = {}
    for one in evaluations:
        if one.granularity == "trajectory" and one.is_valid is not None:
            latest[one.evaluator_type] = one.is_valid
    return all(latest.values()) if latest else None
