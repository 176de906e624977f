"""What a model was asked, as the test doubles keep it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from oldhand.models.tokens import estimate_tokens
from oldhand.record.episode import Message
from oldhand.record.usage import Usage


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
