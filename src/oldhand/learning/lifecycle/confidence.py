"""How reliable a lesson is: by what it rests on, and by how the answers fared that it was used for."""

from typing import NamedTuple

from oldhand.record.lesson import Tally

_FIRST = 0.8
_MOST = 0.9
_EACH_FURTHER = 0.02
_VOTE = 0.1
_RESULT = 0.01
_MOST_BY_RESULTS = 0.1


class LessonResults(NamedTuple):
    """How the answers ended that rest on a lesson, where nobody said a word about them."""

    successes: int = 0
    failures: int = 0


def initial_confidence(episodes: int) -> float:
    """What a distilled lesson is believed at first: 0.8 to 0.9, by the number of answers that taught it.

    >>> [initial_confidence(number) for number in (1, 3, 50)]
    [0.8, 0.84, 0.9]
    """
    return round(min(_MOST, _FIRST + _EACH_FURTHER * max(0, episodes - 1)), 4)


def confidence_of(
    initial: float, votes: Tally, results: LessonResults, *, contradicted: bool = False
) -> float:
    """What a lesson is believed now, 0 to 1.

    It follows from the logs alone: a tenth for each vote of a trusted person on an answer that rests on it; of what
    ran through or failed without a word, a hundredth each, and no more than a tenth in all, because an answer that
    was given need not be right; and a tenth less where a newer lesson says otherwise.

    >>> confidence_of(0.8, Tally(ups=1, downs=4), LessonResults(successes=3))
    0.53
    >>> confidence_of(0.8, Tally(downs=20), LessonResults())
    0.0
    """
    drift = _RESULT * (results.successes - results.failures)
    drift = max(-_MOST_BY_RESULTS, min(_MOST_BY_RESULTS, drift))
    wanted = initial + _VOTE * (votes.ups - votes.downs - contradicted) + drift
    return round(max(0.0, min(1.0, wanted)), 4)
