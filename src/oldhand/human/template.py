"""Which messages a behaviour takes."""

from collections.abc import Callable, Mapping

from oldhand.human.message import AgentMessage


class MessageFilter:
    """A condition on messages; `&`, `|`, `^` and `~` make new ones of it."""

    def __init__(self, match: Callable[[AgentMessage], bool]) -> None:
        self._match = match

    def match(self, message: AgentMessage) -> bool:
        """Whether it takes the message."""
        return self._match(message)

    def __and__(self, other: "MessageFilter") -> "MessageFilter":
        return MessageFilter(lambda message: self.match(message) and other.match(message))

    def __or__(self, other: "MessageFilter") -> "MessageFilter":
        return MessageFilter(lambda message: self.match(message) or other.match(message))

    def __xor__(self, other: "MessageFilter") -> "MessageFilter":
        return MessageFilter(lambda message: self.match(message) != other.match(message))

    def __invert__(self) -> "MessageFilter":
        return MessageFilter(lambda message: not self.match(message))


class Template(MessageFilter):
    """Takes messages that are as it says; what it leaves open may be anything.

    >>> llm = Template(metadata={"message_type": "llm"})
    >>> of_bo = Template(sender="bo@example.org")
    >>> said = AgentMessage(sender="bo@example.org/phone", body="42")
    >>> llm.match(said), of_bo.match(said), (of_bo & ~llm).match(said)
    (False, True, True)
    """

    def __init__(
        self,
        to: str | None = None,
        sender: str | None = None,
        body: str | None = None,
        thread: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(self._fits)
        self.to, self.sender, self.body, self.thread = to, sender, body, thread
        self.metadata = dict(metadata or {})

    def set_metadata(self, key: str, value: str) -> None:
        """Take only messages that say this about themselves."""
        self.metadata[key] = value

    def _fits(self, message: AgentMessage) -> bool:
        return (
            _is_same_person(self.to, message.to)
            and _is_same_person(self.sender, message.sender)
            and (not self.body or message.body == self.body)
            and (not self.thread or message.thread == self.thread)
            and all(message.metadata.get(key) == value for key, value in self.metadata.items())
        )


def _is_same_person(wanted: str | None, found: str) -> bool:
    """An address without a device stands for all of them."""
    if not wanted:
        return True
    return found == wanted if "/" in wanted else found.partition("/")[0] == wanted
