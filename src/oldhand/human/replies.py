"""What a person writes in answer to a question: for which one it is, and whether it is an answer."""

import re
from dataclasses import dataclass

from oldhand.human.message import AgentMessage
from oldhand.record.expert import SignalKind

_NAMED = re.compile(
    r"\s*\[(?:Query\s+)?([0-9a-f]{8})\]\s*:?\s*|\s*([0-9a-f]{8}):\s*", re.IGNORECASE
)
_COMMAND = re.compile(r"\s*/(decline|ask)\b\s*", re.IGNORECASE)
_COMMANDS = {"decline": SignalKind.DECLINE, "ask": SignalKind.ASK_BACK}

HOW_TO_REPLY = "(Please reply to this message to provide your answer)"


@dataclass(frozen=True)
class PersonsReply:
    """What a person wrote."""

    kind: SignalKind
    text: str
    named: str | None
    """The visible id or the thread of the question that it is for; None when it does not say."""


def read_reply(message: AgentMessage) -> PersonsReply:
    """Read a reply: `[1a2b3c4d]` names a question, `/decline why` and `/ask what` are no answers.

    >>> read_reply(AgentMessage(body="[1a2b3c4d] /decline not mine", thread="of-the-client"))
    PersonsReply(kind=<SignalKind.DECLINE: 'decline'>, text='not mine', named='1a2b3c4d')
    """
    body, named = message.body, message.thread
    if found := _NAMED.match(body):
        body, named = body[found.end() :], (found[1] or found[2]).lower()
    kind = SignalKind.REPLY
    if found := _COMMAND.match(body):
        body, kind = body[found.end() :], _COMMANDS[found[1].lower()]
    return PersonsReply(kind, body.strip(), named or None)
