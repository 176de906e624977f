"""What was asked before."""

import asyncio
from dataclasses import dataclass

from oldhand.record.episode import Episode
from oldhand.store import Store


@dataclass(frozen=True)
class History:
    """Reads episodes of one clone."""

    clone_id: str
    store: Store

    async def one(self, episode_id: str) -> Episode:
        """The episode of that id, or the only one that begins like that."""
        return await asyncio.to_thread(self.store.episode, self.clone_id, episode_id)

    async def latest(
        self, *, user: str | None = None, session_id: str | None = None, limit: int = 20
    ) -> tuple[Episode, ...]:
        """The latest episodes, newest first."""
        return await asyncio.to_thread(
            self.store.episodes, self.clone_id, user_id=user, session_id=session_id, limit=limit
        )
