"""The lessons of a clone as far as distillation has to know them: what they are about and how they are worded."""

from collections import defaultdict
from collections.abc import Iterator

from oldhand.learning.distillation.lessons import Proposed, said_by
from oldhand.learning.distillation.places import contradict
from oldhand.learning.distillation.texts import Texts
from oldhand.record.effect import Effect
from oldhand.record.feedback import Source
from oldhand.record.memory import (
    NIGHT,
    Memory,
)
from oldhand.record.proposal import LessonProposal
from oldhand.record.stage import DISTILLED


class Shelf:
    """Finds the lesson that a proposal says again, and those that it contradicts; holds words, not records."""

    def __init__(self) -> None:
        self._texts = Texts()
        self._effects: defaultdict[str, dict[str, Effect]] = defaultdict(dict)
        self._of_strangers: set[str] = set()
        """Lessons in the words of people we don't know, which no other word than the very same may speak for."""

    def put(self, memory: Memory) -> None:
        """Take a lesson in; what distillation has not written is left out."""
        proposed = as_proposed(memory)
        if proposed is not None:
            self._put(memory.id, proposed)

    def name(self, proposed: Proposed) -> str:
        """The id of the lesson that says the same, else that of the new one which is then known here."""
        said = proposed.proposal
        strict = () if said.source is Source.EXTERNAL else self._of_strangers
        found = None
        if said.effect is None:
            found = self._texts.same(proposed.place, proposed.gist, to_the_word=strict)
        lesson_id = found or proposed.lesson_id
        if found is None:
            self._put(lesson_id, proposed)
        elif said.source is not Source.EXTERNAL:
            self._of_strangers.discard(lesson_id)
        return lesson_id

    def against(self, proposed: Proposed) -> Iterator[str]:
        """Ids of the lessons that can't be right if this proposal is."""
        effect = proposed.proposal.effect
        if effect is None:
            yield from self._texts.against(proposed.place, proposed.gist)
            return
        for one, other in self._effects[proposed.place].items():
            if contradict(effect, other):
                yield one

    def _put(self, lesson_id: str, proposed: Proposed) -> None:
        effect = proposed.proposal.effect
        if effect is not None:
            self._effects[proposed.place][lesson_id] = effect
        elif not self._texts.has(lesson_id):
            self._texts.add(lesson_id, proposed.place, proposed.gist)
            if proposed.proposal.source is Source.EXTERNAL:
                self._of_strangers.add(lesson_id)


def as_proposed(memory: Memory) -> Proposed | None:
    """A lesson as the proposal that it came from; None for what distillation has not written."""
    if DISTILLED not in memory.tags or NIGHT in memory.tags:
        return None
    found = said_by(memory)
    if found is None or not found[1]:
        return None
    kind, text, domain = found
    condition = (memory.payload.model_dump().get("applies_when")) or None
    proposal = LessonProposal(
        type=kind,
        text=text,
        effect=memory.effect,
        applies_when=condition,
        domain=domain,
        episode_id="",
        source=memory.provenance.source,
    )
    return Proposed(proposal, memory)
