"""People and other agents talk to ours over XMPP, with SPADE's names; needs the extra `xmpp`."""

from oldhand.errors import MissingExtra

try:
    from oldhand.human.addresses import XmppAccount
    from oldhand.human.agent import Agent, ChatAgent
    from oldhand.human.behaviour import Behaviour, CyclicBehaviour, OneShotBehaviour
    from oldhand.human.interaction import HumanInteractionBehaviour, HumanInTheLoopTool
    from oldhand.human.llm_agent import LLMAgent
    from oldhand.human.message import AgentMessage, Template
    from oldhand.human.prosody import ProsodyServer
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
