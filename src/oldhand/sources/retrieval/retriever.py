"""The passages that fit a question best, among those that whoever asks may read."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from oldhand.record.document import FoundPassage, reader_names
from oldhand.record.feedback import TRUSTED, Source
from oldhand.record.retrieval import AskedPoint, PassageCandidate, PassageRanker, RankedPassage
from oldhand.store.passage_reads import PassageReads, StoredPassage

logger = logging.getLogger(__name__)

CANDIDATES = 50
"""Passages that are ranked by what was learned."""
_WEIGHED = 400
"""Passages whose words are weighed to the full: those that have the rarest words of the question."""


class _Candidate(NamedTuple):
    stored: StoredPassage
    candidate: PassageCandidate


class Retriever:
    """Searches the documents of one clone. Methods block: call them in a thread from async code."""

    def __init__(self, clone_id: str, passages: PassageReads, ranker: PassageRanker) -> None:
        self._clone_id = clone_id
        self._passages = passages
        self._ranker = ranker

    def find(
        self, question: str, user: str, role: Source, limit: int = 5
    ) -> tuple[FoundPassage, ...]:
        """The passages that fit best, best first: of each only one, wherever it stands.

        Args:
            question: data, whatever it looks like.
            user: who asks; only what they may read is found.
            role: what they are to the clone; owner and experts are its members.
            limit: how many at most.
        """
        readers = reader_names(user, role in TRUSTED)
        asked = AskedPoint(question, None)
        evident = self._ranker.evident(asked)
        with self._passages.snapshot():
            found = self._candidates(asked, readers, evident)
        ranked = self._ranker.rank(asked, [one.candidate for one in found])
        _log(ranked)
        by_chunk = {one.candidate.chunk: one for one in found}
        return tuple(
            _found(by_chunk[one.chunk], one, rank)
            for rank, one in enumerate(ranked[:limit], start=1)
        )

    def _candidates(
        self, asked: AskedPoint, readers: Sequence[str], evident: Sequence[str]
    ) -> list[_Candidate]:
        passages = self._passages
        scan = passages.scan(self._clone_id, asked.text, readers)
        words = passages.word_scores(scan, scan.near(_WEIGHED))
        best = max(words.values(), default=0.0)
        near = sorted(words, key=lambda number: (-words[number], number))[:CANDIDATES]
        known = passages.numbers_of(scan, self._clone_id, evident)
        words |= passages.word_scores(scan, [one for one in known if one not in words])
        bases = {one: min(1.0, words[one] / best) if best else 0.0 for one in (*near, *known)}
        numbers = sorted(bases, key=lambda number: (-bases[number], number))
        candidates: dict[str, _Candidate] = {}
        for stored in passages.load(scan, numbers, readers):
            chunk = stored.passage.chunk
            candidate = PassageCandidate(chunk, bases[stored.number], None, None)
            candidates.setdefault(chunk, _Candidate(stored, candidate))
        return list(candidates.values())


def _found(one: _Candidate, ranked: RankedPassage, rank: int) -> FoundPassage:
    return FoundPassage(
        passage=one.stored.passage,
        document=one.stored.document,
        rank=rank,
        base=one.candidate.base,
        boost=ranked.boost,
        score=ranked.score,
        cosine=one.candidate.cosine,
    )


def _log(ranked: Sequence[RankedPassage]) -> None:
    """Tell what was learned, in the words that people look for in logs."""
    boosts = [one.boost for one in ranked if one.boost]
    logger.info('"chunk_scores_loaded": %d', len(boosts))
    if boosts:
        logger.info('"boost_applied": %.2f', max(boosts, key=abs))
