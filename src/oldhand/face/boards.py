"""Boards of saved questions, for their people."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from oldhand.errors import UnknownSaved, UsageError
from oldhand.face.given import named, several
from oldhand.face.opened import FaceGroup
from oldhand.face.saved import AsyncSaved
from oldhand.record.base import checked_name
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.saved import Board, SeenBoard

if TYPE_CHECKING:
    from oldhand.store.saved.store import SavedStore

_MOST = 100
"""Questions of a board."""


class AsyncBoards(FaceGroup):
    """`old.boards`: saved questions side by side, in an order; each is seen by those who may see it."""

    @property
    def _kept(self) -> "SavedStore":
        return self._opened.home.store.saved

    async def list(self) -> tuple[Board, ...]:
        """All boards, by name."""
        return await asyncio.to_thread(self._kept.boards, self._clone_id)

    async def get(self, board: str, *, user: str = DEFAULT_USER) -> SeenBoard:
        """A board with the questions on it that somebody may see, in its order, and their latest answers.

        Raises:
            UnknownSaved: there is none of that name.
        """
        saved, found = AsyncSaved(self._opened), await self._board(board)
        known = {one.id for one in await saved.list(user=user)}
        here = [await saved.get(one, user=user) for one in found.questions if one in known]
        return SeenBoard(board=found, questions=tuple(here))

    async def put(
        self, board: str, questions: str | Sequence[str], *, user: str = DEFAULT_USER
    ) -> SeenBoard:
        """Make a board of saved questions, or give one other questions or another order.

        Raises:
            UnknownSaved: one of the questions is none that they may see.
            NotAllowed: the board is somebody else's.
        """
        saved, names = AsyncSaved(self._opened), several("questions", questions)
        if len(names) > _MOST:
            raise UsageError(f"A board holds {_MOST} questions at most, not {len(names):,}.")
        known = await self._known(named(board))
        if known is not None:
            await saved.check_may(known.user_id, user)
        ids = dict.fromkeys([(await saved.get(one, user=user)).id for one in names])
        owner = known.user_id if known else checked_name(user)
        now = self._opened.home.people.clock.now()
        made = Board(name=named(board), user_id=owner, questions=(*ids,), created_at=known.created_at if known else now)  # fmt: skip
        await asyncio.to_thread(self._kept.put_board, self._clone_id, made)
        return await self.get(made.name, user=user)

    async def run(self, board: str, *, user: str = DEFAULT_USER) -> SeenBoard:
        """Ask all questions on a board that somebody may see on the rows of today."""
        for one in (await self.get(board, user=user)).questions:
            await AsyncSaved(self._opened).run(one.id, user=user)
        return await self.get(board, user=user)

    async def remove(self, board: str, *, user: str = DEFAULT_USER) -> None:
        """Remove a board; its questions stay.

        Raises:
            NotAllowed: the board is somebody else's.
        """
        found = await self._board(board)
        await AsyncSaved(self._opened).check_may(found.user_id, user)
        await asyncio.to_thread(self._kept.remove_board, self._clone_id, found.name)

    async def _board(self, name: str) -> Board:
        found = await self._known(name)
        if found is None:
            raise UnknownSaved(f"There is no board {name!r}: `oldhand saved boards` names all.")
        return found

    async def _known(self, name: str) -> Board | None:
        wanted = name.casefold()
        return next((one for one in await self.list() if one.name.casefold() == wanted), None)
