"""A question as the built-in mind understood it."""

from dataclasses import dataclass

from oldhand.agent.analyst.deciding import Decision, DecisionKind
from oldhand.agent.analyst.understanding import Candidate
from oldhand.lexicon.tokens import tokenise
from oldhand.query.form import Query
from oldhand.query.opaque import Opaque


@dataclass(frozen=True)
class UnderstoodQuestion:
    """A question as it was understood."""

    question: str
    """Standing alone, as far as it can be told in words."""
    decision: Decision
    candidates: tuple[Candidate, ...] = ()
    """What it may mean, likeliest first; the first is answered. The rules of each are all lessons that it rests on."""
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    databases: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Words with content that are answered without."""
    doubted: tuple[str, ...] = ()
    """Words that are known, but that the first query does not answer to."""
    lessons: tuple[str, ...] = ()
    """Ids of the lessons that the first query rests on."""
    standalone: str = ""
    """The question in words that were read without the conversation; empty when it took the conversation."""

    @property
    def answers(self) -> bool:
        """True when there is an answer."""
        return self.decision.kind is DecisionKind.ANSWER and bool(self.candidates)

    @property
    def runs(self) -> bool:
        """True when there is a query to run: for an answer, or for what is proposed."""
        return self.answers or (
            self.decision.kind is DecisionKind.PROPOSE and bool(self.candidates)
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """All words that the first query does without: none that a part of it comes from."""
        origins = self.candidates[0].origins.origins.values() if self.candidates else ()
        used = {place for origin in origins for place in origin.words}
        said = {one.text for place, one in enumerate(tokenise(self.question)) if place in used}
        doubted = (word for word in self.doubted if word not in said)
        return tuple(dict.fromkeys((*self.left_out, *doubted)))

    @property
    def queries(self) -> tuple[Query | Opaque, ...]:
        """The queries of the candidates."""
        return tuple(one.query for one in self.candidates)
