"""Erase a user: what they asked and said, and all that was learned from it, wherever it lies.

    tables → files → what follows from the rest, anew → search for what is left → free space

The tables come first and in one transaction, which also notes what is left to do. When the process dies, the next
erasure of this home goes on there.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from oldhand.errors import ErasureIncomplete, UsageError
from oldhand.evaluators.sql_evaluator import JUDGEMENTS_FILE
from oldhand.learning.distillation.bookmark import NOTE_ID
from oldhand.learning.distillation.distilling import Distiller
from oldhand.learning.learner import Learner
from oldhand.learning.regression.spec_files import SpecFolders
from oldhand.loop.ground import LoopPart
from oldhand.record.base import checked_name
from oldhand.store import ErasedCounts, Marks
from oldhand.store.erasing.mentions import words_in
from oldhand.store.home_store import RESULTS_FOLDER

Reflect = Callable[[], Awaitable[object]]
"""Looks back by rules on the answers that wait."""

_CACHES = (f"{RESULTS_FOLDER}/{JUDGEMENTS_FILE}",)
"""Files of a home that hold what people asked, and that are made anew when they are needed."""


@dataclass(frozen=True)
class UserErasing(LoopPart):
    """Erases users of one clone."""

    home: Path
    reflect: Reflect
    learner: Learner
    distiller: Distiller
    credit: Callable[[], object]
    """Derives anew what votes have taught about passages."""

    async def plan(self, user_id: str) -> ErasedCounts:
        """How much would be erased."""
        self._check(user_id)
        return await asyncio.to_thread(self.store.erasing.would_erase, self.clone_id, user_id)

    async def erase(self, user_id: str) -> ErasedCounts:
        """Erase a user, and finish what an interrupted erasure has left to do; nothing to do is no error.

        Raises:
            UsageError: the user owns the assistant.
            ErasureIncomplete: something is left that could not be taken out; it says where.
            StoreError: it could not be finished; it goes on with the next call.
        """
        self._check(user_id)
        return await asyncio.to_thread(self._erase, user_id)

    def _check(self, user_id: str) -> None:
        checked_name(user_id)
        if self.people.clone().owner == user_id:
            raise UsageError(f"{user_id} owns this assistant: name another owner first.")

    def _erase(self, user_id: str) -> ErasedCounts:
        store, clone_id = self.store, self.clone_id
        with store.learning(f"{clone_id}.erasing"):
            with store.learning(clone_id):
                # Whoever learns meanwhile would save again what was just taken out.
                counts = store.erasing.begin(clone_id, user_id, reset=[NOTE_ID])
            left = store.erasing.unfinished(clone_id)
            for marks in left.values():
                store.erasing.rewrite_files(clone_id, marks)
                self._delete_specs(marks)
            for name in _CACHES:
                (self.home / name).unlink(missing_ok=True)
            self._learn_again()
            found = [place for marks in left.values() for place in self._traces(marks)]
            store.erasing.finish(clone_id, tuple(left))
            if found:
                raise ErasureIncomplete(f"Something of {user_id} is left in {', '.join(found)}.")
        return counts

    def _learn_again(self) -> None:
        """Derive anew what follows from the words of others."""
        self.learner.rebuild()
        self.credit()
        asyncio.run(_awaited(self.reflect))
        self.distiller.distil()

    def _delete_specs(self, marks: Marks) -> None:
        """Behaviour specs that were written from the user's answers."""
        for folder in SpecFolders(self.home).folders():
            for file in _files(folder):
                if file.suffix in {".yaml", ".yml", ".py"} and _names(file, marks.ids):
                    file.unlink()

    def _traces(self, marks: Marks) -> Iterator[str]:
        """Where ids of what was erased still stand: in tables, and in files of the home."""
        yield from self.store.erasing.traces(self.clone_id, marks)
        for file in _files(self.home):
            if not file.name.startswith("store.db") and _names(file, marks.ids):
                yield str(file)


async def _awaited(work: Reflect) -> None:
    await work()


def _names(file: Path, ids: frozenset[str]) -> bool:
    """Whether one of the ids stands in a file, be it text or not."""
    return not ids.isdisjoint(words_in(file.read_bytes().decode("latin-1")))


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (
            one for one in sorted(folder.rglob("*")) if one.is_file() and not one.is_symlink()
        )
