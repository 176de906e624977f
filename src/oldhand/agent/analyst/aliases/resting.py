"""Which learned words a reading rests on, and which memories these are."""

from collections.abc import Iterable, Mapping

from oldhand.agent.analyst.linking.links import Links
from oldhand.agent.analyst.ranked import Ranked
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.record.effect import Alias, spoken_as
from oldhand.record.lesson import Lesson


def resting_on(links: Links, words: Vocabulary, best: Ranked) -> tuple[Alias, ...]:
    """The learned phrases that the reading answers to, in the order of the question."""
    tables = {words.table(relation).id for relation in best.query.rows.relations}
    return tuple(
        dict.fromkeys(
            one.alias
            for one in links.spoken
            if one.span.mask & best.used or (one.column < 0 and one.table in tables)
        )
    )


def aliases_of(lessons: Iterable[Lesson]) -> Mapping[Alias, str]:
    """The words that some lessons explain, each with the id of its memory; the surest first.

    >>> aliases_of([])
    {}
    """
    surest = sorted((one.memory for one in lessons), key=lambda memory: -memory.confidence)
    said = ((spoken_as(memory.effect), memory.id) for memory in reversed(surest))
    return {word: memory_id for word, memory_id in said if word is not None}
