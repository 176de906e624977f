"""Documents: what the assistant reads besides databases."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Protocol, TypeVar

from oldhand.errors import UsageError
from oldhand.face.given import several, whole_number
from oldhand.face.opened import FaceGroup
from oldhand.record.clone import DEFAULT_USER
from oldhand.record.document import Document, Passage
from oldhand.record.memory import Memory
from oldhand.record.monitoring import DocumentStats, PassageStanding, PassageVote
from oldhand.record.retrieval import PassagesFoundBy
from oldhand.sources.uploads import keep_upload, upload_place

if TYPE_CHECKING:
    from oldhand.loop.ingesting import IngestedDocument, IngestWatch

UPLOADS = "uploads"
"""The folder of a home in which files lie that came over the network."""
_MOST_PASSAGES = 2**31 - 1
"""No document has more."""
T_co = TypeVar("T_co", covariant=True)


class _Stoppable(Protocol[T_co]):
    def __call__(self, *, go_on: Callable[[], bool]) -> T_co: ...


async def _until_cancelled(work: _Stoppable[T_co]) -> T_co:
    """Do it in a thread, which ends its work soon when nobody waits for it any longer."""
    halted = Event()
    try:
        return await asyncio.to_thread(work, go_on=lambda: not halted.is_set())
    finally:
        halted.set()


class AsyncDocuments(FaceGroup):
    """`old.documents`: what the assistant reads besides databases."""

    async def add(
        self,
        source: str | Path | Sequence[str | Path],
        *,
        readers: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
        later: bool = False,
        watch: "IngestWatch | None" = None,
    ) -> "tuple[IngestedDocument, ...]":
        """Add documents and read them; those that were added before are read again if they changed.

        Args:
            source: a file, a folder, an address or a sitemap, or several of them.
            readers: who may see them: `everyone`, `members` (owner and experts), or names of users; by default
                those who may already, else everyone.
            user: who adds them: the owner or an expert.
            later: only note them down; they are read in the background.
            watch: is told how many are done, of how many, and which one is next.

        Returns:
            Each document with what became of it; one that could not be read says why in its `note`.

        Raises:
            UsageError: there is nothing to add, or the user has no say here.
            DocumentError: a sitemap cannot be read.
        """
        given = [str(source)] if isinstance(source, str | Path) else list(map(str, source))
        allowed = None if readers is None else several("readers", readers)
        ingesting = self._opened.home.documents
        given_to = {"readers": allowed, "user": user, "later": later, "watch": watch}
        done = await _until_cancelled(partial(ingesting.add, given, **given_to))
        if later:
            self._opened.home.background.soon()
        else:
            await _until_cancelled(self._opened.home.embed_passages)
        return done

    async def upload(
        self,
        file_name: str,
        data: bytes,
        *,
        readers: str | Sequence[str] | None = None,
        user: str = DEFAULT_USER,
    ) -> "tuple[IngestedDocument, ...]":
        """Keep a file in the home and read it in the background; one of the same name takes the place of the older.

        Args:
            file_name: how it is called, such as `handbook.pdf`.
            data: what it holds.
            readers: who may see it: `everyone`, `members` (owner and experts), or names of users; by default
                those who may already, else everyone.
            user: who adds it: the owner or an expert.

        Raises:
            UsageError: the user has no say here, or the file has no name.
            StoreError: it cannot be kept.
        """
        self._opened.home.documents.check_may_add(user)
        place = upload_place(self._opened.path / UPLOADS, file_name)
        await asyncio.to_thread(keep_upload, place, data, replace=True)
        return await self.add(place, readers=readers, user=user, later=True)

    async def list(self, of: str | None = None) -> tuple[Document, ...]:
        """The documents by name: all, or those that a folder or sitemap has brought.

        Raises:
            UnknownDocument: there is nothing of that name.
        """
        ingesting = self._opened.home.documents
        if of is not None:
            return await asyncio.to_thread(ingesting.called, of)
        return await asyncio.to_thread(ingesting.store.documents.list, ingesting.clone_id)

    async def get(self, name: str) -> Document:
        """The document of that name, source, or id, or of the only id that begins so.

        Raises:
            UnknownDocument: there is none.
        """
        ingesting = self._opened.home.documents
        return await asyncio.to_thread(ingesting.store.documents.get, ingesting.clone_id, name)

    async def passages(
        self, name: str, *, start: int = 0, limit: int | None = None
    ) -> tuple[Passage, ...]:
        """The passages that a document was cut into, in its order.

        Args:
            name: of the document.
            start: passages that are left out before the first one.
            limit: how many at most; None for all.

        Raises:
            UnknownDocument: there is none of that name.
        """
        found = await self.get(name)
        store = self._opened.home.documents.store.documents
        most = whole_number("limit", limit)
        first = min(whole_number("start", start) or 0, _MOST_PASSAGES)
        return await asyncio.to_thread(store.passages, found.clone_id, found.id, first, most)

    async def refresh(
        self, *names: str, again: bool = False, watch: "IngestWatch | None" = None
    ) -> "tuple[IngestedDocument, ...]":
        """Look at the sources of documents again, and read those that changed.

        Args:
            names: which documents; all when none is named.
            again: read them also where nothing changed.
            watch: is told how many are done, of how many, and which one is next.
        """
        ingesting = self._opened.home.documents
        done = await _until_cancelled(partial(ingesting.refresh, names, again=again, watch=watch))
        await _until_cancelled(self._opened.home.embed_passages)
        return done

    async def found_by(self) -> PassagesFoundBy:
        """What passages are found by: their words, and what they mean to a model where there is one.

        Raises:
            OldhandError: the model that the settings name cannot be used.
        """
        return await asyncio.to_thread(self._opened.home.finding.found_by)

    async def remove(self, name: str) -> tuple[Document, ...]:
        """Remove a document, or all of a folder or sitemap, with all that was derived from it; files stay where they are, but for uploaded ones.

        Raises:
            UnknownDocument: there is none of that name.
        """
        gone = await asyncio.to_thread(self._opened.home.documents.remove, name)
        for one in gone:
            if Path(one.source).parent == self._opened.path / UPLOADS:
                await asyncio.to_thread(Path(one.source).unlink, missing_ok=True)
        return gone

    async def stats(self) -> DocumentStats:
        """How the documents fare: feedback, scores, what feedback changes, passages that mislead, open questions."""
        return await asyncio.to_thread(self._opened.home.passage_care.stats)

    async def standing(self, name: str | None = None) -> tuple[PassageStanding, ...]:
        """How often each passage of a document was seen, and what votes say of it.

        Args:
            name: of the document; without it, all passages that were voted on, the best first.

        Raises:
            UnknownDocument: there is none of that name.
        """
        care = self._opened.home.passage_care
        document = None if name is None else (await self.get(name)).id
        return await asyncio.to_thread(care.passages, document)

    async def votes(self, chunk: str) -> tuple[PassageVote, ...]:
        """What a passage was credited with, vote by vote.

        Args:
            chunk: its hash, or the first characters of it.

        Raises:
            UnknownDocument: there is no such passage.
        """
        return await asyncio.to_thread(self._opened.home.passage_care.votes, chunk)

    async def reset(
        self,
        name: str | None = None,
        *,
        chunk: str | None = None,
        everything: bool = False,
        rater: str = DEFAULT_USER,
    ) -> Memory:
        """Let what votes have taught so far about passages not count any longer; later votes do.

        Args:
            name: of the document whose passages are meant.
            chunk: instead of it, the hash of one passage, or the first characters of it.
            everything: instead of either, all passages.
            rater: who resets it: the owner.

        Returns:
            the note of it: `old.memories.undo(note)` takes it back.

        Raises:
            UsageError: it is not said what is meant, the person is not the owner, or nobody has voted on it.
            UnknownDocument: there is no such document or passage.
        """
        if sum((name is not None, chunk is not None, everything)) != 1:
            raise UsageError("Say what to reset: a document, a passage, or everything.")
        care = self._opened.home.passage_care
        document = None if name is None else (await self.get(name)).id
        reset = partial(care.reset, rater, passage=chunk, document_id=document)
        return await asyncio.to_thread(reset)
