"""A question whose steps are streamed as they happen, and the feedback endpoints of chats."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Depends, Path
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ConfigDict, Field

from oldhand.errors import NotAllowed, OldhandError
from oldhand.record.access import Role
from oldhand.record.answer import Answer
from oldhand.record.progress import Progress
from oldhand.record.receipt import Receipt
from oldhand.server.access import Caller, needs, needs_here
from oldhand.server.problems import problem_of
from oldhand.settings import Effort

router = APIRouter()


class StreamedQuestion(BaseModel):
    """A question whose answer is watched while it comes."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(max_length=100_000, examples=["How many customers live in Berlin?"])
    databases: list[str] | None = Field(default=None, description="All of them when left out.")
    session_id: str | None = Field(default=None, description="The conversation that it goes on.")
    effort: Effort | None = None


@router.post(
    "/api/clones/{clone}/ask/stream",
    response_class=EventSourceResponse,
    tags=["assistant"],
    operation_id="ask_streamed",
    summary="Ask a question and watch the steps.",
)
async def ask_streamed(
    caller: Annotated[Caller, Depends(needs(Role.EXTERNAL))],
    given: Annotated[StreamedQuestion, Body()],
) -> AsyncIterator[ServerSentEvent]:
    """Each step is an event named for what happened; the last one is `answer`, or `problem`.

    The first one, `begun`, tells the id that the answer will have. Whoever goes away stops the work; what was done until
    then is kept. When the server ends meanwhile, the answer can be fetched by that id.
    """
    seen: asyncio.Queue[Progress | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def observe(progress: Progress) -> None:
        loop.call_soon_threadsafe(seen.put_nowait, progress)

    asking = asyncio.create_task(
        caller.old.ask(
            given.question,
            databases=given.databases,
            user=caller.user,
            session_id=given.session_id,
            effort=given.effort,
            observe=observe,
        )
    )
    asking.add_done_callback(lambda _: seen.put_nowait(None))
    try:
        while (progress := await seen.get()) is not None:
            yield ServerSentEvent(event=_name(progress), data=progress.model_dump(mode="json"))
        yield _end(asking, in_browser=caller.in_browser)
    finally:
        if not caller.site.is_ending:
            asking.cancel()


def _end(asking: "asyncio.Task[Answer]", *, in_browser: bool) -> ServerSentEvent:
    error = asking.exception()
    if error is None:
        return ServerSentEvent(event="answer", data=asking.result().model_dump(mode="json"))
    if not isinstance(error, OldhandError):
        raise error
    told = problem_of(error, in_browser=in_browser)
    return ServerSentEvent(event="problem", data=told.model_dump())


def _name(progress: Progress) -> str:
    """What happened, as the name of an event.

    >>> from oldhand.record.progress import TextDelta
    >>> _name(TextDelta(text="4"))
    'text_delta'
    """
    name = type(progress).__name__
    return "".join(f"_{it.lower()}" if it.isupper() else it for it in name).lstrip("_")


class ChatFeedback(BaseModel):
    """What somebody says of a message."""

    model_config = ConfigDict(extra="forbid")

    contentRating: Literal[-1, 1] = Field(description="Was the answer helpful?")  # noqa: N815
    styleRating: Literal[-1, 0, 1] | None = Field(  # noqa: N815
        default=None, description="Does it sound like the owner? For the owner only."
    )
    feedbackText: str | None = Field(  # noqa: N815
        default=None, max_length=20_000, description="What would have been right."
    )


MessageId = Annotated[
    str, Path(max_length=200, description="The id of the message, or of its answer.")
]


@router.post(
    "/chat/message/{message_id}/feedback", tags=["feedback"], operation_id="message_feedback"
)
@router.post(
    "/public/chat/message/{message_id}/feedback",
    tags=["feedback"],
    operation_id="public_message_feedback",
)
async def message_feedback(
    caller: Annotated[Caller, Depends(needs_here(Role.EXTERNAL))],
    message_id: MessageId,
    given: Annotated[ChatFeedback, Body()],
) -> Receipt:
    """Rate a message. Who says it follows from who is signed in, never from the request.

    A later word of the same person takes the place of the earlier one.
    """
    if given.styleRating is not None and caller.role is not Role.OWNER:
        raise NotAllowed("Only the owner can say whether it sounds like the owner.")
    episode = await caller.old.episodes.of_message(message_id)
    await caller.check_own(episode)
    return await caller.old.feedback(
        episode,
        rating=given.contentRating,
        style_rating=given.styleRating,
        text=given.feedbackText,
        rater=caller.user,
    )
