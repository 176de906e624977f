"""The inbox of a page that stays open: what changes is told at once, and the server speaks XMPP for whoever looks at it.

Invariant: nothing is told, and nothing is said for anybody, but to whom the credential of the socket is good at that moment.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext, suppress
from typing import TYPE_CHECKING

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from oldhand.bootstrap.experts import expert_chat_of
from oldhand.errors import MessagingError, OldhandError, UnknownConsultation, UsageError
from oldhand.record.access import Role
from oldhand.record.base import Record
from oldhand.record.file_names import without_folders
from oldhand.server.access import Caller, caller_in

if TYPE_CHECKING:
    from oldhand.human.expert_chat import ExpertChat

router = APIRouter()
_MOST = 10
"""Pages of one person that stay open at once."""
_REFUSED, _TOO_MANY = 1008, 1013


class WaitingQuestion(Record):
    """A question of another agent, which came over XMPP and lies in no store of ours."""

    thread: str
    sender: str
    text: str


class InboxNews(Record):
    """What a page is told."""

    waiting: tuple[str, ...] | None = None
    """The questions that wait now; None when that has not changed."""
    chats: tuple[WaitingQuestion, ...] | None = None
    """Those of other agents; None when they have not changed."""
    sent: str | None = None
    """The thread of a reply that the server has."""
    problem: str | None = None


class InboxReply(Record):
    """What a page says: a reply to the question of another agent."""

    thread: str
    text: str


class LiveInbox:
    """One page of one person."""

    def __init__(self, socket: WebSocket, clone: str) -> None:
        self._socket = socket
        self._clone = clone

    async def caller(self) -> Caller:
        """Who it is, as of now.

        Raises:
            OldhandError: they may not come in, or no longer.
        """
        return await caller_in(self._socket, self._clone, Role.MEMBER)

    async def run(self, caller: Caller) -> None:
        """Tell and take, until the page is left or its credential ends."""
        async with await _chat_of(caller) as chat:
            work: list[Coroutine[object, object, None]] = [self._news(caller), self._takes(chat)]
            if chat is not None:
                work.append(self._chats(caller, chat))
            tasks = [asyncio.create_task(one) for one in work]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:  # also when the server ends
                for one in tasks:
                    one.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
            for one in done:
                one.result()

    async def _tell(self, news: InboxNews) -> None:
        await self.caller()
        await self._socket.send_text(news.model_dump_json(exclude_none=True))

    async def _news(self, caller: Caller) -> None:
        async with aclosing(caller.old.experts.changes(caller.user)) as changes:
            async for waiting in changes:
                await self._tell(InboxNews(waiting=tuple(one.question for one in waiting)))

    async def _chats(self, caller: Caller, chat: "ExpertChat") -> None:
        """The questions of other agents; those of this assistant stand on the page already."""
        while True:
            await chat.changed.wait()
            chat.changed.clear()
            found = [
                WaitingQuestion(thread=thread, sender=one.sender_address, text=one.body)
                for thread, one in list(chat.open.items())
                if not await _is_ours(caller, thread)
            ]
            await self._tell(InboxNews(chats=tuple(found)))

    async def _takes(self, chat: "ExpertChat | None") -> None:
        while True:
            try:
                said = await self._socket.receive_text()
            except KeyError:  # it is of bytes
                said = ""
            await self.caller()
            try:
                news = await _replied(chat, InboxReply.model_validate_json(said))
            except ValidationError:
                news = InboxNews(problem="This is no reply.")
            except (MessagingError, UsageError) as error:
                news = InboxNews(problem=without_folders(str(error)))
            await self._tell(news)


async def _replied(chat: "ExpertChat | None", said: InboxReply) -> InboxNews:
    asked = None if chat is None else chat.open.get(said.thread)
    if chat is None or asked is None:
        raise UsageError("This question waits no longer.")
    if not said.text.strip():
        raise UsageError("The reply is empty: write the answer.")
    await chat.reply(asked, said.text.strip())
    if not await chat.link.flushed(5.0):
        return InboxNews(problem="The XMPP server does not answer: it gets the reply once it is back, as long as this page is open.")  # fmt: skip
    return InboxNews(sent=said.thread)


async def _is_ours(caller: Caller, thread: str) -> bool:
    try:
        await caller.old.experts.get(thread)
    except UnknownConsultation:
        return False
    return True


async def _chat_of(caller: Caller) -> "AbstractAsyncContextManager[ExpertChat | None]":
    """The XMPP of an expert; nothing for others, and where there is none."""
    found, settings = None, (await caller.old.settings.get()).xmpp
    if caller.role.may(Role.EXPERT):
        found = await asyncio.to_thread(expert_chat_of, caller.old.path, settings, caller.user)
    return found or nullcontext()


@router.websocket("/api/clones/{clone}/inbox/live")
async def live_inbox(socket: WebSocket, clone: str) -> None:
    """What changes in the inbox, as it does; and replies to questions of other agents."""
    inbox = LiveInbox(socket, clone)
    try:
        caller = await inbox.caller()
    except OldhandError as error:
        await socket.close(_REFUSED, type(error).__name__)
        return
    await socket.accept()
    pages = caller.site.open_pages
    if pages[caller.user] >= _MOST:
        await socket.close(_TOO_MANY, "Too many pages are open.")
        return
    pages[caller.user] += 1
    try:
        await inbox.run(caller)
    except OldhandError as error:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(_REFUSED, type(error).__name__)
    except WebSocketDisconnect:
        pass
    finally:
        pages[caller.user] -= 1
