"""What a model was asked, and what the models that answer in tests have in common."""

import hashlib
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal

from oldhand.models.language_model import Completion, ModelTool
from oldhand.models.ledger import Ledger
from oldhand.models.tokens import estimate_tokens
from oldhand.record.episode import Message
from oldhand.record.usage import Usage

Kind = Literal["complete", "structured", "stream"]
"""The way in which a model was asked."""


@dataclass(frozen=True)
class Prompt:
    """One call to a model, as it came."""

    stage: str
    messages: tuple[Message, ...]
    form: str | None = None
    """Name of the schema that the answer must have."""
    tools: tuple[str, ...] = ()
    """Names of the tools that may be called."""

    @property
    def text(self) -> str:
        """All messages as one text."""
        return "\n".join(message.content for message in self.messages)

    @property
    def key(self) -> str:
        """A hash that is the same for the same call, on every machine.

        >>> Prompt("plan", (Message(role="user", content="How many?"),)).key[:12]
        'bbf24675c691'
        """
        said = [message.model_dump(mode="json") for message in self.messages]
        whole = json.dumps(
            [self.stage, said, self.form, self.tools], ensure_ascii=False, sort_keys=True
        )
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def estimated_usage(prompt: Prompt, answer: str) -> Usage:
    """What a call would have used, by estimate; it costs nothing."""
    return Usage(
        requests=1,
        input_tokens=estimate_tokens(prompt.text),
        output_tokens=estimate_tokens(answer),
    )


def pieces(text: str) -> Sequence[str]:
    """`text` as a model streams it: word by word; joined, they are the text.

    >>> pieces("Three customers.")
    ['Three ', 'customers.']
    """
    words = text.split(" ")
    return [f"{word} " for word in words[:-1]] + [word for word in words[-1:] if word]


class AnsweringModel:
    """A `LanguageModel` that has an answer for a whole prompt; but for `structured`."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        stage: str,
        ledger: Ledger,
        tools: Sequence[ModelTool] = (),
    ) -> Completion:
        """The answer to the messages."""
        prompt = Prompt(stage, tuple(messages), tools=tuple(tool.name for tool in tools))
        return self._answer("complete", prompt, ledger)

    async def stream(
        self, messages: Sequence[Message], *, stage: str, ledger: Ledger
    ) -> AsyncGenerator[str, None]:
        """The answer, word by word."""
        for piece in pieces(self._answer("stream", Prompt(stage, tuple(messages)), ledger).text):
            yield piece

    async def aclose(self) -> None:
        """There is nothing to let go of."""

    def _answer(self, kind: Kind, prompt: Prompt, ledger: Ledger) -> Completion:
        """The answer, booked; or an error raised."""
        raise NotImplementedError
