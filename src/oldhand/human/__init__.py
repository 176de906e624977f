"""People and other agents talk to ours over XMPP, with SPADE's names; needs the extra `xmpp`."""

from oldhand.errors import MissingExtra

try:
    from oldhand.human.account import XmppAccount
    from oldhand.human.agent import Agent
    from oldhand.human.behaviour import Behaviour, CyclicBehaviour, OneShotBehaviour
    from oldhand.human.chat_agent import ChatAgent
    from oldhand.human.interaction import HumanInteractionBehaviour, HumanInTheLoopTool
    from oldhand.human.llm_agent import LLMAgent
    from oldhand.human.message import AgentMessage
    from oldhand.human.prosody import ProsodyServer
    from oldhand.human.template import Template
except ModuleNotFoundError as error:
    raise MissingExtra(error.name or "slixmpp", "xmpp") from error

Message = AgentMessage
"""As SPADE calls it."""

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
