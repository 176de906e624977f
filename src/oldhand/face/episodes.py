"""Answers with all that followed."""

import asyncio
from collections.abc import Sequence

from oldhand.errors import UsageError
from oldhand.face.given import OfAnswer, episode_id_of, whole_number
from oldhand.face.opened import WAIT_SECONDS, FaceGroup
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.episode import Episode
from oldhand.record.feedback import Said
from oldhand.record.fixing import Fixing, Pick
from oldhand.record.memory import Memory
from oldhand.record.receipt import Receipt
from oldhand.record.why import Why


class AsyncEpisodes(FaceGroup):
    """`old.episodes`: what was asked and answered, and what came of it."""

    async def list(
        self, *, user: str | None = None, session_id: str | None = None, limit: int | None = 20
    ) -> tuple[Episode, ...]:
        """The latest episodes, newest first.

        Raises:
            UsageError: the limit is no number of episodes.
        """
        most = whole_number("limit", limit)
        home = self._opened.home
        return await asyncio.to_thread(home.store.episodes, home.clone_id, user, session_id, most)

    async def get(self, episode_id: OfAnswer) -> Episode:
        """One question and all that followed, by its answer, the id of that, or the first characters of the id.

        Raises:
            UnknownEpisode: there is no such episode.
        """
        home = self._opened.home
        return await asyncio.to_thread(home.store.episode, home.clone_id, episode_id_of(episode_id))

    async def of_message(self, message_id: str) -> str:
        """The id of the episode that a message belongs to; the id of an episode is taken for itself.

        Raises:
            UnknownEpisode: there is no such message.
        """
        home = self._opened.home
        return await asyncio.to_thread(home.store.episode_of_message, home.clone_id, message_id)

    async def why(self, episode_id: OfAnswer) -> Why:
        """What an answer rests on: each lesson that was recalled for it, and what that was learned from.

        Raises:
            UnknownEpisode: there is no such answer.
        """
        explaining = self._opened.home.explaining
        return await asyncio.to_thread(explaining.why, episode_id_of(episode_id))

    async def reflect(self, episode_id: OfAnswer) -> Memory:
        """Look back on one answer now, and closely; every answer is looked back on by itself in the background.

        Returns:
            the reflection as it is kept: `payload.learnings`, `payload.root_cause`, `payload.proposals`.

        Raises:
            UnknownEpisode: there is no such answer.
        """
        found = episode_id_of(episode_id)
        await asyncio.to_thread(self._opened.home.background.wait, WAIT_SECONDS)
        return await self._opened.home.reflecting.look_back(found)

    async def fixing(self, episode_id: OfAnswer, picked: Sequence[Pick] = ()) -> Fixing:
        """How a question was read, part by part, with what can be picked instead: to put an answer right without SQL.

        Args:
            episode_id: the answer.
            picked: pairs of the number of a part and that of a choice, one after the other, as each listing shows them;
                part 0 stands for the other readings. Nothing is kept before `fix`.

        Returns:
            the parts and readings to pick from, the rows `before`, and the rows `after` all that was picked.

        Raises:
            UnknownEpisode: there is no such answer.
            UsageError: there is nothing to pick from, or no such choice.
        """
        look, found = self._opened.home.putting_right.look, episode_id_of(episode_id)
        return await asyncio.to_thread(look, found, tuple(picked))

    async def fix(
        self, episode_id: OfAnswer, picked: Sequence[Pick], *, rater: str = DEFAULT_USER
    ) -> Receipt:
        """Correct an answer with what was picked, as `feedback` does with SQL.

        Raises:
            UsageError: nothing is picked, or the database does not run what is.
            UnknownEpisode: there is no such answer.
        """
        fixing = await self.fixing(episode_id, picked)
        if fixing.correction is None:
            why = (
                fixing.after.error if fixing.after else "Nothing is picked: look at `fixing` first."
            )
            raise UsageError(why)
        said = Said(rater, None, None, fixing.correction, ())
        receipt = await self._opened.home.critique.give(episode_id_of(episode_id), said)
        self._opened.home.background.soon()
        return receipt
