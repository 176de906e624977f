"""What finds passages, wired to what it needs; imported when there is a document."""

from collections.abc import Callable, Sequence
from functools import cached_property

from oldhand.bootstrap.ground import Ground
from oldhand.errors import OldhandError
from oldhand.errors.mishaps import Mishap
from oldhand.models.embedding.choosing import choose_embedder, named_embedder
from oldhand.models.embedding.onnx_model import OnnxCrossEncoder, OnnxModel
from oldhand.record.retrieval import (
    AskedPoint,
    Embedder,
    PassageCandidate,
    PassageRanker,
    PassagesFoundBy,
    RankedPassage,
)
from oldhand.sources.retrieval import ByMeaning, Retriever


class _LateRanker:
    """A ranker that is made when it is first asked."""

    def __init__(self, make: Callable[[], PassageRanker]) -> None:
        self._make = make

    def evident(self, asked: AskedPoint) -> Sequence[str]:
        return self._make().evident(asked)

    def rank(
        self, asked: AskedPoint, candidates: Sequence[PassageCandidate]
    ) -> Sequence[RankedPassage]:
        return self._make().rank(asked, candidates)


class PassageFinding:
    """The search among the documents of one home; an embedder that can't be used costs the meaning only."""

    def __init__(self, ground: Ground, learned: Callable[[], PassageRanker]) -> None:
        self._ground = ground
        self._learned = learned

    @cached_property
    def retriever(self) -> Retriever:
        """What finds passages, and what was learned of them puts in order; that is loaded with the first passage."""
        ground, ranker = self._ground, _LateRanker(self._learned)
        return Retriever(ground.clone_id, ground.store.passages, ranker, self._by_meaning)

    def asked(self, question: str) -> AskedPoint:
        """Where a question stands among others."""
        found = self._by_meaning
        if found is None:
            return AskedPoint(question, None)
        return found.meaning.asked(self._ground.clone_id, question)[0]

    def fill(self, go_on: Callable[[], bool]) -> None:
        """Make the vectors that passages lack, as far as there is time."""
        if (found := self._by_meaning) is not None:
            clone_id = self._ground.clone_id
            self._ground.mishaps.spared("embedding", lambda: found.meaning.fill(clone_id, go_on))

    def found_by(self) -> PassagesFoundBy:
        """What passages are found by, and how many have a vector; raises as `choose_embedder`."""
        store, clone_id = self._ground.store, self._ground.clone_id
        embedder = choose_embedder(self._ground.settings)
        return PassagesFoundBy(
            embedder=None if embedder is None else embedder.name,
            passages=store.passages.count(clone_id),
            vectors=store.vectors.counts(clone_id).get(embedder.name, 0) if embedder else 0,
        )

    @cached_property
    def _by_meaning(self) -> ByMeaning | None:
        """None where passages are found by their words alone."""
        found = self._ground.mishaps.spared("embedding", self._wired)
        return None if isinstance(found, Mishap) else found

    def _wired(self) -> ByMeaning | None:
        ground, settings = self._ground, self._ground.settings.documents
        embedder = choose_embedder(ground.settings)
        if embedder is None:
            return None
        # They take numpy along, which loads slowly.
        from oldhand.sources.retrieval.in_database import PassagesInDatabase
        from oldhand.sources.retrieval.matrices import PassageMatrices
        from oldhand.sources.retrieval.meaning import PassageMeaning

        store, room = ground.store, settings.vector_megabytes
        reader = None if settings.reader is None else OnnxCrossEncoder(OnnxModel(settings.reader))
        return ByMeaning(
            PassageMeaning(store.vectors, embedder, ground.clock, self._former),
            PassagesInDatabase(store.points, store.vectors)
            if store.points.usable
            else PassageMatrices(store.vectors, room),
            reader,
        )

    def _former(self, name: str) -> Embedder | None:
        try:
            return named_embedder(name, self._ground.settings)
        except OldhandError:
            return None
