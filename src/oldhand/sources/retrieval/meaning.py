"""What questions and passages mean, as vectors of one model at a time."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from oldhand.errors import OldhandError
from oldhand.models.embedding.vectors import packed_vector
from oldhand.record.ports import Clock
from oldhand.record.retrieval import AskedPoint, Embedder
from oldhand.store.passage_vectors import PassageVectors

logger = logging.getLogger(__name__)

_PAUSE = 60.0
"""Seconds for which a model is not asked any more after it has failed."""
_BATCH = 64
"""Passages whose vectors are made and saved at a time."""


class Filled(NamedTuple):
    """What was done to give each passage a vector."""

    made: int
    complete: bool
    """Whether all have one now."""


@dataclass
class PassageMeaning:
    """The vectors of a home's clones: of the model that is set, and of the one before until all are made anew."""

    vectors: PassageVectors
    embedder: Embedder
    clock: Clock
    former: Callable[[str], Embedder | None] = lambda _: None
    """The model of a name that was set before; None when it can't be asked any longer."""
    _formers: dict[str, Embedder | None] = field(default_factory=dict[str, Embedder | None])
    _failed: dict[str, tuple[float, str]] = field(default_factory=dict[str, tuple[float, str]])
    _lock: Lock = field(default_factory=Lock)

    def asked(self, clone_id: str, question: str) -> tuple[AskedPoint, str]:
        """A question with its vector, and a note where it has none because the model does not answer."""
        embedder = self._in_use(clone_id)
        until, said = self._failed.get(embedder.name, (0.0, ""))
        if self.clock.monotonic() < until:
            return AskedPoint(question, None), said
        try:
            vector = embedder.embed_question(question)
        except OldhandError as error:
            note = f"Passages were looked for by words alone: {error}"
            logger.warning("embedding_failed: %s", error)
            self._failed[embedder.name] = (self.clock.monotonic() + _PAUSE, note)
            return AskedPoint(question, None), note
        return AskedPoint(question, vector, embedder.name), ""

    def _in_use(self, clone_id: str) -> Embedder:
        """The model of before as long as there are vectors of it: they go when all new ones are made."""
        other = self.vectors.other_model(clone_id, self.embedder.name)
        if other is None:
            return self.embedder
        with self._lock:
            if other not in self._formers:
                self._formers[other] = self.former(other)
        return self._formers[other] or self.embedder

    def fill(self, clone_id: str, go_on: Callable[[], bool] = lambda: True) -> Filled:
        """Make the vectors that are missing, the oldest first, and let go of those of other models when all are there.

        Each batch is saved before the next is begun, so that it goes on where it was broken off.

        Raises:
            ModelError: the model does not answer, or not with vectors.
        """
        made, name = 0, self.embedder.name
        while missing := self.vectors.missing(clone_id, name, _BATCH):
            if not go_on():
                return Filled(made, complete=False)
            rows = self.embedder.embed([one.text for one in missing])
            packed = {one.chunk: packed_vector(row) for one, row in zip(missing, rows, strict=True)}
            self.vectors.save(clone_id, name, packed)
            made += len(packed)
        if self.vectors.other_model(clone_id, name) is not None:
            self.vectors.drop_others(clone_id, name)
        return Filled(made, complete=True)
