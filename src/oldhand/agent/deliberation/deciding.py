"""The call that decides between the two likeliest answers."""

import asyncio

from oldhand.agent.analysis.forms import DecisionForm
from oldhand.agent.analysis.lm_mind import LanguageModelMind
from oldhand.agent.analysis.mind import Inquiry
from oldhand.agent.analysis.prompt_values import decision_values
from oldhand.agent.analysis.view import SchemaView
from oldhand.agent.deliberation.candidates import only_in
from oldhand.agent.deliberation.voices import ModelDecision, VoiceHeard


class ModelDecider:
    """Asks the language model, which sees both statements and a row that only one of them brings."""

    def __init__(self, mind: LanguageModelMind) -> None:
        self._mind = mind

    async def decide(
        self, inquiry: Inquiry, first: VoiceHeard, second: VoiceHeard
    ) -> ModelDecision:
        """Which one answers the question."""
        one, two = first.found.last, second.found.last
        both = [
            (one, only_in(one.shown_rows, two.shown_rows)),
            (two, only_in(two.shown_rows, one.shown_rows)),
        ]

        def values(view: SchemaView) -> dict[str, str]:
            return decision_values(inquiry, both, view)

        databases = {
            name for heard in (first, second) for name in heard.found.thinking.validation.databases
        }
        asking = await asyncio.to_thread(self._mind.asking, inquiry)
        form, _ = await asking.with_view(
            "decide_answer", "decide", DecisionForm, values, sorted(databases)
        )
        return ModelDecision(form.choice, form.question.strip())
