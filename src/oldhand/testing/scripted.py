"""A model that says what the author of a test wants."""

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from pydantic import BaseModel

from oldhand.errors import ModelError
from oldhand.models.language_model import Completion, ToolCall
from oldhand.models.ledger import Ledger
from oldhand.models.structured import T, answer_dialogue, converse
from oldhand.record.episode import Message
from oldhand.record.usage import Usage
from oldhand.testing.prompts import AnsweringModel, Kind, Prompt, estimated_usage, pieces


@dataclass(frozen=True)
class BreaksOff:
    """An answer that begins and then ends in an error; a stream shows its beginning."""

    text: str
    error: ModelError


Scripted: TypeAlias = (
    str | BaseModel | Mapping[str, object] | Sequence[ToolCall] | ModelError | BreaksOff
)
"""A text, a filled-in schema (or its fields), tool calls, a whole `Completion`, or an error to raise."""


class ScriptEnded(AssertionError):
    """The model was asked more often than the script has answers; never swallowed as a `ModelError`."""


class ScriptedModel(AnsweringModel):
    """A `LanguageModel` that reads its answers from a list, or asks a function for them.

    It keeps the prompts it got in `prompts`. A text that misses the schema is asked for once more, as with a real
    model, and takes the next answer. Tokens are estimated, the cost is 0.

    >>> import asyncio
    >>> model = ScriptedModel(["Three."])
    >>> asked = [Message(role="user", content="How many customers?")]
    >>> asyncio.run(model.complete(asked, stage="chat", ledger=Ledger())).text
    'Three.'
    >>> model.prompts[0].stage, model.prompts[0].text
    ('chat', 'How many customers?')
    """

    def __init__(
        self,
        answers: Iterable[Scripted] | Callable[[Prompt], Scripted],
        *,
        name: str = "scripted",
    ) -> None:
        self.prompts: list[Prompt] = []
        super().__init__(name)
        self._answers = answers if callable(answers) else iter(tuple(answers))

    async def structured(
        self, messages: Sequence[Message], schema: type[T], *, stage: str, ledger: Ledger
    ) -> T:
        """The next answer that fits `schema`; one that does not takes a second one."""

        async def ask(asked: Sequence[Message]) -> str:
            prompt = Prompt(stage, tuple(asked), form=schema.__name__)
            return self._answer("structured", prompt, ledger).text

        return await converse(answer_dialogue(messages, schema), ask)

    async def stream(
        self, messages: Sequence[Message], *, stage: str, ledger: Ledger
    ) -> AsyncGenerator[str, None]:
        """The next answer, word by word."""
        prompt = Prompt(stage, tuple(messages))
        answer = self._next(prompt)
        if isinstance(answer, BreaksOff):
            for piece in pieces(answer.text):
                yield piece
            _book(prompt, answer.text, ledger, self.name)
            raise answer.error
        for piece in pieces(self._given(answer, prompt, ledger).text):
            yield piece

    def _answer(self, kind: Kind, prompt: Prompt, ledger: Ledger) -> Completion:  # noqa: ARG002
        return self._given(self._next(prompt), prompt, ledger)

    def _next(self, prompt: Prompt) -> Scripted:
        self.prompts.append(prompt)
        if callable(self._answers):
            return self._answers(prompt)
        for answer in self._answers:
            return answer
        raise ScriptEnded(
            f"The script ended after {len(self.prompts) - 1} answers; asked in stage "
            f"{prompt.stage!r}: {prompt.text[-300:]}"
        )

    def _given(self, answer: Scripted, prompt: Prompt, ledger: Ledger) -> Completion:
        """`answer` as a completion, booked; or raised."""
        error = answer.error if isinstance(answer, BreaksOff) else answer
        if isinstance(error, ModelError):
            _book(prompt, "", ledger, self.name)
            raise error
        completion = _completion(answer)
        usage = _book(prompt, completion.text, ledger, self.name)
        return completion.model_copy(update={"usage": usage})


def _book(prompt: Prompt, text: str, ledger: Ledger, name: str) -> Usage:
    return ledger.start(prompt.stage, name).close(estimated_usage(prompt, text)).usage


def _completion(answer: Scripted) -> Completion:
    if isinstance(answer, str):
        return Completion(text=answer)
    if isinstance(answer, Completion):
        return answer
    if isinstance(answer, BaseModel):
        return Completion(text=answer.model_dump_json())
    if isinstance(answer, Mapping):
        return Completion(text=json.dumps(dict(answer), ensure_ascii=False, default=str))
    calls = tuple(cast("Sequence[ToolCall]", answer))
    return Completion(tool_calls=calls, finish_reason="tool_call")
