"""From a correction in words to the query that it asks for."""

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting.phrases import changes
from oldhand.query.form import Query
from oldhand.query.normal import same


def corrected(words: str, scene: Scene) -> tuple[Query, ...]:
    """The queries that a correction of an answer may mean; none when it is not understood, several when it does not decide.

    Args:
        words: such as `only the paid ones`, or `by shipping city, not billing city`.
        scene: the query of the answer.
    """
    for queries in changes(words, scene):
        found: list[Query] = []
        for query in queries:
            if not any(same(query, other) for other in (scene.query, *found)):
                found.append(query)
        if found:
            return tuple(found)
    return ()
