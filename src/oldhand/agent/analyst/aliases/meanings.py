"""The learned words that a reading rests on, and which meaning of a word it may be about where people stated several."""

from collections.abc import Iterable, Mapping, Sequence

from oldhand.agent.analyst.understanding import Candidate, Understanding
from oldhand.lexicon.phrases import phrase_forms
from oldhand.query.opaque import Opaque
from oldhand.query.walk import relations
from oldhand.record.effect import Alias, spoken_as
from oldhand.record.evidence import Strength
from oldhand.record.lesson import Lesson
from oldhand.record.memory import Memory, PreferencePayload

_LEFT_OUT = ("unused.", "tables.left_out")
"""Features that count what a reading does not answer to."""


def other_meanings(
    used: Sequence[Alias], lessons: Iterable[Lesson]
) -> tuple[Alias, tuple[Alias, ...]] | None:
    """The first word that a reading rests on and that people have stated to mean something else, too.

    What merely follows from votes is no reason to ask: the surer meaning is taken.

    Returns:
        the word, and what else it means; None when there is no such word.
    """
    words = ((one.memory.word, one.memory) for one in lessons)
    stated = [word for word, memory in words if word is not None and _is_stated(memory)]
    for alias in used:
        form = phrase_forms(alias.phrase)
        others = tuple(o for o in stated if o != alias and phrase_forms(o.phrase) == form)
        if others and alias in stated:
            return alias, others
    return None


def reads(candidate: Candidate, alias: Alias) -> bool:
    """Whether a query reads the table that a word points to."""
    query = candidate.query
    read = () if isinstance(query, Opaque) else relations(query, inner=True)
    named = {(one.database.casefold(), one.table.casefold()) for one in read}
    return (alias.database.casefold(), alias.table.casefold()) in named


def is_rival(alias: Alias, read: Understanding, found: Understanding) -> bool:
    """Whether a question makes as much sense with another meaning of a word: its best reading answers to as many words.

    It is `read` with the other meaning, `found` without.
    """
    if alias not in read.aliases or not reads(read.candidates[0], alias):
        return False
    left = read.candidates[0].features
    least = found.candidates[0].features
    return all(left[name] <= least.get(name, 0.0) for name in left if name.startswith(_LEFT_OUT))


def _is_stated(memory: Memory) -> bool:
    evidence = memory.payload.evidence if isinstance(memory.payload, PreferencePayload) else ()
    return any(one.strength is Strength.STATED for one in evidence)


def aliases_of(lessons: Iterable[Lesson]) -> Mapping[Alias, str]:
    """The words that some lessons explain, each with the id of its memory; the surest first.

    >>> aliases_of([])
    {}
    """
    surest = sorted((one.memory for one in lessons), key=lambda memory: -memory.confidence)
    said = ((spoken_as(memory.effect), memory.id) for memory in reversed(surest))
    return {word: memory_id for word, memory_id in said if word is not None}
