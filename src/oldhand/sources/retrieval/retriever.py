"""The passages that fit a question best, among those that whoever asks may read."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from oldhand.record.document import FoundPassage, Retrieved, reader_names
from oldhand.record.retrieval import (
    AskedPoint,
    CrossEncoder,
    PassageCandidate,
    PassageRanker,
    RankedPassage,
)
from oldhand.store.passage_reads import PassageReads, StoredPassage
from oldhand.store.search.passages import PassageScan

if TYPE_CHECKING:
    from oldhand.sources.retrieval.meaning import PassageMeaning

logger = logging.getLogger(__name__)

CANDIDATES = 50
"""Passages that are taken from each of words and meaning, and that are ranked by what was learned."""
_WEIGHED = 128
"""Passages whose words are weighed to the full: those that have the rarest words of the question."""


class NearPassages(Protocol):
    """What is near a question by its meaning."""

    @property
    def numbers(self) -> Sequence[int]:
        """Of the nearest passages that may be read, nearest first; of equally near ones, the older."""
        ...

    def cosines(self, numbers: Sequence[int]) -> dict[int, float | None]:
        """Of some passages; None for those without a vector."""
        ...


class VectorSearch(Protocol):
    """Compares the vectors of questions with those of passages."""

    def catch_up(self, clone_id: str, model: str) -> None:
        """Know all vectors that there are by now; to be called before a snapshot is taken."""
        ...

    def near(
        self, clone_id: str, asked: AskedPoint, scan: PassageScan, most: int
    ) -> NearPassages | None:
        """What is near a question; None where there are no vectors."""
        ...


class ByMeaning(NamedTuple):
    """What a search by meaning needs."""

    meaning: "PassageMeaning"
    vectors: VectorSearch
    reader: CrossEncoder | None = None
    """Reads the candidates once more, each together with the question."""


class _Candidate(NamedTuple):
    number: int
    """Of the passage."""
    candidate: PassageCandidate


class Retriever:
    """Searches the documents of one clone. Methods block: call them in a thread from async code."""

    def __init__(
        self,
        clone_id: str,
        passages: PassageReads,
        ranker: PassageRanker,
        by_meaning: ByMeaning | None = None,
    ) -> None:
        self._clone_id = clone_id
        self._passages = passages
        self._ranker = ranker
        self._by_meaning = by_meaning
        self._is_any = False
        """Whether the last search saw passages."""

    def find(
        self, question: str, user: str, member: bool, limit: int = 5
    ) -> tuple[FoundPassage, ...]:
        """The passages that fit best, best first; see `search`."""
        return self.search(question, user, member, limit).passages

    def search(self, question: str, user: str, member: bool, limit: int = 5) -> Retrieved:
        """The passages that fit best, best first: of each only one, wherever it stands.

        Args:
            question: data, whatever it looks like.
            user: who asks; only what they may read is found.
            member: whether they may read what is for members of the clone.
            limit: how many at most.
        """
        self._is_any = self._is_any or self._passages.is_any(self._clone_id)
        if not question.strip() or not self._is_any:
            return Retrieved((), "")  # no model is loaded for nothing
        readers = reader_names(user, member)
        asked, note = AskedPoint(question, None), ""
        if self._by_meaning is not None:
            asked, note = self._by_meaning.meaning.asked(self._clone_id, question)
            if asked.model is not None:
                self._by_meaning.vectors.catch_up(self._clone_id, asked.model)
        evident = self._ranker.evident(asked)
        with self._passages.snapshot():
            scan = self._passages.scan(self._clone_id, asked.text, readers)
            self._is_any = scan.passages > 0
            found = self._candidates(asked, scan, readers, evident)
            ranked = self._ranker.rank(asked, [one.candidate for one in found])
            _log(ranked)
            places = {one.candidate.chunk: at for at, one in enumerate(found)}
            best = [places[one.chunk] for one in ranked[:limit]]
            stored = self._passages.load(scan, [found[at].number for at in best], readers)
        by_chunk = {one.passage.chunk: one for one in stored}
        shown = [one for one in ranked[:limit] if one.chunk in by_chunk]
        passages = (
            _found(by_chunk[one.chunk], found[places[one.chunk]], places[one.chunk] + 1, one, rank)
            for rank, one in enumerate(shown, start=1)
        )
        return Retrieved(tuple(passages), note)

    def _candidates(
        self, asked: AskedPoint, scan: PassageScan, readers: Sequence[str], evident: Sequence[str]
    ) -> list[_Candidate]:
        passages = self._passages
        words = passages.word_scores(scan, scan.near(_WEIGHED))
        near = self._near(asked, scan)
        wanted = dict.fromkeys([*best_first(words, CANDIDATES), *near.numbers])
        known = passages.numbers_of(scan, self._clone_id, evident)
        unread = [one for one in (*wanted, *known) if one not in words]
        words |= passages.word_scores(scan, unread)
        cosines = near.cosines([*wanted, *known])
        given = [cosine for one in wanted if (cosine := cosines[one]) is not None]
        fusion = Fusion.over(words.values(), given)
        bases = {one: fusion.base(words[one], cosines[one]) for one in (*wanted, *known)}
        kept = {*best_first({one: bases[one] for one in wanted}, CANDIDATES), *known}
        order = best_first({one: bases[one] for one in kept}, len(kept))
        found = _once(passages.chunks_of(scan, order), bases, near)
        return self._read_again(asked, scan, readers, found)

    def _near(self, asked: AskedPoint, scan: PassageScan) -> NearPassages:
        known = self._by_meaning
        near = (
            None if known is None else known.vectors.near(self._clone_id, asked, scan, CANDIDATES)
        )
        return near or _Nothing()

    def _read_again(
        self,
        asked: AskedPoint,
        scan: PassageScan,
        readers: Sequence[str],
        found: list[_Candidate],
    ) -> list[_Candidate]:
        """With a model that reads question and passage together, its word counts for half."""
        reader = None if self._by_meaning is None else self._by_meaning.reader
        if reader is None or not found:
            return found
        stored = self._passages.load(scan, [one.number for one in found], readers)
        fits = reader.fits(asked.text, [one.passage.text for one in stored])
        fit_of = {one.number: fit for one, fit in zip(stored, fits, strict=True)}
        read = [
            _Candidate(number, one._replace(base=0.5 * (one.base + fit_of[number])))
            for number, one in found
            if number in fit_of
        ]
        return sorted(read, key=lambda one: -one.candidate.base)


class _Nothing:
    """No meaning is known."""

    numbers: Sequence[int] = ()

    def cosines(self, numbers: Sequence[int]) -> dict[int, float | None]:
        """Of none."""
        return dict.fromkeys(numbers)


def _once(chunks: dict[int, str], bases: dict[int, float], near: NearPassages) -> list[_Candidate]:
    """Each passage once, in that order, wherever it stands."""
    cosines = near.cosines(list(chunks))
    found: dict[str, _Candidate] = {}
    for number, chunk in chunks.items():
        if chunk not in found:
            candidate = PassageCandidate(chunk, bases[number], cosines[number])
            found[chunk] = _Candidate(number, candidate)
    return list(found.values())


def _found(
    stored: StoredPassage, one: _Candidate, place: int, ranked: RankedPassage, rank: int
) -> FoundPassage:
    return FoundPassage(
        passage=stored.passage,
        document=stored.document,
        rank=rank,
        base=one.candidate.base,
        boost=ranked.boost,
        score=ranked.score,
        cosine=one.candidate.cosine,
        place=place,
    )


def _log(ranked: Sequence[RankedPassage]) -> None:
    """Tell what was learned, in the words that people look for in logs."""
    boosts = [one.boost for one in ranked if one.boost]
    logger.info('"chunk_scores_loaded": %d', len(boosts))
    if boosts:
        logger.info('"boost_applied": %.2f', max(boosts, key=abs))


# Words and meaning, half and half.
class Fusion(NamedTuple):
    """How the scores of one search become numbers from 0 to 1, stretched over its candidates.

    >>> fusion = Fusion.over([8.0, 2.0, 0.0], [0.9, 0.5, 0.1])
    >>> fusion.base(8.0, 0.9), fusion.base(2.0, 0.5), fusion.base(4.0, None)
    (1.0, 0.375, 0.5)
    """

    best: float
    """The highest score of the words."""
    low: float
    high: float
    """The lowest and the highest cosine."""

    @classmethod
    def over(cls, words: Iterable[float], cosines: Iterable[float]) -> "Fusion":
        """That of candidates with these scores."""
        known = list(cosines)
        return cls(max(words, default=0.0), min(known, default=0.0), max(known, default=0.0))

    def base(self, words: float, cosine: float | None) -> float:
        """Half the cosine and half the words; the words alone where there is no vector."""
        said = min(1.0, words / self.best) if self.best else 0.0
        if cosine is None:
            return said
        wide = self.high - self.low
        meant = min(1.0, max(0.0, (cosine - self.low) / wide)) if wide else 1.0
        return 0.5 * meant + 0.5 * said


def best_first(scores: Mapping[int, float], most: int) -> list[int]:
    """The numbers with the highest scores; of equal ones, the lower.

    >>> best_first({3: 0.5, 1: 0.5, 2: 0.9, 4: 0.1}, 3)
    [2, 1, 3]
    """
    return sorted(scores, key=lambda number: (-scores[number], number))[:most]
