"""An MCP server: other agents ask, recall, record and teach without our loop."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request

from oldhand.errors import NotSignedIn, OldhandError
from oldhand.face import AsyncOldhand
from oldhand.record.access import Role
from oldhand.server.access import caller_in

INSTRUCTIONS = (
    "Answers questions over the company's databases and documents, and learns from feedback. "
    "Before you answer a question by yourself, recall what was learned; afterwards record the outcome."
)
_SHOWN = {
    "episode_id",
    "session_id",
    "outcome",
    "text",
    "columns",
    "rows",
    "confidence",
    "notes",
    "options",
}

Who = Callable[["Context[Any]"], Awaitable[tuple[AsyncOldhand, str]]]
"""Tells which assistant a call is for, and in whose name."""
Told = dict[str, Any]
"""What a tool says, as JSON."""


@dataclass(frozen=True)
class AgentTools:
    """What other agents can call."""

    who: Who

    async def ask(self, ctx: "Context[Any]", question: str, session_id: str | None = None) -> Told:
        """Ask a question in plain words over the databases and documents; a session_id goes on with a conversation."""
        old, user = await self.who(ctx)
        answer = await old.ask(question, user=user, session_id=session_id)
        return answer.model_dump(mode="json", include=_SHOWN)

    async def recall(self, ctx: "Context[Any]", question: str) -> Told:
        """What was learned that fits a question which you answer yourself; give recall_id back to record_outcome."""
        old, user = await self.who(ctx)
        found = await old.recall(question, user=user)
        return found.model_dump(mode="json", include={"recall_id", "text"})

    async def record_outcome(
        self,
        ctx: "Context[Any]",
        question: str,
        answer: str,
        recall_id: str | None = None,
        succeeded: bool = True,
    ) -> Told:
        """Keep what you answered, so that people can rate it and it is learned from; returns the id for feedback."""
        old, user = await self.who(ctx)
        kept = await old.record(
            question, answer, model="mcp", succeeded=succeeded, recall_id=recall_id, user=user
        )
        return {"episode_id": kept}

    async def give_feedback(
        self,
        ctx: "Context[Any]",
        episode_id: str,
        rating: int | None = None,
        text: str | None = None,
        correction: str | None = None,
    ) -> Told:
        """Say how good an answer was: rating 1 or -1, words, or the right answer or SQL as correction."""
        old, user = await self.who(ctx)
        receipt = await old.feedback(
            episode_id, rating=rating, text=text, correction=correction, rater=user
        )
        learned = [one.summary for one in receipt.learned]
        return {"source": receipt.source, "learned": learned, "note": receipt.note}

    async def state_rule(self, ctx: "Context[Any]", sentence: str) -> Told:
        """Put a rule in force, such as "Revenue leaves out cancelled orders" or "profit = price - cost"."""
        old, user = await self.who(ctx)
        preview = await old.rules.add(sentence, rater=user)
        return {"rule": preview.model_dump(mode="json")}


def mcp_server(who: Who) -> "MCPServer[Any]":
    """A server with these tools."""
    server: MCPServer[Any] = MCPServer("oldhand", instructions=INSTRUCTIONS)
    tools = AgentTools(who)
    for work in (
        tools.ask,
        tools.recall,
        tools.record_outcome,
        tools.give_feedback,
        tools.state_rule,
    ):
        server.add_tool(_named(work))
    return server


def _named(work: Callable[..., Awaitable[Told]]) -> Callable[..., Awaitable[Told]]:
    """Let errors of ours come out as those of the tool."""

    @wraps(work)
    async def tool(*args: object, **given: object) -> Told:
        try:
            return await work(*args, **given)
        except OldhandError as error:
            raise ToolError(f"{type(error).__name__}: {error}") from error

    return tool


def mcp_application(app: Starlette) -> tuple["MCPServer[Any]", Starlette]:
    """The server and what answers its requests; each call is in the name of the key that came with it."""

    async def who(context: "Context[Any]") -> tuple[AsyncOldhand, str]:
        request = context.request_context.request
        if not isinstance(request, Request):
            raise NotSignedIn
        # Mounted applications have no state of ours.
        caller = await caller_in(Request({**request.scope, "app": app}), None, Role.MEMBER)
        return caller.old, caller.user

    server = mcp_server(who)
    # Keys are asked for with each call, so that names of hosts add nothing.
    open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    made = server.streamable_http_app(
        streamable_http_path="/", json_response=True, stateless_http=True, transport_security=open_to_all
    )  # fmt: skip
    return server, made
