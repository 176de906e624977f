"""Which behaviour gets a message: first by the question that it answers, then by templates; exactly one."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from oldhand.human.behaviour import Behaviour
from oldhand.human.message import MESSAGE_TYPE, NOTICE, AgentMessage, Incoming, StanzaKind
from oldhand.human.replies import read_reply
from oldhand.record.consultation import VISIBLE

_log = logging.getLogger("oldhand.human")
_REMEMBERED = 1_000


@dataclass(frozen=True)
class Awaited:
    """A question that waits for the answer of one person."""

    thread: str
    address: str
    """Of the person, without a device: nobody else can answer."""
    question: str
    take: Callable[[Incoming], None]
    """Gets the answer, and what becomes of the question's delivery."""
    kept: bool = False
    """Whether it puts what it gets into a store, and settles it then."""


class Handed(StrEnum):
    """What became of a message."""

    TAKEN = "taken"
    KEPT = "kept"
    """It goes into a store first."""
    FORGED = "forged"
    """It answers a question that was put to somebody else."""
    UNCLEAR = "unclear"
    """Questions wait for its sender, and it does not say which one it answers."""
    ENDED = "ended"
    """It answers a question that nobody waits for any more."""
    UNCLAIMED = "unclaimed"
    """No behaviour takes it."""


class Mailroom:
    """Hands messages to behaviours; `counts` says how many came to what."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(Handed, 0)
        self._awaited: dict[str, Awaited] = {}
        self._ended: OrderedDict[str, str] = OrderedDict()

    def is_visible(self, visible: str) -> bool:
        """Whether a question that waits has this visible id."""
        return any(thread.startswith(visible) for thread in self._awaited)

    def expect(self, awaited: Awaited) -> None:
        """From now on answers to a question are its own."""
        self._awaited[awaited.thread] = awaited

    def expect_no_more(self, thread: str) -> None:
        """Nobody waits for an answer to this question any more."""
        if (known := self._awaited.pop(thread, None)) is not None:
            self._ended[thread] = known.address
            while len(self._ended) > _REMEMBERED:
                self._ended.popitem(last=False)

    def forget(self, thread: str) -> None:
        """Messages of this question are no longer its own; its store knows about it."""
        self._awaited.pop(thread, None)

    def hand_out(self, incoming: Incoming, behaviours: Iterable[Behaviour]) -> Handed:
        """Give a message to the one whose it is."""
        handed = self._hand_out(incoming, behaviours)
        self.counts[handed] += 1
        if handed in {Handed.FORGED, Handed.UNCLAIMED} and incoming.kind is StanzaKind.SAID:
            _log.warning("A message of %s is %s.", incoming.message.sender, handed)
        return handed

    def _hand_out(self, incoming: Incoming, behaviours: Iterable[Behaviour]) -> Handed:
        message = incoming.message
        if incoming.kind is not StanzaKind.SAID:
            return self._about(incoming)
        if message.get_metadata(MESSAGE_TYPE) is None:
            found = self._question(message)
            if isinstance(found, Awaited):
                return _given(found, incoming)
            if found is not None:
                return found
        for behaviour in sorted(behaviours, key=lambda one: one.template is None):
            if behaviour.match(message):
                behaviour.take(message)
                return Handed.TAKEN
        return Handed.UNCLAIMED

    def _about(self, incoming: Incoming) -> Handed:
        """A receipt or a bounce, for whoever waits for an answer to that message."""
        awaited = self._awaited.get(incoming.about)
        if awaited is None or awaited.address != incoming.message.sender_address:
            return Handed.UNCLAIMED
        return _given(awaited, incoming)

    def _question(self, message: AgentMessage) -> Awaited | Handed | None:
        """The question that a message answers, what else it is, or None when it is no answer to any."""
        sender, named = message.sender_address, read_reply(message).named
        if named is not None:
            if (found := _named(self._awaited, named)) is not None:
                awaited = self._awaited[found]
                return awaited if awaited.address == sender else Handed.FORGED
            if (found := _named(self._ended, named)) is not None:
                return Handed.ENDED if self._ended[found] == sender else Handed.FORGED
        waiting = self.waiting_for(sender)
        if named is None and len(waiting) == 1:
            return waiting[0]
        return Handed.UNCLEAR if waiting else None

    def waiting_for(self, address: str) -> list[Awaited]:
        """The questions that wait for one person."""
        return [one for one in self._awaited.values() if one.address == address]


def _given(awaited: Awaited, incoming: Incoming) -> Handed:
    awaited.take(incoming)
    return Handed.KEPT if awaited.kept else Handed.TAKEN


def _named(threads: Iterable[str], named: str) -> str | None:
    """The thread that is named by itself or by its visible id."""
    if len(named) != VISIBLE:
        return named if named in threads else None
    return next((one for one in threads if one.startswith(named)), None)


def notice(
    handed: Handed, message: AgentMessage, waiting: Iterable[Awaited]
) -> AgentMessage | None:
    """What its sender is told about a message that reached nobody; None when there is nothing to say."""
    if handed is Handed.ENDED:
        text = "Thank you, but this question has ended: nobody waits for an answer any more."
    elif handed is Handed.UNCLEAR:
        listed = [f"[{one.thread[:VISIBLE]}] {one.question[:200]}" for one in waiting]
        text = "\n".join(
            ("Which question is this for? Begin your answer with its id in brackets:", *listed)
        )
    else:
        return None
    return AgentMessage(message.sender, body=text, metadata={MESSAGE_TYPE: NOTICE})
