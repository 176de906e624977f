"""Documents come in: they are noted down first and read then, one after the other.

    add → noted as waiting → read → cut into passages → kept

Whatever ends the process, what was noted is read by the next one that looks. A document whose bytes are as they were is
not read again; one that changed keeps the passages that did not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from errno import EFBIG
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Protocol

from oldhand.errors import (
    DocumentError,
    DocumentTooLarge,
    MissingExtra,
    OldhandError,
    UnreadableDocument,
    UnsupportedDocument,
    UsageError,
)
from oldhand.loop.people import CloneRoles
from oldhand.record.base import Record, checked_name
from oldhand.record.document import EVERYONE, Document, DocumentState
from oldhand.record.feedback import Source
from oldhand.record.ports import Clock
from oldhand.settings import DocumentSettings
from oldhand.settings.bounded import bounded_bytes
from oldhand.sources.documents.finding import documents_under
from oldhand.sources.documents.reading import GivenDocument, read_document
from oldhand.store import Store


class IngestWatch(Protocol):
    """Somebody who watches documents being read; must be quick."""

    def __call__(self, done: int, of: int, source: str) -> None:
        """So many are done, of so many, and this one is next."""
        ...


def _no_matter() -> bool:
    return True


class DocumentChange(StrEnum):
    """What has become of a document."""

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
class Ingesting:
    """The documents of one clone. Methods block: call them in a thread from async code."""

    clone_id: str
    home: Path
    store: Store
    people: CloneRoles
    settings: DocumentSettings
    clock: Clock

    def add(
        self,
        sources: Iterable[str],
        *,
        readers: Sequence[str] = (EVERYONE,),
        user: str,
        watch: IngestWatch | None = None,
        go_on: Callable[[], bool] = _no_matter,
    ) -> tuple[IngestedDocument, ...]:
        """Add documents and read them; those that are there already are looked at again.

        Args:
            sources: files or folders.
            readers: who may see them.
            user: who adds them: the owner or an expert.
            watch: is told how far it is.
            go_on: whether there is time for one more; what is left is read later.

        Raises:
            UsageError: the user has no say here, or there is nothing to add.
        """
        if self.people.role(user) is Source.EXTERNAL:
            raise UsageError(
                f"{user} is neither owner nor expert, so that documents are not added."
            )
        allowed = tuple(dict.fromkeys(map(checked_name, readers))) or (EVERYONE,)
        places = [place for source in sources for place in self._places(source)]
        noted = [self._noted(place, allowed, user) for place in dict.fromkeys(places)]
        return self._looked_at(noted, watch, go_on)

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
        known = named or self.store.documents.list(self.clone_id)
        return self._looked_at(known, watch, go_on, again=again)

    def remove(self, name: str) -> Document:
        """Remove a document with all that was derived from it.

        Raises:
            UnknownDocument: there is none of that name.
        """
        document = self.store.documents.get(self.clone_id, name)
        self.store.documents.remove(self.clone_id, document.id)
        return document

    def _places(self, source: str) -> Iterator[Path]:
        path = Path(source).expanduser().absolute()
        if not path.exists():
            raise UsageError(f"There is no file or folder {path}.")
        if not path.is_dir():
            yield path
            return
        found = list(documents_under(path, but_not=self.home))
        if not found:
            raise UsageError(f"{path} holds no documents.")
        yield from found[: self.settings.most]

    def _noted(self, path: Path, readers: tuple[str, ...], user: str) -> Document:
        document = Document(
            id=sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16],
            clone_id=self.clone_id,
            name=path.stem,
            source=str(path),
            media="",
            digest="",
            readers=readers,
            added_by=user,
            added_at=self.clock.now(),
        )
        if self.store.documents.add(document):
            return document
        self.store.documents.allow(self.clone_id, document.id, readers)
        return self.store.documents.get(self.clone_id, document.id)

    def _looked_at(
        self,
        documents: Sequence[Document],
        watch: IngestWatch | None,
        go_on: Callable[[], bool],
        *,
        again: bool = False,
    ) -> tuple[IngestedDocument, ...]:
        done: list[IngestedDocument] = []
        for document in takewhile(lambda _: go_on(), documents):
            if watch is not None:
                watch(len(done), len(documents), document.source)
            done.append(self._look_at(document, again=again))
        if watch is not None and documents:
            watch(len(done), len(documents), "")
        return tuple(done)

    def _look_at(self, document: Document, *, again: bool) -> IngestedDocument:
        """Read a document, if it is not as it was when it was read."""
        try:
            data = self._bytes(document.source)
        except FileNotFoundError:
            return self._gone(document)
        except DocumentError as error:
            return self._failed(document, "", error)
        digest = sha256(data).hexdigest()
        if digest == document.digest and not again:
            return IngestedDocument(document=document, change=DocumentChange.UNCHANGED)
        try:
            found = read_document(
                GivenDocument(document.id, Path(document.source).name, data), self.settings.seconds
            )
        except (DocumentError, MissingExtra) as error:
            for_good = not isinstance(error, MissingExtra | UnsupportedDocument)
            return self._failed(document, digest if for_good else "", error)
        state = DocumentState.READY if found.passages else DocumentState.EMPTY
        note = found.note or ("" if found.passages else "It holds no text.")
        read = self._changed(
            document, digest, state, note, name=found.title, media=found.media,
            read_at=self.clock.now(), passages=len(found.passages),
        )  # fmt: skip
        self.store.documents.replace(read, found.passages)
        return IngestedDocument(document=read, change=DocumentChange.READ)

    def _bytes(self, source: str) -> bytes:
        most = round(self.settings.megabytes * 1_000_000)
        try:
            return bounded_bytes(Path(source), most)
        except FileNotFoundError:
            if Path(source).parent.is_dir():
                raise
            raise UnreadableDocument(f"The folder {Path(source).parent} is not there.") from None
        except OSError as error:
            kind = DocumentTooLarge if error.errno == EFBIG else UnreadableDocument
            raise kind(f"{source} cannot be read: {error.strerror}.") from error

    def _failed(self, document: Document, digest: str, error: OldhandError) -> IngestedDocument:
        """Say why it was not read; what was read of it before can still be found."""
        if document.state is DocumentState.READY:
            note = f"What is found is how it was before: {error}"
            failed = document.model_copy(update={"note": note})
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
