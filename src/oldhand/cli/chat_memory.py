"""`/mem` in a chat: look at what was learned, forget it, look after it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial

from rich.console import Console

from oldhand.cli.learned import memory_lines, memory_table
from oldhand.cli.memory_care import waiting_lines
from oldhand.cli.screen import one_line, some
from oldhand.errors import UsageError
from oldhand.face import AsyncOldhand
from oldhand.record.memory import Memory

_SHOWN = 20
"""Memories that a list shows; `oldhand memory list` shows more."""
_FILE = "memories.jsonl"
WORDS = "list, show, search, prune, forget, export, edit, approve, retire, undo"


@dataclass(frozen=True)
class MemoryCommands:
    """What `/mem` does."""

    old: AsyncOldhand
    console: Console
    user: str

    async def run(self, line: str) -> None:
        """Do what stands behind `/mem`; nothing lists what was learned.

        Raises:
            UsageError: there is no such word, or something is missing behind it.
            UnknownMemory: there is no such memory.
        """
        word, _, rest = line.partition(" ")
        old, user = self.old, self.user
        known: dict[str, Callable[[str], Awaitable[None]]] = {
            "list": self._list,
            "show": self._show,
            "search": self._search,
            "prune": self._prune,
            "forget": partial(self._decide, "forget", "Forgotten", old.memories.forget),
            "export": self._export,
            "edit": self._edit,
            "approve": partial(
                self._decide, "approve", "In force", partial(old.memories.approve, rater=user)
            ),
            "retire": partial(
                self._decide, "retire", "Retired", partial(old.memories.retire, rater=user)
            ),
            "undo": partial(self._decide, "undo", "Undone", partial(old.memories.undo, rater=user)),
        }
        done = known.get(word.lower() or "list")
        if done is None:
            raise UsageError(f"There is no /mem {one_line(word)}: use {WORDS}.")
        await done(rest.strip())

    async def _list(self, kind: str) -> None:
        if kind == "--waiting":
            for line in waiting_lines(await self.old.memories.waiting()):
                self.console.print(line, markup=False)
            return
        await self._table(await self.old.memories.list(type=kind or None, limit=_SHOWN))

    async def _search(self, words: str) -> None:
        if not words:
            raise UsageError("Write the words to look for behind /mem search.")
        found = await self.old.memories.list(text=words, limit=_SHOWN)
        if found:
            await self._table(found)
        else:
            self.console.print("Nothing that was learned has all of these words.")

    async def _show(self, memory_id: str) -> None:
        found = await self.old.memories.get(_named(memory_id, "show"))
        self.console.print(*memory_lines(found, found.memory.provenance.episode_ids), sep="\n")

    async def _prune(self, word: str) -> None:
        if word not in ("", "--dry-run"):
            raise UsageError("/mem prune stands alone, or with --dry-run.")
        gone = await self.old.memories.prune(dry_run=bool(word))
        verb = "would be erased" if word else "erased"
        self._say(f"{some(len(gone), 'memory', 'memories')} {verb}")
        for one in gone[:_SHOWN]:
            self._say(f"  {one.id}  {one.summary}")

    async def _export(self, file: str) -> None:
        number = await self.old.memories.export(file or _FILE)
        self._say(f"{number} memories written to {file or _FILE}")

    async def _edit(self, rest: str) -> None:
        memory_id, _, text = rest.partition(" ")
        if not text.strip():
            raise UsageError("Write the memory's id behind /mem edit, and then what it shall say.")
        edit = partial(self.old.memories.edit, text=text, rater=self.user)
        await self._decide("edit", "In force", edit, memory_id)

    async def _decide(
        self, word: str, done: str, decide: Callable[[str], Awaitable[Memory]], memory_id: str
    ) -> None:
        memory = await decide(_named(memory_id, word))
        self._say(f"{done}: {memory.id}  {memory.summary}")

    async def _table(self, found: Iterable[Memory]) -> None:
        rows = [await self.old.memories.get(one.id) for one in found]
        self.console.print(memory_table(rows))

    def _say(self, text: str) -> None:
        self.console.print(one_line(text), markup=False)


def _named(memory_id: str, word: str) -> str:
    if not memory_id:
        raise UsageError(f"Write the memory's id, or its first characters, behind /mem {word}.")
    return memory_id
