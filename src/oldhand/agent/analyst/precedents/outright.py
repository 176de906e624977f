"""Where a question says itself what another one, that was misread, only seemed to say."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.precedents.adapting import Past
from oldhand.agent.analyst.precedents.gist import QuestionGist
from oldhand.agent.analyst.precedents.pool import marks_of
from oldhand.agent.analyst.understanding import Candidate
from oldhand.lexicon.tokens import tokenise
from oldhand.query.blanking import blanked, values
from oldhand.query.form import Query
from oldhand.query.likeness import Mark
from oldhand.query.normal import Normal, normal


def held_against(candidates: Sequence[Candidate], seen: Sequence[Past]) -> list[Past]:
    """The pairs that may speak of a question: those that were corrected in what it says outright say nothing of it.

    `Which route is the most popular?` was read as the one with the most sailings, and corrected. Who asks for the route
    with the most sailings has said so.

    Args:
        candidates: what the rules read the question as.
        seen: all pairs, seen from the question.
    """
    first = candidates[0] if candidates else None
    if first is None or not isinstance(first.query, Query):
        return [*seen]
    wrong: dict[str, frozenset[Mark]] = {}
    for past in seen:
        if past.precedent.right and isinstance(past.precedent.query, Query):
            wrong[past.old.question] = past.read - marks_of(past.precedent.query)
    return [
        past
        for past in seen
        if past.left.identical
        or not _says_outright(first, wrong.get(past.old.question, frozenset()), past)
    ]


def _says_outright(first: Candidate, wrong: frozenset[Mark], past: Past) -> bool:
    """Whether the new question names what only the reading of the old one had."""
    if not wrong or not isinstance(first.query, Query):
        return False
    own = _named(past.new) - {word.stem for word in past.old.words}
    stems = [token.stem for token in tokenise(past.new.question)]
    for one in normal(first.query):
        origin = first.origins.origin(one.part)
        said = {stems[place] for place in origin.words} if origin is not None else set[str]()
        if said & own and not wrong.isdisjoint(_marks(one)):
            return True
    return False


def _marks(one: Normal) -> Iterator[Mark]:
    yield one.kind, one.key
    yield one.kind, blanked(one.key, values)


def _named(gist: QuestionGist) -> frozenset[str]:
    """The words that name a table or a column."""
    return frozenset(word.stem for word in gist.words if word.tables or word.columns)
