"""Documents come in: they are noted down first and read then, one after the other.

    add → noted as waiting → read → cut into passages → kept, several at a time

Whatever ends the process, what was noted is read by the next one that looks. A document whose bytes are as they were is
not read again; one that changed keeps the passages that did not.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import urlsplit
from zlib import crc32

from oldhand.errors import (
    DocumentError,
    DocumentGone,
    MissingExtra,
    OldhandError,
    UnsupportedDocument,
    UsageError,
)
from oldhand.loop.ground import LoopPart
from oldhand.loop.read_batch import ReadBatch
from oldhand.record.base import Record, checked_name
from oldhand.record.document import Document, DocumentState
from oldhand.record.feedback import Source
from oldhand.settings import DocumentSettings
from oldhand.sources.documents.fetching import is_url
from oldhand.sources.documents.finding import DocumentPlaces, inside, readers_at
from oldhand.sources.documents.reading import GivenDocument, ReadDocument, read_document
from oldhand.store.documents.documents import DocumentSource


class IngestWatch(Protocol):
    """Somebody who watches documents being read; must be quick."""

    def __call__(self, done: int, of: int, source: str) -> None:
        """So many are done, of so many, and this one is next."""
        ...


def _no_matter() -> bool:
    return True


class DocumentChange(StrEnum):
    """What has become of a document."""

    NOTED = "noted"
    """It is to be read later."""
    READ = "read"
    """Its passages are those of what it holds now."""
    UNCHANGED = "unchanged"
    GONE = "gone"
    """It is no longer where it was; its passages are removed."""
    FAILED = "failed"
    """It could not be read; the passages of before, if there are any, stay."""


class IngestedDocument(Record):
    """A document after somebody looked at its source."""

    document: Document
    change: DocumentChange


@dataclass(frozen=True)
class Ingesting(LoopPart):
    """The documents of one clone. Methods block: call them in a thread from async code."""

    places: DocumentPlaces
    settings: DocumentSettings

    def add(
        self,
        sources: Iterable[str],
        *,
        readers: Sequence[str] | None = None,
        user: str,
        later: bool = False,
        watch: IngestWatch | None = None,
        go_on: Callable[[], bool] = _no_matter,
    ) -> tuple[IngestedDocument, ...]:
        """Add documents and read them; those that are there already are looked at again.

        Args:
            sources: files, folders, addresses or sitemaps.
            readers: who may see them; None for those who may already, else everyone.
            user: who adds them: the owner or an expert.
            later: only note them down; `read_waiting` reads them.
            watch: is told how far it is.
            go_on: whether there is time for one more; what is left is read later.

        Raises:
            UsageError: the user has no say here, or there is nothing to add.
            DocumentError: a sitemap cannot be read.
        """
        self.check_may_add(user)
        allowed = tuple(dict.fromkeys(map(checked_name, readers or ())))
        whole = {one: self.places.each(one) for one in map(self.places.whole, sources)}
        many = self.store.documents.sources(self.clone_id)
        noted: dict[str, Document] = {}
        for source, places in whole.items():
            kept = None
            if self.places.has_many(source):
                kept = DocumentSource(source, user, allowed or readers_at(source, many))
                self.store.documents.keep_source(self.clone_id, kept)
            for place in places:
                given = DocumentSource(place, user, allowed or readers_at(place, many, kept))
                noted[place] = noted.get(place) or self._noted(place, given, allowed)
        found = tuple(noted.values())
        if later:
            return tuple(
                IngestedDocument(document=one, change=DocumentChange.NOTED) for one in found
            )
        return self._looked_at(found, watch, go_on)

    def check_may_add(self, user: str) -> None:
        """Let nobody but the owner and experts add documents.

        Raises:
            UsageError: the user has no say here.
        """
        if self.people.role(user) is Source.EXTERNAL:
            raise UsageError(
                f"{user} is neither owner nor expert, so that documents are not added: say who does, with --user NAME."
            )

    def refresh(
        self,
        names: Sequence[str] = (),
        *,
        again: bool = False,
        watch: IngestWatch | None = None,
        go_on: Callable[[], bool] = _no_matter,
    ) -> tuple[IngestedDocument, ...]:
        """Look at the sources of documents again, of all where none is named; `again` reads those that are as they were, too."""
        named = [self.store.documents.get(self.clone_id, name) for name in names]
        known = named or self._all()
        return self._looked_at(known, watch, go_on, again=again)

    def remove(self, name: str) -> tuple[Document, ...]:
        """Remove a document, or all of a folder or sitemap, with all that was derived from it.

        Raises:
            UnknownDocument: there is none of that name.
        """
        gone = self.called(name)
        self.store.documents.drop_source(self.clone_id, _absolute(name))
        for document in gone:
            self.store.documents.remove(self.clone_id, document.id)
        return gone

    def called(self, name: str) -> tuple[Document, ...]:
        """The document of that name, or those that a folder or sitemap of that name has brought.

        Raises:
            UnknownDocument: there is none.
        """
        source = _absolute(name)
        if any(one.source == source for one in self.store.documents.sources(self.clone_id)):
            found = self.store.documents.list(self.clone_id)
            return tuple(one for one in found if one.source.startswith(inside(source)))
        known = self.store.documents
        return (known.get(self.clone_id, source if Path(source).is_file() else name),)

    def read_waiting(self, go_on: Callable[[], bool] = _no_matter) -> int:
        """Read what was noted and not read yet, as long as there is time; gives how many there were."""
        waiting = self.store.documents.list(self.clone_id, [DocumentState.WAITING])
        return len(self._looked_at(waiting, None, go_on))

    def look_again(self, go_on: Callable[[], bool] = _no_matter) -> int:
        """As `refresh`, for when there may not be time for all: each day begins elsewhere. Gives how many were read."""
        if not go_on():
            return 0
        day = self.clock.now().date().isoformat()
        known = sorted(
            self._all(), key=lambda one: (one.digest != "", crc32(f"{day}{one.id}".encode()))
        )
        done = self._looked_at(known, None, go_on)
        return sum(one.change is DocumentChange.READ for one in done)

    def _all(self) -> list[Document]:
        """All documents, those included that folders and sitemaps have got since."""
        many = self.store.documents.sources(self.clone_id)
        for one in many:
            try:
                places = self.places.each(one.source) if self.places.has_many(one.source) else []
            except (DocumentError, UsageError):
                continue  # not there now, or empty: its documents tell
            known = {document.source for document in self.store.documents.list(self.clone_id)}
            for place in places:
                if place not in known:
                    readers = readers_at(place, many, one)
                    self._noted(place, one._replace(readers=readers), readers)
        return list(self.store.documents.list(self.clone_id))

    def _noted(self, place: str, source: DocumentSource, allowed: tuple[str, ...]) -> Document:
        """A document, whose readers are those now allowed, else those that it has, else those of its source."""
        document = Document(
            id=sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:16],
            clone_id=self.clone_id,
            name=_called(place),
            source=place,
            media="",
            digest="",
            readers=source.readers,
            added_by=source.added_by,
            added_at=self.clock.now(),
        )
        if self.store.documents.add(document):
            return document
        known = self.store.documents.get(self.clone_id, place)
        if not allowed or known.readers == allowed:
            return known
        self.store.documents.allow(self.clone_id, document.id, allowed)
        return known.model_copy(update={"readers": allowed})

    def _looked_at(
        self,
        documents: Sequence[Document],
        watch: IngestWatch | None,
        go_on: Callable[[], bool],
        *,
        again: bool = False,
    ) -> tuple[IngestedDocument, ...]:
        done: list[IngestedDocument] = []
        batch = ReadBatch(self.clone_id, self.store.documents, self.clock)
        try:
            for document in takewhile(lambda _: go_on(), documents):
                if watch is not None:
                    watch(len(done), len(documents), document.source)
                done.append(self._look_at(document, batch, again=again))
        finally:
            batch.write()
        if watch is not None and documents:
            watch(len(done), len(documents), "")
        return tuple(done)

    def _look_at(self, document: Document, batch: ReadBatch, *, again: bool) -> IngestedDocument:
        """Read a document, if it is not as it was when it was read."""
        try:
            data, said = self.places.look(document.source)
        except DocumentGone:
            return self._gone(document)
        except DocumentError as error:
            return self._failed(document, "", error)
        digest = sha256(data).hexdigest()
        if digest == document.digest and not again:
            return IngestedDocument(document=document, change=DocumentChange.UNCHANGED)
        if batch.has(digest):
            batch.write()
        try:
            found = self._read(document, data, said, digest, again=again)
        except (DocumentError, MissingExtra) as error:
            for_good = not isinstance(error, MissingExtra | UnsupportedDocument)
            return self._failed(document, digest if for_good else "", error)
        state = DocumentState.READY if found.passages else DocumentState.EMPTY
        note = found.note or ("" if found.passages else "It holds no text.")
        read = self._changed(
            document, digest, state, note, name=found.title, media=found.media,
            read_at=self.clock.now(), passages=len(found.passages),
        )  # fmt: skip
        batch.add(read, found.passages)
        return IngestedDocument(document=read, change=DocumentChange.READ)

    def _read(
        self, document: Document, data: bytes, said: str, digest: str, *, again: bool
    ) -> ReadDocument:
        """What it holds: as it was read before where another document has the same bytes."""
        same = None if again else self.store.documents.read_before(self.clone_id, digest)
        if same is None or same.id == document.id:
            given = GivenDocument(document.id, _called(document.source, ""), data, said)
            return read_document(given, self.settings.seconds)
        held = self.store.documents.passages(self.clone_id, same.id)
        taken = tuple(one.model_copy(update={"document_id": document.id}) for one in held)
        note = f"{same.note} It holds the same as {same.source}.".strip()
        return ReadDocument(same.media, same.name, taken, note)

    def _failed(self, document: Document, digest: str, error: OldhandError) -> IngestedDocument:
        """Say why it was not read; what was read of it before can still be found."""
        if document.state is DocumentState.READY:
            note = f"What is found is how it was before: {error}"
            failed = document.model_copy(update={"note": note, "digest": ""})
        else:
            failed = self._changed(document, digest, DocumentState.FAILED, str(error))
        self.store.documents.save(failed)
        return IngestedDocument(document=failed, change=DocumentChange.FAILED)

    def _gone(self, document: Document) -> IngestedDocument:
        note = "It is no longer there: put it back, or remove the document."
        gone = self._changed(document, "", DocumentState.FAILED, note, passages=0)
        self.store.documents.replace(gone, ())
        return IngestedDocument(document=gone, change=DocumentChange.GONE)

    def _changed(
        self, document: Document, digest: str, state: DocumentState, note: str, **more: object
    ) -> Document:
        change = {"digest": digest, "state": state, "note": note, **more}
        return document.model_copy(update=change)


def _called(source: str, nothing: str = "page") -> str:
    """What the name of a source calls it, until it is read.

    >>> _called("/srv/returns.md"), _called("https://kaya.example/a/returns.html?x=1"), _called("https://kaya.example/")
    ('returns.md', 'returns.html', 'page')
    """
    path = urlsplit(source).path if is_url(source) else source
    return PurePosixPath(path).name or nothing


def _absolute(name: str) -> str:
    return name if is_url(name) else os.path.abspath(Path(name).expanduser())  # noqa: PTH100 - links stay
