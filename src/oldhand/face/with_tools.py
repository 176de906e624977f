"""Conversations whose callers bring tools."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oldhand.face.feedback import HasOpened
from oldhand.record.answer import Answer
from oldhand.record.clone import DEFAULT_USER

if TYPE_CHECKING:
    from oldhand.loop.client_tools import ToolChoice, ToolReply
    from oldhand.record.episode import Message


async def reply_with_tools(  # noqa: D417 - a method of the face
    self: HasOpened,
    messages: "Sequence[Message]",
    choice: "ToolChoice",
    *,
    user: str = DEFAULT_USER,
) -> "ToolReply":
    """Answer a conversation whose caller brings tools: what it is to call, or the answer.

    Args:
        messages: all of it, with the calls of tools and what came of them.
        choice: the tools, and whether one of them has to be called.
        user: who asks.

    Raises:
        UsageError: the built-in mind answers here, which calls no tools.
        ModelError: the model did not do its part.
    """
    from oldhand.loop.client_tools import ClientTools
    from oldhand.loop.routing import RoutedQuestion

    home = self._opened.home  # pyright: ignore[reportPrivateUsage]
    tools = ClientTools(home.thinking.lm, home.outside)

    async def ask(question: str) -> Answer:
        return await home.answering.answer(RoutedQuestion(question, user=user))

    done = await tools.reply(messages, choice, ask, user)
    home.background.soon()
    return done
