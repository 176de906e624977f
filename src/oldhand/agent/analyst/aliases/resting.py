"""Which memories the learned words are that a reading rests on."""

from collections.abc import Iterable, Mapping

from oldhand.record.effect import Alias, spoken_as
from oldhand.record.lesson import Lesson


def aliases_of(lessons: Iterable[Lesson]) -> Mapping[Alias, str]:
    """The words that some lessons explain, each with the id of its memory; the surest first.

    >>> aliases_of([])
    {}
    """
    surest = sorted((one.memory for one in lessons), key=lambda memory: -memory.confidence)
    said = ((spoken_as(memory.effect), memory.id) for memory in reversed(surest))
    return {word: memory_id for word, memory_id in said if word is not None}
