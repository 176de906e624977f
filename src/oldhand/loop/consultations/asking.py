"""People are asked of the assistant's own accord where an answer is missing, when the clone says so and they have time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oldhand.errors import NoExpert
from oldhand.errors.mishaps import Mishap, Mishaps
from oldhand.loop.consultations.wish import ConsultationWish
from oldhand.record.answer import Answer, Outcome
from oldhand.record.consultation import AskedPeople, WantedReply
from oldhand.settings.experts import AsksPeople

if TYPE_CHECKING:
    from oldhand.loop.consultations.desk import ExpertDesk

_COVERED: Mapping[AsksPeople, frozenset[Outcome]] = {
    AsksPeople.NEVER: frozenset(),
    AsksPeople.ABSTAINED: frozenset({Outcome.ABSTAINED}),
    AsksPeople.UNSURE: frozenset({Outcome.ABSTAINED, Outcome.PROPOSED, Outcome.CLARIFY}),
}
_WORDS = 3
"""With fewer words, and without a question mark, somebody greets or thanks."""


@dataclass(frozen=True)
class AskingPeople:
    """Asks people for answers that are missing; what goes wrong with it never costs the answer."""

    desk: Callable[[], "ExpertDesk"]
    asks: AsksPeople
    mishaps: Mishaps

    async def asked(self, answer: Answer, user: str) -> Answer:
        """The answer; where it is none, with who was asked, or what they have said of it before."""
        question = answer.standalone or answer.question
        is_question = len(question.split()) >= _WORDS or question.rstrip().endswith("?")
        if answer.outcome not in _COVERED[self.asks] or not is_question:
            return answer
        wish = ConsultationWish(
            question,
            user,
            answer.text,
            # A reading is chosen by its number; words will do, too.
            WantedReply(choices=answer.options),
            episode_id=answer.episode_id,
            by_itself=True,
        )
        found = await self.mishaps.spared_while("asking_people", self._found(wish))
        if found is None or isinstance(found, Mishap):
            return answer
        told, asked, names = found
        said = {"text": f"{answer.text} {told}", "asked": asked, "notes": (*answer.notes, names)}
        return answer.model_copy(update=said)

    async def _found(self, wish: ConsultationWish) -> tuple[str, AskedPeople | None, str] | None:
        try:
            one = await self.desk().ask(wish)
        except NoExpert:
            return None
        if one.answer is not None:
            said = "; ".join(text for text, _ in one.opinions)
            return f"Colleagues have said: {said}", None, one.names
        names = tuple(it.expert for it in one.asks)
        asked = AskedPeople(consultation_id=one.id, experts=names, until=one.deadline)
        return str(asked), asked, one.names
