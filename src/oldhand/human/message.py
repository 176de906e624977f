"""A message between people and agents, as behaviours see it."""

from dataclasses import dataclass, field
from typing import Self

MESSAGE_TYPE = "message_type"
"""The metadata that says for whom a message is."""
LLM = "llm"
"""`message_type` of what is said to an agent that thinks; a person's answer has none."""

NOTICE = "notice"
"""`message_type` of what is said about messages; nobody answers it."""
QUERY_TYPE = "human_query"
"""`type` of a question to a person."""
PERFORMATIVE = "performative"
"""The metadata that says what a message is to bring about, in the words of FIPA."""
REQUEST = "request"
INFORM = "inform"


@dataclass
class AgentMessage:
    """What one agent or person says to another; `oldhand.human.Message` is the same.

    >>> asked = AgentMessage(to="shop@example.org", sender="bo@example.org/phone", body="How many?", thread="t1")
    >>> asked.set_metadata("message_type", "llm")
    >>> reply = asked.make_reply("Three.")
    >>> reply.to, reply.thread, reply.body, reply.get_metadata("message_type")
    ('bo@example.org/phone', 't1', 'Three.', 'llm')
    """

    to: str = ""
    sender: str = ""
    """With the device, such as `bo@example.org/phone`, as the server vouches for it."""
    body: str = ""
    thread: str | None = None
    """The conversation that it belongs to."""
    metadata: dict[str, str] = field(default_factory=dict[str, str])
    id: str = ""
    """The sender's own; empty until it is sent."""

    @property
    def sender_address(self) -> str:
        """The sender without the device."""
        return self.sender.partition("/")[0]

    def set_metadata(self, key: str, value: str) -> None:
        """Say more about the message, for templates to look at."""
        self.metadata[key] = value

    def get_metadata(self, key: str) -> str | None:
        """What the message says about itself; None when it says nothing of that."""
        return self.metadata.get(key)

    def make_reply(self, body: str = "") -> Self:
        """A message back to the sender, in the same thread and with the same metadata."""
        return type(self)(
            to=self.sender,
            sender=self.to,
            body=body,
            thread=self.thread,
            metadata=dict(self.metadata),
        )
