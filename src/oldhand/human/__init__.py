"""People and other agents talk to ours over XMPP, with SPADE's names; needs the extra `xmpp`.

Names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from oldhand.errors import MissingExtra

if TYPE_CHECKING:
    from oldhand.human.account import XmppAccount
    from oldhand.human.agent import Agent
    from oldhand.human.behaviour import Behaviour, CyclicBehaviour, OneShotBehaviour
    from oldhand.human.chat_agent import ChatAgent
    from oldhand.human.interaction import HumanInteractionBehaviour, HumanInTheLoopTool
    from oldhand.human.llm_agent import LLMAgent
    from oldhand.human.message import AgentMessage
    from oldhand.human.message import AgentMessage as Message
    from oldhand.human.prosody import ProsodyServer
    from oldhand.human.template import Template

__all__ = [
    "Agent",
    "AgentMessage",
    "Behaviour",
    "ChatAgent",
    "CyclicBehaviour",
    "HumanInTheLoopTool",
    "HumanInteractionBehaviour",
    "LLMAgent",
    "Message",
    "OneShotBehaviour",
    "ProsodyServer",
    "Template",
    "XmppAccount",
]

_ROOMS = {
    "account": "XmppAccount",
    "agent": "Agent",
    "behaviour": "Behaviour CyclicBehaviour OneShotBehaviour",
    "chat_agent": "ChatAgent",
    "interaction": "HumanInTheLoopTool HumanInteractionBehaviour",
    "llm_agent": "LLMAgent",
    "message": "AgentMessage",
    "prosody": "ProsodyServer",
    "template": "Template",
}


def __getattr__(name: str) -> object:
    if name == "Message":  # as SPADE calls it
        name = "AgentMessage"
    for room, names in _ROOMS.items():
        if name in names.split():
            try:
                return getattr(import_module(f"oldhand.human.{room}"), name)
            except ImportError as error:
                raise MissingExtra(error.name or "slixmpp", "xmpp") from error
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
