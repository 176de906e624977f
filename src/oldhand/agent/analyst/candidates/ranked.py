"""All queries that a question may mean, each once, likeliest first."""

from collections.abc import Mapping
from dataclasses import dataclass

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.assemble import assemble
from oldhand.agent.analyst.candidates.beam import drafts
from oldhand.agent.analyst.candidates.choices import Draft
from oldhand.agent.analyst.candidates.features import features_of
from oldhand.agent.analyst.candidates.ranking import score
from oldhand.agent.analyst.candidates.telling_apart import told_apart
from oldhand.query.form import Query


@dataclass(frozen=True, slots=True)
class Ranked:
    """A query before it is written, with what speaks for it."""

    query: Query
    features: Mapping[str, float]
    score: float
    draft: Draft
    """The choices that it was made of."""

    @property
    def used(self) -> int:
        """The words of the question that it answers to, as bits."""
        return self.draft.used


def ranked(asked: Asked, weights: Mapping[str, float]) -> list[Ranked]:
    """The queries, likeliest first."""
    best: dict[Query, Ranked] = {}
    for draft in drafts(asked, weights):
        for query, added in assemble(asked, draft):
            features = features_of(asked, draft, query, added)
            made = told_apart(asked, query)
            found = Ranked(made, features, score(features, weights), draft)
            known = best.get(made)
            if known is None or known.score < found.score:
                best[made] = found
    return sorted(best.values(), key=lambda found: -found.score)
