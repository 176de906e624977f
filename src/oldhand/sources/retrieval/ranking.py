"""The order of passages where nothing has been learned."""

from collections.abc import Sequence

from oldhand.record.retrieval import AskedPoint, PassageCandidate, RankedPassage


class PlainRanker:
    """Leaves candidates in the order that they come in.

    >>> PlainRanker().rank(AskedPoint("returns?", None), [PassageCandidate("a1", 0.5, None)])
    [RankedPassage(chunk='a1', score=0.5, boost=0.0)]
    """

    def evident(self, asked: AskedPoint) -> Sequence[str]:  # noqa: ARG002
        """See `PassageRanker.evident`: none."""
        return ()

    def rank(
        self,
        asked: AskedPoint,  # noqa: ARG002
        candidates: Sequence[PassageCandidate],
    ) -> Sequence[RankedPassage]:
        """See `PassageRanker.rank`."""
        return [RankedPassage(one.chunk, one.base, 0.0) for one in candidates]
