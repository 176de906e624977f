"""Saying how good an answer was: a method of each face."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from oldhand.face.given import OfAnswer, episode_id_of, said_of
from oldhand.face.opened import Opened
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.receipt import Receipt

if TYPE_CHECKING:
    from oldhand.bootstrap import Home


class HasOpened(Protocol):
    """What works in a home."""

    _opened: Opened


async def feedback(  # noqa: PLR0913, D417 - each is one thing to say; a method of each face
    self: HasOpened,
    episode_id: OfAnswer,
    *,
    rating: int | None = None,
    text: str | None = None,
    correction: str | None = None,
    rater: str = DEFAULT_USER,
    tags: str | Sequence[str] = (),
    passage: int | str | None = None,
    style_rating: int | None = None,
    dry_run: bool = False,
) -> Receipt:
    """Say how good an answer was; it is on disk when this returns, and learned from.

    Args:
        episode_id: the answer, `answer.episode_id`, or the first characters of that.
        rating: +1, 0 or -1; 0 takes back what the same person said before.
        text: anything about it in words.
        correction: the right answer, or the right SQL; `shop: SELECT …` where several databases could run it; for an answer
            out of documents also `the right passage is …`, with its number or words of it.
        rater: who says so; the role is looked up in the clone, and unknown means external.
        tags: words to find it by, such as `too-verbose`; one, or several.
        passage: the passage that the rating is about, by its number in the answer or by words of it; the answer as a whole
            is not judged then.
        style_rating: +1, 0 or -1 of how the answer is put, for the owner: it says nothing of whether it is right.
        dry_run: only say what it would teach, and which earlier questions would be answered otherwise.

    Returns:
        the feedback with what it has taught: `learned`, `withdrawn`, a `note` when that was nothing, and as
        `consequences` the earlier questions that are answered otherwise now.

    Raises:
        UnknownEpisode: there is no such answer.
        UsageError: nothing was said, or the rating is none of +1, 0, -1.
    """
    said = said_of(rater, rating, text, correction, tags, passage)
    said = replace(said, style_rating=style_rating)
    home = self._opened.home  # pyright: ignore[reportPrivateUsage]
    if dry_run:
        return await home.critique.preview(episode_id_of(episode_id), said)
    receipt = await home.critique.give(episode_id_of(episode_id), said)
    await _settled(home, receipt)
    home.background.soon()
    return receipt


async def _settled(home: "Home", receipt: Receipt) -> None:
    """Who has settled an answer of their own needs nobody any more who was asked for it."""
    if receipt.rating == 1 or receipt.correction:
        look, user = home.store.consultations.of_episode, receipt.rater
        one = await asyncio.to_thread(look, home.clone_id, receipt.episode_id)
        if one is not None and one.asked_by == user and not one.state.is_final:
            await home.desk.change(one.id, lambda it: it.withdraw(user))
