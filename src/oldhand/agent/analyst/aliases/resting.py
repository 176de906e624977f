"""Which learned words a reading rests on, and which memories these are."""

from collections.abc import Iterable, Mapping

from oldhand.agent.analyst.candidates.ranked import Ranked
from oldhand.agent.analyst.linking.links import Links
from oldhand.record.effect import Alias
from oldhand.record.lesson import Lesson


def resting_on(links: Links, best: Ranked) -> tuple[Alias, ...]:
    """The learned phrases that the reading answers to, in the order of the question."""
    tables = set(best.sketch.tree.tables)
    return tuple(
        dict.fromkeys(
            one.alias
            for one in links.spoken
            if one.span.mask & best.used or (one.column < 0 and one.table in tables)
        )
    )


def aliases_of(lessons: Iterable[Lesson]) -> Mapping[Alias, str]:
    """The aliases among some lessons, each with the id of its memory; the surest first.

    >>> aliases_of([])
    {}
    """
    found = [one.memory for one in lessons if isinstance(one.memory.effect, Alias)]
    surest = sorted(found, key=lambda memory: -memory.confidence)
    return {memory.effect: memory.id for memory in reversed(surest) if memory.effect is not None}
