"""Documents that were read and are kept together: a word that several have is written once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from oldhand.record.document import Document, Passage
from oldhand.record.ports import Clock
from oldhand.store.documents.documents import DocumentStore

_PASSAGES = 1_000
"""So many are kept in memory, at most."""
_SECONDS = 2.0
"""What was read so long ago is kept, so that others can find it, and little is read again when the program is killed."""


@dataclass
class ReadBatch:
    """What was read of one clone's documents and is not kept yet; they wait in the store until it is."""

    clone_id: str
    documents: DocumentStore
    clock: Clock
    _read: dict[str, tuple[Document, Sequence[Passage]]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    _since: float = 0.0

    def add(self, document: Document, passages: Sequence[Passage]) -> None:
        """Keep these with the next ones."""
        if not self._read:
            self._since = self.clock.monotonic()
        self._read[document.id] = document, passages
        many = sum(len(found) for _, found in self._read.values()) >= _PASSAGES
        if many or self.clock.monotonic() - self._since >= _SECONDS:
            self.write()

    def has(self, digest: str) -> bool:
        """Whether a document of these bytes is among them."""
        return any(one.digest == digest for one, _ in self._read.values())

    def write(self) -> None:
        """Keep all of them now."""
        if self._read:
            self.documents.replace_all(self.clone_id, list(self._read.values()))
            self._read = {}
