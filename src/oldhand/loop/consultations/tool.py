"""The tool with which agents ask people.

Invariant: each question lies in the store before anybody waits for its answer. So a call may be made again after a crash: the same
question joins the one that waits, or takes the reply that came meanwhile.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from oldhand.agent.acting.asking_experts import EXPERT_TOOL
from oldhand.agent.tools import ToolOutput
from oldhand.errors import InvalidArguments, NoExpert, ToolFailed
from oldhand.loop.consultations.desk import ExpertDesk
from oldhand.loop.consultations.wish import ConsultationWish
from oldhand.record.consultation import Consultation
from oldhand.record.expert import ExpertProfile
from oldhand.record.step import Conclusion
from oldhand.sources.experts.letters import no_answer_to, reply_text

TIMEOUT = 300.0
"""Seconds for which an agent waits for a person."""
GRACE = 5.0
"""Seconds that a call may take on top of it."""
EXPERT_TOOL_SAYS = (
    "Ask a human expert for help when you need clarification, additional information, or human judgment. "
    "Use this when you're unsure about something or need real-world context."
)
EXPERT_TOOL_TAKES: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "question": {
            "type": "string",
            "description": "The specific question to ask the human expert",
        },
        "context": {
            "type": "string",
            "description": "Additional context to help the human understand the question better",
        },
    },
    "required": ["question"],
}


class ExpertTool:
    """Lets an agent ask the people of a clone while it works.

    What is no answer (nobody replied in time, the person declined, it could not be delivered, they ask back) is an error of the
    tool, so that a mind can tell it from an answer whatever people write.

    Args:
        desk: asks them.
        user: on whose behalf.
        person: who is asked, if it is always the same one; else whoever fits the question best.
        timeout: seconds that are waited; the question stays open for longer.
    """

    def __init__(
        self, desk: ExpertDesk, user: str, person: ExpertProfile | None = None, timeout: float = TIMEOUT
    ) -> None:  # fmt: skip
        self._desk = desk
        self._user = user
        self._person = person
        self._timeout = timeout
        self.name = EXPERT_TOOL
        self.description = EXPERT_TOOL_SAYS
        self.parameters = EXPERT_TOOL_TAKES
        self.idempotent = True
        self.seconds = timeout + GRACE
        """How long a call may take."""

    async def call(self, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        """Ask, and wait for the answer.

        Raises:
            InvalidArguments: there is no question.
            ToolFailed: there is no answer; the message says why.
        """
        question, context = question_in(arguments)
        wish = ConsultationWish(question, self._user, context, person=self._person, by_itself=True)
        try:
            one = await self._desk.consult(wish, self._timeout)
        except NoExpert as error:
            raise ToolFailed(f"Error consulting human expert: {error}") from error
        return output_of(one, self._timeout)


def question_in(arguments: Mapping[str, JsonValue]) -> tuple[str, str]:
    """The question of a call, and its context.

    Raises:
        InvalidArguments: there is no question.
    """
    question, context = arguments.get("question"), arguments.get("context")
    if not isinstance(question, str) or not question.strip():
        raise InvalidArguments("`question` is missing: say what to ask the human expert.")
    return question, context if isinstance(context, str) else ""


def output_of(one: Consultation, seconds: float) -> ToolOutput:
    """What came of a question to people.

    Raises:
        ToolFailed: there is no answer; the message says why.
    """
    if one.answer is None:
        raise ToolFailed(no_answer_to(one, seconds))
    plain = "\n".join(text if len(one.opinions) == 1 else f"{', '.join(who)}: {text}" for text, who in one.opinions)  # fmt: skip
    return ToolOutput(reply_text(one), conclusion=Conclusion(text=plain, ending="answered"))
