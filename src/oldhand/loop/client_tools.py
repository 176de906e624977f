"""Conversations in which a caller brings tools of its own: a language model calls them, and asks the assistant as one more."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from oldhand.errors import MalformedAnswer, UsageError
from oldhand.loop.serving import OutsideAgents
from oldhand.models import LanguageModel, Ledger
from oldhand.models.language_model import ModelTool, ToolCall, ToolResult
from oldhand.record.answer import Answer
from oldhand.record.base import Record
from oldhand.record.episode import Message
from oldhand.record.usage import Usage

OWN_TOOL = ModelTool(
    name="ask_oldhand",
    description="Answers a question in plain words from the company's databases and documents.",
    parameters={
        "type": "object",
        "properties": {"question": {"type": "string", "description": "One whole question."}},
        "required": ["question"],
    },
)
_STAGE = "client_tools"
_MOST_ROUNDS = 6
_MOST_ROWS = 50


class ToolChoice(Record):
    """What a model may and must call."""

    tools: tuple[ModelTool, ...]
    """The caller's."""
    must: bool = False
    """Whether one of them has to be called."""


class ToolReply(Record):
    """Tools that the caller is to call, or the answer."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    model: str
    usage: Usage
    episode_id: str = ""
    """What feedback on it is given on; empty where tools are to be called first."""


@dataclass(frozen=True)
class ClientTools:
    """Answers conversations with tools of callers."""

    lm: LanguageModel | None
    outside: OutsideAgents

    async def reply(
        self,
        messages: Sequence[Message],
        choice: ToolChoice,
        ask: Callable[[str], Awaitable[Answer]],
        user: str,
    ) -> ToolReply:
        """What comes next in a conversation.

        Raises:
            UsageError: no language model answers here, or a tool is called like ours.
            ModelError: the model did not do its part.
        """
        if self.lm is None:
            raise UsageError("The built-in mind calls no tools: send tool_choice none or auto, or serve with a model.")  # fmt: skip
        if OWN_TOOL.name in {one.name for one in choice.tools}:
            raise UsageError(f"{OWN_TOOL.name} is the name of a tool of the assistant: call yours otherwise.")  # fmt: skip
        ledger, said = Ledger(self.outside.clock), list(messages)
        used, spent = list[str](), Usage()
        offered = choice.tools if choice.must else (*choice.tools, OWN_TOOL)
        for _ in range(_MOST_ROUNDS):
            found = await self.lm.complete(said, stage=_STAGE, ledger=ledger, tools=offered)
            theirs = tuple(one for one in found.tool_calls if one.name != OWN_TOOL.name)
            model, usage = self.lm.name, ledger.total + spent
            if theirs:
                return ToolReply(text=found.text, tool_calls=theirs, model=model, usage=usage)
            if choice.must:
                raise MalformedAnswer(f"{model} called none of the tools, though it had to.")
            if not found.tool_calls:
                question = next(it.content for it in reversed(said) if it.role == "user")
                answer = self.outside.answered(question, found.text, model=model, succeeded=True, session_id=None)  # fmt: skip
                kept = answer.model_copy(update={"usage": ledger.total})
                episode = await self.outside.record(kept, user, used, None, ledger.entries)
                return ToolReply(text=found.text, model=model, usage=usage, episode_id=episode)
            said.append(found.message)
            for call in found.tool_calls:
                told = await ask(str(call.arguments.get("question") or ""))
                spent, used = spent + told.usage, [*used, *{f"sql:{it.database}" for it in told.steps}]  # fmt: skip
                said.append(ToolResult(call_id=call.id, tool=call.name, content=_shown(told)))
        raise MalformedAnswer(f"{self.lm.name} came to no answer in {_MOST_ROUNDS} rounds.")


def _shown(answer: Answer) -> str:
    """An answer for a model, with its first rows."""
    rows: list[JsonValue] = [dict(zip(answer.columns, it, strict=True)) for it in answer.rows[:_MOST_ROWS]]  # fmt: skip
    more = "; there are more rows" if len(answer.rows) > _MOST_ROWS else ""
    return f"{answer.text}\nRows: {rows}{more}" if rows else answer.text
